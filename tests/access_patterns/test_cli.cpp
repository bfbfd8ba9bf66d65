// The program access_patterns as a process: its rows, its picture, what it counts, and bad input.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "access_patterns/access_patterns.hpp"
#include "access_patterns/pattern.hpp"
#include "access_patterns/program.hpp"
#include "access_patterns/traffic.hpp"
#include "common/program/device.hpp"
#include "common/program/errors.hpp"
#include "common/program/measurement.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::TemporaryFolder, test::Words, test::operator+;

constexpr const char* program_name = "access_patterns";
const Words on_cpu{"--device", "cpu", "--size", "16"};
const Words emulated{"--device", "emulated"};

json report_of(const Words& arguments) {
    const Ending ending = test::run(program_name, arguments + Words{"--quiet", "--json", "-"});
    EXPECT_EQ(ending.status, 0) << shown(arguments) << '\n' << ending.err;
    EXPECT_EQ(ending.err, "") << shown(arguments);
    return test::report_of(ending.out);
}

void expect_error(int status, const Words& arguments, const Words& words) {
    const Ending ending = test::run(program_name, arguments + Words{"--quiet"});
    test::expect_error(program_name, ending, status, words, shown(arguments));
    EXPECT_EQ(ending.out, "") << shown(arguments);
}

/// The kernel, pattern and element size of each result. Two results must differ in these.
std::set<std::tuple<std::string, std::string, int>> rows_of(const json& report) {
    std::set<std::tuple<std::string, std::string, int>> rows;
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], true) << result;
        EXPECT_TRUE(rows.emplace(result["kernel"], result["pattern"], result["element_bytes"]).second)
            << result;
    }
    return rows;
}

/// A GPU with enough memory for the array, but not for a copy of it as a CUDA array.
class SmallMemory final : public access_patterns::Data {
  public:
    explicit SmallMemory(std::span<const std::uint32_t> words) : sum_(access_patterns::expected_sum(words)) {}

    std::uint32_t sum(const access_patterns::Kernel& kernel, std::size_t,
                      const access_patterns::Pattern&) override {
        if (kernel.path == access_patterns::Path::array) throw OutOfMemory("no room for an array");
        return sum_;
    }
    access_patterns::Timing measure(const access_patterns::Kernel&, std::size_t,
                                    const access_patterns::Pattern&, const TimeBudget&) override {
        return {summarise({1.0}), std::nullopt};
    }
    double read_gb_per_s(const TimeBudget&) override { return 1; }

  private:
    std::uint32_t sum_;
};

TEST(CliAccessPatterns, BenchmarkLeavesOutWhatTheMemoryDoesNotHold) {
    using access_patterns::Path;
    access_patterns::GpuBackend gpu;
    gpu.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "7.5", 1, 1}}, ""}; };
    gpu.kernels = {
        {.name = "array", .memory = "texture2d", .what = "", .device = DeviceKind::cuda, .path = Path::array},
        {.name = "global", .memory = "global", .what = "", .device = DeviceKind::cuda, .path = Path::global}};
    gpu.make = [](const Device&, std::span<const std::uint32_t> words, access_patterns::Place) {
        return std::make_unique<SmallMemory>(words);
    };
    gpu.unit_rate = [](auto&&...) { return 1.0; };
    gpu.walk_rate = [](auto&&...) { return 1.0; };
    gpu.cache_bytes = [](const Device&) { return std::size_t{1} << 20U; };

    const TemporaryFolder folder;
    const std::string path = folder / "report.json";
    const auto run = [&](std::vector<const char*> words) {
        words.insert(words.begin(), {program_name, "--quiet", "--json", path.c_str(), "--size", "16",
                                     "--pattern", "rows", "--element", "4", "--kernel", "all"});
        return access_patterns::program(gpu, static_cast<int>(words.size()), words.data());
    };
    EXPECT_EQ(run({"--benchmark"}), 0);
    const json report = test::report_of(test::content_of(path));
    const json& results = report["results"];
    ASSERT_EQ(results.size(), 2U) << report;
    EXPECT_EQ(results[0]["left_out"], "no room for an array");
    EXPECT_EQ(results[0]["pattern"], "rows");
    EXPECT_EQ(results[1]["verified"], true) << "what has room";

    testing::internal::CaptureStderr();
    EXPECT_EQ(run({}), 3) << "without a benchmark every row counts";
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "access_patterns: no room for an array\n");
}

