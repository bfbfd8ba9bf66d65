// common/device.hpp: what --device may say, and which of made-up devices it means.
#include "common/device.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/error_text.hpp"

namespace cudabook {
namespace {

using test::error_text;

Device gpu(int index) {
    return {DeviceKind::cuda, index, "GPU " + std::to_string(index), "9.0", std::size_t{1} << 30U, 132};
}

/// The name of the device that is chosen from the GPUs, or the error.
std::string chosen(const std::string& request, const CudaDevices& cuda) {
    std::string name;
    const std::string error =
        error_text<MachineError>([&] { name = choose_device(parse_device(request), cuda).name; });
    return name.empty() ? error : name;
}

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
                                         "AUTO", "gpu", "cuda1", "cuda;1", "cpu:0", "auto:0", "cuda:\n"));

TEST_P(ParseDeviceWrong, IsAnErrorThatSaysWhatWouldDo) {
    EXPECT_EQ(error_text<UsageError>([] { parse_device(GetParam()); }),
              "--device '" + GetParam() + "': use auto, cpu, cuda or cuda:N");
}

TEST(ChooseDevice, AutoIsTheFirstUsableGpu) {
    EXPECT_EQ(chosen("auto", {{gpu(0)}, ""}), "GPU 0");
    EXPECT_EQ(chosen("auto", {{gpu(2), gpu(3)}, "cuda:0 is too old"}), "GPU 2");
}

TEST(ChooseDevice, AutoIsTheCpuWhereThereIsNoGpu) {
    const Device device = choose_device(parse_device("auto"), {{}, "no driver"});
    EXPECT_EQ(device.kind, DeviceKind::cpu);
}

TEST(ChooseDevice, CpuIsTheCpuAlsoWhereThereAreGpus) {
    EXPECT_EQ(choose_device(parse_device("cpu"), {{gpu(0)}, ""}).kind, DeviceKind::cpu);
}

TEST(ChooseDevice, CudaIsTheFirstUsableGpu) {
    EXPECT_EQ(chosen("cuda", {{gpu(0), gpu(1)}, ""}), "GPU 0");
    EXPECT_EQ(chosen("cuda", {{gpu(1)}, "cuda:0 is too old"}), "GPU 1");
}

TEST(ChooseDevice, NumberIsCudasNumber) {
    const CudaDevices cuda{{gpu(0), gpu(1), gpu(3)}, ""};
    EXPECT_EQ(chosen("cuda:0", cuda), "GPU 0");
    EXPECT_EQ(chosen("cuda:1", cuda), "GPU 1");
    EXPECT_EQ(chosen("cuda:3", cuda), "GPU 3");
}

TEST(ChooseDevice, NumberThatIsNotThere) {
    const CudaDevices cuda{{gpu(1), gpu(3)}, "cuda:0 cannot be used"};
    EXPECT_EQ(chosen("cuda:99", cuda), "--device cuda:99: no such usable device; there is cuda:1, cuda:3");
    EXPECT_EQ(chosen("cuda:2", cuda), "--device cuda:2: no such usable device; there is cuda:1, cuda:3");
    EXPECT_EQ(chosen("cuda:0", cuda), "--device cuda:0: no such usable device; there is cuda:1, cuda:3");
    EXPECT_EQ(chosen("cuda:1", {{gpu(0)}, ""}), "--device cuda:1: no such usable device; there is cuda:0");
}

TEST(ChooseDevice, NoGpuAtAll) {
    const CudaDevices none{{}, "no CUDA device (no driver)"};
    EXPECT_EQ(chosen("cuda", none), "--device cuda: no CUDA device (no driver); use --device cpu");
    EXPECT_EQ(chosen("cuda:0", none), "--device cuda:0: no CUDA device (no driver); use --device cpu");
    EXPECT_EQ(chosen("cuda:99", none), "--device cuda:99: no CUDA device (no driver); use --device cpu");
}

TEST(ChooseDevice, BuildWithoutCuda) {
    EXPECT_EQ(chosen("cuda", CudaDevices{}), "--device cuda: this build has no CUDA; use --device cpu");
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

TEST(DeviceKindName, IsWhatTheReportSays) {
    EXPECT_EQ(name_of(DeviceKind::cpu), "cpu");
    EXPECT_EQ(name_of(DeviceKind::cuda), "cuda");
}

TEST(IfBuiltWithCuda, AsksWhereThereIsCudaOnly) {
    EXPECT_EQ(if_built_with_cuda([] { return 7; }), built_with_cuda ? 7 : 0);
}

}  // namespace
}  // namespace cudabook
