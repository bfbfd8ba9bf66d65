// Two emulated GPUs in one process. This program's environment names them: CUDABOOK_EMULATED_GPUS=h200,t4.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"

namespace cudabook {
namespace {

enum Gpu { h200, t4 };

void use(Gpu gpu) { CUDA_CHECK(cudaSetDevice(gpu)); }

__global__ void add(int* value, int what) {
    __syncthreads();
    if (threadIdx.x == 0) *value += what;
}

__global__ void never_ends() {
    if (threadIdx.x == 0)
        __syncwarp();
    else
        __syncthreads();
}

DeviceArray<int> zero() { return DeviceArray<int>{std::span<const int>(std::vector<int>{0})}; }

TEST(TwoGpus, Properties) {
    int count = 0;
    CUDA_CHECK(cudaGetDeviceCount(&count));
    ASSERT_EQ(count, 2);
    cudaDeviceProp properties{};
    CUDA_CHECK(cudaGetDeviceProperties(&properties, h200));
    EXPECT_EQ(std::string(properties.name).find("NVIDIA H200"), 0U) << properties.name;
    EXPECT_EQ(properties.major * 10 + properties.minor, 90);
    EXPECT_EQ(properties.sharedMemPerBlockOptin, 227U << 10U);
    CUDA_CHECK(cudaGetDeviceProperties(&properties, t4));
    EXPECT_EQ(std::string(properties.name).find("Tesla T4"), 0U) << properties.name;
    EXPECT_EQ(properties.major * 10 + properties.minor, 75);
    EXPECT_EQ(properties.sharedMemPerBlockOptin, 64U << 10U);
    EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(TwoGpus, SharedMemoryThatOnlyOneHas) {
    constexpr int bytes = 100 << 10;
    use(h200);
    EXPECT_EQ(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), cudaSuccess);
    DeviceArray<int> value = zero();
    launch_with_shared(add, 1, 32, bytes, Stream(), value.data(), 5);
    EXPECT_EQ(value.download().front(), 5);
    use(t4);
    EXPECT_EQ(cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = 1;
    config.dynamicSmemBytes = bytes;
    EXPECT_EQ(cudaLaunchKernelEx(&config, add, value.data(), 1), cudaErrorInvalidValue)
        << "what was allowed on the other GPU is not allowed here";
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

__global__ void note_device(int* devices) {
    __syncthreads();
    if (threadIdx.x == 0) static_cast<void>(cudaGetDevice(devices + blockIdx.x));
}

TEST(TwoGpus, AllBlocksRunOnTheGpuOfTheLaunch) {
    use(t4);
    const Stream stream;
    const DeviceArray<int> devices{std::span<const int>(std::vector<int>(500, -1))};
    const Graph graph(stream, [&] { launch(note_device, 500, 32, stream, devices.data()); });
    use(h200);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(devices.download(), std::vector<int>(500, t4));
    int current = -1;
    EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
    EXPECT_EQ(current, h200);
}

TEST(TwoGpus, MemoryIsOfTheCurrentOne) {
    use(t4);
    int* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, 64));
    cudaPointerAttributes attributes{};
    use(h200);
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
    EXPECT_EQ(attributes.device, t4);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    CUDA_CHECK(cudaDeviceReset());
    CUDA_CHECK(cudaPointerGetAttributes(&attributes, memory));
    EXPECT_EQ(attributes.device, t4) << "a reset of the other one leaves it";
    CUDA_CHECK(cudaFree(memory));
}

TEST(TwoGpus, MemoryOfOneIsNotTheOthers) {
    use(t4);
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, std::size_t{17} << 30U), cudaErrorMemoryAllocation) << "a T4 has 16 GiB";
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    use(h200);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(TwoGpus, KernelsOnBoth) {
    std::vector<DeviceArray<int>> values;
    for (const Gpu gpu : {h200, t4}) {
        use(gpu);
        values.push_back(zero());
    }
    for (int i = 0; i < 10; ++i)
        for (const Gpu gpu : {h200, t4}) {
            use(gpu);
            launch(add, 1, 64, Stream(), values[gpu].data(), gpu == t4 ? 2 : 1);
        }
    for (const Gpu gpu : {h200, t4}) {  // a copy waits for the streams of its own GPU
        use(gpu);
        EXPECT_EQ(values[gpu].download().front(), gpu == t4 ? 20 : 10);
    }
}

TEST(TwoGpus, EachThreadOfTheHostHasACurrentOne) {
    use(t4);
    std::jthread([] {
        int current = -1;
        CUDA_CHECK(cudaGetDevice(&current));
        EXPECT_EQ(current, h200);
    });
    int current = -1;
    CUDA_CHECK(cudaGetDevice(&current));
    EXPECT_EQ(current, t4);
}

TEST(TwoGpus, AnErrorLastsOnItsOwnAlone) {
    use(t4);
    launch(never_ends, 1, 32, Stream());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout);

    use(h200);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    DeviceArray<int> value = zero();
    launch(add, 1, 32, Stream(), value.data(), 3);
    EXPECT_EQ(value.download().front(), 3);
    CUDA_CHECK(cudaDeviceReset());

    EXPECT_EQ(cudaSetDevice(t4), cudaErrorLaunchTimeout);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchTimeout) << "nor does a reset of the other one end it";
    EXPECT_NE(std::string(cudaGetErrorString(cudaErrorLaunchTimeout)).find("never_ends, block (0, 0, 0)"),
              std::string::npos);
    CUDA_CHECK(cudaDeviceReset());
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace cudabook
