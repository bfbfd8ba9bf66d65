// GPUs that use each other's memory. The tests need two GPUs that can be peers, and are skipped elsewhere.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

/// Tests with GPUs 0 and 1, which must be able to access each other's memory.
class Peers : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        if (!is_there()) return;
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        if (count < 2) GTEST_SKIP() << "needs two GPUs, and there are " << count;
        int can = 0;
        CUDA_CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
        if (can == 0) GTEST_SKIP() << "needs two GPUs that can be peers";
        for (const int gpu : {0, 1}) {
            CUDA_CHECK(cudaSetDevice(gpu));
            CUDA_CHECK(cudaMalloc(&memory_[gpu], bytes));
        }
        CUDA_CHECK(cudaSetDevice(0));
    }

    void TearDown() override {
        if (!is_there()) return;
        for (int* const memory : memory_) EXPECT_EQ(cudaFree(memory), cudaSuccess);
        CUDA_CHECK(cudaSetDevice(device().index));
        test::Gpu::TearDown();
    }

    static constexpr int size = 1000;
    static constexpr std::size_t bytes = size * sizeof(int);
    int* memory_[2] = {};
};

std::vector<int> numbers_from(int size, int first) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) numbers[static_cast<std::size_t>(i)] = first + i;
    return numbers;
}

/// Expects an error, and clears it.
void expect_peer_error(cudaError_t expected, cudaError_t got) {
    EXPECT_EQ(got, expected) << cudaGetErrorName(got);
    EXPECT_EQ(cudaGetLastError(), expected);
}

__global__ void add_to_peer(int* peers, const int* own, int size) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < size) atomicAdd(peers + i, own[i]);
}

TEST_F(Peers, AccessIsEnabledOnce) {
    int can = 1;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    EXPECT_EQ(can, 0) << "a GPU is no peer of its own";
    expect_peer_error(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1000));
    expect_peer_error(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
    expect_peer_error(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(1, 1));
    expect_peer_error(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    expect_peer_error(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1000, 0));
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    expect_peer_error(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
    CUDA_CHECK(cudaSetDevice(1));
    expect_peer_error(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    CUDA_CHECK(cudaSetDevice(0));
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
}

TEST_F(Peers, KernelsUseThePeersMemory) {
    const std::vector<int> own = numbers_from(size, 5);
    const std::vector<int> peers = numbers_from(size, 100);
    CUDA_CHECK(cudaMemcpy(memory_[0], own.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(memory_[1], peers.data(), bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceEnablePeerAccess(1, 0));
    const Stream stream;
    launch(add_to_peer, 4, 256, stream, memory_[1], static_cast<const int*>(memory_[0]), size);
    stream.synchronize();
    std::vector<int> sums(size);
    CUDA_CHECK(cudaMemcpy(sums.data(), memory_[1], bytes, cudaMemcpyDefault));
    for (int i = 0; i < size; ++i) EXPECT_EQ(sums[static_cast<std::size_t>(i)], 105 + 2 * i);
    CUDA_CHECK(cudaDeviceDisablePeerAccess(1));
}

TEST_F(Peers, CopiesNeedNoAccess) {
    const std::vector<int> numbers = numbers_from(size, 7);
    std::vector<int> copy(size);
    CUDA_CHECK(cudaMemcpy(memory_[0], numbers.data(), bytes, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpyPeer(memory_[1], 1, memory_[0], 0, bytes));
    CUDA_CHECK(cudaMemset(memory_[0], 0, bytes));
    CUDA_CHECK(cudaMemcpyPeerAsync(memory_[0], 0, memory_[1], 1, bytes / 2));
    CUDA_CHECK(cudaMemcpy(copy.data(), memory_[0], bytes, cudaMemcpyDefault));
    for (int i = 0; i < size; ++i) EXPECT_EQ(copy[static_cast<std::size_t>(i)], i < size / 2 ? 7 + i : 0);
    expect_peer_error(cudaErrorInvalidDevice, cudaMemcpyPeer(memory_[1], 1000, memory_[0], 0, bytes));

    cudaMemcpy3DPeerParms box{};  // 3 rows of 10 numbers, from the second row
    box.srcPtr = make_cudaPitchedPtr(memory_[1], 100 * sizeof(int), 100, 10);
    box.srcPos = make_cudaPos(0, 1, 0);
    box.srcDevice = 1;
    box.dstPtr = make_cudaPitchedPtr(memory_[0], 10 * sizeof(int), 10, 3);
    box.dstDevice = 0;
    box.extent = make_cudaExtent(10 * sizeof(int), 3, 1);
    CUDA_CHECK(cudaMemcpy3DPeer(&box));
    CUDA_CHECK(cudaMemcpy(copy.data(), memory_[0], 30 * sizeof(int), cudaMemcpyDefault));
    for (int i = 0; i < 30; ++i)
        EXPECT_EQ(copy[static_cast<std::size_t>(i)], 7 + 100 * (1 + i / 10) + i % 10);
}

TEST_F(Peers, AttributesOfTheLink) {
    int value = -1;
    CUDA_CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
    EXPECT_EQ(value, 1);
    CUDA_CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 1));
    EXPECT_GE(value, 0);
    expect_peer_error(cudaErrorInvalidDevice,
                      cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
}

TEST_F(Peers, PoolsHaveAccessOfTheirOwn) {
    const auto access_of = [](cudaMemPool_t pool, int gpu) {
        cudaMemLocation location{};
        location.type = cudaMemLocationTypeDevice;
        location.id = gpu;
        cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
        CUDA_CHECK(cudaMemPoolGetAccess(&flags, pool, &location));
        return flags;
    };
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 1;
    cudaMemPool_t pool = nullptr;
    CUDA_CHECK(cudaMemPoolCreate(&pool, &properties));
    EXPECT_EQ(access_of(pool, 0), cudaMemAccessFlagsProtNone);
    EXPECT_EQ(access_of(pool, 1), cudaMemAccessFlagsProtReadWrite);
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    CUDA_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    EXPECT_EQ(access_of(pool, 0), cudaMemAccessFlagsProtReadWrite);

    CUDA_CHECK(cudaSetDevice(1));
    int* of_pool = nullptr;
    {
        const Stream stream;
        CUDA_CHECK(cudaMallocFromPoolAsync(&of_pool, bytes, pool, stream.get()));
        CUDA_CHECK(cudaMemsetAsync(of_pool, 0, bytes, stream.get()));
        stream.synchronize();
    }
    CUDA_CHECK(cudaSetDevice(0));
    const std::vector<int> own = numbers_from(size, 3);
    CUDA_CHECK(cudaMemcpy(memory_[0], own.data(), bytes, cudaMemcpyDefault));
    {
        const Stream stream;
        launch(add_to_peer, 4, 256, stream, of_pool, static_cast<const int*>(memory_[0]), size);
        stream.synchronize();
    }
    std::vector<int> sums(size);
    CUDA_CHECK(cudaMemcpy(sums.data(), of_pool, bytes, cudaMemcpyDefault));
    EXPECT_EQ(sums, own);
    CUDA_CHECK(cudaFree(of_pool));
    CUDA_CHECK(cudaMemPoolDestroy(pool));
}

}  // namespace
}  // namespace cudabook
