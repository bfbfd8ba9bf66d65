// Clusters of thread blocks, with the same results on a GPU and on the emulated GPU.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

namespace cg = cooperative_groups;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define CUDABOOK_TEST_CLUSTERS 1
#define CUDABOOK_TEST_CLUSTER_DIMS(...) __cluster_dims__(__VA_ARGS__)
#else  // for GPUs that have no clusters the kernels are empty
#define CUDABOOK_TEST_CLUSTERS 0
#define CUDABOOK_TEST_CLUSTER_DIMS(...)
#endif

class Clusters : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        int has_clusters = 0;
        CUDA_CHECK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
        if (has_clusters == 0) GTEST_SKIP() << "needs clusters, which compute capability 9.0 has";
    }
};

/// Launches with clusters of this size. Returns the launch's error.
template <class... Parameters, class... Arguments>
cudaError_t launch_clusters(void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster,
                            std::size_t bytes, bool cooperative, Arguments... arguments) {
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster.x;
    attributes[0].val.clusterDim.y = cluster.y;
    attributes[0].val.clusterDim.z = cluster.z;
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.attrs = attributes;
    config.numAttrs = cooperative ? 2 : 1;
    const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
    static_cast<void>(cudaGetLastError());
    return error;
}

/// Runs the kernel, which writes `each` numbers for each block.
template <class Kernel, class... Arguments>
std::vector<int> numbers_of_clusters(Kernel kernel, dim3 grid, dim3 block, dim3 cluster, std::size_t each,
                                     std::size_t bytes = 0, bool cooperative = false) {
    const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(blocks * each))};
    EXPECT_EQ(launch_clusters(kernel, grid, block, cluster, bytes, cooperative, to.data()), cudaSuccess);
    return to.download();
}

[[maybe_unused]] __device__ unsigned number_of_block() {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

// ----- Where a block is in its cluster

__global__ void place_in_cluster([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    const cg::cluster_group cluster = cg::this_cluster();
    const cg::grid_group grid = cg::this_grid();
    if (threadIdx.x != 2 || threadIdx.y != 1) return;
    const dim3 block = cluster.block_index();
    const dim3 thread = cluster.thread_index();
    const dim3 index = grid.cluster_index();
    int* const mine = to + 8 * number_of_block();
    mine[0] = static_cast<int>(block.x + 10 * block.y + 100 * block.z);
    mine[1] = static_cast<int>(cluster.block_rank() + 100 * cluster.num_blocks());
    mine[2] =
        static_cast<int>(cluster.dim_blocks().x + 10 * cluster.dim_blocks().y + 100 * cluster.dim_blocks().z);
    mine[3] = static_cast<int>(thread.x + 100 * thread.y + 10000 * thread.z);
    mine[4] = static_cast<int>(cluster.thread_rank() + 1000 * cluster.num_threads());
    mine[5] = static_cast<int>(cluster.dim_threads().x + 100 * cluster.dim_threads().y +
                               10000 * cluster.dim_threads().z);
    mine[6] = static_cast<int>(index.x + 10 * index.y + 100 * index.z);
    mine[7] = static_cast<int>(grid.cluster_rank() + 100 * grid.num_clusters());
#endif
}

TEST_F(Clusters, PlaceOfABlock) {
    const std::vector<int> got =
        numbers_of_clusters(place_in_cluster, dim3(4, 6, 2), dim3(5, 2), dim3(2, 3), 8);
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 4; ++x) {
                const int* const mine = got.data() + 8 * (x + 4 * (y + 6 * z));
                const int rank = x % 2 + 2 * (y % 3);
                EXPECT_EQ(mine[0], x % 2 + 10 * (y % 3));
                EXPECT_EQ(mine[1], rank + 600);
                EXPECT_EQ(mine[2], 132);
                EXPECT_EQ(mine[3], x % 2 * 5 + 2 + 100 * (y % 3 * 2 + 1));
                EXPECT_EQ(mine[4], rank * 10 + 7 + 60000);
                EXPECT_EQ(mine[5], 10 + 600 + 10000);
                EXPECT_EQ(mine[6], x / 2 + 10 * (y / 3) + 100 * z);
                EXPECT_EQ(mine[7], x / 2 + 2 * (y / 3) + 4 * z + 800);
            }
}

__global__ void place_without_clusters([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    __shared__ int shared;
    const cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 40) shared = 3;
    cluster.sync();
    if (threadIdx.x > 0) return;
    to[0] =
        static_cast<int>(__clusterDimIsSpecified() + 10 * cluster.num_blocks() + 100 * cluster.block_rank());
    to[1] = *cluster.map_shared_rank(&shared, 0);
#endif
}

TEST_F(Clusters, WithoutClustersEachBlockIsOne) {
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(2))};
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 64;
    CUDA_CHECK(cudaLaunchKernelEx(&config, place_without_clusters, to.data()));
    EXPECT_EQ(to.download(), (std::vector<int>{10, 3}));
}

