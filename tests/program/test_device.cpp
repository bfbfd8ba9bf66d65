// common/program/device.hpp: the values of --device, and which of some fake devices each selects.
#include "common/program/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/program/errors.hpp"
#include "tests/support/error_text.hpp"

namespace cudabook {
namespace {

const std::string without_a_gpu =
    built_with_emulation ? "use --device cpu or --device emulated" : "use --device cpu";

using test::error_text;

Device gpu(int index) {
    return {DeviceKind::cuda, index, "GPU " + std::to_string(index), "9.0", std::size_t{1} << 30U, 132};
}

/// Fake GPUs, some of them unusable. Records which of them were touched.
class Gpus {
  public:
    explicit Gpus(std::vector<int> there, std::vector<int> unusable = {}, std::string why_none = "")
        : there_(std::move(there)), unusable_(std::move(unusable)), why_none_(std::move(why_none)) {}

    CudaDevices find() {
        CudaDevices cuda{{}, why_none_, [this](const Device& device) {
                             touched_.push_back(device.index);
                             const bool fails = std::ranges::count(unusable_, device.index) > 0;
                             return std::string(fails ? "it is too old" : "");
                         }};
        for (const int index : there_) cuda.all.push_back(gpu(index));
        return cuda;
    }

    [[nodiscard]] const std::vector<int>& touched() const { return touched_; }

