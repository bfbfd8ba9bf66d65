// common/cuda/array.cuh: copies there and back, mapped memory seen from both sides, memory freed, and the
// errors if there is too little memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::is_one_line;

/// to[i] := from[i] + 1.
__global__ void add_one(int* to, const int* from, unsigned size) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) to[i] = from[i] + 1;
}

void launch_add_one(int* to, const int* from, std::size_t size) {
    const Stream stream;
    launch(add_one, static_cast<unsigned>((size + 255) / 256), 256, stream, to, from,
           static_cast<unsigned>(size));
    stream.synchronize();
}

std::vector<int> count_from(int first, std::size_t size) {
    std::vector<int> values(size);
    std::iota(values.begin(), values.end(), first);
    return values;
}

cudaMemoryType kind_of(const void* memory) {
    cudaPointerAttributes attributes{};
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
    return attributes.type;
}

class CudaDeviceArray : public test::Gpu {};

TEST_F(CudaDeviceArray, ThereAndBack) {
    for (const std::size_t size : {1, 2, 31, 1000, 1 << 20}) {
        const std::vector<int> values = count_from(7, size);
        DeviceArray<int> array(size);
        EXPECT_EQ(array.size(), size);
        EXPECT_EQ(kind_of(array.data()), cudaMemoryTypeDevice);
        array.upload(values);
        EXPECT_EQ(array.download(), values);
    }
}

TEST_F(CudaDeviceArray, ConstructedFromValues) {
    const std::vector<int> values = count_from(-5, 777);
    const DeviceArray<int> array{std::span(values)};
    EXPECT_EQ(array.size(), 777U);
    EXPECT_EQ(array.download(), values);
}

TEST_F(CudaDeviceArray, FewerValuesGoToTheBeginning) {
    DeviceArray<int> array{std::span<const int>(count_from(0, 6))};
    array.upload(count_from(100, 2));
    EXPECT_EQ(array.download(), (std::vector{100, 101, 2, 3, 4, 5}));
}

TEST_F(CudaDeviceArray, OfElementsThatAreStructs) {
    struct Pair {
        double a;
        std::uint8_t b;
    };
    const std::vector<Pair> values{{1.5, 1}, {2.5, 2}, {3.5, 3}};
    const auto back = DeviceArray<Pair>{std::span(values)}.download();
    ASSERT_EQ(back.size(), 3U);
    EXPECT_EQ(back[2].a, 3.5);
    EXPECT_EQ(back[2].b, 3);
}

TEST_F(CudaDeviceArray, WithoutElements) {
    DeviceArray<int> array(0);
    array.upload({});
    EXPECT_TRUE(array.download().empty());
    EXPECT_TRUE(DeviceArray<int>().download().empty());
}

TEST_F(CudaDeviceArray, KernelSeesWhatWasUploaded) {
    const DeviceArray<int> from{std::span<const int>(count_from(0, 1000))};
    const DeviceArray<int> to(1000);
    launch_add_one(to.data(), from.data(), 1000);
    EXPECT_EQ(to.download(), count_from(1, 1000));
}

TEST_F(CudaDeviceArray, Moves) {
    DeviceArray<int> first{std::span<const int>(count_from(0, 10))};
    const int* memory = first.data();
    DeviceArray<int> second = std::move(first);
    EXPECT_EQ(second.data(), memory);
    EXPECT_EQ(second.download(), count_from(0, 10));
    second = DeviceArray<int>{std::span<const int>(count_from(5, 3))};
    EXPECT_EQ(second.download(), count_from(5, 3));
}

TEST_F(CudaDeviceArray, FreesItsMemory) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    for (int i = 0; i < 16; ++i) {
        const DeviceArray<std::byte> array(free_bytes / 4);
        EXPECT_EQ(array.size(), free_bytes / 4);
    }
}

TEST_F(CudaDeviceArray, MoreThanTheDeviceHas) {
    // 2^50 elements of 4 bytes are 2^32 MiB.
    const std::string error = error_text<MachineError>([] { DeviceArray<int> array(std::size_t{1} << 50U); });
    EXPECT_TRUE(
        std::regex_match(error, std::regex("out of memory: cudaMalloc asked for 4294967296\\.0 MiB, and "
                                           "[0-9]+\\.[0-9] of the device's [0-9]+\\.[0-9] MiB are free")))
        << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the error is cleared";
    EXPECT_EQ((DeviceArray<int>{std::span<const int>(count_from(0, 10))}.download()), count_from(0, 10));
}

