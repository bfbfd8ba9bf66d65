// The program occupancy as a process.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "common/program/device.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::TemporaryFolder, test::Words, test::operator+;

constexpr const char* program_name = "occupancy";

Ending run(const Words& arguments) { return test::run(program_name, arguments); }

json report_of(const Words& arguments) {
    const Ending ending = run(arguments + Words{"--quiet", "--json", "-"});
    EXPECT_EQ(ending.status, 0) << shown(arguments) << '\n' << ending.err;
    return test::report_of(ending.out);
}

void expect_error(int status, const Words& arguments, const Words& words) {
    const Ending ending = run(arguments + Words{"--quiet"});
    test::expect_error(program_name, ending, status, words, shown(arguments));
    EXPECT_EQ(ending.out, "") << shown(arguments);
}

constexpr bool has_calculator = built_with_cuda || built_with_emulation;

TEST(CliOccupancy, TheBlocksOfTheCpu) {
    const json report = report_of({"--device", "cpu", "--passes", "5", "--blocks", "11", "--block", "100"});
    ASSERT_EQ(report["results"].size(), 1U);
    const json& result = report["results"][0];
    EXPECT_EQ(result["kernel"], "threads");
    EXPECT_EQ(result["verified"], true);
    EXPECT_EQ(result["blocks"], 11);
    EXPECT_EQ(result["threads"], 100);
    EXPECT_TRUE(result.contains("prediction_error_percent"));
    EXPECT_EQ(result["full_waves"].get<int>() * result["blocks_at_once"].get<int>() +
                  result["tail_blocks"].get<int>(),
              11);
}

/// The sums depend on the vectors and the passes alone.
TEST(CliOccupancy, EmulatedGpuGivesTheSumsOfTheCpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const Words small{"--passes", "3", "--blocks", "6", "--block", "64"};
    const json cpu = report_of(small + Words{"--device", "cpu"});
    for (const char* kernel : {"vector_add1", "vector_add2"}) {
        const json report = report_of(small + Words{"--device", "emulated:t4", "--kernel", kernel});
        EXPECT_EQ(report["results"][0]["checksum"], cpu["results"][0]["checksum"]) << kernel;
        EXPECT_EQ(report["results"][0]["verified"], true);
        EXPECT_FALSE(report["results"][0].contains("prediction_error_percent")) << "it imitates no times";
    }
}

TEST(CliOccupancy, Calculator) {
    const json xe_lp = report_of({"--gpu", "xe-lp", "--block", "512"});
    EXPECT_EQ(xe_lp["results"][0]["blocks_per_multiprocessor"], 1);
    EXPECT_EQ(xe_lp["results"][0]["warps_per_multiprocessor"], 64);
    const Ending none = run({"--gpu", "xe-lp", "--shared", "131072", "--block", "8", "--curves"});
    EXPECT_NE(none.out.find("limited by shared memory"), std::string::npos) << none.out;
    EXPECT_NE(none.out.find("lanes"), std::string::npos) << none.out;
    if (!has_calculator) {
        expect_error(3, {"--gpu", "h200"}, {"--gpu h200", "xe-lp"});
        return;
    }
    const json h200 = report_of({"--gpu", "h200", "--block", "384", "--registers", "135"});
    EXPECT_EQ(h200["results"][0]["occupancy_percent"], 18.75);
    EXPECT_EQ(h200["results"][0]["occupancy_limit"], "registers");
    const Ending too_many = run({"--gpu", "t4", "--block", "1024", "--registers", "255"});
    EXPECT_EQ(too_many.status, 0);
    EXPECT_NE(too_many.out.find("cannot start: registers"), std::string::npos) << too_many.out;
    const json curves = report_of({"--gpu", "a100", "--curves"});
    EXPECT_GT(curves["results"].size(), 32U + 255U + 163U);
    if (built_with_emulation) {
        const json device = report_of({"--gpu", "device", "--device", "emulated:t4"});
        EXPECT_EQ(device["results"][0]["warps_per_multiprocessor"], 32);
    }
}

TEST(CliOccupancy, Chapter) {
    const json report = report_of({"--chapter"});
    EXPECT_EQ(report["ok"], true);
    EXPECT_GT(report["results"].size(), 40U);
    EXPECT_NE(run({"--chapter"}).out.find("a slip of the pen"), std::string::npos);
}

