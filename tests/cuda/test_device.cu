// common/cuda/device.cuh: the devices, which of them get a context, and how fast their memory is.
#include <string>
#include <thread>
#include <vector>

#include "common/cuda/device.cuh"
#include "common/heat/scene.hpp"
#include "common/program/shared_library.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

TEST(CudaDevices, AreListedOrThereIsAReason) {
    // Without a GPU or a driver: no exception, and one line that says so.
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
        EXPECT_EQ(found.kind, gpu_kind);
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

TEST_F(CudaDevicesOnGpu, MissingDeviceIsNotUsable) {
    Device device = CudaDevicesOnGpu::device();
    device.index = 1000;
    EXPECT_EQ(cuda_devices().why_unusable(device), cudaGetErrorString(cudaErrorInvalidDevice));
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

/// For each device, whether this process has a context on it, according to the driver.
std::vector<bool> with_context() {
    const SharedLibrary driver{"libcuda.so.1"};
    auto* const state_of = driver.function<int(int, unsigned*, int*)>("cuDevicePrimaryCtxGetState");
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    std::vector<bool> active;
    for (int device = 0; device < count; ++device) {
        unsigned flags = 0;
        int is_active = 0;
        EXPECT_EQ(state_of(device, &flags, &is_active), 0);
        active.push_back(is_active != 0);
    }
    return active;
}

/// Not a test::Gpu, which uses the first device before the test begins.
TEST(CudaDevicesOfSeveral, OnlyTheChosenOneIsTouched) {
    if (test::emulated) GTEST_SKIP() << "an emulated GPU has no contexts, and no driver to ask for them";
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) static_cast<void>(cudaGetLastError());
    if (count < 2) GTEST_SKIP() << "needs two GPUs, and there are " << count;
    const auto before = with_context();
    if (before.front()) GTEST_SKIP() << "another test has used cuda:0 already; run this one by itself";
    auto after = before;
    after.back() = true;

    const CudaDevices devices = cuda_devices();
    EXPECT_EQ(with_context(), before) << "listing devices creates no context";
    const Device& last = devices.all.back();
    EXPECT_EQ(choose_device(parse_device(fmt::format("cuda:{}", last.index)), cuda_devices).device.index,
              last.index);
    EXPECT_EQ(with_context(), after);
    int current = -1;
    CUDA_CHECK(cudaGetDevice(&current));
    EXPECT_EQ(current, last.index);

    // A whole run on the last device, destroyed by a thread that has used no device yet.
    for (const heat::Kernel& kernel : heat_notexture::gpu().kernels) {
        auto solver = kernel.make(heat::book_scene(100, 100), {0.25F, last.index});
        std::vector<unsigned char> pixels(100 * 100 * 4);
        solver->frame(3, {pixels.data()});
        EXPECT_TRUE(solver->occupancy().has_value()) << kernel.name;
        std::thread([&] { solver.reset(); }).join();
    }
    device_copy_gb_per_s(last.index);
    EXPECT_EQ(with_context(), after);
}

class CudaCopy : public test::Gpu {};

TEST_F(CudaCopy, BandwidthIsPlausible) {
    const double gb_per_s = device_copy_gb_per_s(device().index);
    EXPECT_GT(gb_per_s, test::emulated ? 0 : 10);
    EXPECT_LT(gb_per_s, 100000);
}

}  // namespace
}  // namespace cudabook
