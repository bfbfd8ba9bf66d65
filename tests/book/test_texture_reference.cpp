// common/book/texture_reference.h: the programs of tests/legacy/, built with it in both ways, find no error.
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/process.hpp"

namespace cudabook {
namespace {

/// Whether a program ended because there is no GPU, and none is required.
bool no_gpu(const test::Ending& ending) {
    const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
    if (required != nullptr && std::string_view(required) == "1") return false;
    return ending.status == 77 || ending.err.find("cudaErrorNoDevice") != std::string::npos ||
           ending.err.find("cudaErrorInsufficientDriver") != std::string::npos;
}

class TextureReferenceSmall : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(TextureReferenceSmall, FindsNoError) {
    const auto& [program, build] = GetParam();
    const test::Ending ending = test::run("legacy/" + program + "_" + build, {});
    if (no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.signal, 0);
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, TextureReferenceSmall,
    testing::Combine(testing::Values("bind_calls", "cubemaps", "dimensions", "element_types", "gather",
                                     "gl_headers", "layers", "mipmaps", "rebinding", "surfaces", "templates",
                                     "units", "units_rdc"),
                     testing::Values("forced", "included")),
    [](const auto& test) { return std::get<0>(test.param) + "_" + std::get<1>(test.param); });

/// The grid's checksums after 1 and 10 frames are those of the sample heat.
class TextureReferenceHeat : public testing::TestWithParam<std::string> {};

TEST_P(TextureReferenceHeat, GivesTheBooksGrid) {
    for (const auto& [frames, checksum] : {std::pair{"1", "f7cb8b0a\n"}, std::pair{"10", "4d6dc8ed\n"}}) {
        test::Surroundings surroundings;
        surroundings.set = {std::string("CUDABOOK_FRAMES=") + frames};
        const test::Ending ending = test::run("legacy/" + GetParam(), {}, surroundings);
        if (no_gpu(ending)) GTEST_SKIP() << ending.err;
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.out, checksum);
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, TextureReferenceHeat,
                         testing::Values("heat_forced", "heat_included", "heat_2d_forced",
                                         "heat_2d_included"),
                         [](const auto& test) { return test.param; });

TEST(BookDevicesSmall, HaveTheRemovedProperties) {
    const test::Ending ending = test::run("book_devices", {});
    if (no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
    EXPECT_NE(ending.out.find("Clock rate: "), std::string::npos) << ending.out;
}

}  // namespace
}  // namespace cudabook
