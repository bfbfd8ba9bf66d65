// The program tex1dfetch_big as a process, and its program() with a fake GPU: the book's lines, bad input,
// and what a wrong number does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/program/errors.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/published.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tex1dfetch_big/program.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::lines_of, test::shown, test::Stdout, test::Surroundings, test::TemporaryFolder,
    test::Words, test::operator+;

constexpr const char* big = "tex1dfetch_big";

TEST(CliTex1dfetchBig, PrintsTheBooksLines) {
    const Ending ending = test::run(big, {"512", "--device", "cpu"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    const auto lines = lines_of(ending.out);
    ASSERT_GE(lines.size(), 2U) << ending.out;
    const std::string sum = test::published_checksum(big, "512");
    EXPECT_EQ(lines[0], "Expected checksum: 0x" + sum);
    EXPECT_EQ(lines[1], "  stream checksum: 0x" + sum);
}

TEST(CliTex1dfetchBig, TheCpuHasOneKernelAndNoTextures) {
    const Ending ending =
        test::run(big, {"3", "--kernel", "all", "--device", "cpu", "--json", "-", "--quiet"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(ending.err, "");
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["parameters"], (json{{"size_mb", 3}, {"index_bits", nullptr}, {"memory", "stream"}}));
    ASSERT_EQ(report["results"].size(), 1U);
    const json& result = report["results"][0];
    EXPECT_EQ(result["kernel"], "stream");
    EXPECT_EQ(result["memory"], "host");
    EXPECT_EQ(result["checksum"], "bd6ab6ae");
    EXPECT_EQ(result["verified"], true);
    EXPECT_FALSE(result.contains("textures")) << result;
    EXPECT_FALSE(result.contains("components")) << result;
}

TEST(CliTex1dfetchBig, TheCpuHasNoTextureUnitWhoseIndexWouldMatter) {
    const TemporaryFolder folder;
    const Words words{"1", "--index-bits", "27", "--json", folder / "report.json"};
    const Ending ending = test::run(big, words + Words{"--device", "cpu"});
    test::expect_error(big, ending, 3, {"--index-bits 27", "GPU"}, "--device cpu");
    EXPECT_EQ(ending.out, "");
    if (!built_with_cuda)
        test::expect_error(big, test::run(big, words), 3, {"--index-bits 27", "GPU"}, "auto");
    EXPECT_FALSE(std::filesystem::exists(folder / "report.json"));
}

TEST(CliTex1dfetchBig, CpuStreamsWhatNoMemoryHolds) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    Surroundings little;
    little.address_space = rlim_t{2} << 30U;
    const Ending ending = test::run(big, {"4096", "--device", "cpu", "--json", "-", "--quiet"}, little);
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(test::report_of(ending.out)["results"][0]["verified"], true);
}

TEST(CliTex1dfetchBig, BenchmarkOfTheCpu) {
    const Ending ending = test::run(big, {"1", "--benchmark", "--device", "cpu", "--json", "-", "--quiet"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    ASSERT_EQ(report["results"].size(), 2U);
    EXPECT_EQ(report["results"][0]["kernel"], "serial");
    EXPECT_EQ(report["results"][1]["kernel"], "stream");
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], true);
        for (const char* name : {"ms", "ms_min", "ms_max", "gb_per_s"}) EXPECT_GT(result[name], 0) << name;
    }
    EXPECT_GT(report["results"][1]["percent_of_peer"], 0);
}

TEST(CliTex1dfetchBig, SizesThatAreNone) {
    const auto expect_usage_error = [](const Words& arguments, const Words& words) {
        const Ending ending = test::run(big, arguments);
        test::expect_error(big, ending, 2, words, shown(arguments));
        EXPECT_EQ(ending.out, "") << shown(arguments);
    };
    expect_usage_error({}, {"SIZE_IN_MB"});
    expect_usage_error({"--benchmark"}, {"SIZE_IN_MB"});
    for (const std::string size :
         {"0", "-5", "1.5", "12abc", "1152921504606846976", "99999999999999999999999", "", "MB"})
        expect_usage_error({"--device", "cpu", size}, {size == "-5" ? "-5" : "SIZE_IN_MB", size});
    expect_usage_error({"1", "2"}, {"2"});
    for (const std::string bits : {"0", "-1", "63", "2.5", "many"})
        expect_usage_error({"1", "--index-bits=" + bits}, {"--index-bits", bits});
    expect_usage_error({"1", "--memory", "paper"}, {"--memory", "paper", "mapped"});
    expect_usage_error({"1", "--device", "cpu", "--memory", "mapped"}, {"--memory", "mapped"});
}

/// The program with a fake GPU.
class CliTex1dfetchBigProgram : public testing::Test {
  protected:
    class Fake final : public tex1dfetch_big::ArrayOfWords {
      public:
        explicit Fake(std::size_t words) : words_(words) {}
        [[nodiscard]] std::string memory() const override { return "mapped"; }
        [[nodiscard]] int index_bits(int) const override { return 27; }
        tex1dfetch_big::Reading read(const tex1dfetch_big::Kernel& kernel, const tex1dfetch_big::Split&,
                                     const tex1dfetch_big::OnProgress& on_progress) override {
            const std::uint32_t sum = tex1dfetch_big::expected_sum(words_, on_progress);
            return {kernel.name == "wrong" ? sum + 1 : sum, 1, std::nullopt};
        }
        [[nodiscard]] std::string peer() const override { return "peer"; }
        tex1dfetch_big::Reading read_by_peer() override {
            return {tex1dfetch_big::expected_sum(words_, [](double) {}) + peer_error, 1, std::nullopt};
        }

        static inline std::uint32_t peer_error = 0;

      private:
        std::size_t words_;
    };

    CliTex1dfetchBigProgram() {
        gpu_.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "9.0", 1, 1}}, ""}; };
        Fake::peer_error = 0;
        gpu_.copy_gb_per_s = [](int) { return 1000.0; };
        gpu_.kernels = {
            {.name = "book",
             .memory = "texture1d",
             .what = "as in the book",
             .device = DeviceKind::cuda,
             .performs = tex1dfetch_big::as_in_book},
            {.name = "texture", .memory = "texture1d", .what = "right", .device = DeviceKind::cuda},
            {.name = "wrong", .memory = "texture1d", .what = "wrong", .device = DeviceKind::cuda}};
        gpu_.make = [](const Device&, std::size_t words, tex1dfetch_big::Memory, const auto& on_fallback) {
            on_fallback();
            if (words > 4 * tex1dfetch_big::words_per_mb)
                throw OutOfMemory("an array in mapped host memory needs more than there is");
            return std::make_unique<Fake>(words);
        };
    }

    int run(const Words& more) {
        const Words words = Words{big, "--json", path_} + more;
        std::vector<const char*> argv;
        for (const std::string& word : words) argv.push_back(word.c_str());
        testing::internal::CaptureStdout();
        const int status = tex1dfetch_big::program(gpu_, static_cast<int>(argv.size()), argv.data());
        out_ = testing::internal::GetCapturedStdout();
        return status;
    }

    TemporaryFolder folder_;
    std::string path_ = folder_ / "report.json";
    std::string out_;
    tex1dfetch_big::GpuBackend gpu_;
};