TEST_F(CudaDeviceArray, SizeOverflows) {
    for (const std::size_t size : {(std::size_t{1} << 62U) + 1, std::numeric_limits<std::size_t>::max()}) {
        const std::string expected =
            fmt::format("out of memory: no memory holds {} elements of 4 bytes", size);
        EXPECT_EQ(error_text<MachineError>([&] { DeviceArray<int> array(size); }), expected);
        EXPECT_EQ(error_text<MachineError>([&] { PinnedArray<int> array(size); }), expected);
    }
}

class CudaPinnedArray : public test::Gpu {};

TEST_F(CudaPinnedArray, IsHostMemoryForAsynchronousCopies) {
    PinnedArray<int> pinned(1000);
    EXPECT_EQ(kind_of(pinned.data()), cudaMemoryTypeHost);
    EXPECT_EQ(pinned.size(), 1000U);
    EXPECT_EQ(pinned.values().size(), 1000U);
    EXPECT_EQ(pinned.values().data(), pinned.data());
    std::ranges::copy(count_from(3, 1000), pinned.data());

    const DeviceArray<int> device(1000);
    PinnedArray<int> back(1000);
    const Stream stream;
    CUDA_CHECK(cudaMemcpyAsync(device.data(), pinned.data(), 4000, cudaMemcpyHostToDevice, stream.get()));
    CUDA_CHECK(cudaMemcpyAsync(back.data(), device.data(), 4000, cudaMemcpyDeviceToHost, stream.get()));
    stream.synchronize();
    EXPECT_TRUE(std::ranges::equal(back.values(), count_from(3, 1000)));
}

TEST_F(CudaPinnedArray, MoreThanTheHostHas) {
    // 2^50 bytes are 2^30 MiB.
    const std::string error =
        error_text<MachineError>([] { PinnedArray<std::byte> array(std::size_t{1} << 50U); });
    EXPECT_TRUE(
        std::regex_match(error, std::regex("out of memory: cudaHostAlloc asked for 1073741824\\.0 MiB, and "
                                           "[0-9]+\\.[0-9] MiB of host memory are available")))
        << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

class CudaMappedArray : public test::Gpu {};

TEST_F(CudaMappedArray, KernelReadsWhatTheHostWrote) {
    MappedArray<int> mapped(1000);
    const DeviceArray<int> device(1000);
    for (const int first : {10, 500}) {
        std::ranges::copy(count_from(first, 1000), mapped.data());
        launch_add_one(device.data(), mapped.device_data(), 1000);
        EXPECT_EQ(device.download(), count_from(first + 1, 1000));
    }
}

TEST_F(CudaMappedArray, HostReadsWhatTheKernelWrote) {
    const MappedArray<int> mapped(1000);
    std::ranges::fill(mapped.values(), -1);
    for (const int first : {10, 500}) {
        const DeviceArray<int> device{std::span<const int>(count_from(first, 1000))};
        launch_add_one(mapped.device_data(), device.data(), 1000);
        EXPECT_TRUE(std::ranges::equal(mapped.values(), count_from(first + 1, 1000)));
    }
}

TEST_F(CudaMappedArray, ReadAndWrittenInPlace) {
    const MappedArray<int> mapped(100);
    std::ranges::copy(count_from(0, 100), mapped.data());
    for (int i = 0; i < 5; ++i) launch_add_one(mapped.device_data(), mapped.device_data(), 100);
    EXPECT_TRUE(std::ranges::equal(mapped.values(), count_from(5, 100)));
}

class CudaPageLock : public test::Gpu {};

TEST_F(CudaPageLock, LocksMemoryForItsLifetime) {
    std::vector<int> values = count_from(0, 1 << 16);
    {
        const PageLock lock(values.data(), values.size() * sizeof(int));
        EXPECT_EQ(lock.data(), values.data());
        EXPECT_EQ(kind_of(values.data()), cudaMemoryTypeHost);
    }
    EXPECT_EQ(kind_of(values.data()), cudaMemoryTypeUnregistered);
    EXPECT_EQ(values, count_from(0, 1 << 16));
}

TEST_F(CudaPageLock, NullPointer) {
    const std::string error = error_text<CudaError>([] { PageLock(nullptr, 4096); });
    EXPECT_NE(error.find("cudaHostRegister"), std::string::npos) << error;
    EXPECT_TRUE(is_one_line(error)) << error;
}

}  // namespace
}  // namespace cudabook
