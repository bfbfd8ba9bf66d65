// Kernels that cannot go on: what the error says, how long it lasts, and what becomes of their threads.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <mma.h>
#include <omp.h>
#include <cuda/barrier>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "emulator/checks/sanitizer.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::all_lanes;

__global__ void add_one(int* value) {
    __syncthreads();
    if (threadIdx.x == 0) *value += 1;
}

/// Expects that the emulated GPU works again after each test.
class StuckKernels : public test::Gpu {
  protected:
    void TearDown() override {
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        expect_it_works();
        test::Gpu::TearDown();
    }

    static void expect_it_works() {
        DeviceArray<int> value{std::span<const int>(std::vector<int>{41})};
        launch(add_one, 1, 128, Stream(), value.data());
        EXPECT_EQ(value.download().front(), 42);
    }

    static bool has_clusters() {
        int has_them = 0;
        EXPECT_EQ(cudaDeviceGetAttribute(&has_them, cudaDevAttrClusterLaunch, 0), cudaSuccess);
        return has_them != 0;
    }

    /// Launches a kernel, and expects this error, which lasts. Returns the error's text from the kernel's
    /// name on.
    template <class... Parameters, class... Arguments>
    static std::string text_of(cudaError_t expected, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                               Arguments... arguments) {
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        static_cast<void>(cudaLaunchKernelEx(&config, kernel, arguments...));
        EXPECT_EQ(cudaDeviceSynchronize(), expected);
        EXPECT_EQ(cudaGetLastError(), expected);
        EXPECT_EQ(cudaGetLastError(), expected) << "it lasts";
        const std::string text = cudaGetErrorString(expected);
        const std::string after = ": cudabook::";
        return text.substr(text.find(after) + after.size());
    }
};

// ----- Barriers of a block

__global__ void half_of_a_warp_at_barrier() {
    if (threadIdx.x < 48)
        __syncthreads();
    else
        __syncwarp();
}

TEST_F(StuckKernels, PartOfAWarpWaitsElsewhere) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchTimeout, half_of_a_warp_at_barrier, 1, 64),
        "half_of_a_warp_at_barrier, block (0, 0, 0): no thread can go on: thread (0, 0, 0) to (47, 0, 0) "
        "wait at __syncthreads(); thread (48, 0, 0) to (63, 0, 0) wait in __syncwarp for lanes 0-31");
}

__global__ void one_thread_waits_for_its_warp() {
    if (threadIdx.y == 1 && threadIdx.x == 2) __syncwarp();
    __syncthreads();
}

TEST_F(StuckKernels, IndicesOfTwoDimensions) {
    const std::string text = text_of(cudaErrorLaunchTimeout, one_thread_waits_for_its_warp, 1, dim3(8, 4));
    EXPECT_NE(text.find("thread (2, 1, 0) waits in __syncwarp for lanes 0-31"), std::string::npos) << text;
    EXPECT_NE(text.find("thread (3, 1, 0) to (7, 3, 0) wait at __syncthreads()"), std::string::npos) << text;
}

__global__ void some_end_before_a_barrier() {
    if (threadIdx.x % 4 == 3) return;
    if (threadIdx.x == 0) __syncwarp();
    __syncthreads();
}

TEST_F(StuckKernels, SomeHaveEnded) {
    const std::string text = text_of(cudaErrorLaunchTimeout, some_end_before_a_barrier, 1, 32);
    EXPECT_NE(text.find("; 8 of 32 threads have ended"), std::string::npos) << text;
}

// ----- Warps

__global__ void shuffle_from_ended_lanes(int* sum) {
    if (threadIdx.x % 32 >= 8) return;
    *sum += __shfl_sync(all_lanes, 1, 9);
}

TEST_F(StuckKernels, LanesOfAShuffleHaveEnded) {
    const DeviceArray<int> sum(1);
    EXPECT_EQ(text_of(cudaErrorLaunchFailure, shuffle_from_ended_lanes, 1, 32, sum.data()),
              "shuffle_from_ended_lanes, block (0, 0, 0), thread (0, 0, 0): a shuffle from lane 9, which has "
              "ended");
}

