// common/cuda_device.cuh: which devices there are, which of them are touched, and how fast their memory is.
#include <string>
#include <thread>
#include <vector>

#include <cuda.h>

#include "common/cuda_device.cuh"
#include "common/heat/scene.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "tests/error_text.hpp"
#include "tests/gpu.hpp"

namespace cudabook {
namespace {

TEST(CudaDevices, AreThereOrNotForAReason) {
    // Also where there is neither a GPU nor a driver: no exception, and one line that says so.
    const CudaDevices devices = cuda_devices();
    if (!devices.all.empty()) return;
    EXPECT_TRUE(test::is_one_line(devices.why_none)) << devices.why_none;
    EXPECT_NE(devices.why_none, CudaDevices{}.why_none);
}

class CudaDevicesOnGpu : public test::Gpu {};

TEST_F(CudaDevicesOnGpu, AreDescribed) {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    const CudaDevices devices = cuda_devices();
    ASSERT_EQ(devices.all.size(), static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index) {
        const Device& found = devices.all[static_cast<std::size_t>(index)];
        EXPECT_EQ(found.kind, DeviceKind::cuda);
        EXPECT_EQ(found.index, index);
        cudaDeviceProp properties{};
        CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
        EXPECT_EQ(found.name, properties.name);
        EXPECT_FALSE(found.name.empty());
        EXPECT_EQ(found.compute_capability, fmt::format("{}.{}", properties.major, properties.minor));
        EXPECT_EQ(found.memory_bytes, properties.totalGlobalMem);
        EXPECT_EQ(found.units, properties.multiProcessorCount);
    }
}

TEST_F(CudaDevicesOnGpu, OneThatIsNotThereIsNotUsable) {
    Device device = CudaDevicesOnGpu::device();
    device.index = 1000;
    EXPECT_EQ(cuda_devices().why_unusable(device), cudaGetErrorString(cudaErrorInvalidDevice));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

/// Which devices this process holds a context on, as the driver says.
std::vector<bool> with_context() {
    void* address = nullptr;
#if CUDART_VERSION >= 12050
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &address, 12000,
                                                cudaEnableDefault, nullptr));
#else
    CUDA_CHECK(cudaGetDriverEntryPoint("cuDevicePrimaryCtxGetState", &address, cudaEnableDefault));
#endif
    const auto state_of = reinterpret_cast<CUresult (*)(CUdevice, unsigned*, int*)>(address);
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    std::vector<bool> active;
    for (CUdevice device = 0; device < count; ++device) {  // the number is the driver's handle too
        unsigned flags = 0;
        int is_active = 0;
        EXPECT_EQ(state_of(device, &flags, &is_active), CUDA_SUCCESS);
        active.push_back(is_active != 0);
    }
    return active;
}

/// Not a test::Gpu, which uses the first device before the test begins.
TEST(CudaDevicesOfSeveral, OnlyTheChosenOneIsTouched) {
    const CudaDevices devices = cuda_devices();
    if (devices.all.size() < 2) GTEST_SKIP() << "needs two GPUs, and there are " << devices.all.size();
    const auto before = with_context();
    if (before.front()) GTEST_SKIP() << "another test has used cuda:0 already; run this one by itself";
    const Device& last = devices.all.back();
    const auto choose = [&](const std::string& request) {
        return choose_device(parse_device(request), cuda_devices).device.index;
    };
    const auto expected = [&](int touched) {
        std::vector<bool> now = before;
        now[static_cast<std::size_t>(touched)] = true;
        return now;
    };
    ASSERT_EQ(choose(fmt::format("cuda:{}", last.index)), last.index);
    EXPECT_EQ(with_context(), expected(last.index));
    int current = -1;
    CUDA_CHECK(cudaGetDevice(&current));
    EXPECT_EQ(current, last.index);

    // A whole run there, ended by a thread that has used no device yet.
    const auto kernels = heat_notexture::gpu().kernels;
    for (const heat::Kernel& kernel : kernels) {
        auto solver = kernel.make(heat::book_scene(100, 100), {0.25F, last.index});
        std::vector<unsigned char> pixels(100 * 100 * 4);
        solver->frame(3, {pixels.data()});
        EXPECT_TRUE(solver->occupancy().has_value()) << kernel.name;
        std::thread([&] { solver.reset(); }).join();
    }
    device_copy_gb_per_s(last.index);
    EXPECT_EQ(with_context(), expected(last.index));
}

class CudaCopy : public test::Gpu {};

TEST_F(CudaCopy, BandwidthIsThatOfAGpu) {
    const double gb_per_s = device_copy_gb_per_s(device().index);
    EXPECT_GT(gb_per_s, 10);
    EXPECT_LT(gb_per_s, 100000);
}

}  // namespace
}  // namespace cudabook
