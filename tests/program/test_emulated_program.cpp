// common/program/emulated_program.hpp: what the emulation is told, and which program has it.
#include "common/program/emulated_program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "common/program/errors.hpp"
#include "tests/support/error_text.hpp"

namespace cudabook {
namespace {

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

class StartEmulation : public testing::Test {
  protected:
    StartEmulation() {
        for (const char* name : names_) unsetenv(name);
    }
    ~StartEmulation() override {
        for (const char* name : names_) unsetenv(name);
    }

    static CudaDevices emulated() {
        CudaDevices devices;
        devices.all.push_back({DeviceKind::emulated, 0, "a GPU", "7.5", 1, 1});
        return devices;
    }

    static CommonOptions options(const char* device, std::optional<unsigned> schedule = {}) {
        CommonOptions options;
        options.device = parse_device(device);
        options.schedule = schedule;
        options.arguments = {"sample", "--device", device};
        return options;
    }

  private:
    static constexpr const char* names_[] = {"CUDABOOK_EMULATED_GPUS", "CUDABOOK_SCHEDULE"};
};

TEST_F(StartEmulation, NamesTheGpuAndTheSchedule) {
    start_emulation("sample", options("emulated:t4", 12), emulated);
    EXPECT_EQ(environment("CUDABOOK_EMULATED_GPUS"), "t4");
    EXPECT_EQ(environment("CUDABOOK_SCHEDULE"), "12");
}

TEST_F(StartEmulation, DoesItBeforeItLooksForDevices) {
    std::optional<std::string> seen;
    start_emulation("sample", options("emulated:b200"), [&] {
        seen = environment("CUDABOOK_EMULATED_GPUS");
        return emulated();
    });
    // A program without CUDA has the emulation itself, and does not look for devices.
    if (built_with_cuda && built_with_emulation) {
        EXPECT_EQ(seen, "b200");
    } else {
        EXPECT_EQ(seen, std::nullopt);
    }
}

TEST_F(StartEmulation, LeavesTheEnvironmentAloneIfNothingWasAskedFor) {
    setenv("CUDABOOK_EMULATED_GPUS", "a100,t4", 1);
    setenv("CUDABOOK_SCHEDULE", "3", 1);
    start_emulation("sample", options("emulated"), emulated);
    EXPECT_EQ(environment("CUDABOOK_EMULATED_GPUS"), "a100,t4");
    EXPECT_EQ(environment("CUDABOOK_SCHEDULE"), "3");
}

TEST_F(StartEmulation, SecondProgramIsBesideTheFirst) {
    EXPECT_EQ(emulated_program_file("/usr/local/bin/", "heat"),
              "/usr/local/bin/../lib/cudabook/emulated/heat");
}

TEST_F(StartEmulation, ProgramThatCountsIsBesideBoth) {
    EXPECT_EQ(counted_program_file("/usr/local/bin/", "heat"), "/usr/local/bin/../lib/cudabook/counted/heat");
    EXPECT_EQ(counted_program_file("/usr/local/lib/cudabook/emulated/", "heat"),
              "/usr/local/lib/cudabook/emulated/../../../lib/cudabook/counted/heat");
}

TEST_F(StartEmulation, MissingSecondProgram) {
    if (!built_with_cuda || !built_with_emulation) GTEST_SKIP() << "this build has no second programs";
    const auto real = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "9.0", 1, 1}}, ""}; };
    const std::string error =
        test::error_text<MachineError>([&] { start_emulation("no_such_sample", options("emulated"), real); });
    EXPECT_NE(error.find("--device emulated: "), std::string::npos) << error;
    EXPECT_NE(error.find(" --target emulated"), std::string::npos) << error;
}

TEST_F(StartEmulation, NamesWhatBuildsTheProgramsThatCount) {
    CommonOptions counting = options("emulated");
    counting.counters = true;
    const std::string error =
        test::error_text<MachineError>([&] { start_emulation("no_such_sample", counting, emulated); });
    const char* const wanted = CUDABOOK_HAS_COUNTERS == 1 ? " --target counters" : "no programs that count";
    EXPECT_NE(error.find(wanted), std::string::npos) << error;
}

}  // namespace
}  // namespace cudabook