TEST_F(CliTex1dfetchBigProgram, SaysThatItFallsBackToMappedMemory) {
    EXPECT_EQ(run({"1"}), 0);
    EXPECT_EQ(lines_of(out_)[0], "Device alloc of 1 Mb failed, trying mapped host memory");
    EXPECT_EQ(lines_of(out_)[1].find("Expected checksum: 0x"), 0U) << out_;
    EXPECT_EQ(test::report_of(test::content_of(path_))["parameters"]["memory"], "mapped");
}

TEST_F(CliTex1dfetchBigProgram, NeitherMemorySuffices) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run({"5"}), 3);
    EXPECT_EQ(lines_of(testing::internal::GetCapturedStderr()).size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(CliTex1dfetchBigProgram, AWrongNumberIsStatus1) {
    EXPECT_EQ(run({"1", "--kernel", "wrong"}), 1);
    const json report = test::report_of(test::content_of(path_));
    EXPECT_EQ(report["results"][0]["verified"], false);
    EXPECT_EQ(report["ok"], false);
    EXPECT_EQ(run({"1", "--kernel", "all"}), 1);
}

TEST_F(CliTex1dfetchBigProgram, AWrongPeerIsStatus1) {
    EXPECT_EQ(run({"1", "--kernel", "texture", "--benchmark"}), 0);
    Fake::peer_error = 1;
    EXPECT_EQ(run({"1", "--kernel", "texture", "--benchmark"}), 1);
    const json report = test::report_of(test::content_of(path_));
    EXPECT_EQ(report["results"][0]["kernel"], "peer");
    EXPECT_EQ(report["results"][0]["verified"], false);
    EXPECT_EQ(report["results"][1]["verified"], true);
}

TEST_F(CliTex1dfetchBigProgram, OtherLimitsUseMoreTextures) {
    for (const std::string bits : {"4", "5", "11", "26"}) {
        EXPECT_EQ(run({"3", "--index-bits", bits}), 0);
        const json report = test::report_of(test::content_of(path_));
        ASSERT_EQ(report["results"].size(), 3U);
        for (const json& result : report["results"]) {
            EXPECT_EQ(result["kernel"], "texture");
            EXPECT_EQ(result["verified"], true);
            const std::size_t texels = 3 * 262144 / result["components"].get<std::size_t>();
            const std::size_t span = std::size_t{1} << std::stoul(bits);
            EXPECT_EQ(result["textures"], (texels + span - 1) / span) << bits << " bits";
        }
    }
}

TEST_F(CliTex1dfetchBigProgram, WhatWasNotPerformedHasNoChecksum) {
    EXPECT_EQ(run({"1", "--kernel", "book", "--index-bits", "16"}), 0);
    const auto lines = lines_of(out_);
    ASSERT_GE(lines.size(), 5U);
    EXPECT_EQ(lines[2], "    tex1 checksum: (not performed)");
    EXPECT_EQ(lines[4].find("    tex4 checksum: 0x"), 0U) << lines[4];
    const json report = test::report_of(test::content_of(path_));
    ASSERT_EQ(report["results"].size(), 3U);
    EXPECT_TRUE(report["results"][0]["checksum"].is_null());
    EXPECT_TRUE(report["results"][0]["verified"].is_null());
    EXPECT_EQ(report["results"][0]["textures"], 4);
    EXPECT_EQ(report["results"][2]["verified"], true);
    EXPECT_EQ(report["parameters"]["size_mb"], 1);
    EXPECT_EQ(report["parameters"]["index_bits"], 16);
    EXPECT_EQ(report["ok"], true);
}

/// The array is larger than the textures span, like 16384 MB with the book's 27 bits: nothing would be
/// verified.
TEST_F(CliTex1dfetchBigProgram, MoreThanTheBooksTexturesSpan) {
    for (const Words& more : {Words{"--kernel", "book", "--index-bits", "13"},
                              Words{"--kernel", "book", "--index-bits", "13", "--benchmark"}}) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(run(Words{"1"} + more), 3);
        const auto lines = lines_of(testing::internal::GetCapturedStderr());
        ASSERT_EQ(lines.size(), 1U);
        for (const char* word : {"--kernel book", "--index-bits 13", "1 MB", "--kernel texture"})
            EXPECT_NE(lines[0].find(word), std::string::npos) << lines[0];
        EXPECT_EQ(out_.find("(not performed)"), std::string::npos) << out_;
        EXPECT_FALSE(std::filesystem::exists(path_));
    }
    EXPECT_EQ(run({"1", "--kernel", "book", "--index-bits", "14"}), 0) << "four textures of 4 components";
}

}  // namespace
}  // namespace cudabook