// ----- Distributed shared memory

/// Each block keeps a part of a histogram of its cluster in its shared memory.
__global__ void histogram_of_cluster([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    __shared__ int part[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x < 16) part[threadIdx.x] = 0;
    cluster.sync();
    for (unsigned i = cluster.thread_rank(); i < 10000; i += cluster.num_threads()) {
        const unsigned bin = i * i % 97 % (16 * cluster.num_blocks());
        atomicAdd(cluster.map_shared_rank(part, static_cast<int>(bin / 16)) + bin % 16, 1);
    }
    cluster.sync();
    if (threadIdx.x < 16) to[16 * number_of_block() + threadIdx.x] = part[threadIdx.x];
#endif
}

TEST_F(Clusters, AtomicsOnTheSharedMemoryOfOtherBlocks) {
    const std::vector<int> got = numbers_of_clusters(histogram_of_cluster, 12, 96, 4, 16);
    std::vector<int> expected(64);
    for (unsigned i = 0; i < 10000; ++i) ++expected[i * i % 97 % 64];
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], expected[i % 64]) << i;
}

/// Each block reads the dynamic shared memory of the next block, and writes to the static shared memory of
/// the previous block.
__global__ void neighbours_in_cluster([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    extern __shared__ int numbers[];
    __shared__ int from_next[64];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    const unsigned blocks = cluster.num_blocks();
    numbers[threadIdx.x] = static_cast<int>(100 * number_of_block() + threadIdx.x);
    cg::cluster_group::arrival_token token = cluster.barrier_arrive();
    __syncthreads();  // a barrier of the block alone
    cluster.barrier_wait(std::move(token));
    int* const next = cluster.map_shared_rank(numbers, static_cast<int>((rank + 1) % blocks));
    int* const before = cluster.map_shared_rank(from_next, static_cast<int>((rank + blocks - 1) % blocks));
    before[threadIdx.x] = -static_cast<int>(rank);
    const int read = next[threadIdx.x];
    const bool is_right = cluster.query_shared_rank(next) == (rank + 1) % blocks &&
                          cluster.query_shared_rank(numbers) == rank && __isShared(numbers) != 0 &&
                          __isShared(next) == (blocks == 1 ? 1 : 0) && __isGlobal(next) == 0 &&
                          __isClusterShared(next) != 0 && __isClusterShared(numbers) != 0 &&
                          __isClusterShared(to) == 0 &&
                          cluster.map_shared_rank(next, static_cast<int>(rank)) == numbers;
    cg::sync(cluster);
    int* const mine = to + 3 * (64 * number_of_block() + threadIdx.x);
    mine[0] = read;
    mine[1] = from_next[threadIdx.x];
    mine[2] = is_right ? 1 : 0;
#endif
}

void expect_neighbours(const std::vector<int>& got, unsigned size) {
    for (unsigned i = 0; i < got.size() / 3; ++i) {
        const unsigned block = i / 64;
        const unsigned next = block / size * size + (block + 1) % size;
        EXPECT_EQ(got[3 * i], 100 * next + i % 64) << i;
        EXPECT_EQ(got[3 * i + 1], -static_cast<int>(next % size)) << i;
        EXPECT_EQ(got[3 * i + 2], 1) << i;
    }
}

TEST_F(Clusters, ReadsAndWritesOfOtherBlocks) {
    for (const unsigned size : {1U, 2U, 3U, 8U})
        expect_neighbours(numbers_of_clusters(neighbours_in_cluster, 24, 64, size, 192, 256), size);
}

TEST_F(Clusters, SixteenBlocksIfTheKernelAllowsThem) {
    CUDA_CHECK(
        cudaFuncSetAttribute(neighbours_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    expect_neighbours(numbers_of_clusters(neighbours_in_cluster, 32, 64, 16, 192, 256), 16);
    CUDA_CHECK(
        cudaFuncSetAttribute(neighbours_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
}

__global__ void grid_of_clusters([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    __shared__ int shared;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) to[2 * number_of_block()] = static_cast<int>(number_of_block());
    cg::this_grid().sync();
    if (threadIdx.x == 0) shared = to[2 * ((number_of_block() + 3) % gridDim.x)];
    cluster.sync();
    const int other = *cluster.map_shared_rank(&shared, static_cast<int>(cluster.block_rank() ^ 1));
    if (threadIdx.x == 0) to[2 * number_of_block() + 1] = other;
    cluster.sync();
#endif
}

TEST_F(Clusters, InACooperativeLaunch) {
    const std::vector<int> got = numbers_of_clusters(grid_of_clusters, 8, 32, 2, 2, 0, true);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(got[static_cast<std::size_t>(2 * i + 1)], ((i ^ 1) + 3) % 8);
}

// ----- The barrier

/// Some threads end before they come to the barrier, or after they have arrived.
__global__ void threads_that_end_early([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x >= 32) return;
    for (int i = 0; i < 10; ++i) {
        if (cluster.block_rank() == 0) atomicAdd(to + 2 * number_of_block(), 1);
        __cluster_barrier_arrive();
        if (threadIdx.x == 31 && i == 5) return;
        __cluster_barrier_wait();
        if (cluster.block_rank() == 1 && threadIdx.x == 0)
            to[2 * number_of_block() + 1] += atomicAdd(to + 2 * (number_of_block() - 1), 0);
        cluster.sync();
    }
#endif
}

TEST_F(Clusters, ThreadsThatEndEarly) {
    const std::vector<int> got = numbers_of_clusters(threads_that_end_early, 2, 64, 2, 2);
    EXPECT_EQ(got[0], 6 * 32 + 4 * 31);
    int sum = 0;
    for (int i = 0, count = 0; i < 10; ++i) sum += count += i <= 5 ? 32 : 31;
    EXPECT_EQ(got[3], sum);
}

// ----- __cluster_dims__

__global__ void CUDABOOK_TEST_CLUSTER_DIMS(2, 2, 1) cluster_of_four([[maybe_unused]] int* to) {
#if CUDABOOK_TEST_CLUSTERS
    __shared__ int rank;
    cg::cluster_group cluster = cg::this_cluster();
    rank = static_cast<int>(cluster.block_rank());
    cluster.sync();
    to[number_of_block()] = *cluster.map_shared_rank(&rank, static_cast<int>(3 - cluster.block_rank()));
    cluster.sync();
#endif
}

template <class T>
__global__ void CUDABOOK_TEST_CLUSTER_DIMS(4) cluster_of_template([[maybe_unused]] T* to) {
#if CUDABOOK_TEST_CLUSTERS
    to[number_of_block()] = static_cast<T>(cg::this_cluster().num_blocks());
#endif
}

TEST_F(Clusters, SizeThatTheKernelDeclares) {
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(16))};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(4, 4);
    config.blockDim = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_of_four, to.data()));
    const std::vector<int> got = to.download();
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(got[static_cast<std::size_t>(i)], 3 - (i % 2 + i / 4 % 2 * 2)) << i;
    CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_of_template<int>, to.data()));
    EXPECT_EQ(to.download(), std::vector<int>(16, 4));

    cudaFuncAttributes attributes{};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, cluster_of_four));
    EXPECT_EQ(attributes.requiredClusterWidth, 2);
    EXPECT_EQ(attributes.requiredClusterHeight, 2);
    EXPECT_EQ(attributes.requiredClusterDepth, 1);
    EXPECT_EQ(cudaFuncSetAttribute(cluster_of_four, cudaFuncAttributeRequiredClusterWidth, 2), cudaSuccess);
    EXPECT_EQ(cudaFuncSetAttribute(cluster_of_four, cudaFuncAttributeRequiredClusterWidth, 1),
              cudaErrorInvalidValue);
    static_cast<void>(cudaGetLastError());
}