TEST(CliAccessPatterns, OnTheCpuEveryPatternGivesOneSum) {
    const json report = report_of(on_cpu + Words{"--element", "all"});
    EXPECT_EQ(rows_of(report).size(), 14 * 5U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["checksum"], "001bd626");
        EXPECT_EQ(result["place"], "host");
        EXPECT_EQ(result["memory"], "host");
        EXPECT_FALSE(result.contains("ms"));
    }
    EXPECT_EQ(report["parameters"]["size_kb"], 16);
}

TEST(CliAccessPatterns, DefaultsAreAllPatternsOfFourBytes) {
    EXPECT_EQ(rows_of(report_of(on_cpu)).size(), 14U);
    const json rows = report_of({"--device", "cpu", "--pattern", "rows"});
    for (const json& result : rows["results"]) {
        EXPECT_EQ(result["element_bytes"], 4);
        EXPECT_EQ(result["size_kb"], 1024);
    }
}

TEST(CliAccessPatterns, EmulatedGpuReadsThroughEveryPath) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const json report = report_of(emulated + Words{"--element", "all"});
    EXPECT_EQ(rows_of(report).size(), 14 * (7 * 5 - 1U)) << "wide texels have no elements of 16 bytes";
    for (const json& result : report["results"]) EXPECT_EQ(result["checksum"], "001bd626") << result;
    const Ending mapped =
        test::run(program_name, emulated + Words{"--memory", "mapped", "--pattern", "random", "--json", "-"});
    EXPECT_EQ(mapped.status, 0);
    for (const char* kernel : {"array", "surface"})
        EXPECT_NE(mapped.err.find(std::string(kernel) + " is left out"), std::string::npos) << mapped.err;
    EXPECT_EQ(rows_of(test::report_of(mapped.out)).size(), 5U);
}

/// The emulation counts accesses one by one; the program calculates sectors from the pattern. The emulation
/// stores a surface as rows in memory, not in an array's layout.
TEST(CliAccessPatterns, SectorsAreThoseCounted) {
    if (CUDABOOK_HAS_COUNTERS == 0) GTEST_SKIP() << "this build has no programs that count";
    for (const char* element : {"1", "4", "16"}) {
        const json report = report_of(emulated + Words{"--counters", "--element", element});
        for (const json& result : report["results"]) {
            ASSERT_EQ(result["counters"].size(), 1U);
            const json& counters = result["counters"][0];
            const std::string kind = result["memory"] == "global"    ? "global_load"
                                     : result["memory"] == "surface" ? "surface_load"
                                                                     : "texture";
            const double requests = counters[kind + "_requests"];
            const double sectors = counters[kind + "_sectors"];
            EXPECT_EQ(requests, 16384 / result["element_bytes"].get<int>() / 32) << result;
            const double predicted = result["sectors_per_request"];
            // For a surface, the sample counts a warp's sectors once, not for each group of 8 lanes.
            if (result["kernel"] == "surface")
                EXPECT_GE(sectors / requests, predicted * (1 - 1e-4)) << result;
            else
                EXPECT_NEAR(sectors / requests / predicted, 1, 1e-4) << result;
        }
    }
}

TEST(CliAccessPatterns, BenchmarkOnTheCpu) {
    const json report = report_of(on_cpu + Words{"--benchmark", "--element", "4", "--pattern", "morton"});
    EXPECT_GT(report["ceilings"]["read_gb_per_s"], 0);
    ASSERT_EQ(report["results"].size(), 1U);
    const json& result = report["results"][0];
    EXPECT_EQ(result["verified"], true);
    EXPECT_EQ(result["floor_by"], "memory");
    const double ms = result["ms"];
    EXPECT_NEAR(result["gelements_per_s"].get<double>() * ms, 4096 / 1e6, 1e-6);
    const double percent = 100 * result["floor_ms"].get<double>() / ms;
    EXPECT_NEAR(result["percent_of_floor"].get<double>(), percent, 1e-3 * percent);
    EXPECT_NEAR(result["moved_gb_per_s"].get<double>(),
                result["bytes_per_element"].get<double>() * result["gelements_per_s"].get<double>(),
                1e-3 * result["moved_gb_per_s"].get<double>());
}

