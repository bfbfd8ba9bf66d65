// common/cuda/device.cuh: the devices, and how fast their memory is.
#include <string>

#include <fmt/format.h>

#include "common/cuda/device.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

TEST(CudaDevices, AreListedOrThereIsAReason) {
    // Without a GPU or a driver, there is no exception, and one line says what is missing.
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

class CudaCopy : public test::Gpu {};

TEST_F(CudaCopy, BandwidthIsPlausible) {
    const double gb_per_s = device_copy_gb_per_s(device().index);
    EXPECT_GT(gb_per_s, test::emulated ? 0 : 10);
    EXPECT_LT(gb_per_s, 100000);
}

}  // namespace
}  // namespace cudabook