__global__ void vote_of_others() { static_cast<void>(__ballot_sync(0x0000ff0fU, 1)); }

TEST_F(StuckKernels, LaneThatIsNotInItsMask) {
    const std::string text = text_of(cudaErrorLaunchFailure, vote_of_others, 1, 32);
    EXPECT_EQ(text.find("vote_of_others, block (0, 0, 0), thread ("), 0U) << text;
    EXPECT_NE(text.find(": __ballot_sync for lanes 0-3, 8-15, but the calling lane is not in the mask"),
              std::string::npos)
        << text;
}

__global__ void different_functions() {
    if (threadIdx.x % 2 == 0)
        static_cast<void>(__any_sync(all_lanes, 1));
    else
        static_cast<void>(__shfl_sync(all_lanes, 1, 0));
}

TEST_F(StuckKernels, LanesCallDifferentFunctions) {
    const std::string text = text_of(cudaErrorLaunchTimeout, different_functions, 1, 32);
    EXPECT_NE(text.find("thread (0, 0, 0) waits in __any_sync for lanes 0-31; thread (1, 0, 0) waits in "
                        "__shfl_sync for lanes 0-31"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("; others wait too"), std::string::npos) << text;
}

__global__ void overlapping_masks() { __syncwarp(threadIdx.x < 16 ? 0x0001ffffU : 0xffff8000U); }

TEST_F(StuckKernels, MasksThatOverlap) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchTimeout, overlapping_masks, 1, 32),
        "overlapping_masks, block (0, 0, 0): no thread can go on: thread (0, 0, 0) to (15, 0, 0) wait in "
        "__syncwarp for lanes 0-16; thread (16, 0, 0) to (31, 0, 0) wait in __syncwarp for lanes 15-31");
}

// ----- Matrices of warps

/// Lanes 0 to `lanes` - 1 load a matrix. Lane i passes the address from + i * distance.
__global__ void load_sums(const float* from, unsigned lanes, unsigned ldm, unsigned distance) {
    namespace wmma = nvcuda::wmma;
    if (threadIdx.x >= lanes) return;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::load_matrix_sync(sums, from + threadIdx.x * distance, ldm, wmma::mem_row_major);
}

TEST_F(StuckKernels, MatricesThatAWarpCannotLoad) {
    const auto text_with = [](cudaError_t expected, std::size_t first, unsigned lanes, unsigned ldm,
                              unsigned distance) {
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        const DeviceArray<float> from(1024);
        const std::string text =
            text_of(expected, load_sums, 1, 32, from.data() + first, lanes, ldm, distance);
        EXPECT_EQ(text.find("load_sums, block (0, 0, 0), thread ("), 0U) << text;
        return text.substr(text.find("): ") + 3);
    };
    EXPECT_EQ(text_with(cudaErrorLaunchFailure, 0, 32, 18, 0),
              "load_matrix_sync with an ldm of 18, which is no multiple of 4");
    EXPECT_EQ(text_with(cudaErrorLaunchFailure, 0, 31, 16, 0),
              "a function of wmma in a warp of less than 32 threads");
    EXPECT_EQ(text_with(cudaErrorLaunchFailure, 0, 32, 16, 16),
              "lanes give a function of wmma different addresses, ldm or layouts");
    EXPECT_EQ(text_with(cudaErrorMisalignedAddress, 4, 32, 16, 0),
              "load_matrix_sync at an address that is no multiple of 32");
}

__global__ void multiply_with_half_of_a_warp() {
    namespace wmma = nvcuda::wmma;
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> c;
    wmma::fill_fragment(a, 1);
    wmma::fill_fragment(b, 1);
    wmma::fill_fragment(c, 0);
    if (threadIdx.x < 16) wmma::mma_sync(c, a, b, c);
    __syncthreads();
}

