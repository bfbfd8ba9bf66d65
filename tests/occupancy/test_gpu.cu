// The sample occupancy on a GPU: the calculator compared with CUDA, the sums and timelines of the vector
// additions, and the kernels whose time is measured at several occupancies.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/ptx/special_registers.cuh"
#include "occupancy/occupancy.hpp"
#include "occupancy/sweep.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::occupancy {
namespace {

// ----- The calculator

/// A kernel with about `numbers` registers and `words` words of shared memory.
template <int numbers, int words, int most_threads>
__global__ void __launch_bounds__(most_threads) kernel_that_needs(float* data, int rounds) {
    __shared__ float shared[words];
    float kept[numbers];
#pragma unroll
    for (int i = 0; i < numbers; ++i) kept[i] = data[i];
    for (int round = 0; round < rounds; ++round)
#pragma unroll
        for (int i = 0; i < numbers; ++i) kept[i] = fmaf(kept[i], kept[(i + 1) % numbers], data[round]);
    shared[threadIdx.x % words] = kept[0];
    __syncthreads();
    float sum = shared[(threadIdx.x + 1) % words];
#pragma unroll
    for (int i = 0; i < numbers; ++i) sum += kept[i];
    data[threadIdx.x] = sum;
}

using AnyKernel = void (*)(float*, int);

class OccupancyCalculator : public test::Gpu {};

TEST_F(OccupancyCalculator, SaysWhatCudaSays) {
    const GpuBackend backend = gpu();
    const GpuModel model = backend.model_of(device());
    const Calculate calculate = backend.calculator(model);
    const AnyKernel kernels[] = {
        kernel_that_needs<1, 1, 1024>,    kernel_that_needs<24, 1, 1024>, kernel_that_needs<40, 1, 1024>,
        kernel_that_needs<50, 2000, 512>, kernel_that_needs<60, 1, 512>,  kernel_that_needs<80, 1, 512>,
        kernel_that_needs<96, 5000, 384>, kernel_that_needs<120, 1, 384>, kernel_that_needs<136, 1, 256>,
        kernel_that_needs<160, 77, 256>,  kernel_that_needs<190, 1, 256>, kernel_that_needs<230, 1, 128>};
    const std::size_t optin = model.shared_bytes_per_block_optin;
    int compared = 0;
    std::map<int, int> registers;
    for (const AnyKernel kernel : kernels) {
        cudaFuncAttributes attributes{};
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        const std::size_t most_dynamic = optin - attributes.sharedSizeBytes;
        CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(most_dynamic)));
        ++registers[attributes.numRegs];
        for (int threads = 1; threads <= attributes.maxThreadsPerBlock; threads += threads < 64 ? 7 : 13)
            for (std::size_t i = 0; i <= 24; ++i) {
                const std::size_t dynamic = i < 24 ? most_dynamic * i * i / 600 : most_dynamic;
                int blocks = -1;
                CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic));
                const auto held = calculate({.threads = threads,
                                             .registers = attributes.numRegs,
                                             .shared_bytes = attributes.sharedSizeBytes + dynamic});
                if (!held) GTEST_SKIP() << "the toolkit does not know this GPU";
                EXPECT_EQ(held->blocks, blocks)
                    << threads << " threads, " << attributes.numRegs << " registers, "
                    << attributes.sharedSizeBytes << " + " << dynamic << " bytes";
                ++compared;
            }
    }
    EXPECT_GE(compared, 10000);
    if (!test::emulated) {
        EXPECT_GE(registers.size(), 6U) << "the kernels shall differ";
    }
}

TEST_F(OccupancyCalculator, BestBlockIsAsGoodAsAny) {
    int least_blocks = 0;
    int best = 0;
    const AnyKernel kernel = kernel_that_needs<24, 1, 1024>;
    CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&least_blocks, &best, kernel, 0, 0));
    const auto held = [&](int threads) {
        int blocks = 0;
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
        return blocks * threads;
    };
    EXPECT_GT(least_blocks, 0);
    for (int threads = 32; threads <= 1024; threads += 32) EXPECT_LE(held(threads), held(best)) << threads;
}

// ----- Special registers

