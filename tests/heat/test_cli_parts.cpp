// The programs heat and heat_notexture as several processes, with several GPUs, and from checkpoint to
// checkpoint.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/program/device.hpp"
#include "heat_notexture/parts/checkpoint.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/mpirun.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::Process, test::TemporaryFolder;
using test::for_mpirun, test::mpirun, test::with_gpus;
using test::shown, test::Words, test::operator+;

std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

int frames_in(const std::filesystem::path& checkpoint) {
    return static_cast<int>(heat::Checkpoint(checkpoint).head().frames);
}

/// The ids of the child processes of `process`.
std::vector<int> children_of(int process) {
    std::vector<int> children;
    for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process))) {
        std::ifstream list(thread.path() / "children");
        for (int child = 0; list >> child;) children.push_back(child);
    }
    return children;
}

class CliParts : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (*CUDABOOK_MPIRUN == '\0') GTEST_SKIP() << "no MPI here";
    }
    static Ending run(int processes, const Words& arguments) {
        return test::Process(CUDABOOK_MPIRUN, mpirun(processes, GetParam(), arguments), for_mpirun()).wait();
    }
    /// The report of a run without mpirun.
    static json one_process_report(const Words& arguments) {
        const Ending ending = test::run(GetParam(), arguments + Words{"--json", "-"}, for_mpirun());
        EXPECT_EQ(ending.status, 0) << shown(arguments) << '\n' << ending.err;
        return test::report_of(ending.out);
    }
    static json report_of(int processes, const Words& arguments, int status = 0) {
        const Ending ending = run(processes, arguments + Words{"--json", "-"});
        EXPECT_EQ(ending.status, status) << shown(arguments) << '\n' << ending.err;
        return test::report_of(ending.out);
    }
};

INSTANTIATE_TEST_SUITE_P(Programs, CliParts, testing::Values("heat", "heat_notexture"));

const Words small{"--headless", "--width", "100", "--height", "77", "--frames", "3"};

TEST_P(CliParts, GiveTheChecksumOfOneProcess) {
    const Words cpu = small + Words{"--device", "cpu", "--kernel", "all"};
    const json alone = one_process_report(cpu);
    EXPECT_FALSE(report_of(1, cpu)["parameters"].contains("workers"));  // an ordinary run
    for (const int processes : {2, 3, 4}) {
        const json report = report_of(processes, cpu);
        ASSERT_EQ(report["results"].size(), alone["results"].size());
        for (std::size_t i = 0; i < alone["results"].size(); ++i) {
            EXPECT_EQ(report["results"][i]["checksum"], alone["results"][i]["checksum"]) << processes;
            EXPECT_EQ(report["results"][i]["verified"], true) << processes;
        }
        EXPECT_EQ(report["parameters"]["workers"], processes);
    }
}

/// The kernels to run. With sanitizers, this is only one kernel, which has strips; the suites
/// HeatPartsSmall run all kernels.
constexpr const char* kernels = test::sanitized ? "temporal" : "all";

TEST_P(CliParts, GiveItByEveryKernelOfTheEmulatedGpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const Words emulated =
        Words{"--headless", "--device", "emulated",          "--width", "67",       "--height", "50",
              "--frames",   "1",        "--steps-per-frame", "35",      "--kernel", kernels};
    const json alone = one_process_report(emulated);
    for (const int processes : {2, 3, 4}) {
        const json report = report_of(processes, emulated);
        ASSERT_EQ(report["results"].size(), alone["results"].size());
        for (std::size_t i = 0; i < alone["results"].size(); ++i)
            EXPECT_EQ(report["results"][i]["checksum"], alone["results"][i]["checksum"])
                << processes << ' ' << report["results"][i]["kernel"];
    }
}

TEST_P(CliParts, FewerCellsThanProcesses) {
    for (const auto& [width, height] : {std::pair{"1", "2"}, std::pair{"1", "1"}, std::pair{"3", "1"}}) {
        const Words tiny{"--headless", "--device", "cpu",      "--width", width,
                         "--height",   height,     "--frames", "2"};
        EXPECT_EQ(report_of(4, tiny)["results"][0]["checksum"],
                  one_process_report(tiny)["results"][0]["checksum"]);
    }
}