  private:
    std::vector<int> there_;
    std::vector<int> unusable_;
    std::string why_none_;
    std::vector<int> touched_;
};

/// The name of the device chosen from the GPUs, or the error.
std::string chosen(const std::string& request, Gpus& gpus) {
    std::string name;
    const std::string error = error_text<MachineError>(
        [&] { name = choose_device(parse_device(request), [&] { return gpus.find(); }).device.name; });
    return name.empty() ? error : name;
}

/// The same, if the touched devices do not matter.
std::string chosen(const std::string& request, Gpus&& gpus) { return chosen(request, gpus); }

TEST(ParseDevice, Auto) { EXPECT_FALSE(parse_device("auto").kind); }

TEST(ParseDevice, Cpu) { EXPECT_EQ(parse_device("cpu").kind, DeviceKind::cpu); }

TEST(ParseDevice, AnyGpu) {
    const DeviceRequest request = parse_device("cuda");
    EXPECT_EQ(request.kind, DeviceKind::cuda);
    EXPECT_FALSE(request.index);
}

TEST(ParseDevice, GpuByNumber) {
    for (const int index : {0, 1, 9, 10, 99, 2147483647}) {
        const DeviceRequest request = parse_device("cuda:" + std::to_string(index));
        EXPECT_EQ(request.kind, DeviceKind::cuda);
        EXPECT_EQ(request.index, index);
    }
}

class ParseDeviceWrong : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Text, ParseDeviceWrong,
                         testing::Values("", " ", "cuda:", "cuda:-1", "cuda:1x", "cuda:x", "cuda:+1",
                                         "cuda: 1", "cuda:1 ", "cuda:0x1", "cuda:1.0", "cuda:1:2",
                                         "cuda:2147483648", "cuda:99999999999999999999", "CUDA:0", "Cpu",
                                         "AUTO", "gpu", "cuda1", "cuda;1", "cpu:0", "auto:0", "cuda:\n", "t4",
                                         "emulate", "Emulated", "emulated "));

TEST_P(ParseDeviceWrong, IsAnErrorThatListsTheValues) {
    EXPECT_EQ(error_text<UsageError>([] { parse_device(GetParam()); }),
              "--device '" + GetParam() + "': use auto, cpu, cuda, cuda:N, emulated or emulated:NAME");
}

TEST(ParseDevice, EmulatedGpu) {
    const DeviceRequest any = parse_device("emulated");
    EXPECT_EQ(any.kind, DeviceKind::emulated);
    EXPECT_EQ(any.emulated_gpu, "");
    for (const char* name : {"t4", "rtx3060", "rtx4090", "a100", "h100", "h200", "b200"}) {
        const DeviceRequest named = parse_device(std::string("emulated:") + name);
        EXPECT_EQ(named.kind, DeviceKind::emulated);
        EXPECT_EQ(named.emulated_gpu, name);
        EXPECT_FALSE(named.index);
    }
}

TEST(ParseDevice, UnknownEmulatedGpuIsAnErrorThatListsThem) {
    for (const std::string text :
         {"emulated:", "emulated:gtx1080", "emulated:T4", "emulated:t4 ", "emulated:0"})
        EXPECT_EQ(
            error_text<UsageError>([&] { parse_device(text); }),
            "--device '" + text + "': the emulated GPUs are t4, rtx3060, rtx4090, a100, h100, h200, b200");
}

TEST(ChooseDevice, AutoIsTheFirstUsableGpu) {
    EXPECT_EQ(chosen("auto", Gpus({0})), "GPU 0");
    EXPECT_EQ(chosen("auto", Gpus({0, 2, 3}, {0})), "GPU 2");
}

TEST(ChooseDevice, AutoIsTheCpuWithoutAGpu) {
    Gpus none({}, {}, "no driver");
    const ChosenDevice chosen = choose_device(parse_device("auto"), [&] { return none.find(); });
    EXPECT_EQ(chosen.device.kind, DeviceKind::cpu);
    EXPECT_EQ(chosen.why_no_gpu, "no driver");
}

TEST(ChooseDevice, AutoIsTheCpuIfNoGpuIsUsable) {
    Gpus old({0, 1}, {0, 1});
    const ChosenDevice chosen = choose_device(parse_device("auto"), [&] { return old.find(); });
    EXPECT_EQ(chosen.device.kind, DeviceKind::cpu);
    EXPECT_EQ(chosen.why_no_gpu, "cuda:1 cannot be used (it is too old)");
}

TEST(ChooseDevice, CpuDoesNotLookForGpus) {
    const auto looked = []() -> CudaDevices { throw MachineError("somebody looked"); };
    EXPECT_EQ(choose_device(parse_device("cpu"), looked).device.kind, DeviceKind::cpu);
}

TEST(ChooseDevice, CudaIsTheFirstUsableGpu) {
    EXPECT_EQ(chosen("cuda", Gpus({0, 1})), "GPU 0");
    EXPECT_EQ(chosen("cuda", Gpus({0, 1}, {0})), "GPU 1");
}

TEST(ChooseDevice, NumberIsCudasNumber) {
    for (const int index : {0, 1, 3})
        EXPECT_EQ(chosen("cuda:" + std::to_string(index), Gpus({0, 1, 3})), "GPU " + std::to_string(index));
}

TEST(ChooseDevice, OnlyTheChosenOneIsTouched) {
    Gpus gpus({0, 1, 2, 3}, {0});
    for (const int index : {3, 1}) chosen("cuda:" + std::to_string(index), gpus);
    EXPECT_EQ(gpus.touched(), (std::vector<int>{3, 1}));
    chosen("cuda:99", gpus);
    chosen("cpu", gpus);
    EXPECT_EQ(gpus.touched(), (std::vector<int>{3, 1})) << "the CPU touches none";
    for (const char* request : {"auto", "cuda"}) {
        Gpus others({0, 1, 2, 3}, {0});
        EXPECT_EQ(chosen(request, others), "GPU 1");
        EXPECT_EQ(others.touched(), (std::vector<int>{0, 1}))
            << "in order, and none after the first usable one";
    }
}

TEST(ChooseDevice, MissingNumber) {
    const std::string there = "--device cuda:99: no such device; there is cuda:1, cuda:3";
    EXPECT_EQ(chosen("cuda:99", Gpus({1, 3})), there);
    EXPECT_EQ(chosen("cuda:1", Gpus({0})), "--device cuda:1: no such device; there is cuda:0");
}

TEST(ChooseDevice, UnusableNumber) {
    EXPECT_EQ(chosen("cuda:0", Gpus({0, 1, 3}, {0})),
              "--device cuda:0: it cannot be used (it is too old); there is cuda:1, cuda:3");
    EXPECT_EQ(chosen("cuda:0", Gpus({0}, {0})),
              "--device cuda:0: it cannot be used (it is too old); " + without_a_gpu);
}

TEST(ChooseDevice, NoGpuAtAll) {
    for (const std::string request : {"cuda", "cuda:0", "cuda:99"})
        EXPECT_EQ(chosen(request, Gpus({}, {}, "no CUDA device (no driver)")),
                  "--device " + request + ": no CUDA device (no driver); " + without_a_gpu);
    EXPECT_EQ(chosen("cuda", Gpus({0}, {0})),
              "--device cuda: cuda:0 cannot be used (it is too old); " + without_a_gpu);
}

TEST(ChooseDevice, BuildWithoutCuda) {
    const std::string error =
        error_text<MachineError>([] { choose_device(parse_device("cuda"), [] { return CudaDevices{}; }); });
    EXPECT_EQ(error, "--device cuda: this build has no CUDA; " + without_a_gpu);
}

/// The devices of a program whose GPU code was compiled for the emulated GPU.
CudaDevices two_emulated() {
    CudaDevices devices;
    for (const int index : {0, 1})
        devices.all.push_back(
            {DeviceKind::emulated, index, "emulated " + std::to_string(index), "7.5", 1, 1});
    return devices;
}

TEST(ChooseDevice, EmulatedIsTheFirstEmulatedGpu) {
    for (const char* request : {"emulated", "emulated:t4"}) {
        const Device device = choose_device(parse_device(request), two_emulated).device;
        EXPECT_EQ(device.kind, DeviceKind::emulated);
        EXPECT_EQ(device.name, "emulated 0");
    }
}

TEST(ChooseDevice, EmulatedIsNeverARealGpu) {
    const std::string why = built_with_emulation ? "no memory is left"
                                                 : "this build has no emulated GPU; install Boost.Context "
                                                   "(Debian: apt-get install libboost-context-dev) and build "
                                                   "again";
    for (const std::string request : {"emulated", "emulated:h200"})
        EXPECT_EQ(chosen(request, Gpus({0}, {}, "no memory is left")), "--device " + request + ": " + why);
}

TEST(ChooseDevice, AutoAndCudaAreNeverAnEmulatedGpu) {
    const ChosenDevice automatic = choose_device(parse_device("auto"), two_emulated);
    EXPECT_EQ(automatic.device.kind, DeviceKind::cpu);
    EXPECT_EQ(automatic.why_no_gpu, "this build has no CUDA");
    for (const std::string request : {"cuda", "cuda:0", "cuda:7"})
        EXPECT_EQ(error_text<MachineError>([&] { choose_device(parse_device(request), two_emulated); }),
                  "--device " + request + ": this build has no CUDA; " + without_a_gpu);
}

TEST(FirstUsable, IsFoundInOrder) {
    Gpus gpus({2, 5, 7}, {2});
    EXPECT_EQ(first_usable(gpus.find()).device.value().index, 5);
    EXPECT_EQ(gpus.touched(), (std::vector<int>{2, 5}));
    EXPECT_EQ(first_usable({{}, "there is none"}).why_none, "there is none");
}

TEST(CpuDevice, HasANameAndThreads) {
    const Device device = cpu_device();
    EXPECT_EQ(device.kind, DeviceKind::cpu);
    EXPECT_FALSE(device.name.empty());
    EXPECT_EQ(device.name.find_first_of(":\t\n"), std::string::npos) << device.name;
    EXPECT_NE(device.name.front(), ' ');
    EXPECT_GE(device.units, 1);
    EXPECT_EQ(device.compute_capability, "");
}

TEST(DeviceKindName, IsTheReports) {
    EXPECT_EQ(name_of(DeviceKind::cpu), "cpu");
    EXPECT_EQ(name_of(DeviceKind::cuda), "cuda");
    EXPECT_EQ(name_of(DeviceKind::emulated), "emulated");
}

TEST(RunsOn, AKernelForGpusRunsOnRealAndEmulatedOnes) {
    EXPECT_TRUE(runs_on(DeviceKind::cuda, DeviceKind::cuda));
    EXPECT_TRUE(runs_on(DeviceKind::cuda, DeviceKind::emulated));
    EXPECT_FALSE(runs_on(DeviceKind::cuda, DeviceKind::cpu));
    EXPECT_FALSE(runs_on(DeviceKind::cpu, DeviceKind::emulated));
    EXPECT_TRUE(runs_on(DeviceKind::cpu, DeviceKind::cpu));
}

TEST(IfThereIsAGpu, CallsOnlyInABuildWithARealOrEmulatedOne) {
    EXPECT_EQ(if_there_is_a_gpu([] { return 7; }), built_with_cuda || built_with_emulation ? 7 : 0);
}

}  // namespace
}  // namespace cudabook
