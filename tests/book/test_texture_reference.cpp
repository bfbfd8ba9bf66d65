// common/book/texture_reference.h: the programs of tests/legacy/ find no error, and the programs of the books
// print what the books say.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/numbers/rand_stream.hpp"
#include "tests/book/old_programs.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/process.hpp"
#include "tests/support/published.hpp"

namespace cudabook {
namespace {

class TextureReferenceSmall : public testing::TestWithParam<std::string> {};

TEST_P(TextureReferenceSmall, FindsNoError) {
    const test::Ending ending = test::run(test::texture_program(GetParam()), {});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.signal, 0);
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}

INSTANTIATE_TEST_SUITE_P(Programs, TextureReferenceSmall,
                         testing::Values("bind_calls", "cub", "cubemaps", "dimensions", "element_types",
                                         "gather",
#ifndef CUDABOOK_OLD_PROGRAMS_ARE_EMULATED
                                         "gl_headers", "thrust",  // they need CCCL
#endif
                                         "layers", "mipmaps", "rebinding", "surfaces", "templates", "units",
                                         "units_included", "units_rdc"),
                         [](const auto& test) { return test.param; });

/// The book's line for each frame, and the checksums of the sample heat after 1 and 10 frames.
class TextureReferenceHeat : public testing::TestWithParam<std::string> {};

void expect_grid(const std::string& program, int frames, const std::string& checksum) {
    const test::Ending ending =
        test::run(program, {}, {.unset = {}, .set = {fmt::format("CUDABOOK_FRAMES={}", frames)}});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, fmt::format("Checksum of the grid: {}\n", checksum));
    const std::regex lines(fmt::format("(Average Time per frame:  [0-9]+[.][0-9] ms\n){{{}}}", frames));
    EXPECT_TRUE(std::regex_match(ending.out, lines)) << ending.out;
}

TEST_P(TextureReferenceHeat, GivesTheBooksGrid) {
    expect_grid(GetParam(), 1, test::published_checksum("heat", "--headless --frames 1"));
}

// On an emulated GPU, ten frames take half a minute.
TEST_P(TextureReferenceHeat, GivesTheBooksGridAfterTenFrames) {
    expect_grid(GetParam(), 10, test::published_checksum("heat", "--headless --frames 10"));
}

INSTANTIATE_TEST_SUITE_P(Programs, TextureReferenceHeat,
                         testing::Values(test::texture_program("heat"), test::texture_program("heat_2d"),
                                         test::book_program("book_heat")),  // through global memory
                         [](const auto& test) { return test.param.substr(test.param.find('/') + 1); });

class TextureReferenceSumSmall : public testing::Test {
  protected:
    static test::Ending run(const std::vector<std::string>& arguments,
                            const test::Surroundings& surroundings = {}) {
        return test::run(test::texture_program("tex1dfetch_big"), arguments, surroundings);
    }

    /// Expects the book's lines. tex1, tex2: whether texels of one and two components are summed.
    static void expect_lines(int mb, std::uint32_t sum, bool tex1, bool tex2) {
        const test::Ending ending = run({std::to_string(mb)});
        if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
        const auto line = [sum](const char* what, bool performed) {
            return fmt::format("{} checksum: {}\n", what,
                               performed ? fmt::format("0x{:08x}", sum) : "(not performed)");
        };
        EXPECT_EQ(ending.status, 0);
        EXPECT_EQ(ending.err, "");
        EXPECT_EQ(ending.out, line("Expected", true) + line("    tex1", tex1) + line("    tex2", tex2) +
                                  line("    tex4", true));
    }
};

TEST_F(TextureReferenceSumSmall, AddsUpTheStreamOfRand) {
    RandStream word;
    std::uint32_t sum = 0;
    int summed_mb = 0;
    for (const int mb : {1, 2, 16}) {
        for (; summed_mb < mb; ++summed_mb)
            for (int i = 0; i < 1 << 18; ++i) sum += word();
        expect_lines(mb, sum, true, true);
    }
}

TEST_F(TextureReferenceSumSmall, SizesThatAreNone) {
    using Words = std::vector<std::string>;
    for (const Words& arguments : {Words{}, Words{"1", "2"}, Words{"0"}, Words{"-1"}, Words{"8193"},
                                   Words{""}, Words{"1x"}, Words{"MB"}, Words{"99999999999999999999"}}) {
        const test::Ending ending = run(arguments);
        EXPECT_EQ(ending.status, 2);
        EXPECT_EQ(ending.out, "");
        ASSERT_FALSE(ending.err.empty());
        EXPECT_TRUE(test::is_one_line(ending.err.substr(0, ending.err.size() - 1))) << ending.err;
        EXPECT_NE(ending.err.find("from 1 to 8192"), std::string::npos) << ending.err;
    }
}

#ifdef CUDABOOK_OLD_PROGRAMS_ARE_EMULATED  // test_mapped_textures_gpu.cu takes a GPU's memory
TEST_F(TextureReferenceSumSmall, OfHostMemoryWhereTheGpuHasTooLittle) {
    const test::Ending ending = run({"2"}, {.unset = {}, .set = {"CUDABOOK_EMULATED_MB=1"}});
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_TRUE(ending.out.starts_with("Device alloc of 2 Mb failed, trying mapped host memory\n"))
        << ending.out;
    EXPECT_EQ(ending.out.substr(ending.out.find('\n') + 1), run({"2"}).out);
}
#endif

std::uint32_t book_sum(std::size_t mb) {
    return static_cast<std::uint32_t>(
        std::stoul(test::published_checksum("tex1dfetch_big", std::to_string(mb)), nullptr, 16));
}

/// The sizes for which the book prints checksums.
class TextureReferenceSum : public TextureReferenceSumSmall {};

TEST_F(TextureReferenceSum, GivesTheBooksChecksum) { expect_lines(512, book_sum(512), true, true); }

// On an emulated GPU, each size takes some seconds.
TEST_F(TextureReferenceSum, GivesTheBooksLargeChecksums) {
    expect_lines(768, book_sum(768), false, true);
    expect_lines(1280, book_sum(1280), false, false);
}

/// A line with the integers from 0 to `most`, then from `least` to -1, as floats that are 1 at `most`.
std::string promoted(int least, int most) {
    std::string line;
    for (int i = 0; i <= most; ++i) line += fmt::format("{:.2f} ", static_cast<double>(i) / most);
    for (int i = least; i < 0; ++i)
        line += fmt::format("{:.2f} ", i < -most ? -1.0 : static_cast<double>(i) / most);
    return line + "\n";
}

TEST(TextureReferenceFloatsSmall, PrintsEveryValue) {
    const test::Ending ending = test::run(test::texture_program("tex1dfetch_int2float"), {});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    EXPECT_TRUE(ending.out ==
                promoted(-128, 127) + promoted(0, 255) + promoted(-32768, 32767) + promoted(0, 65535));
}

TEST(BookDevicesSmall, HaveTheRemovedProperties) {
    const test::Ending ending = test::run(test::book_program("book_devices"), {});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
    EXPECT_NE(ending.out.find("Clock rate: "), std::string::npos) << ending.out;
}

}  // namespace
}  // namespace cudabook