TEST(CliOccupancy, Pictures) {
    const TemporaryFolder folder;
    const std::string png = folder / "a.png";
    EXPECT_EQ(run({"--device", "cpu", "--passes", "5", "--quiet", "--png", png}).status, 0);
    EXPECT_EQ(test::Picture(png).width, 940);
    EXPECT_EQ(run({"--gpu", "xe-lp", "--quiet", "--png", png}).status, 0);
    EXPECT_EQ(test::Picture(png).width, 2000);
}

TEST(CliOccupancy, BadInput) {
    const Words on_cpu{"--device", "cpu"};
    expect_error(2, {"--gpu", "h200", "--block", "0"}, {"--block", "0"});
    expect_error(2, {"--gpu", "h200", "--block", "1025"}, {"--block", "1025", "1024"});
    expect_error(2, {"--gpu", "h200", "--registers", "0"}, {"--registers", "255"});
    expect_error(2, {"--gpu", "h200", "--registers", "256"}, {"--registers", "255"});
    expect_error(2, {"--gpu", "h200", "--registers", "many"}, {"--registers", "many"});
    expect_error(2, {"--gpu", "h200", "--shared", "-1"}, {"--shared"});
    expect_error(2, {"--gpu", "gt200"}, {"gt200", "xe-lp", "h200"});
    expect_error(2, {"--gpu", "xe-lp", "--block", "513"}, {"--block 513", "512"});
    expect_error(2, {"--gpu", "xe-lp", "--shared", "131073"}, {"--shared 131073", "131072"});
    expect_error(2, {"--gpu", "xe-lp", "--registers", "32"}, {"--registers", "xe-lp"});
    expect_error(2, {"--gpu", "xe-lp", "--sub-group", "4"}, {"--sub-group", "4"});
    expect_error(2, {"--gpu", "h200", "--sub-group", "8"}, {"--sub-group", "NVIDIA"});
    expect_error(2, {"--gpu", "h200", "--benchmark"}, {"--benchmark", "--gpu"});
    expect_error(2, {"--chapter", "--gpu", "h200"}, {"--gpu", "--chapter"});
    expect_error(2, {"--chapter", "--device", "cpu"}, {"--device", "--chapter"});
    expect_error(2, {"--chapter", "--counters"}, {"--counters"});
    expect_error(2, {"--gpu", "h200", "--device", "cpu"}, {"--device", "--gpu device"});
    expect_error(2, on_cpu + Words{"--curves"}, {"--curves", "--gpu"});
    expect_error(2, on_cpu + Words{"--registers", "3"}, {"--registers", "--gpu"});
    expect_error(2, on_cpu + Words{"--shared", "1"}, {"--shared", "CPU"});
    expect_error(2, on_cpu + Words{"--blocks", "0"}, {"--blocks", "0"});
    expect_error(2, on_cpu + Words{"--passes", "0"}, {"--passes", "0"});
    const std::string why = has_calculator ? "CPU" : "neither CUDA nor the emulated GPU";
    expect_error(3, {"--gpu", "device", "--device", "cpu"}, {"--gpu device", why});
    expect_error(3, on_cpu + Words{"--png", "/nowhere/a.png"}, {"/nowhere/a.png"});
    if (has_calculator)
        expect_error(2, {"--gpu", "h200", "--shared", "232449"}, {"--shared 232449", "232448"});
    if (!built_with_emulation) return;
    expect_error(2, {"--device", "emulated:t4", "--shared", "65537"}, {"--shared 65537", "65536"});
    expect_error(2, {"--device", "emulated", "--kernel", "memory_bound", "--png", "/nowhere/a.png"},
                 {"--png", "--benchmark"});
    expect_error(2, {"--device", "emulated", "--kernel", "arithmetic_bound", "--passes", "3"},
                 {"--passes", "arithmetic_bound"});
}

TEST(CliOccupancy, NoPictureAfterAnError) {
    const TemporaryFolder folder;
    const std::string png = folder / "a.png";
    expect_error(2, {"--gpu", "xe-lp", "--block", "600", "--png", png}, {"--block"});
    EXPECT_FALSE(std::filesystem::exists(png));
}

}  // namespace
}  // namespace cudabook