TEST_P(CliParts, DrawTheSamePicture) {
    const TemporaryFolder folder;
    const Words cpu = small + Words{"--device", "cpu"};
    EXPECT_EQ(test::run(GetParam(), cpu + Words{"--png", (folder / "one.png").string()}, for_mpirun()).status,
              0);
    EXPECT_EQ(run(3, cpu + Words{"--png", (folder / "three.png").string()}).status, 0);
    EXPECT_EQ(content_of(folder / "one.png"), content_of(folder / "three.png"));
}

TEST_P(CliParts, GoOnFromACheckpointAfterAKill) {
    const TemporaryFolder folder;
    const std::string file = (folder / "state.npz").string();
    const Words grid{"--headless", "--device", "cpu", "--width", "300", "--height", "200", "--no-verify"};
    {
        const Process running(
            CUDABOOK_MPIRUN,
            mpirun(2, GetParam(),
                   grid + Words{"--frames", "100000000", "--checkpoint", file, "--checkpoint-every", "1"}),
            for_mpirun());
        ASSERT_TRUE(running.wait_until([&] { return std::filesystem::exists(file); }));
        // Kills the processes, not mpirun.
        for (const int process : children_of(running.id())) ::kill(process, SIGKILL);
        EXPECT_TRUE(running.wait_until([&] { return !running.running(); }) || !running.running());
    }
    // Other processes go on from the checkpoint and compute one more frame.
    const int frames = frames_in(file);
    ASSERT_GT(frames, 0);
    const std::string more = std::to_string(frames + 1);
    EXPECT_EQ(report_of(3, Words{"--headless", "--device", "cpu", "--resume", file, "--frames",
                                 more})["results"][0]["checksum"],
              one_process_report(grid + Words{"--frames", more})["results"][0]["checksum"]);
}

// Like the second of the two commands for a long run in docs/clusters.md.
TEST_P(CliParts, GoOnFromTheFileThatTheyReplace) {
    const TemporaryFolder folder;
    const std::string file = (folder / "state.npz").string();
    const Words grid{"--headless", "--device", "cpu", "--width", "100", "--height", "77"};
    const Words more = grid + Words{"--frames", "5", "--checkpoint-every", "1"};
    report_of(2, grid + Words{"--frames", "2", "--checkpoint", file});
    const json report = report_of(3, more + Words{"--checkpoint", file, "--resume", file});
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_EQ(report["results"][0]["frames_verified"], 3);
    EXPECT_EQ(frames_in(file), 5);
    EXPECT_EQ(report["results"][0]["checksum"],
              one_process_report(grid + Words{"--frames", "5"})["results"][0]["checksum"]);
}

// If one process is interrupted, all processes end. (An interrupted mpirun kills its processes after a
// second.)
TEST_P(CliParts, EndWithTheReportWhenInterrupted) {
    const TemporaryFolder folder;
    const std::string file = (folder / "state.npz").string();
    Process running(
        CUDABOOK_MPIRUN,
        mpirun(2, GetParam(),
               Words{"--headless", "--device", "cpu", "--width", "100", "--height", "77", "--no-verify",
                     "--frames", "100000000", "--checkpoint", file, "--checkpoint-every", "1"}),
        for_mpirun());
    ASSERT_TRUE(running.wait_until([&] { return std::filesystem::exists(file); }));
    ::kill(children_of(running.id()).back(), SIGINT);
    const Ending ending = running.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_NE(ending.out.find("not compared"), std::string::npos) << ending.out;
    EXPECT_NE(ending.out.find(fmt::format(" {} ", frames_in(file))), std::string::npos) << ending.out;
}

