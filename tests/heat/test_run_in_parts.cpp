// The program heat in this process, with fake GPUs: its choice of devices, its files, and interrupts.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/program/interrupt.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "heat_notexture/parts/checkpoint.hpp"
#include "heat_notexture/program.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook::heat {
namespace {

using nlohmann::json;
using test::Words, test::operator+;

/// The test's functions that a solver calls when it is used.
struct Hooks {
    std::function<void()> advance = [] {};
    std::function<void()> read = [] {};
};

/// The reference solver, which calls the hooks when it is used.
class Told final : public Solver {
  public:
    Told(const Scene& scene, const SolverOptions& options, const Hooks& hooks)
        : solver_(scene, options), hooks_(hooks) {}
    double advance(int steps) override {
        hooks_.advance();
        return solver_.advance(steps);
    }
    double frame(int steps, Canvas canvas) override {
        hooks_.advance();
        return solver_.frame(steps, canvas);
    }
    [[nodiscard]] std::vector<float> temperatures() const override {
        hooks_.read();
        return solver_.temperatures();
    }
    void read(const Region& region, float* cells) const override {
        hooks_.read();
        solver_.read(region, cells);
    }
    void write(const Region& region, const float* cells) override { solver_.write(region, cells); }
    void set_sources(const Region& region, const std::vector<float>& sources) override {
        solver_.set_sources(region, sources);
    }

  private:
    ReferenceSolver solver_;
    const Hooks& hooks_;
};

class HeatWithOwnGpus : public testing::Test {
  protected:
    HeatWithOwnGpus() {
        for (const int index : {0, 2})
            devices_.all.push_back({DeviceKind::cuda, index, fmt::format("GPU number {}", index), "9.0", 1, 1,
                                    fmt::format("uuid-{}", index)});
        devices_.why_unusable = [this](const Device& device) {
            const std::scoped_lock lock(mutex_);
            touched_.insert(device.index);
            return device.index == unusable_ ? std::string("it is too old") : std::string();
        };
        gpu_.find_devices = [this] {
            found_();
            return devices_;
        };
        gpu_.fastest = "told";
        gpu_.kernels.push_back(
            {"told", "global", "a kernel", DeviceKind::cuda,
             [this](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                 return std::make_unique<Told>(scene, options, hooks_);
             }});
    }
    ~HeatWithOwnGpus() override { clear_interrupt(); }

    /// Runs the program. Stores its report in report_ and its stderr in said_.
    int run(const Words& more) {
        const Words words =
            Words{"heat", "--headless", "--width", "20", "--height", "10", "--json", report_file_} + more;
        std::vector<const char*> argv;
        for (const std::string& word : words) argv.push_back(word.c_str());
        std::filesystem::remove(report_file_);
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        const int status = program("heat", "a test", gpu_, static_cast<int>(argv.size()), argv.data());
        testing::internal::GetCapturedStdout();
        said_ = testing::internal::GetCapturedStderr();
        report_ =
            std::filesystem::exists(report_file_) ? test::report_of(test::content_of(report_file_)) : json();
        return status;
    }

    [[nodiscard]] bool said(const std::string& words) const { return said_.find(words) != std::string::npos; }