// ----- Errors and occupancy

TEST_F(Clusters, SizesThatAreRefused) {
    const auto error_of = [](auto kernel, dim3 grid, dim3 cluster) {
        return launch_clusters(kernel, grid, 32, cluster, 0, false, nullptr);
    };
    EXPECT_EQ(error_of(place_in_cluster, 3, 2), cudaErrorInvalidClusterSize);
    EXPECT_EQ(error_of(place_in_cluster, 16, 16), cudaErrorInvalidClusterSize);
    EXPECT_EQ(error_of(place_in_cluster, 9, 9), cudaErrorInvalidClusterSize);
    EXPECT_EQ(error_of(place_in_cluster, 2, dim3(2, 0, 1)), cudaErrorInvalidClusterSize);
    EXPECT_EQ(error_of(cluster_of_four, dim3(4, 4), 4), cudaErrorInvalidClusterSize);
    EXPECT_EQ(error_of(cluster_of_four, dim3(4, 3), dim3(2, 2)), cudaErrorInvalidClusterSize);
    CUDA_CHECK(cudaFuncSetAttribute(place_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    EXPECT_EQ(error_of(place_in_cluster, 17, 17), cudaErrorInvalidClusterSize);
    CUDA_CHECK(cudaFuncSetAttribute(place_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
}

TEST_F(Clusters, Occupancy) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 32;
    config.blockDim = 1024;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int size = 0;
    int clusters = 0;
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&size, place_in_cluster, &config));
    EXPECT_EQ(size, 8);
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, place_in_cluster, &config));
    EXPECT_EQ(clusters, multiprocessors);  // a multiprocessor holds two blocks
    attribute.val.clusterDim.x = 16;
    EXPECT_EQ(cudaOccupancyMaxPotentialClusterSize(&size, place_in_cluster, &config),
              cudaErrorInvalidClusterSize);
    EXPECT_EQ(cudaOccupancyMaxActiveClusters(&clusters, place_in_cluster, &config),
              cudaErrorInvalidClusterSize);
    CUDA_CHECK(cudaFuncSetAttribute(place_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&size, place_in_cluster, &config));
    EXPECT_EQ(size, 16);
    CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, place_in_cluster, &config));
    EXPECT_GT(clusters, 0);
    EXPECT_LE(clusters, multiprocessors / 8);
    CUDA_CHECK(cudaFuncSetAttribute(place_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    static_cast<void>(cudaGetLastError());
    config.gridDim = dim3(8, 4);
    config.blockDim = 1;
    config.numAttrs = 0;
    CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&size, cluster_of_four, &config));
    EXPECT_EQ(size, 8) << "also if every launch has clusters of four";
}

}  // namespace
}  // namespace cudabook