__global__ void where_and_when_kernel(unsigned* multiprocessors, unsigned long long* times) {
    if (threadIdx.x != 0) return;
    multiprocessors[blockIdx.x] = ptx::multiprocessor_number();
    times[2 * blockIdx.x] = ptx::global_time_ns();
    __threadfence();
    times[2 * blockIdx.x + 1] = ptx::global_time_ns();
}

class OccupancySmall : public test::Gpu {};

TEST_F(OccupancySmall, ABlockKnowsItsMultiprocessorAndTheTime) {
    constexpr int blocks = 300;
    const DeviceArray<unsigned> multiprocessors(blocks);
    const DeviceArray<unsigned long long> times(2 * blocks);
    const Stream stream;
    launch(where_and_when_kernel, blocks, 64, stream, multiprocessors.data(), times.data());
    stream.synchronize();
    for (const unsigned number : multiprocessors.download())
        EXPECT_LT(number, static_cast<unsigned>(device().units));
    const std::vector<unsigned long long> at = times.download();
    const auto [first, last] = std::ranges::minmax(at);
    EXPECT_LT(last - first, 60'000'000'000ULL);
    for (std::size_t i = 0; i < at.size(); i += 2) EXPECT_LE(at[i], at[i + 1]);
}

// ----- The vector additions

void expect_right(const Addition& addition, const std::string& what) {
    EXPECT_EQ(addition.sums, expected_sums(addition.vectors, addition.passes)) << what;
    EXPECT_EQ(why_impossible(addition.warps, addition.bounds()), "") << what;
}

TEST_F(OccupancySmall, SumsAndTimelinesOfFewBlocks) {
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.add) continue;
        for (const int threads : {1, 33, 320}) {
            // With so much shared memory, few blocks fill a multiprocessor.
            const Addition addition = kernel.add(
                device(), {.blocks = 5, .threads = threads, .passes = 3, .shared_bytes = 30 << 10});
            EXPECT_EQ(addition.blocks, 5);
            EXPECT_EQ(addition.threads, threads);
            expect_right(addition, kernel.name);
        }
    }
}

class OccupancyTimelines : public test::Gpu {};

TEST_F(OccupancyTimelines, EachBlockRunsOnceWhereThereIsPlace) {
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.add) continue;
        Request request;
        if (test::emulated) request.passes = 2;
        const Addition addition = kernel.add(device(), request);
        expect_right(addition, kernel.name);
        EXPECT_GT(addition.blocks, addition.machine.capacity()) << "there is a second wave";
        EXPECT_GT(addition.ms, 0);
    }
}

TEST_F(OccupancyTimelines, ThePredictionIsWithinFivePercent) {
    if (test::emulated) GTEST_SKIP() << "the emulated GPU imitates no times";
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.add) continue;
        double least = 100;
        for (int attempt = 0; attempt < 3; ++attempt)
            least = std::min(least, kernel.add(device(), {}).prediction_error_percent());
        EXPECT_LT(least, 5) << kernel.name;
    }
}

// ----- Time over occupancy

TEST_F(OccupancyTimelines, SweepsAreRightAtEveryOccupancy) {
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.sweep) continue;
        for (const Sweep& sweep : kernel.sweep(device(), std::nullopt)) {
            EXPECT_TRUE(sweep.right) << kernel.name << ", " << sweep.under_way;
            ASSERT_EQ(sweep.points.size(), 2U);
            EXPECT_EQ(sweep.points.front().blocks, 1);
            EXPECT_GT(sweep.points.back().percent, 60);
            for (const Point& point : sweep.points) EXPECT_GT(point.time.median, 0);
        }
    }
}

TEST_F(OccupancyTimelines, AWrongBitIsFound) {
    for (const Kernel& kernel : gpu().kernels) {
        setenv("CUDABOOK_TEST_FAULT", kernel.name.c_str(), 1);
        if (kernel.sweep) {
            for (const Sweep& sweep : kernel.sweep(device(), std::nullopt))
                EXPECT_FALSE(sweep.right) << kernel.name;
        }
        if (kernel.add) {
            const Addition addition = kernel.add(device(), {.blocks = 3, .threads = 64, .passes = 2});
            EXPECT_NE(addition.sums, expected_sums(addition.vectors, addition.passes)) << kernel.name;
        }
        unsetenv("CUDABOOK_TEST_FAULT");
    }
}

}  // namespace
}  // namespace cudabook::occupancy
