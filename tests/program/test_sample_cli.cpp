// The command line that the samples without a window have in common.
#include <gtest/gtest.h>

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/program/device.hpp"
#include "common/program/version.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::Stdout, test::Surroundings, test::Words, test::operator+;

class CliSample : public testing::TestWithParam<const char*> {
  protected:
    static std::string program() { return GetParam(); }

    /// The arguments that a run needs besides its options.
    static Words least() { return program() == "tex1dfetch_big" ? Words{"1"} : Words{}; }

    /// The arguments of a short run on any device.
    static Words small() {
        const bool has_size =
            program() == "matmul" || program() == "texture_unit" || program() == "access_patterns";
        if (program() == "occupancy") return {"--passes", "2"};
        return least() + (has_size ? Words{"--size", "16"} : Words{});
    }
    static Words small_run() { return small() + Words{"--device", "cpu"}; }

    static void expect_error(int status, const Words& arguments, const Words& words,
                             const Surroundings& surroundings = {}) {
        const Ending ending = test::run(program(), arguments, surroundings);
        test::expect_error(program(), ending, status, words, shown(arguments));
        EXPECT_EQ(ending.out.find("kernel "), std::string::npos) << "a table is printed: " << ending.out;
    }
};

INSTANTIATE_TEST_SUITE_P(CliSamples, CliSample,
                         testing::Values("tex1dfetch_big", "tex1dfetch_int2float", "matmul", "texture_unit",
                                         "access_patterns", "occupancy"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CliSample, NothingButJsonOnStdout) {
    const Ending ending = test::run(program(), small_run() + Words{"--json", "-"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["sample"], program());
    EXPECT_EQ(report["version"], version);
    EXPECT_EQ(report["device"]["kind"], "cpu");
    EXPECT_EQ(report["ok"], true);
    for (const json& result : report["results"])
        for (const char* name : {"kernel", "memory", "checksum", "verified"})
            EXPECT_TRUE(result.contains(name)) << name;
}

TEST_P(CliSample, QuietPrintsNothing) {
    const Ending ending = test::run(program(), small_run() + Words{"--quiet"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.err, "");
}

TEST_P(CliSample, SummaryIsOneLineOfTheReport) {
    const Ending ending = test::run(program(), small_run() + Words{"--quiet", "--summary"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(ending.err, "");
    EXPECT_EQ(ending.out.find('\n'), ending.out.size() - 1) << ending.out;
    EXPECT_EQ(ending.out.find(program() + '\t'), 0U) << ending.out;
    EXPECT_NE(ending.out.find(" right\t"), std::string::npos) << ending.out;
}

TEST_P(CliSample, HelpVersionAndListNeedNothingElse) {
    const Ending help = test::run(program(), {"--help"});
    EXPECT_EQ(help.status, 0);
    for (const char* option :
         {"--device", "--list-devices", "--schedule", "--counters", "--kernel", "--list-kernels", "--json",
          "--summary", "--benchmark", "--quiet", "--help", "--version"})
        EXPECT_NE(help.out.find(option), std::string::npos) << option;
    const Ending version = test::run(program(), {"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_EQ(version.out, fmt::format("{} (cudabook) {}\n", program(), version_and_commit));
    const Ending list = test::run(program(), {"--list-kernels"});
    EXPECT_EQ(list.status, 0);
    EXPECT_NE(list.out.find(" cpu "), std::string::npos) << list.out;
    EXPECT_EQ(list.out.find(" cuda ") != std::string::npos, built_with_cuda || built_with_emulation)
        << list.out;
}

TEST_P(CliSample, ListsDevices) {
    const Ending ending = test::run(program(), {"--list-devices"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    for (const char* word : {"cuda", "cpu ", "emulated:t4 ", "Tesla T4", "emulated:h200 ", "NVIDIA H200"})
        EXPECT_NE(ending.out.find(word), std::string::npos) << word << '\n' << ending.out;
}

TEST_P(CliSample, EmulatedGpu) {
    expect_error(2, small() + Words{"--device", "emulated:t5"}, {"emulated:t5", "t4", "h200"});
    expect_error(2, small() + Words{"--schedule", "1"}, {"--schedule", "--device emulated"});
    const Words emulated = small() + Words{"--device", "emulated:t4"};
    if (!built_with_emulation) {
        expect_error(3, emulated, {"emulated:t4", "libboost-context-dev"});
        return;
    }
    for (const Words& order : {Words{}, Words{"--schedule", "7"}}) {
        const Ending ending = test::run(program(), emulated + order + Words{"--json", "-"});
        EXPECT_EQ(ending.status, 0) << ending.err;
        const json report = test::report_of(ending.out);
        EXPECT_EQ(report["device"]["kind"], "emulated");
        EXPECT_EQ(report["device"]["name"], "Tesla T4 (emulated)");
        EXPECT_EQ(report["device"]["compute_capability"], "7.5");
        EXPECT_EQ(report["ok"], true);
        for (const json& result : report["results"]) EXPECT_FALSE(result.contains("registers"));
    }
}

TEST_P(CliSample, UnknownWords) {
    expect_error(2, small_run() + Words{"--bogus"}, {"--bogus"});
    expect_error(2, small_run() + Words{"--kernel", "magic"}, {"--kernel", "magic", "all"});
    expect_error(2, least() + Words{"--device", "gpu"}, {"--device", "gpu", "cuda:N"});
}

TEST_P(CliSample, MissingDevice) { expect_error(3, least() + Words{"--device", "cuda:99"}, {"cuda:99"}); }

TEST_P(CliSample, PlacesThatCannotBeWritten) {
    expect_error(3, small_run() + Words{"--quiet", "--json", "/nowhere/report.json"},
                 {"/nowhere/report.json"});
    Surroundings full;
    full.stdout_leads = Stdout::full_device;
    expect_error(3, small_run() + Words{"--quiet", "--json", "-"}, {"stdout"}, full);
    Surroundings broken;
    broken.stdout_leads = Stdout::pipe_that_nobody_reads;
    expect_error(3, small_run() + Words{"--quiet", "--json", "-"}, {"stdout"}, broken);
}

}  // namespace
}  // namespace cudabook