TEST_F(StuckKernels, HalfOfAWarpMultiplies) {
    EXPECT_EQ(text_of(cudaErrorLaunchTimeout, multiply_with_half_of_a_warp, 1, 32),
              "multiply_with_half_of_a_warp, block (0, 0, 0): no thread can go on: thread (0, 0, 0) to (15, "
              "0, 0) wait in mma_sync for lanes 0-31; thread (16, 0, 0) to (31, 0, 0) wait at "
              "__syncthreads()");
}

// ----- Barriers in shared memory

__global__ void barrier_that_expects_too_many() {
    __shared__ __mbarrier_t barrier;
    if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x + 1);
    __syncthreads();
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 1000)) {
    }
}

TEST_F(StuckKernels, BarrierThatNeverCompletes) {
    EXPECT_EQ(text_of(cudaErrorLaunchTimeout, barrier_that_expects_too_many, 1, 16),
              "barrier_that_expects_too_many, block (0, 0, 0): no thread can go on: thread (0, 0, 0) to "
              "(15, 0, 0) wait for mbarrier");
}

// ----- Which block

__global__ void one_bad_block(unsigned bad) {
    if (blockIdx.x == bad && threadIdx.x == 3) __syncwarp();
    __syncthreads();
}

TEST_F(StuckKernels, OneBlockOfThousands) {
    const std::string text = text_of(cudaErrorLaunchTimeout, one_bad_block, 5000, 64, 4321U);
    EXPECT_EQ(text.find("one_bad_block, block (4321, 0, 0): no thread can go on"), 0U) << text;
}

TEST_F(StuckKernels, OneBlockOfThousandsOnSeveralCores) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(4);
    const std::string text = text_of(cudaErrorLaunchTimeout, one_bad_block, 5000, 64, 1234U);
    omp_set_num_threads(before);
    EXPECT_EQ(text.find("one_bad_block, block (1234, 0, 0): no thread can go on"), 0U) << text;
}

template <class T>
__global__ void wait_for_lanes(T) {
    if (threadIdx.x == 0) __syncwarp();
    __syncthreads();
}

TEST_F(StuckKernels, TemplatesAreNamedWithTheirArguments) {
    const std::string text = text_of(cudaErrorLaunchTimeout, wait_for_lanes<float>, 1, 32, 1.0F);
    EXPECT_EQ(text.find("wait_for_lanes<float>, block (0, 0, 0): "), 0U) << text;
}

// ----- The error lasts

TEST_F(StuckKernels, ErrorLastsUntilTheReset) {
    static_cast<void>(text_of(cudaErrorLaunchTimeout, half_of_a_warp_at_barrier, 1, 64));
    int* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorLaunchTimeout);
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreate(&stream), cudaErrorLaunchTimeout);
    int kept = 7;
    EXPECT_EQ(cudaMemcpy(&kept, &kept, sizeof kept, cudaMemcpyDefault), cudaErrorLaunchTimeout);
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = 1;
    EXPECT_EQ(cudaLaunchKernelEx(&config, add_one, &kept), cudaErrorLaunchTimeout);
    EXPECT_EQ(kept, 7);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchTimeout);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
    EXPECT_STREQ(cudaGetErrorString(cudaErrorLaunchTimeout), "the launch timed out and was terminated");
    expect_it_works();
}