// While one process is stopped, the other process says that it waits. The waiting process goes on when the
// stopped process does.
TEST(CliPartsOfHeat, WaitForAProcessThatWasStopped) {
    if (*CUDABOOK_MPIRUN == '\0') GTEST_SKIP() << "no MPI here";
    const TemporaryFolder folder;
    const std::string file = (folder / "state.npz").string();
    Process running(
        CUDABOOK_MPIRUN,
        mpirun(2, "heat",
               Words{"--headless", "--device", "cpu", "--width", "100", "--height", "77", "--no-verify",
                     "--frames", "100000000", "--checkpoint", file, "--checkpoint-every", "1"}),
        for_mpirun());
    ASSERT_TRUE(running.wait_until([&] { return std::filesystem::exists(file); }));
    const int stopped = children_of(running.id()).back();
    ::kill(stopped, SIGSTOP);
    EXPECT_TRUE(running.wait_until([&] {
        return running.err().find("heat: process 0 of 2 has waited 10 s for ") != std::string::npos;
    })) << running.err();
    ::kill(stopped, SIGCONT);
    ::kill(stopped, SIGINT);
    EXPECT_EQ(running.wait().status, 0);
}

// ----- several GPUs of one process

class CliDevices : public testing::TestWithParam<const char*> {
  protected:
    static json report_of(const std::string& gpus, const Words& arguments) {
        const Ending ending = test::run(GetParam(), arguments + Words{"--json", "-"}, with_gpus(gpus));
        EXPECT_EQ(ending.status, 0) << gpus << shown(arguments) << '\n' << ending.err;
        return test::report_of(ending.out);
    }
};

INSTANTIATE_TEST_SUITE_P(Programs, CliDevices, testing::Values("heat", "heat_notexture"));

// Parts that are high enough for strips, lower parts, and parts side by side.
TEST_P(CliDevices, GiveTheChecksumOfOneByEveryKernel) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const std::pair<Words, std::vector<std::string>> all[] = {
        {{"--width", "45", "--height", "210"}, {"h200,h200", "h200,t4"}},
        {{"--width", "60", "--height", "50"}, {"h200,h200", "h200,h200,h200,h200"}},
        {{"--width", "1", "--height", "2"}, {"h200,h200,h200"}},
    };
    for (const auto& [size, machines] : all) {
        const Words run = size + Words{"--headless",        "--device", "emulated", "--frames", "2",
                                       "--steps-per-frame", "33",       "--kernel", kernels};
        const json alone = report_of("h200", run);
        for (const std::string& gpus : machines) {
            const json report = report_of(gpus, run + Words{"--devices", "all"});
            ASSERT_EQ(report["results"].size(), alone["results"].size());
            for (std::size_t i = 0; i < alone["results"].size(); ++i)
                EXPECT_EQ(report["results"][i]["checksum"], alone["results"][i]["checksum"])
                    << gpus << ' ' << shown(size) << report["results"][i]["kernel"];
        }
    }
}

TEST_P(CliDevices, RefuseWhatIsNoListOfDevices) {
    for (const auto& [device, why] : {std::pair{"cuda:0,cuda:0", "cuda:0 is named twice"},
                                      std::pair{"cuda:0,cpu", "a list may name only CUDA devices"},
                                      std::pair{"cuda:0,", "use auto, cpu"}}) {
        const Ending ending = test::run(GetParam(), {"--device", device}, for_mpirun());
        EXPECT_EQ(ending.status, 2) << device;
        EXPECT_NE(ending.err.find(why), std::string::npos) << ending.err;
    }
}

// The runs would take hours if the path were not tried first.
TEST_P(CliDevices, TryTheCheckpointsPathBeforeTheWork) {
    const TemporaryFolder folder;
    const std::string file = folder.file("file", "old").string();
    for (const std::string& path : Words{"/no/such/folder/state.npz", "/proc/state.npz", folder.path(),
                                         file + "/below", "/dev/null", ""}) {
        const Words run{"--headless", "--device",   "cpu",          "--width", "20",
                        "--frames",   "2000000000", "--checkpoint", path};
        const Ending ending = test::run(GetParam(), run, for_mpirun());
        test::expect_error(GetParam(), ending, 3, {path}, path);
        EXPECT_EQ(ending.out, "");
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"file"});
    EXPECT_EQ(content_of(file), "old");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

