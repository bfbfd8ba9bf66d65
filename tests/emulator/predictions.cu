// Predicted times: the instructions in machine code, the caches, and whole launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "common/cuda/array.cuh"
#include "common/cuda/error.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/counts.hpp"
#include "common/program/errors.hpp"
#include "common/program/predictions.hpp"
#include "emulator/counting/requests.hpp"
#include "emulator/predicting/caches.hpp"
#include "emulator/predicting/chains.hpp"
#include "emulator/predicting/clocks.hpp"
#include "emulator/predicting/instructions.hpp"
#include "emulator/predicting/loaded_values.hpp"
#include "emulator/predicting/loop_counter.hpp"

namespace cudabook::emulation {
namespace {

TEST(Instructions, OfMachineCode) {
    EXPECT_EQ(instructions_of("vfmadd231ss", "(%rax),%xmm1,%xmm0").fp32, 1);
    EXPECT_EQ(instructions_of("addss", "%xmm1,%xmm0").fp32, 1);
    EXPECT_EQ(instructions_of("mulsd", "%xmm1,%xmm0").fp64, 1);
    EXPECT_EQ(instructions_of("addps", "%xmm1,%xmm0").fp32, 4);
    EXPECT_EQ(instructions_of("imul", "%ebp,%eax").integer, 1);
    EXPECT_EQ(instructions_of("lea", "0xf(%rbp),%eax").integer, 1);
    EXPECT_EQ(instructions_of("cvtsi2ss", "%eax,%xmm0").integer, 1);
    EXPECT_EQ(instructions_of("cvttss2si", "%xmm0,%eax").conversion, 1);
    EXPECT_EQ(instructions_of("jle", "24245 <kernel+0x2d1>").branch, 1);
    EXPECT_GT(instructions_of("divss", "%xmm1,%xmm0").special, 0);
}

TEST(Instructions, MovesAndAddressesOfAccessesAreNone) {
    for (const auto& [mnemonic, operands] :
         {std::pair{"mov", "%rax,%rbx"}, std::pair{"movss", "(%rax),%xmm0"},
          std::pair{"lea", "(%rax,%rcx,4),%rdi"}, std::pair{"xor", "%eax,%eax"},
          std::pair{"sub", "$0x78,%rsp"}, std::pair{"pxor", "%xmm0,%xmm0"}, std::pair{"push", "%rbx"}})
        EXPECT_EQ(instructions_of(mnemonic, operands).sum(), 0) << mnemonic << ' ' << operands;
}

TEST(Instructions, OfCalls) {
    EXPECT_EQ(instructions_of_call("fmaf").fp32, 1);
    EXPECT_GT(instructions_of_call("sinf").sum(), 10);
    EXPECT_EQ(instructions_of_call("__tsan_read4").sum(), 0);
    EXPECT_EQ(instructions_of_call("__expf").special, 1);
    EXPECT_EQ(instructions_of_call("_Z10__fdividefff").special, 1);
}

TEST(LoadedValues, AreFollowedToTheAddressOfALoad) {
    LoadedValues values;  // i = next[i]
    values.execute("mov", "%rbx,%rdi");
    EXPECT_FALSE(values.announce_load());
    values.execute("movslq", "(%rbx),%rax");
    values.execute("lea", "0x0(%rbp,%rax,4),%rbx");
    values.execute("mov", "%rbx,0x8(%rsp)");
    values.execute("mov", "0x8(%rsp),%rdi");
    EXPECT_TRUE(values.announce_load());
}

TEST(LoadedValues, OfOtherAddressesDoNotMatter) {
    LoadedValues values;  // sum += in[i]; ++i
    values.execute("mov", "%rbx,%rdi");
    EXPECT_FALSE(values.announce_load());
    values.execute("addss", "(%rbx),%xmm0");
    values.execute("add", "$0x4,%rbx");
    values.execute("mov", "%rbx,%rdi");
    EXPECT_FALSE(values.announce_load());
}

TEST(LoadedValues, EndWhenTheirPlaceIsOverwritten) {
    LoadedValues values;
    values.announce_load();
    values.execute("mov", "(%rbx),%r12d");
    values.execute("mov", "%rbp,%r12");
    values.execute("mov", "%r12,%rdi");
    EXPECT_FALSE(values.announce_load());
}

// ----- Chains of dependent instructions

/// Returns the clocks of the chains of a block with these instructions.
double chains_of(const CodeLines& lines) {
    DependencyChains chains;
    for (const auto& [mnemonic, operands] : lines)
        chains.execute(mnemonic, operands, instructions_of(mnemonic, operands));
    return chains.clocks();
}

TEST(Chains, AnInstructionWaitsForWhatItNeeds) {
    const double one = chains_of({{"addss", "%xmm1,%xmm0"}});
    EXPECT_GT(one, 0);
    EXPECT_EQ(chains_of({{"addss", "%xmm1,%xmm0"}, {"addss", "%xmm3,%xmm2"}}), one);
    EXPECT_EQ(chains_of({{"addss", "%xmm1,%xmm0"}, {"addss", "%xmm3,%xmm0"}}), 2 * one);
    EXPECT_EQ(chains_of({{"addss", "%xmm1,%xmm0"}, {"movss", "%xmm0,8(%rsp)"}, {"addss", "8(%rsp),%xmm2"}}),
              2 * one);
    EXPECT_EQ(chains_of({{"addss", "%xmm1,%xmm0"}, {"movss", "%xmm2,%xmm0"}, {"addss", "%xmm3,%xmm0"}}), one);
}

TEST(Chains, AnAddressAndABranchAreParts) {
    EXPECT_EQ(chains_of({{"imul", "%ecx,%eax"}, {"movss", "(%rbx,%rax,4),%xmm0"}, {"addss", "%xmm0,%xmm1"}}),
              2 * chains_of({{"addss", "%xmm0,%xmm1"}}));
    EXPECT_EQ(chains_of({{"cmp", "%eax,%ebx"}, {"jne", "24245 <kernel+0x2d1>"}}),
              2 * chains_of({{"cmp", "%eax,%ebx"}}));
}

TEST(Chains, AProductIsAPartOfTheSum) {
    EXPECT_EQ(chains_of({{"vmulss", "%xmm1,%xmm2,%xmm3"}, {"vaddss", "%xmm3,%xmm0,%xmm0"}}),
              chains_of({{"vfmadd231ss", "%xmm1,%xmm2,%xmm0"}}));
}

TEST(Chains, OfDoublesToo) {
    EXPECT_EQ(chains_of({{"vmulsd", "%xmm1,%xmm2,%xmm3"}, {"vaddsd", "%xmm3,%xmm0,%xmm0"}}),
              chains_of({{"vfmadd231sd", "%xmm1,%xmm2,%xmm0"}}));
}

TEST(Chains, ADivisionHasItsOperandsInFixedRegisters) {
    const double division = chains_of({{"cltd", ""}, {"idiv", "%ecx"}});
    EXPECT_EQ(chains_of({{"imul", "%ecx,%eax"}, {"cltd", ""}, {"idiv", "%ecx"}, {"imul", "%ecx,%edx"}}),
              division + 2 * chains_of({{"imul", "%ecx,%eax"}}));
}

TEST(Chains, ABranchWaitsForTheFlags) {
    EXPECT_EQ(chains_of({{"sub", "$0x1,%ebx"}, {"jne", "24245 <k>"}}), 2 * chains_of({{"sub", "$0x1,%ebx"}}));
}

TEST(Chains, AZeroNeedsNothing) {
    EXPECT_EQ(chains_of({{"imul", "%ecx,%eax"}, {"xor", "%eax,%eax"}, {"add", "%eax,%ebx"}}),
              chains_of({{"imul", "%ecx,%eax"}}));
}

TEST(Chains, AFunctionTakesTheVectorRegisters) {
    DependencyChains chains;
    chains.execute("mulss", "%xmm1,%xmm0", instructions_of("mulss", "%xmm1,%xmm0"));
    const double before = chains.clocks();
    chains.call(instructions_of_call("sinf"));
    EXPECT_GT(chains.clocks(), before);
    const double with_sine = chains.clocks();
    chains.execute("addss", "%xmm1,%xmm0", instructions_of("addss", "%xmm1,%xmm0"));
    EXPECT_EQ(chains.clocks(), with_sine + before);
}

// ----- Loops

TEST(LoopCounters, OfConstantSteps) {
    EXPECT_EQ(
        loop_counter_of(
            {{"addss", "(%rbx),%xmm0"}, {"add", "$0x4,%rbx"}, {"cmp", "%r12,%rbx"}, {"jne", "24245 <k>"}}),
        LoopCounter::to_variable);
    EXPECT_EQ(loop_counter_of({{"add", "$0x1,%ebx"}, {"cmp", "$0x40,%ebx"}, {"jne", "24245 <k>"}}),
              LoopCounter::to_number);
    EXPECT_EQ(loop_counter_of({{"sub", "$0x1,%ebx"}, {"vmovss", "%xmm0,(%rax)"}, {"jne", "24245 <k>"}}),
              LoopCounter::to_variable);
    EXPECT_EQ(loop_counter_of({{"mov", "8(%rsp),%eax"},
                               {"add", "$0x2,%eax"},
                               {"mov", "%eax,8(%rsp)"},
                               {"cmp", "%r13d,8(%rsp)"},
                               {"jl", "24245 <k>"}}),
              LoopCounter::to_variable);
}

TEST(LoopCounters, OfOtherLoops) {
    EXPECT_EQ(loop_counter_of({{"add", "%r12d,%ebx"}, {"cmp", "%r13d,%ebx"}, {"jb", "24245 <k>"}}),
              LoopCounter::none);  // the grid's stride
    EXPECT_EQ(loop_counter_of({{"lea", "(%rbx,%r12,1),%ebx"}, {"cmp", "%r13d,%ebx"}, {"jb", "24245 <k>"}}),
              LoopCounter::none);
    EXPECT_EQ(loop_counter_of({{"shr", "%ebx"}, {"cmp", "$0x1,%ebx"}, {"ja", "24245 <k>"}}),
              LoopCounter::none);
    EXPECT_EQ(loop_counter_of({{"add", "$0x1,%ebx"}, {"jmp", "24245 <k>"}}), LoopCounter::none);
    EXPECT_EQ(loop_counter_of({{"add", "$0x1,%ebx"}, {"comiss", "%xmm0,%xmm1"}, {"ja", "24245 <k>"}}),
              LoopCounter::none);  // until it converges
    EXPECT_EQ(loop_counter_of({{"add", "$0x4,%rdx"}, {"shr", "%eax"}, {"jne", "24245 <k>"}}),
              LoopCounter::none);
    EXPECT_EQ(loop_counter_of({{"add", "$0x4,%rdx"}, {"cmp", "%eax,(%rdx)"}, {"jne", "24245 <k>"}}),
              LoopCounter::none);  // until it is found
    EXPECT_EQ(loop_counter_of({}), LoopCounter::none);
}

// ----- Clocks: what an H200 took for the same requests

/// A request of 32 lanes; address(lane) is that of a lane.
template <class Address>
Request request_of(unsigned bytes, Address address) {
    Request request;
    request.lanes = ~0U;
    request.begin(bytes, address(0U));
    for (unsigned lane = 0; lane < 32; ++lane) request.add(lane, address(lane));
    return request;
}

TEST(Clocks, OfLoads) {
    const auto stride = [](unsigned bytes, std::uint64_t distance) {
        return clocks_of_access(request_of(bytes, [&](unsigned lane) { return 4096 + lane * distance; }));
    };
    EXPECT_EQ(stride(4, 4), 1);
    EXPECT_EQ(stride(8, 8), 2);
    EXPECT_EQ(stride(16, 16), 4);
    EXPECT_EQ(stride(4, 0), 1);
    EXPECT_EQ(stride(4, 32), 8);    // 8 lanes in a bank
    EXPECT_EQ(stride(4, 128), 32);  // all of them
    EXPECT_EQ(stride(4, 132), 8);   // each in a bank of its own, but 32 lines in 4 groups
}

TEST(Clocks, OfFetchesFromAnArray) {
    // All groups of 4 lanes fetch the same 4 floats, `across` and `down` texels apart.
    const auto quads = [](std::size_t across, std::size_t down) {
        PlacesInPlane places;
        places.lanes = ~0U;
        for (unsigned lane = 0; lane < 32; ++lane)
            places.place[lane] = {lane % 4 * down, lane % 4 * across * sizeof(float)};
        return clocks_of_plane_fetch(places, sizeof(float), 1, true);
    };
    EXPECT_EQ(quads(1, 0), 8);
    EXPECT_EQ(quads(2, 0), 8);
    EXPECT_EQ(quads(3, 0), 16);
    EXPECT_EQ(quads(4, 0), 16);
    EXPECT_EQ(quads(5, 0), 8);
    EXPECT_EQ(quads(8, 0), 32);
    EXPECT_EQ(quads(0, 1), 8);
    EXPECT_EQ(quads(0, 3), 8);
    EXPECT_EQ(quads(0, 4), 16);
    EXPECT_EQ(quads(0, 6), 16);
    EXPECT_EQ(quads(0, 8), 32);
}

TEST(Clocks, OfLinearFetches) {
    const auto stride = [](std::uint64_t distance) {
        return clocks_of_linear_fetch(request_of(4, [&](unsigned lane) { return 4096 + lane * distance; }),
                                      4);
    };
    EXPECT_EQ(stride(4), 4);
    EXPECT_EQ(stride(16), 8);
    EXPECT_EQ(stride(64), 32);
}

TEST(Clocks, ALineOfAnArrayHasFourRows) {
    const auto line = [](std::size_t row, std::size_t in_row) {
        return address_in_lines(4096, 1024, {row, in_row}) / 128;
    };
    EXPECT_EQ(line(0, 0), line(3, 31));
    EXPECT_NE(line(0, 0), line(4, 0));
    EXPECT_NE(line(0, 0), line(0, 32));
}

// ----- Caches

constexpr double kib = 1024;

/// Loads of all sectors of `lines` lines, one line a block.
std::vector<LineAccess> loads(std::uint64_t lines) {
    std::vector<LineAccess> accesses;
    for (std::uint64_t line = 0; line < lines; ++line)
        accesses.push_back({line, line, 1, 0xf, LineAccess::Kind::load});
    return accesses;
}

CacheTraffic run(Caches& caches, const std::vector<LineAccess>& accesses, std::uint64_t blocks,
                 const FollowedLines& followed = {}) {
    return caches.run(accesses, followed, {blocks, 8, 16 * kib}, [](std::uint64_t) { return true; });
}

TEST(Caches, L2KeepsWhatFits) {
    Caches caches(64 * kib, 2);
    EXPECT_EQ(run(caches, loads(256), 256).memory_loads, 4 * 256);  // 32 KiB
    const CacheTraffic again = run(caches, loads(256), 256);
    EXPECT_EQ(again.memory_loads, 0);
    EXPECT_EQ(again.l2_loads, 4 * 256);
    EXPECT_EQ(again.l2_lines, 256);
}

TEST(Caches, L2LosesWhatDoesNotFit) {
    Caches caches(64 * kib, 2);
    run(caches, loads(1024), 1024);  // 128 KiB
    EXPECT_EQ(run(caches, loads(1024), 1024).memory_loads, 4 * 1024);
}

TEST(Caches, AMultiprocessorKeepsWhatItsBlocksHaveLoaded) {
    Caches caches(64 * kib, 2);
    std::vector<LineAccess> accesses;
    for (std::uint64_t block = 0; block < 4; ++block)
        accesses.push_back({7, block, 1, 0x3, LineAccess::Kind::load});
    const CacheTraffic traffic = run(caches, accesses, 4);
    EXPECT_EQ(traffic.l1_loads, 8);
    EXPECT_EQ(traffic.l2_loads, 4);  // two sectors in each of two multiprocessors
    EXPECT_EQ(traffic.memory_loads, 2);
}

TEST(Caches, ASectorMayBeLoadedWithoutItsNeighbour) {
    std::vector<LineAccess> accesses = loads(64);
    for (LineAccess& access : accesses) access.sectors = 0b0111;
    Caches caches(64 * kib, 2);
    const CacheTraffic traffic = run(caches, accesses, 64);
    EXPECT_EQ(traffic.memory_loads, 3 * 64);
    EXPECT_EQ(traffic.lone_loads, 64);
}

TEST(Caches, StoresReachMemoryIfL2Overflows) {
    std::vector<LineAccess> accesses = loads(1024);
    for (LineAccess& access : accesses) access.kind = LineAccess::Kind::store;
    Caches small(64 * kib, 2);
    EXPECT_EQ(run(small, accesses, 1024).memory_stores, 4 * 1024);
    Caches large(1024 * kib, 2);
    EXPECT_EQ(run(large, accesses, 1024).memory_stores, 0);
}

TEST(Caches, ASampleOfTheLinesGivesTheSameTraffic) {
    constexpr std::uint64_t lines = 1U << 16U;
    Caches caches(4096 * kib, 2);
    FollowedLines followed;
    for (int i = 0; i < 4; ++i) followed.halve();
    run(caches, loads(lines), lines, followed);
    const CacheTraffic again = run(caches, loads(lines), lines, followed);  // 8 MiB
    EXPECT_NEAR(again.memory_loads, 4.0 * lines, 0.1 * 4 * lines);
    EXPECT_NEAR(again.l2_loads, 4.0 * lines, 0.1 * 4 * lines);
}

TEST(Caches, WavesThatAreNotFollowedLoadToo) {
    // The last two of 8 waves, each of 8 blocks with 32 lines: 32 KiB. L2 has room for these two waves alone.
    std::vector<LineAccess> accesses;
    for (std::uint64_t line = std::uint64_t{6} * 8 * 32; line < std::uint64_t{8} * 8 * 32; ++line)
        accesses.push_back({line, line / 32, 1, 0xf, LineAccess::Kind::load});
    const auto counts = [](std::uint64_t wave) { return wave >= 6; };
    Caches caches(64 * kib, 2);
    Caches::Residency residency{64, 8, 16 * kib};
    caches.run(accesses, {}, residency, counts);
    EXPECT_EQ(caches.bytes_of_wave(), 32 * kib);
    residency.bytes_of_wave = caches.bytes_of_wave();
    EXPECT_EQ(caches.run(accesses, {}, residency, counts).memory_loads, 4 * 512);
}

// ----- Launches

__global__ void copy_kernel(float* to, const float* from, unsigned count, unsigned stride) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[std::size_t{i} * stride];
}

/// All lanes of a warp store to one bank if `stride` is 32.
__global__ void conflicts_kernel(float* to, unsigned stride) {
    __shared__ float words[1024];
    const unsigned lane = threadIdx.x % 32;
    float sum = 0;
    for (unsigned i = 0; i < 128; ++i) {
        words[lane * stride] = sum;
        __syncwarp();
        sum += words[(lane * stride + i % 2) % 1024];
        __syncwarp();
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void chain_kernel(float* to, float factor) {
    float sum = 1;
    for (unsigned i = 0; i < 4096; ++i) sum = fmaf(sum, factor, 1.0F);
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// The same, by the first warp of each block alone.
__global__ void chain_of_one_warp_kernel(float* to, float factor) {
    if (threadIdx.x >= 32) return;
    float sum = 1;
    for (unsigned i = 0; i < 4096; ++i) sum = fmaf(sum, factor, 1.0F);
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <bool approximate>
__global__ void logarithms_kernel(float* to) {
    float sum = 2;
    for (unsigned i = 0; i < 256; ++i) sum += approximate ? __logf(sum) : logf(sum);
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void do_nothing_kernel() {}

/// Each thread sums `turns` words, `step` blocks apart.
__global__ void sum_in_steps_kernel(float* to, const float* from, unsigned turns, unsigned step) {
    float sum = 0;
    for (unsigned i = 0; i < turns * step; i += step) sum += from[i * blockDim.x + threadIdx.x];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// The same, one block after the other.
__global__ void sum_kernel(float* to, const float* from, unsigned turns) {
    float sum = 0;
    for (unsigned i = 0; i < turns; ++i) sum += from[i * blockDim.x + threadIdx.x];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Each warp counts itself, in one place or in a place of its own.
__global__ void count_kernel(unsigned* counts, unsigned distance) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (threadIdx.x % 32 == 0) atomicAdd(counts + warp * distance, 1U);
}

/// The lanes of a warp read `addresses` different words of constant memory.
__constant__ float table[1024];
__global__ void look_up_kernel(float* to, unsigned addresses) {
    float sum = 0;
    for (unsigned i = 0; i < 512; ++i) sum += table[i + threadIdx.x % addresses];
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void print_kernel() {
    if (threadIdx.x == 0) std::printf("%u\n", blockIdx.x);
}

class Launches : public testing::Test {
  protected:
    void SetUp() override {
#ifndef __x86_64__
        EXPECT_THROW(predicting->begin({.counts_all = true, .shows_counts = true}), MachineError);
        GTEST_SKIP() << "only code for x86-64 is predicted";
#endif
        predicting->begin({.counts_all = true, .shows_counts = true});
        take_counts();
    }
    static KernelPrediction taken() {
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::vector<KernelCounts> counts = take_counts();
        EXPECT_EQ(counts.size(), 1);
        EXPECT_EQ(counts[0].predictions.size(), 1);
        return counts[0].predictions[0];
    }
    static double bound(const KernelPrediction& prediction, const std::string& resource) {
        const auto found = std::ranges::find(prediction.bounds, resource, &Bound::resource);
        return found == prediction.bounds.end() ? 0 : found->ms;
    }

    static constexpr std::size_t bytes = std::size_t{1} << 27U;
    static constexpr std::size_t count = bytes / sizeof(float);
    DeviceArray<float> to_{count};
    DeviceArray<float> from_{count};
};

TEST_F(Launches, ACopyOfALargeArrayIsLimitedByDeviceMemory) {
    constexpr unsigned quarter = count / 4;
    launch(copy_kernel, quarter / 256, 256, Stream(), to_.data(), from_.data(), quarter, 4U);
    const KernelPrediction copy = taken();
    EXPECT_EQ(copy.bounds.front().resource, "device memory") << copy.reason;
    // All of `from` is read, as a sector has 8 floats, and a quarter of `to` is written.
    EXPECT_NEAR(bound(copy, "device memory"), 1.25 * bytes / 4.4e12 * 1000, 0.002);
    EXPECT_GT(copy.ms, bound(copy, "device memory"));
}

TEST_F(Launches, BankConflictsTakeLonger) {
    launch(conflicts_kernel, 264, 256, Stream(), to_.data(), 1U);
    const KernelPrediction without = taken();
    launch(conflicts_kernel, 264, 256, Stream(), to_.data(), 32U);
    const KernelPrediction with = taken();
    EXPECT_EQ(with.bounds.front().resource, "L1 and shared memory") << with.reason;
    EXPECT_NE(with.reason.find("without bank conflicts it would be 1"), std::string::npos) << with.reason;
    EXPECT_GT(with.ms, 4 * without.ms);
}

TEST_F(Launches, OneWarpOfAMultiprocessorIsLimitedByLatency) {
    launch(chain_kernel, 132, 32, Stream(), to_.data(), 0.5F);
    const KernelPrediction few = taken();
    EXPECT_EQ(few.bounds.front().resource, "latency") << few.reason;
    launch(chain_kernel, 132, 256, Stream(), to_.data(), 0.5F);
    const KernelPrediction more = taken();
    EXPECT_LT(more.ms, 1.1 * few.ms);                       // eight times the work, on a GPU in the same time
    EXPECT_NEAR(few.ms, 4096 * 4 / 1.98e6, 0.25 * few.ms);  // four clocks for each fmaf
}

TEST_F(Launches, ABlockTakesAsLongAsItsLongestWarp) {
    launch(chain_kernel, 132, 32, Stream(), to_.data(), 0.5F);
    const KernelPrediction alone = taken();
    launch(chain_of_one_warp_kernel, 132, 1024, Stream(), to_.data(), 0.5F);
    const KernelPrediction among_idle_ones = taken();
    EXPECT_NEAR(among_idle_ones.ms, alone.ms, 0.1 * alone.ms);
}

TEST_F(Launches, ApproximateFunctionsAreInstructions) {
    launch(logarithms_kernel<true>, 1056, 256, Stream(), to_.data());
    const KernelPrediction approximate = taken();
    launch(logarithms_kernel<false>, 1056, 256, Stream(), to_.data());
    const KernelPrediction exact = taken();
#if __has_attribute(no_sanitize_coverage)
    EXPECT_GT(exact.ms, 1.5 * approximate.ms);
#else  // g++ 11 cannot tell them apart
    EXPECT_NEAR(exact.ms, approximate.ms, 0.1 * exact.ms);
#endif
}

TEST_F(Launches, LoopsOfConstantStepsAreUnrolled) {
    launch(sum_kernel, 132, 64, Stream(), to_.data(), from_.data(), 1024U);
    const KernelPrediction unrolled = taken();
    launch(sum_in_steps_kernel, 132, 64, Stream(), to_.data(), from_.data(), 1024U, 1U);
    const KernelPrediction one_by_one = taken();
    EXPECT_EQ(one_by_one.bounds.front().resource, "latency");
    EXPECT_GT(one_by_one.ms, 2 * unrolled.ms);
}

TEST_F(Launches, AtomicOperationsOnOnePlaceWait) {
    auto* const counts = reinterpret_cast<unsigned*>(to_.data());
    launch(count_kernel, 4096, 1024, Stream(), counts, 8U);
    const KernelPrediction apart = taken();
    launch(count_kernel, 4096, 1024, Stream(), counts, 0U);
    const KernelPrediction together = taken();
    EXPECT_EQ(together.bounds.front().resource, "atomic operations") << together.reason;
    EXPECT_NE(together.reason.find("1.31e+05 times"), std::string::npos) << together.reason;
    EXPECT_GT(together.ms, 2 * apart.ms);
}

TEST_F(Launches, DifferentAddressesOfConstantMemoryWait) {
    launch(look_up_kernel, 1056, 256, Stream(), to_.data(), 1U);
    const KernelPrediction one = taken();
    EXPECT_EQ(bound(one, "constant memory"), 0);
    launch(look_up_kernel, 1056, 256, Stream(), to_.data(), 32U);
    const KernelPrediction different = taken();
    EXPECT_EQ(different.bounds.front().resource, "constant memory") << different.reason;
    EXPECT_GT(different.ms, 4 * one.ms);
}

TEST_F(Launches, AKernelThatPrintsIsNotPredicted) {
    launch(print_kernel, 1, 32, Stream());
    const KernelPrediction printing = taken();
    EXPECT_TRUE(printing.bounds.empty());
    EXPECT_NE(printing.reason.find("printf()"), std::string::npos) << printing.reason;
}

TEST_F(Launches, ABlockTooManyHasATail) {
    launch(chain_kernel, 132 * 2, 1024, Stream(), to_.data(), 0.5F);
    const KernelPrediction full = taken();
    EXPECT_EQ(bound(full, "tail"), 0);
    launch(chain_kernel, 132 * 2 + 1, 1024, Stream(), to_.data(), 0.5F);
    const KernelPrediction one_more = taken();
    EXPECT_GT(one_more.ms, 1.4 * full.ms);
    EXPECT_NEAR(bound(one_more, "tail"), one_more.ms - full.ms, 0.05 * full.ms) << one_more.reason;
}

TEST_F(Launches, AnEmptyKernelIsLimitedByItsLaunch) {
    launch(do_nothing_kernel, 1, 32, Stream());
    const KernelPrediction nothing = taken();
    EXPECT_EQ(nothing.bounds.front().resource, "launch") << nothing.reason;
    EXPECT_LT(nothing.ms, 0.002);
}

TEST_F(Launches, OfOneSizeAreOnePrediction) {
    for (int i = 0; i < 7; ++i) launch(do_nothing_kernel, 3, 32, Stream());
    const KernelPrediction seven = taken();
    EXPECT_EQ(seven.launches, 7);
    EXPECT_EQ(seven.blocks, 3);
    EXPECT_EQ(seven.threads, 32);
}

}  // namespace
}  // namespace cudabook::emulation