TEST_F(StuckKernels, ExceptionCarriesTheText) {
    const Stream stream;
    try {
        launch(half_of_a_warp_at_barrier, 1, 64, stream);
        stream.synchronize();
        ADD_FAILURE() << "no error";
    } catch (const CudaError& error) {
        EXPECT_EQ(error.code(), cudaErrorLaunchTimeout);
        EXPECT_NE(std::string(error.what()).find("half_of_a_warp_at_barrier, block (0, 0, 0)"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(StuckKernels, FailureInAGraph) {
    int* value = nullptr;  // which the host reads after the failure
    CUDA_CHECK(cudaMallocManaged(&value, sizeof *value));
    *value = 0;
    const Stream stream;
    const Graph graph(stream, [&] {
        launch(add_one, 1, 32, stream, value);
        launch(half_of_a_warp_at_barrier, 1, 64, stream);
        launch(add_one, 1, 32, stream, value);
    });
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "nothing has run";
    EXPECT_THROW(
        {
            graph.launch(stream);
            stream.synchronize();
        },
        CudaError);
    EXPECT_EQ(*value, 1) << "what comes after the failure does not run";
    EXPECT_NE(std::string(cudaGetErrorString(cudaGetLastError())).find("half_of_a_warp_at_barrier, block"),
              std::string::npos);
}

// ----- What becomes of the threads

std::atomic<int> alive = 0;

struct Counted {
    Counted() { ++alive; }
    ~Counted() { --alive; }
};

__global__ void wait_while_alive() {
    const Counted counted;
    if (threadIdx.x == 1000) __syncwarp();
    __syncthreads();
}

std::ptrdiff_t mappings() {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
}

/// The waiting threads never go on, and their stacks are freed.
TEST_F(StuckKernels, ThreadsThatWaitedAreGivenUp) {
    static_cast<void>(text_of(cudaErrorLaunchTimeout, wait_while_alive, 8, 1024));
    const std::ptrdiff_t before = mappings();
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        expect_it_works();
        alive = 0;
        static_cast<void>(text_of(cudaErrorLaunchTimeout, wait_while_alive, 8, 1024));
        EXPECT_GE(alive, 1024) << "no destructor runs";
    }
    EXPECT_LT(mappings(), before + 1024);
}

/// A destructor, like a noexcept function, lets no exception through.
struct BarrierAtEnd {
    ~BarrierAtEnd() { __syncthreads(); }
};

__device__ void wait_and_throw_nothing() noexcept { __syncthreads(); }

__global__ void wait_where_nothing_is_thrown() {
    const BarrierAtEnd at_end;
    if (threadIdx.x == 40) __syncwarp();
    if (threadIdx.x < 32) wait_and_throw_nothing();
}

TEST_F(StuckKernels, BarriersThatNoExceptionMayLeave) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchTimeout, wait_where_nothing_is_thrown, 1, 64),
        "wait_where_nothing_is_thrown, block (0, 0, 0): no thread can go on: thread (0, 0, 0) to (39, 0, 0) "
        "wait at __syncthreads(); thread (40, 0, 0) waits in __syncwarp for lanes 0-31; thread (41, 0, 0) to "
        "(63, 0, 0) wait at __syncthreads()");
}

__device__ void trap_and_throw_nothing() noexcept { __trap(); }

__global__ void trap_where_nothing_is_thrown() {
    const BarrierAtEnd at_end;
    if (threadIdx.x == 40) trap_and_throw_nothing();
}

TEST_F(StuckKernels, FailureThatNoExceptionMayLeave) {
    EXPECT_EQ(text_of(cudaErrorLaunchFailure, trap_where_nothing_is_thrown, 1, 64),
              "trap_where_nothing_is_thrown, block (0, 0, 0), thread (40, 0, 0): __trap() was called");
}

// ----- Accesses outside of an array that stay within its guard

__global__ void write_element(int* array, std::ptrdiff_t index) { array[index] = -1; }

class StuckBesideArrays : public StuckKernels {
  protected:
    void SetUp() override {
        StuckKernels::SetUp();
        if (emulation::address_sanitizer || emulation::thread_sanitizer)
            GTEST_SKIP() << "the sanitizer reports it first";
    }
};

TEST_F(StuckBesideArrays, WrittenBehindAnArray) {
    const DeviceArray<int> numbers(1000);
    EXPECT_EQ(
        text_of(cudaErrorIllegalAddress, write_element, 1, 1, numbers.data(), 1003),
        "write_element: the kernel has overwritten memory 12 bytes behind the end of an array of 4000 bytes");
}

