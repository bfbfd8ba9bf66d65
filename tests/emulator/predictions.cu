// Predicted times: the instructions in machine code, the caches, and whole launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "common/cuda/array.cuh"
#include "common/cuda/error.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/counts.hpp"
#include "common/program/predictions.hpp"
#include "emulator/counting/requests.hpp"
#include "emulator/predicting/caches.hpp"
#include "emulator/predicting/clocks.hpp"
#include "emulator/predicting/instructions.hpp"
#include "emulator/predicting/loaded_values.hpp"

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

__global__ void do_nothing_kernel() {}

class Launches : public testing::Test {
  protected:
    void SetUp() override {
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
    EXPECT_LT(more.ms, 1.55 * few.ms);  // eight times the work
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
