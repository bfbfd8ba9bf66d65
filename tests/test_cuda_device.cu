// common/cuda_device.cuh: which devices there are and how fast their memory is.
#include <set>
#include <string>

#include "common/cuda_device.cuh"
#include "tests/error_text.hpp"
#include "tests/gpu.hpp"

namespace cudabook {
namespace {

TEST(CudaDevices, AreThereOrNotForAReason) {
    // Also where there is neither a GPU nor a driver: no exception, and one line that says so.
    const CudaDevices devices = cuda_devices();
    if (!devices.usable.empty()) return;
    EXPECT_TRUE(test::is_one_line(devices.why_none)) << devices.why_none;
    EXPECT_NE(devices.why_none, CudaDevices{}.why_none);
}

class CudaDevicesOnGpu : public test::Gpu {};

TEST_F(CudaDevicesOnGpu, AreDescribed) {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    int last = -1;
    for (const Device& found : devices().usable) {
        EXPECT_EQ(found.kind, DeviceKind::cuda);
        EXPECT_GT(found.index, last);
        EXPECT_LT(found.index, count);
        last = found.index;
        cudaDeviceProp properties{};
        CUDA_CHECK(cudaGetDeviceProperties(&properties, found.index));
        EXPECT_EQ(found.name, properties.name);
        EXPECT_FALSE(found.name.empty());
        EXPECT_EQ(found.compute_capability, fmt::format("{}.{}", properties.major, properties.minor));
        EXPECT_EQ(found.memory_bytes, properties.totalGlobalMem);
        EXPECT_EQ(found.units, properties.multiProcessorCount);
    }
}

TEST_F(CudaDevicesOnGpu, AreTheSameWhenAskedAgain) {
    const CudaDevices again = cuda_devices();
    ASSERT_EQ(again.usable.size(), devices().usable.size());
    for (std::size_t i = 0; i < again.usable.size(); ++i)
        EXPECT_EQ(again.usable[i].index, devices().usable[i].index);
}

class CudaCopy : public test::Gpu {};

TEST_F(CudaCopy, BandwidthIsThatOfAGpu) {
    const double gb_per_s = device_copy_gb_per_s(device().index);
    EXPECT_GT(gb_per_s, 10);
    EXPECT_LT(gb_per_s, 100000);
}

}  // namespace
}  // namespace cudabook