TEST_F(StuckBesideArrays, WrittenBeforeAnArray) {
    int* numbers = nullptr;
    CUDA_CHECK(cudaMallocManaged(&numbers, 4));
    EXPECT_EQ(text_of(cudaErrorIllegalAddress, write_element, 1, 1, numbers, -2),
              "write_element: the kernel has overwritten memory 8 bytes before an array of 4 bytes");
}

/// A program may write all bytes of an array, and may have many arrays.
TEST_F(StuckBesideArrays, ArraysOfAllSizes) {
    std::vector<DeviceArray<char>> arrays;
    for (std::size_t size = 1; size < 1200; ++size) {
        const auto& array = arrays.emplace_back(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 512, 0U);
        CUDA_CHECK(cudaMemset(array.data(), 1, size));
    }
    expect_it_works();
    for (int i = 0; i < 9000; ++i) arrays.emplace_back(1);
    expect_it_works();
    while (!arrays.empty()) arrays.erase(arrays.end() - 1);
    expect_it_works();
}

// ----- Grids and tiles

/// text_of() for a cooperative launch.
template <class... Parameters, class... Arguments>
std::string text_of_cooperative(cudaError_t expected, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                Arguments... arguments) {
    void* pointers[] = {&arguments..., nullptr};
    static_cast<void>(cudaLaunchCooperativeKernel(kernel, grid, block, pointers));
    EXPECT_EQ(cudaDeviceSynchronize(), expected);
    EXPECT_EQ(cudaGetLastError(), expected);
    const std::string text = cudaGetErrorString(expected);
    const std::string after = ": cudabook::";
    return text.substr(text.find(after) + after.size());
}

__global__ void wait_for_the_grid() { cooperative_groups::this_grid().sync(); }

TEST_F(StuckKernels, GridBarrierOfAnOrdinaryLaunch) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchFailure, wait_for_the_grid, 2, 4),
        "wait_for_the_grid, block (0, 0, 0), thread (0, 0, 0): a barrier of the grid, and the launch is "
        "not cooperative: cudaLaunchCooperativeKernel()");
}

__global__ void block_that_ends_early(unsigned block) {
    if (blockIdx.x != block) cooperative_groups::this_grid().sync();
}

TEST_F(StuckKernels, BlockEndsBeforeTheGridBarrier) {
    const std::string text = text_of_cooperative(cudaErrorLaunchTimeout, block_that_ends_early, 40, 64, 30U);
    EXPECT_NE(text.find(": waits at the barrier of the grid, and 1 blocks have ended"), std::string::npos)
        << text;
}

constexpr const char* no_clusters_here = "needs clusters, which compute capability 9.0 has";

__global__ void __cluster_dims__(2) map_to_no_block() {
    __shared__ int shared;
    static_cast<void>(cooperative_groups::this_cluster().map_shared_rank(&shared, 2));
}

TEST_F(StuckKernels, BlockThatTheClusterDoesNotHave) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    const std::string text = text_of(cudaErrorLaunchFailure, map_to_no_block, 2, 1);
    EXPECT_NE(text.find(": map_shared_rank() to block 2, and the cluster has 2 blocks"), std::string::npos)
        << text;
}

TEST_F(StuckKernels, ClusterOnAGpuThatHasNone) {
    if (has_clusters()) GTEST_SKIP() << "needs a GPU without clusters";
    cudaLaunchConfig_t config{};
    config.gridDim = 2;
    config.blockDim = 1;
    EXPECT_EQ(cudaLaunchKernelEx(&config, map_to_no_block), cudaErrorNotSupported);
    const std::string text = cudaGetErrorString(cudaGetLastError());
    EXPECT_NE(text.find("clusters need a GPU of compute capability 9.0"), std::string::npos) << text;
}

