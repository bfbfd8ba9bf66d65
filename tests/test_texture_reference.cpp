// common/book/texture_reference.h: the programs of tests/legacy/, built with it in both ways, find nothing
// wrong.
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/process.hpp"

namespace cudabook {
namespace {

class TextureReferenceSmall : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(TextureReferenceSmall, FindsNothingWrong) {
    const auto& [program, way] = GetParam();
    const test::Ending ending = test::run("legacy/" + program + "_" + way, {});
    const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
    if (ending.status == 77 && (required == nullptr || std::string_view(required) != "1"))
        GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.signal, 0);
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, TextureReferenceSmall,
    testing::Combine(testing::Values("bind_calls", "cubemaps", "dimensions", "element_types", "gather",
                                     "layers", "mipmaps", "surfaces"),
                     testing::Values("forced", "included")),
    [](const auto& test) { return std::get<0>(test.param) + "_" + std::get<1>(test.param); });

}  // namespace
}  // namespace cudabook