TEST(CliAccessPatterns, BenchmarkReadsSeveralArrays) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const json report = report_of(
        emulated + Words{"--benchmark", "--element", "4", "--pattern", "rows", "--kernel", "linear"});
    std::set<std::tuple<std::string, int>> arrays;
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], true);
        arrays.emplace(result["place"], result["size_kb"]);
    }
    EXPECT_EQ(arrays,
              (std::set<std::tuple<std::string, int>>{{"device", 16}, {"device", 64}, {"mapped", 16}}));
    for (const char* ceiling : {"rows_walk_gelements_per_s", "linear_4_bytes_gelements_per_s",
                                "cache_read_gb_per_s", "mapped_read_gb_per_s"})
        EXPECT_GT(report["ceilings"][ceiling], 0) << ceiling;
}

TEST(CliAccessPatterns, PictureOfARunAndOfABenchmark) {
    const TemporaryFolder folder;
    for (const Words& more : {Words{"--element", "all"}, Words{"--pattern", "rows", "--benchmark"}}) {
        const std::string png = folder / "slide.png";
        EXPECT_EQ(test::run(program_name, on_cpu + more + Words{"--quiet", "--png", png}).status, 0);
        const test::Picture picture(png);
        EXPECT_EQ(picture.width, 1920);
        EXPECT_EQ(picture.height, 1080);
    }
}

TEST(CliAccessPatterns, BadOptions) {
    expect_error(2, on_cpu + Words{"--pattern", "zigzag"}, {"--pattern", "zigzag", "rows", "random_in_tile"});
    expect_error(2, on_cpu + Words{"--element", "3"}, {"--element", "3", "16"});
    for (const char* angle : {"280", "1e20"}) {  // the same angle
        const json turned = report_of(on_cpu + Words{"--pattern", "rotated", "--angle", angle});
        EXPECT_GT(turned["results"][0]["sectors_per_request"], 30) << angle;
    }
    if (built_with_emulation) {
        const Ending wide = test::run(program_name, emulated + Words{"--element", "16", "--pattern", "rows"});
        EXPECT_NE(wide.err.find("wide is left out"), std::string::npos) << wide.err;
    }
    for (const char* angle : {"nan", "inf", "steep"})
        expect_error(2, on_cpu + Words{"--angle", angle}, {"--angle", angle});
    for (const char* size : {"0", "8", "24", "-16", "524288", "1e3", "99999999999999999999"})
        expect_error(2, {"--device", "cpu", "--size", size}, {"--size", size, "16", "262144"});
    expect_error(2, on_cpu + Words{"--memory", "texture"}, {"--memory", "texture", "mapped"});
    expect_error(2, on_cpu + Words{"--memory", "mapped"}, {"--memory mapped", "CPU"});
}

TEST(CliAccessPatterns, KernelsThatCannotReadThat) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    for (const char* kernel : {"array", "surface"})
        expect_error(2, emulated + Words{"--kernel", kernel, "--memory", "mapped"},
                     {"--kernel", kernel, "--memory device"});
    expect_error(2, emulated + Words{"--kernel", "wide", "--element", "16"},
                 {"--kernel wide", "--element 8"});
}

TEST(CliAccessPatterns, PictureThatCannotBeWritten) {
    const TemporaryFolder folder;
    expect_error(3, on_cpu + Words{"--png", folder / "nowhere/slide.png"}, {"nowhere/slide.png"});
    expect_error(3, on_cpu + Words{"--png", "/"}, {"folder"});
    EXPECT_TRUE(std::filesystem::is_empty(folder / "."));
}

}  // namespace
}  // namespace cudabook