/// Block 0 uses the shared memory of block 1 while block 1 fails.
__global__ void __cluster_dims__(2) block_that_fails_while_another_uses_its_memory(int* fails) {
    __shared__ int value;
    value = 1;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    cluster.sync();
    if (cluster.block_rank() == 1) {
        atomicExch(fails, 1);
        __trap();
    }
    while (atomicAdd(fails, 0) == 0) {
    }
    for (int i = 0; i < 200'000; ++i)
        if (*cluster.map_shared_rank(&value, 1) != 1) __nanosleep(1);
}

TEST_F(StuckKernels, BlockOfAClusterFailsWhileAnotherUsesItsMemory) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    const DeviceArray<int> fails{std::span<const int>(std::vector<int>{0})};
    EXPECT_EQ(
        text_of(cudaErrorLaunchFailure, block_that_fails_while_another_uses_its_memory, 2, 1, fails.data()),
        "block_that_fails_while_another_uses_its_memory, block (1, 0, 0), thread (0, 0, 0): __trap() was "
        "called");
}

__global__ void wait_for_the_cluster_without_arriving() { __cluster_barrier_wait(); }

TEST_F(StuckKernels, WaitAtTheClusterBarrierWithoutAnArrival) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchFailure, wait_for_the_cluster_without_arriving, 1, 1),
        "wait_for_the_cluster_without_arriving, block (0, 0, 0), thread (0, 0, 0): waits at the barrier "
        "of the cluster, and has not arrived there");
}

__global__ void __cluster_dims__(4) block_that_waits_for_itself() {
    if (blockIdx.x == 2 && threadIdx.x == 0) __syncwarp(3);
    cooperative_groups::this_cluster().sync();
}

TEST_F(StuckKernels, ClusterWhoseBlocksAllWait) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    const std::string text = text_of(cudaErrorLaunchTimeout, block_that_waits_for_itself, 4, 32);
    EXPECT_NE(text.find("no thread can go on"), std::string::npos) << text;
    EXPECT_NE(text.find("for the barrier of the cluster"), std::string::npos) << text;
}

__global__ void __cluster_dims__(2) arrive_at_the_barrier_of_another_block() {
    __shared__ __mbarrier_t barrier;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    __mbarrier_init(&barrier, 2);
    cluster.sync();
    __mbarrier_arrive(cluster.map_shared_rank(&barrier, 1));
    cluster.sync();
}

TEST_F(StuckKernels, BarrierOfAnotherBlockOfTheCluster) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    const std::string text = text_of(cudaErrorLaunchFailure, arrive_at_the_barrier_of_another_block, 2, 1);
    EXPECT_NE(text.find(": the emulated GPU has no mbarriers of other blocks"), std::string::npos) << text;
}

__global__ void __cluster_dims__(2) arrive_at_a_cuda_barrier_of_another_block() {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    init(&barrier, 2);
    cluster.sync();
    static_cast<void>(cluster.map_shared_rank(&barrier, 1)->arrive());
    cluster.sync();
}

TEST_F(StuckKernels, CudaBarrierOfAnotherBlockOfTheCluster) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    const std::string text = text_of(cudaErrorLaunchFailure, arrive_at_a_cuda_barrier_of_another_block, 2, 1);
    EXPECT_NE(text.find(": the emulated GPU has no mbarriers of other blocks"), std::string::npos) << text;
}

constexpr int blocks_of_cluster = 2;
template <int blocks>
__global__ void __cluster_dims__(blocks) cluster_of_a_name() {}

TEST_F(StuckKernels, ClusterSizeThatIsNoNumber) {
    if (!has_clusters()) GTEST_SKIP() << no_clusters_here;
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = 2;
    EXPECT_EQ(cudaLaunchKernelEx(&config, cluster_of_a_name<blocks_of_cluster>), cudaErrorInvalidClusterSize);
    const std::string text = cudaGetErrorString(cudaGetLastError());
    EXPECT_NE(text.find("__cluster_dims__(blocks, 1, 1) must consist of numbers or macros for numbers"),
              std::string::npos)
        << text;
}

__global__ void block_that_fails(unsigned block) {
    if (blockIdx.x == block) __trap();
    cooperative_groups::this_grid().sync();
}