// There is no window, with a display or without, and a line on stderr says so.
TEST_P(CliDevices, SayWhyThereIsNoWindow) {
    const TemporaryFolder folder;
    const Words grid{"--device", "cpu", "--width", "20", "--height", "10", "--frames", "1"};
    const Words keep = grid + Words{"--checkpoint", (folder / "state.npz").string()};
    const std::string line = fmt::format("{}: headless, because there is no window with", GetParam());
    EXPECT_TRUE(test::run(GetParam(), keep, for_mpirun()).err.starts_with(line));
    EXPECT_EQ(test::run(GetParam(), keep + Words{"--headless"}, for_mpirun()).err, "");
    EXPECT_EQ(test::run(GetParam(), keep + Words{"--quiet"}, for_mpirun()).err, "");
}

// ----- bad input: one line in all, and the same status from all processes

struct Bad {
    const char* what;
    Words arguments;
    int status;
    const char* line;
};

// Only `heat` is tested, because the programs have the same options. All runs start at once, because mpirun
// takes a second to end a run that fails.
TEST(CliPartsOfHeat, RefuseInOneLine) {
    if (*CUDABOOK_MPIRUN == '\0') GTEST_SKIP() << "no MPI here";
    const TemporaryFolder folder;
    const std::string other = (folder / "other.npz").string();
    const auto start = [](const Words& arguments) {
        return std::make_unique<Process>(
            CUDABOOK_MPIRUN, mpirun(2, "heat", Words{"--headless", "--device", "cpu"} + arguments),
            for_mpirun());
    };
    ASSERT_EQ(start(small + Words{"--checkpoint", other})->wait().status, 0);
    const Bad all[] = {
        {"an unknown option", {"--frams"}, 2, "--frams"},
        {"a window", {"--window"}, 2, "--window"},
        {"all GPUs, and the CPU", {"--devices", "all"}, 2, "--devices"},
        {"a video", {"--video", "a.mp4"}, 2, "--video"},
        {"a kernel that is not", {"--kernel", "none"}, 2, "--kernel 'none'"},
        {"another size", {"--resume", other, "--width", "101"}, 2, "--width 101"},
        {"another speed", {"--resume", other, "--speed", "0.125"}, 2, "--speed 0.125"},
        {"fewer frames", {"--resume", other, "--frames", "2"}, 2, "--frames 2"},
        {"no checkpoint", {"--resume", (folder / "none.npz").string()}, 3, "none.npz"},
        {"no folder", {"--checkpoint", (folder / "none" / "a.npz").string()}, 3, "a.npz"},
        {"a folder", {"--checkpoint", folder.path().string()}, 3, "it is a folder"},
        {"every, but where", {"--checkpoint-every", "3"}, 2, "--checkpoint-every"},
        {"too large", {"--width", "1000000", "--height", "1000000"}, 3, "a grid of 1000000x1000000 cells"},
    };
    std::vector<std::unique_ptr<Process>> runs;
    for (const Bad& bad : all) runs.push_back(start(bad.arguments));
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Bad& bad = all[i];
        const Ending ending = runs[i]->wait();
        EXPECT_EQ(ending.status, bad.status) << bad.what << '\n' << ending.err;
        EXPECT_EQ(ending.out, "") << bad.what;
        std::size_t lines = 0;
        std::istringstream stream(ending.err);
        for (std::string line; std::getline(stream, line);)
            if (line.starts_with("heat: ") && line.find(" has waited ") == std::string::npos) {
                ++lines;
                EXPECT_NE(line.find(bad.line), std::string::npos) << bad.what << '\n' << line;
            }
        EXPECT_EQ(lines, 1U) << bad.what << '\n' << ending.err;
    }
}

// A shell adds an option in one of the processes: the mpirun of Open MPI 5.0 fails with two programs.
TEST_P(CliParts, RefuseUnequalArguments) {
    const std::string program = std::string(test::program_folder) + "/" + GetParam();
    const std::string quiet_if_second =
        R"([ "$OMPI_COMM_WORLD_RANK" = 0 ] || set -- "$@" --quiet; exec "$0" "$@")";
    const Ending ending =
        Process(CUDABOOK_MPIRUN,
                Words{"-n", "2", "sh", "-c", quiet_if_second, program} + small + Words{"--device", "cpu"},
                for_mpirun())
            .wait();
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.err.find("process 1 was started with other options than process 0"), std::string::npos)
        << ending.err;
}

}  // namespace
}  // namespace cudabook