    test::TemporaryFolder folder_;
    std::string report_file_ = folder_ / "report.json";
    std::string state_ = folder_ / "state.npz";
    json report_;
    std::string said_;
    Hooks hooks_;
    std::function<void()> found_ = [] {};
    CudaDevices devices_;
    int unusable_ = -1;
    std::mutex mutex_;  ///< guards touched_: each worker tries its own GPU
    std::set<int> touched_;
    GpuBackend gpu_;
};

class HeatDevices : public HeatWithOwnGpus {
  protected:
    /// Expects that a run in parts has the status, messages, devices and kernels of an ordinary run.
    void expect_like_an_ordinary_run(const Words& request) {
        SCOPED_TRACE(test::shown(request));
        const Words words = Words{"--frames", "1"} + request;
        touched_.clear();
        const int status = run(words);
        const auto [report, said, touched] = std::tuple{report_, said_, touched_};
        ASSERT_EQ(run({"--frames", "1", "--device", "cpu", "--checkpoint", state_}), 0) << said_;
        touched_.clear();
        EXPECT_EQ(run(words + Words{"--resume", state_}), status);
        EXPECT_EQ(said_, said);
        EXPECT_EQ(touched_, touched);
        EXPECT_EQ(report_.is_null(), report.is_null());
        if (report_.is_null() || report.is_null()) return;
        EXPECT_EQ(report_["device"], report["device"]);
        ASSERT_EQ(report_["results"].size(), report["results"].size());
        for (std::size_t i = 0; i < report["results"].size(); ++i)
            EXPECT_EQ(report_["results"][i]["kernel"], report["results"][i]["kernel"]);
    }
};

const Words requests[] = {
    {},
    {"--device", "cpu"},
    {"--device", "cuda"},
    {"--device", "cuda:2"},
    {"--device", "cuda:1"},
    {"--kernel", "blocked"},
    {"--kernel", "reference,blocked"},
    {"--kernel", "told"},
    {"--kernel", "all"},
    {"--kernel", "none"},
    {"--kernel", "told", "--device", "cpu"},
    {"--kernel", "blocked", "--device", "cuda"},
};

TEST_F(HeatDevices, AreThoseOfAnOrdinaryRun) {
    for (const Words& request : requests) expect_like_an_ordinary_run(request);
    run({"--kernel", "blocked", "--frames", "1", "--checkpoint", state_});
    EXPECT_EQ(report_["device"]["kind"], "cpu");
}

TEST_F(HeatDevices, AreThoseOfAnOrdinaryRunWhereOneIsUnusable) {
    unusable_ = 0;
    for (const Words& request : requests) expect_like_an_ordinary_run(request);
}

TEST_F(HeatDevices, AreThoseOfAnOrdinaryRunWithoutAGpu) {
    devices_.all.clear();
    for (const Words& request : requests) expect_like_an_ordinary_run(request);
    run({"--frames", "1", "--checkpoint", state_});
    EXPECT_EQ(said_, "heat: on the CPU, because this build has no CUDA\n");
}

TEST_F(HeatDevices, ThatContradictAreRefused) {
    for (const Words& other : {Words{"--device", "cpu"}, Words{"--device", "cuda:2"},
                               Words{"--device", "cuda:0,cuda:2"}, Words{"--kernel", "blocked"}}) {
        EXPECT_EQ(run(Words{"--devices", "all"} + other), 2) << test::shown(other);
        EXPECT_TRUE(said("heat: --devices: ")) << said_;
        EXPECT_TRUE(said(other.front())) << said_;
        EXPECT_EQ(test::lines_of(said_).size(), 1U) << said_;
    }
    for (const Words& other : {Words{}, Words{"--device", "cuda"}, Words{"--device", "auto"}}) {
        EXPECT_EQ(run(Words{"--devices", "all", "--frames", "1"} + other), 0) << said_;
        EXPECT_EQ(report_["parameters"]["workers"], 2);
    }
}

TEST_F(HeatDevices, OfAllWorkersMustBeUsable) {
    unusable_ = 2;
    EXPECT_EQ(run({"--devices", "all", "--frames", "1"}), 3);
    EXPECT_EQ(said_, "heat: cuda:2 cannot be used (it is too old)\n");
}

// ----- the files of a run in parts

using HeatCheckpoint = HeatWithOwnGpus;

TEST_F(HeatCheckpoint, IsReplacedByTheRunThatGoesOnFromIt) {
    ASSERT_EQ(run({"--devices", "all", "--frames", "4"}), 0);
    const json whole = report_["results"][0];
    ASSERT_EQ(run({"--devices", "all", "--frames", "1", "--checkpoint", state_}), 0);
    const Words go_on{"--devices", "all", "--checkpoint", state_, "--resume", state_};
    ASSERT_EQ(run(go_on + Words{"--frames", "2"}), 0) << said_;
    ASSERT_EQ(run(go_on + Words{"--frames", "4", "--checkpoint-every", "1"}), 0) << said_;
    EXPECT_EQ(report_["results"][0]["checksum"], whole["checksum"]);
    EXPECT_EQ(report_["results"][0]["verified"], true);
    EXPECT_EQ(report_["results"][0]["frames_verified"], 2);
    EXPECT_EQ(Checkpoint(state_).head().frames, 4);
}

// The folder exists when the path is tried, and is removed later.
TEST_F(HeatCheckpoint, ThatCannotBeWrittenLeavesTheReportAndThePicture) {
    const auto folder = folder_ / "folder";
    hooks_.advance = [&] { std::filesystem::remove(folder); };
    const std::string state = (folder / "state.npz").string();
    for (const Words& every : {Words{}, Words{"--checkpoint-every", "1"}}) {
        std::filesystem::create_directory(folder);
        EXPECT_EQ(run(Words{"--frames", "2", "--checkpoint", state, "--png", folder_ / "heat.png"} + every),
                  3);
        EXPECT_EQ(test::lines_of(said_).size(), 1U) << said_;
        EXPECT_TRUE(said(state)) << said_;
        ASSERT_FALSE(report_.is_null());
        EXPECT_EQ(report_["results"][0]["verified"], true);
        EXPECT_EQ(report_["results"][0]["frames"], every.empty() ? 2 : 1);
        EXPECT_TRUE(std::filesystem::exists(folder_ / "heat.png"));
        std::filesystem::remove(folder_ / "heat.png");
    }
}

// ----- interrupts

class HeatInterrupts : public HeatWithOwnGpus {
  protected:
    /// A function that interrupts this process when it is called for the first time.
    static std::function<void()> one() {
        return [was_called = std::make_shared<std::atomic<bool>>(false)] {
            if (!was_called->exchange(true)) std::raise(SIGINT);
        };
    }
    /// The options of a run in parts that resumes after the first frame.
    Words resumed() {
        EXPECT_EQ(run({"--frames", "1", "--device", "cpu", "--checkpoint", state_}), 0) << said_;
        return {"--resume", state_};
    }
};

TEST_F(HeatInterrupts, BeforeTheWorkersBeginEndTheRun) {
    const InterruptGuard guard;
    found_ = one();
    EXPECT_EQ(run({"--devices", "all", "--frames", "1000"}), 0);
    EXPECT_EQ(report_["results"][0]["frames"], 1);
    EXPECT_EQ(report_["results"][0]["verified"], true);
}

TEST_F(HeatInterrupts, LeaveTheHandlersAsTheyWere) {
    const auto before = std::signal(SIGINT, SIG_DFL);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(run({"--devices", "all", "--frames", "1", "--no-verify"}), 0);
        ASSERT_EQ(std::signal(SIGINT, SIG_DFL), SIG_DFL) << i;
    }
    std::signal(SIGINT, before);
}

TEST_F(HeatInterrupts, AfterTheFramesOfAKernelLeaveOutTheOthers) {
    gpu_.kernels.push_back(gpu_.kernels.front());
    gpu_.kernels.back().name = "told_too";
    for (const Words& in_parts : {Words{}, resumed()}) {
        hooks_.read = one();
        EXPECT_EQ(run(in_parts + Words{"--kernel", "told,told_too", "--frames", "2"}), 0) << said_;
        ASSERT_EQ(report_["results"].size(), 1U);
        EXPECT_EQ(report_["results"][0]["frames"], 2);
        EXPECT_EQ(report_["results"][0]["verified"], true);
    }
}

// The first interrupt comes in the first frame, the second when the grid is read for the comparison.
TEST_F(HeatInterrupts, ASecondOneEndsTheProgram) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    for (const Words& in_parts : {Words{}, resumed()}) {
        hooks_.advance = one();
        hooks_.read = one();
        EXPECT_EXIT(run(in_parts + Words{"--frames", "100"}), testing::KilledBySignal(SIGINT), "");
    }
}

}  // namespace
}  // namespace cudabook::heat