TEST_F(StuckKernels, BlockFailsBeforeTheGridBarrier) {
    EXPECT_EQ(text_of_cooperative(cudaErrorLaunchFailure, block_that_fails, 9, 32, 5U),
              "block_that_fails, block (5, 0, 0), thread (0, 0, 0): __trap() was called");
}

__global__ void threads_that_wait_for_others_than_the_grid() {
    if (threadIdx.x < 3)
        cooperative_groups::this_grid().sync();
    else
        cooperative_groups::this_thread_block().sync();
}

TEST_F(StuckKernels, ThreadsOfABlockAtDifferentBarriers) {
    const std::string text =
        text_of_cooperative(cudaErrorLaunchFailure, threads_that_wait_for_others_than_the_grid, 2, 32);
    EXPECT_NE(text.find(": waits at "), std::string::npos) << text;
}

__global__ void part_of_a_tile() {
    const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    if (threadIdx.x == 70)
        __syncthreads();
    else
        tile.sync();
}

TEST_F(StuckKernels, PartOfATile) {
    EXPECT_EQ(
        text_of(cudaErrorLaunchTimeout, part_of_a_tile, 1, 128),
        "part_of_a_tile, block (0, 0, 0): no thread can go on: thread (64, 0, 0) to (69, 0, 0) wait in "
        "sync() of a tile of 64 threads; thread (70, 0, 0) waits at __syncthreads(); thread (71, 0, 0) to "
        "(127, 0, 0) wait in sync() of a tile of 64 threads; 64 of 128 threads have ended");
}

__global__ void ended_part_of_a_tile(int* sum) {
    const auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
    if (threadIdx.x < 20) return;
    tile.sync();
    *sum = tile.shfl(1, 70);
}

TEST_F(StuckKernels, ShuffleFromEndedThreadsOfATile) {
    const DeviceArray<int> sum(1);
    const std::string text = text_of(cudaErrorLaunchFailure, ended_part_of_a_tile, 1, 64, sum.data());
    EXPECT_NE(text.find(": a shuffle from rank 6, which has ended or does not exist"), std::string::npos)
        << text;
}

// ----- Kernels that launch

__global__ void launch_a_graph(cudaGraphExec_t graph) { static_cast<void>(cudaGraphLaunch(graph, nullptr)); }

TEST_F(StuckKernels, KernelThatLaunchesAGraph) {
    const std::string text = text_of(cudaErrorNotSupported, launch_a_graph, 1, 1, nullptr);
    EXPECT_NE(text.find("thread (0, 0, 0): a kernel cannot launch a graph"), std::string::npos) << text;
}

// ----- Exceptions

__global__ void throw_in_a_kernel() {
    if (threadIdx.x == 40) static_cast<void>(std::vector<int>().at(1));
    __syncthreads();
}

/// Device code cannot throw, but C++ code that a student puts into a kernel may.
TEST_F(StuckKernels, ExceptionInAKernel) {
    const std::string text = text_of(cudaErrorLaunchFailure, throw_in_a_kernel, 1, 64);
    EXPECT_EQ(text.find("throw_in_a_kernel, block (0, 0, 0), thread (40, 0, 0): "), 0U) << text;
}

__global__ void throw_a_number() { throw 7; }

TEST_F(StuckKernels, ExceptionThatSaysNothing) {
    EXPECT_EQ(text_of(cudaErrorLaunchFailure, throw_a_number, 1, 1),
              "throw_a_number, block (0, 0, 0), thread (0, 0, 0): an exception");
}

TEST_F(StuckKernels, ManyGoodLaunchesAfterABadOne) {
    static_cast<void>(text_of(cudaErrorLaunchFailure, shuffle_from_ended_lanes, 1, 32, nullptr));
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    DeviceArray<int> value{std::span<const int>(std::vector<int>{0})};
    const Stream stream;
    for (int i = 0; i < 1000; ++i) launch(add_one, 1, 96, stream, value.data());
    EXPECT_EQ(value.download().front(), 1000);
}

}  // namespace
}  // namespace cudabook
