// Cooperative groups, with the same results on a GPU and on the emulated GPU.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

namespace cg = cooperative_groups;

class CooperativeGroups : public test::Gpu {};

/// Runs the kernel, which writes `each` numbers for each thread.
template <class Kernel, class... Arguments>
std::vector<int> numbers_of(Kernel kernel, dim3 grid, dim3 block, std::size_t each, Arguments... arguments) {
    const std::size_t threads = std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(threads * each))};
    launch(kernel, grid, block, Stream(), to.data(), arguments...);
    return to.download();
}

/// A number that looks random, but depends on i alone.
__host__ __device__ int number_of(unsigned i) { return static_cast<int>(i * 2654435761U >> 8 & 0x3ff); }

// ----- Blocks

__global__ void block_kernel(int* to) {
    const cg::thread_block block = cg::this_thread_block();
    const dim3 index = block.group_index();
    const dim3 thread = block.thread_index();
    const unsigned number = index.x + gridDim.x * index.y;
    int* const mine = to + 5 * (number * block.size() + block.thread_rank());
    mine[0] = static_cast<int>(thread.x + 10 * thread.y + 100 * thread.z);
    mine[1] =
        static_cast<int>(block.dim_threads().x + 10 * block.group_dim().y + 100 * block.dim_threads().z);
    mine[2] = static_cast<int>(block.num_threads() + 1000 * cg::group_size(block));
    const cg::thread_group group = block;
    mine[3] = static_cast<int>(group.thread_rank() + 1000 * group.size());
    mine[4] = static_cast<int>(cg::thread_rank(block) + 1000 * number);
}

TEST_F(CooperativeGroups, Block) {
    const std::vector<int> got = numbers_of(block_kernel, dim3(2, 3), dim3(5, 3, 2), 5);
    for (int block = 0; block < 6; ++block)
        for (int i = 0; i < 30; ++i) {
            const int* const mine = got.data() + 5 * (block * 30 + i);
            EXPECT_EQ(mine[0], i % 5 + 10 * (i / 5 % 3) + 100 * (i / 15));
            EXPECT_EQ(mine[1], 235);
            EXPECT_EQ(mine[2], 30030);
            EXPECT_EQ(mine[3], i + 30000);
            EXPECT_EQ(mine[4], i + 1000 * block);
        }
}

__device__ int sum_of_group(const cg::thread_group& group, int* memory, int value) {
    const auto rank = static_cast<unsigned>(group.thread_rank());
    for (unsigned distance = static_cast<unsigned>(group.size()) / 2; distance > 0; distance /= 2) {
        memory[rank] = value;
        group.sync();
        if (rank < distance) value += memory[rank + distance];
        cg::sync(group);
    }
    return value;
}

__global__ void generic_kernel(int* to) {
    __shared__ int memory[128];
    const cg::thread_block block = cg::this_thread_block();
    const int value = number_of(threadIdx.x);
    const int of_block = sum_of_group(block, memory, value);
    block.sync();
    const cg::thread_group sixteen = cg::tiled_partition(block, 16);
    const int of_sixteen = sum_of_group(sixteen, memory + threadIdx.x / 16 * 16, value);
    const cg::thread_group four = cg::tiled_partition(sixteen, 4);
    int* const its = memory + threadIdx.x / 16 * 16 + sixteen.thread_rank() / 4 * 4;
    const int of_four = sum_of_group(four, its, value);
    const cg::thread_block_tile<8> eight = cg::tiled_partition<8>(block);
    const int of_eight = sum_of_group(eight, memory + threadIdx.x / 8 * 8, value);
    int* const mine = to + 4 * threadIdx.x;
    if (block.thread_rank() == 0) mine[0] = of_block;
    if (sixteen.thread_rank() == 0) mine[1] = of_sixteen;
    if (four.thread_rank() == 0) mine[2] = of_four;
    if (eight.thread_rank() == 0) mine[3] = of_eight;
}

TEST_F(CooperativeGroups, GenericGroups) {
    const std::vector<int> got = numbers_of(generic_kernel, 1, 128, 4);
    const std::size_t sizes[] = {128, 16, 4, 8};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t i = 0; i < 128; i += sizes[column]) {
            int sum = 0;
            for (std::size_t j = i; j < i + sizes[column]; ++j) sum += number_of(static_cast<unsigned>(j));
            EXPECT_EQ(got[4 * i + column], sum) << column << " " << i;
        }
}

__global__ void split_barrier_kernel(int* to) {
    __shared__ int values[2][64];
    const cg::thread_block block = cg::this_thread_block();
    int sum = 0;
    for (int round = 0; round < 6; ++round) {
        values[round % 2][threadIdx.x] = number_of(threadIdx.x + 64 * static_cast<unsigned>(round));
        cg::thread_block::arrival_token token = block.barrier_arrive();
        sum *= 3;
        block.barrier_wait(std::move(token));
        sum += values[round % 2][(threadIdx.x + 17) % 64];
    }
    if (blockIdx.x == 1) to[threadIdx.x] = sum;
}

TEST_F(CooperativeGroups, ArriveAndWaitInABlock) {
    const std::vector<int> got = numbers_of(split_barrier_kernel, 2, 64, 1);
    for (unsigned i = 0; i < 64; ++i) {
        int sum = 0;
        for (unsigned round = 0; round < 6; ++round) sum = 3 * sum + number_of((i + 17) % 64 + 64 * round);
        EXPECT_EQ(got[i], sum) << i;
    }
}

// ----- Tiles

template <unsigned size>
__global__ void tile_kernel(int* to) {
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto tile = [&] {
        if constexpr (size == 32)
            return warp;
        else
            return cg::tiled_partition<size>(warp);
    }();
    const int value = number_of(threadIdx.x);
    int all_same = 0;
    int all_differ = 0;
    int* mine = to + 16 * threadIdx.x;
    *mine++ = static_cast<int>(tile.thread_rank() + 100 * tile.size() + 10000 * tile.num_threads());
    *mine++ = static_cast<int>(tile.meta_group_rank() + 100 * tile.meta_group_size());
    *mine++ = static_cast<int>(warp.meta_group_rank() + 100 * warp.meta_group_size());
    *mine++ = tile.shfl(value, size / 2);
    *mine++ = tile.shfl_up(value, 1);
    *mine++ = tile.shfl_down(value, 3);
    *mine++ = tile.shfl_xor(value, size / 2);
    *mine++ = tile.any(value > 900);
    *mine++ = tile.all(value > 100);
    *mine++ = static_cast<int>(tile.ballot(value % 3 == 0));
    *mine++ = static_cast<int>(tile.match_any(value % 4));
    *mine++ = static_cast<int>(tile.match_all(value % 4, all_differ));
    *mine++ = static_cast<int>(tile.match_all(7, all_same));
    *mine++ = all_same + 10 * all_differ;
    *mine++ = cg::reduce(tile, value, cg::plus<int>());
    *mine++ = cg::inclusive_scan(tile, value);
}

template <unsigned size>
void expect_tiles() {
    const std::vector<int> got = numbers_of(tile_kernel<size>, 1, 128, 16);
    for (unsigned i = 0; i < 128; ++i) {
        const unsigned first = i / size * size;
        const auto value = [&](unsigned rank) { return number_of(first + rank); };
        const unsigned rank = i - first;
        int any = 0;
        int all = 1;
        unsigned votes = 0;
        unsigned same = 0;
        int sum = 0;
        int prefix = 0;
        bool differ = false;
        for (unsigned other = 0; other < size; ++other) {
            any |= value(other) > 900;
            all &= value(other) > 100;
            votes |= (value(other) % 3 == 0 ? 1U : 0U) << other;
            same |= (value(other) % 4 == value(rank) % 4 ? 1U : 0U) << other;
            differ |= value(other) % 4 != value(0) % 4;
            sum += value(other);
            if (other <= rank) prefix += value(other);
        }
        const auto everyone = static_cast<unsigned>((1ULL << size) - 1);
        const std::vector<int> expected = {
            static_cast<int>(rank + 10100 * size),
            static_cast<int>(size == 32 ? i / 32 + 400 : i % 32 / size + 100 * (32 / size)),
            static_cast<int>(i / 32 + 400),
            value(size / 2),
            value(rank > 0 ? rank - 1 : 0),
            value(rank + 3 < size ? rank + 3 : rank),
            value(size > 1 ? rank ^ (size / 2) : 0),
            any,
            all,
            static_cast<int>(votes),
            static_cast<int>(same),
            static_cast<int>(differ ? 0 : everyone),
            static_cast<int>(everyone),
            1 + (differ ? 0 : 10),
            sum,
            prefix,
        };
        EXPECT_EQ(std::vector<int>(got.begin() + 16 * i, got.begin() + 16 * (i + 1)), expected) << i;
    }
}

TEST_F(CooperativeGroups, Tiles) {
    expect_tiles<1>();
    expect_tiles<2>();
    expect_tiles<4>();
    expect_tiles<8>();
    expect_tiles<16>();
    expect_tiles<32>();
}

template <unsigned size>
__global__ void large_tile_kernel(int* to) {
    __shared__ int memory[512];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<size>(block);
    const int value = number_of(threadIdx.x);
    const int rank = static_cast<int>(tile.thread_rank());
    int* mine = to + 8 * threadIdx.x;
    *mine++ = static_cast<int>(rank + size * tile.meta_group_rank() + 1000 * tile.size());
    *mine++ = tile.shfl(value, size - 3);
    *mine++ = tile.any(value == 0x3ff) + 10 * tile.all(value < 0x3ff);
    *mine++ = cg::reduce(tile, value, cg::plus<int>());
    *mine++ = cg::inclusive_scan(tile, value);
    *mine++ = cg::exclusive_scan(tile, value, cg::bit_xor<int>());
    memory[threadIdx.x] = value;
    tile.sync();
    *mine++ = memory[threadIdx.x / size * size + (threadIdx.x + 40) % size];
    if constexpr (size == 64)
        *mine++ = cg::reduce(tile, value, cg::greater<int>());
    else
        *mine++ = cg::reduce(cg::tiled_partition<64>(tile), value, cg::greater<int>());
}

template <unsigned size>
void expect_large_tiles() {
    const std::vector<int> got = numbers_of(large_tile_kernel<size>, 1, 512, 8);
    for (unsigned i = 0; i < 512; ++i) {
        const unsigned first = i / size * size;
        int any = 0;
        int sum = 0;
        int prefix = 0;
        int before = 0;
        int most = 0;
        for (unsigned other = first; other < first + size; ++other) {
            const int value = number_of(other);
            any |= value == 0x3ff;
            sum += value;
            if (other <= i) prefix += value;
            if (other < i) before ^= value;
            if (other / 64 == i / 64) most = std::max(most, value);
        }
        const std::vector<int> expected = {
            static_cast<int>(i + 1000 * size),
            number_of(first + size - 3),
            any + 10 * (1 - any),
            sum,
            prefix,
            before,
            number_of(first + (i + 40) % size),
            most,
        };
        EXPECT_EQ(std::vector<int>(got.begin() + 8 * i, got.begin() + 8 * (i + 1)), expected) << i;
    }
}

TEST_F(CooperativeGroups, TilesOfSeveralWarps) {
    expect_large_tiles<64>();
    expect_large_tiles<128>();
    expect_large_tiles<512>();
}

__global__ void tile_memory_kernel(int* to) {
    __shared__ cg::block_tile_memory<256> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    to[threadIdx.x] = cg::reduce(cg::tiled_partition<128>(block), 1, cg::plus<int>());
}

TEST_F(CooperativeGroups, MemoryOfTiles) {
    EXPECT_EQ(numbers_of(tile_memory_kernel, 1, 256, 1), std::vector<int>(256, 128));
}

/// The largest type that a shuffle takes.
struct Particle {
    double place[3];
    int number;
    char name[4];
};

__global__ void structures_kernel(int* to) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const auto i = static_cast<int>(threadIdx.x);
    const Particle own{{0.5 * i, 1.5 * i, 2.5 * i}, i, {'a', 'b', static_cast<char>('a' + i % 16), 0}};
    const Particle next = tile.shfl(own, (tile.thread_rank() + 1) % 16);
    const Particle before = tile.shfl_up(own, 2);
    to[2 * i] = static_cast<int>(next.place[0] + next.place[1] + next.place[2]) + 1000 * (next.name[2] - 'a');
    to[2 * i + 1] = before.number;
    if (i % 2 == 0) return;
    const cg::coalesced_group odd = cg::coalesced_threads();
    const Particle last = odd.shfl(own, odd.size() - 1);
    to[2 * i + 1] += 100 * last.number;
}

TEST_F(CooperativeGroups, ShufflesOfStructures) {
    static_assert(sizeof(Particle) == 32);
    const std::vector<int> got = numbers_of(structures_kernel, 1, 64, 2);
    for (int i = 0; i < 64; ++i) {
        const int first = i / 16 * 16;
        const int next = first + (i + 1) % 16;
        EXPECT_EQ(got[2 * i], next / 2 * 9 + (next % 2) * 4 + 1000 * (next % 16)) << i;
        const int before = i - first >= 2 ? i - 2 : i;
        EXPECT_EQ(got[2 * i + 1], before + (i % 2 == 0 ? 0 : 100 * (i / 32 * 32 + 31))) << i;
    }
}

// ----- Coalesced groups and partitions by a value

__global__ void coalesced_kernel(int* to) {
    int* mine = to + 8 * threadIdx.x;
    if (threadIdx.x % 3 == 1) return;
    const int value = number_of(threadIdx.x);
    if (value % 2 == 0) {
        const cg::coalesced_group even = cg::coalesced_threads();
        *mine++ = static_cast<int>(even.thread_rank() + 100 * even.size());
        *mine++ = even.shfl(value, 1);
        *mine++ = even.shfl_up(value, 1) + 10000 * (even.shfl_down(value, 2) & 0xff);
        *mine++ = static_cast<int>(even.ballot(value % 8 == 0));
        *mine++ = cg::reduce(even, value, cg::less<int>()) + 10000 * cg::reduce(even, 1, cg::plus<int>());
        *mine++ = cg::exclusive_scan(even, value);
        const cg::coalesced_group four = cg::tiled_partition(even, 4);
        *mine++ = static_cast<int>(four.thread_rank() + 100 * four.size() + 10000 * four.meta_group_rank() +
                                   1000000 * four.meta_group_size());
        *mine++ = cg::reduce(four, value, cg::greater<int>());
    }
}

TEST_F(CooperativeGroups, CoalescedThreads) {
    const std::vector<int> got = numbers_of(coalesced_kernel, 1, 96, 8);
    for (unsigned warp = 0; warp < 96; warp += 32) {
        std::vector<unsigned> members;
        for (unsigned i = warp; i < warp + 32; ++i)
            if (i % 3 != 1 && number_of(i) % 2 == 0) members.push_back(i);
        const auto size = static_cast<unsigned>(members.size());
        ASSERT_GE(size, 5U);
        const auto value = [&](unsigned rank) { return number_of(members[rank]); };
        unsigned votes = 0;
        int least = value(0);
        int sum = 0;
        for (unsigned rank = 0; rank < size; ++rank) {
            votes |= (value(rank) % 8 == 0 ? 1U : 0U) << rank;
            least = std::min(least, value(rank));
        }
        for (unsigned rank = 0; rank < size; ++rank) {
            const unsigned first = rank / 4 * 4;
            const unsigned end = std::min(first + 4, size);
            int most = 0;
            for (unsigned other = first; other < end; ++other) most = std::max(most, value(other));
            const std::vector<int> expected = {
                static_cast<int>(rank + 100 * size),
                value(1),
                value(rank > 0 ? rank - 1 : 0) + 10000 * (value(rank + 2 < size ? rank + 2 : rank) & 0xff),
                static_cast<int>(votes),
                least + 10000 * static_cast<int>(size),
                sum,
                static_cast<int>(rank - first + 100 * (end - first) + 10000 * (first / 4) +
                                 1000000 * ((size + 3) / 4)),
                most,
            };
            const auto mine = got.begin() + 8 * members[rank];
            EXPECT_EQ(std::vector<int>(mine, mine + 8), expected) << members[rank];
            sum += value(rank);
        }
    }
}

__global__ void partitions_kernel(int* to) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int value = number_of(threadIdx.x);
    const cg::coalesced_group same = cg::labeled_partition(tile, value % 5);
    const cg::coalesced_group side = cg::binary_partition(tile, value > 500);
    int* const mine = to + 4 * threadIdx.x;
    mine[0] = static_cast<int>(same.thread_rank() + 100 * same.size());
    mine[1] = cg::reduce(same, value, cg::plus<int>());
    mine[2] = static_cast<int>(side.thread_rank() + 100 * side.size());
    mine[3] = cg::reduce(side, value, cg::bit_xor<int>());
}

TEST_F(CooperativeGroups, PartitionsByAValue) {
    const std::vector<int> got = numbers_of(partitions_kernel, 1, 64, 4);
    for (unsigned i = 0; i < 64; ++i) {
        int expected[4] = {};
        for (unsigned other = i / 16 * 16; other < i / 16 * 16 + 16; ++other) {
            const int value = number_of(other);
            if (value % 5 == number_of(i) % 5) {
                expected[0] += 100 + (other < i ? 1 : 0);
                expected[1] += value;
            }
            if ((value > 500) == (number_of(i) > 500)) {
                expected[2] += 100 + (other < i ? 1 : 0);
                expected[3] ^= value;
            }
        }
        for (unsigned j = 0; j < 4; ++j) EXPECT_EQ(got[4 * i + j], expected[j]) << i << " " << j;
    }
}

/// Counts the lanes that are here together by one atomic operation. Returns each lane's number.
__device__ int add_together(int* counter) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(group.size()));
    return group.shfl(first, 0) + static_cast<int>(group.thread_rank());
}

__global__ void filter_kernel(int* to, int* found, int size) {
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < size;
         i += static_cast<int>(gridDim.x * blockDim.x))
        if (number_of(static_cast<unsigned>(i)) % 3 == 0) to[add_together(found)] = i;
}

TEST_F(CooperativeGroups, AggregatedAtomics) {
    const int size = 5000;
    const DeviceArray<int> to{std::span<const int>(std::vector<int>(size))};
    const DeviceArray<int> found{std::span<const int>(std::vector<int>(1))};
    launch(filter_kernel, 3, 96, Stream(), to.data(), found.data(), size);
    std::vector<int> expected;
    for (int i = 0; i < size; ++i)
        if (number_of(static_cast<unsigned>(i)) % 3 == 0) expected.push_back(i);
    std::vector<int> got = to.download();
    ASSERT_EQ(found.download().front(), static_cast<int>(expected.size()));
    got.resize(expected.size());
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, expected);
}

// ----- Collective operations

__global__ void reduce_kernel(int* to) {
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int value = number_of(threadIdx.x);
    int* mine = to + 9 * threadIdx.x;
    *mine++ = cg::reduce(tile, value, cg::plus<int>());
    *mine++ = cg::reduce(tile, value, cg::less<int>());
    *mine++ = cg::reduce(tile, value, cg::greater<int>());
    *mine++ = cg::reduce(tile, value, cg::bit_and<int>());
    *mine++ = cg::reduce(tile, value, cg::bit_or<int>());
    *mine++ = cg::reduce(tile, value, cg::bit_xor<int>());
    *mine++ = cg::reduce(tile, value, [](int a, int b) { return (a + b) % 1009; });
    *mine++ = static_cast<int>(cg::reduce(tile, 0.25F * static_cast<float>(value), cg::plus<float>()) * 4);
    *mine++ = static_cast<int>(cg::inclusive_scan(tile, static_cast<double>(value), cg::greater<double>()));
}

TEST_F(CooperativeGroups, Reductions) {
    const std::vector<int> got = numbers_of(reduce_kernel, 1, 64, 9);
    for (unsigned warp = 0; warp < 64; warp += 32) {
        std::vector<int> expected(8, number_of(warp));
        std::vector<int> most{number_of(warp)};
        for (unsigned i = warp + 1; i < warp + 32; ++i) {
            const int value = number_of(i);
            expected[0] += value;
            expected[1] = std::min(expected[1], value);
            expected[2] = std::max(expected[2], value);
            expected[3] &= value;
            expected[4] |= value;
            expected[5] ^= value;
            expected[6] = (expected[6] + value) % 1009;
            expected[7] += value;
            most.push_back(expected[2]);
        }
        for (unsigned i = warp; i < warp + 32; ++i) {
            const auto mine = got.begin() + 9 * i;
            EXPECT_EQ(std::vector<int>(mine, mine + 8), expected) << i;
            EXPECT_EQ(mine[8], most[i - warp]) << i;
        }
    }
}

template <class T>
__global__ void copies_kernel(int* to, const T* from, int size) {
    __shared__ T tile[2][96];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], from, sizeof(T) * 96);
    int sum = 0;
    for (int i = 0; 96 * i < size; ++i) {
        if (96 * (i + 1) < size) {
            cg::memcpy_async(block, tile[(i + 1) % 2], 96, from + 96 * (i + 1), 96);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        for (unsigned j = block.thread_rank(); j < 96; j += block.size())
            sum = 3 * sum + static_cast<int>(tile[i % 2][95 - j]);
        block.sync();
    }
    to[block.thread_rank()] = sum;
}

template <class T>
void expect_copies() {
    std::vector<T> from;
    for (unsigned i = 0; i < 96 * 5; ++i) from.push_back(static_cast<T>(number_of(i) % 100));
    const DeviceArray<T> there{std::span<const T>(from)};
    const std::vector<int> got = numbers_of(copies_kernel<T>, 1, 40, 1, static_cast<const T*>(there.data()),
                                            static_cast<int>(from.size()));
    for (unsigned i = 0; i < 40; ++i) {
        int sum = 0;
        for (unsigned tile = 0; tile < 5; ++tile)
            for (unsigned j = i; j < 96; j += 40) sum = 3 * sum + static_cast<int>(from[96 * tile + 95 - j]);
        EXPECT_EQ(got[i], sum) << i;
    }
}

TEST_F(CooperativeGroups, AsynchronousCopies) {
    expect_copies<int>();
    expect_copies<char>();
    expect_copies<double>();
}

__global__ void invoke_kernel(int* to, int* calls) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    cg::invoke_one(
        tile, [calls](int number) { atomicAdd(calls, number); }, 10);
    to[threadIdx.x] = cg::invoke_one_broadcast(tile, [calls] { return atomicAdd(calls + 1, 1); }) +
                      static_cast<int>(threadIdx.x);
}

TEST_F(CooperativeGroups, InvokeOne) {
    const DeviceArray<int> calls{std::span<const int>(std::vector<int>(2))};
    const std::vector<int> got = numbers_of(invoke_kernel, 1, 64, 1, calls.data());
    EXPECT_EQ(calls.download(), (std::vector<int>{80, 8}));
    std::set<int> numbers;
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(got[i] - i, got[i / 8 * 8] - i / 8 * 8);
        numbers.insert(got[i] - i);
    }
    EXPECT_EQ(numbers, (std::set<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// ----- Grids

/// In each round, each block adds the numbers of the next block.
__global__ void rounds_kernel(int* numbers, int* sums, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const auto rank = static_cast<unsigned>(grid.thread_rank());
    const auto next = static_cast<unsigned>((rank + blockDim.x) % grid.size());
    for (int round = 0; round < rounds; ++round) {
        numbers[rank] = number_of(rank + 1000 * static_cast<unsigned>(round));
        grid.sync();
        sums[rank] = 3 * sums[rank] + numbers[next];
        if (round % 2 == 0) {
            cg::sync(grid);
        } else {
            cg::grid_group::arrival_token token = grid.barrier_arrive();
            grid.barrier_wait(std::move(token));
        }
    }
}

std::vector<int> sums_of_rounds(unsigned blocks, unsigned threads, int rounds) {
    std::vector<int> sums(blocks * threads);
    for (unsigned i = 0; i < sums.size(); ++i)
        for (unsigned round = 0; round < static_cast<unsigned>(rounds); ++round)
            sums[i] = 3 * sums[i] + number_of((i + threads) % (blocks * threads) + 1000 * round);
    return sums;
}

TEST_F(CooperativeGroups, GridBarrier) {
    for (const unsigned blocks : {1, 2, 7, 40}) {
        const unsigned threads = 64;
        const DeviceArray<int> numbers(blocks * threads);
        const DeviceArray<int> sums{std::span<const int>(std::vector<int>(blocks * threads))};
        int* of_numbers = numbers.data();
        int* of_sums = sums.data();
        int rounds = 5;
        void* arguments[] = {&of_numbers, &of_sums, &rounds};
        CUDA_CHECK(cudaLaunchCooperativeKernel(rounds_kernel, dim3(blocks), dim3(threads), arguments));
        EXPECT_EQ(sums.download(), sums_of_rounds(blocks, threads, rounds)) << blocks;
    }
}

TEST_F(CooperativeGroups, CooperativeAttribute) {
    const DeviceArray<int> numbers(3 * 32);
    const DeviceArray<int> sums{std::span<const int>(std::vector<int>(3 * 32))};
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = 3;
    config.blockDim = 32;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, rounds_kernel, numbers.data(), sums.data(), 4));
    EXPECT_EQ(sums.download(), sums_of_rounds(3, 32, 4));
}

__global__ void grid_kernel(int* to) {
    const cg::grid_group grid = cg::this_grid();
    int* const mine = to + 6 * grid.thread_rank();
    const dim3 thread = grid.thread_index();
    const dim3 threads = grid.dim_threads();
    mine[0] = static_cast<int>(grid.block_rank() + 100 * grid.num_blocks());
    mine[1] = static_cast<int>(grid.num_threads() + 1000 * grid.size());
    mine[2] = static_cast<int>(thread.x + 100 * thread.y + 10000 * thread.z);
    mine[3] = static_cast<int>(threads.x + 100 * threads.y + 10000 * threads.z);
    mine[4] = static_cast<int>(grid.block_index().x + 10 * grid.block_index().y + 100 * grid.dim_blocks().x +
                               1000 * grid.group_dim().y + 10000 * grid.dim_blocks().z);
    mine[5] = grid.is_valid() ? 1 : 0;
}

TEST_F(CooperativeGroups, Grid) {
    const std::vector<int> got = numbers_of(grid_kernel, dim3(3, 2), dim3(4, 2, 2), 6);
    for (unsigned i = 0; i < 6 * 16; ++i) {
        const unsigned block = i / 16;
        const unsigned thread = i % 16;
        const unsigned x = block % 3 * 4 + thread % 4;
        const unsigned y = block / 3 * 2 + thread / 4 % 2;
        const std::vector<int> expected = {
            static_cast<int>(block + 600),
            96096,
            static_cast<int>(x + 100 * y + 10000 * (thread / 8)),
            12 + 400 + 20000,
            static_cast<int>(block % 3 + 10 * (block / 3) + 300 + 2000 + 10000),
            0,
        };
        EXPECT_EQ(std::vector<int>(got.begin() + 6 * i, got.begin() + 6 * (i + 1)), expected) << i;
    }
}

/// The blocks of a cooperative grid may also wait for each other without the grid's barrier.
__global__ void relay_kernel(volatile int* baton) {
    if (threadIdx.x == 0) {
        while (*baton != static_cast<int>(blockIdx.x)) {
        }
        __threadfence();
        *baton = *baton + 1;
    }
}

TEST_F(CooperativeGroups, BlocksRunAtTheSameTime) {
    const DeviceArray<int> baton{std::span<const int>(std::vector<int>(1))};
    volatile int* of_baton = baton.data();
    void* arguments[] = {&of_baton};
    CUDA_CHECK(cudaLaunchCooperativeKernel(relay_kernel, dim3(24), dim3(32), arguments));
    EXPECT_EQ(baton.download().front(), 24);
}

TEST_F(CooperativeGroups, GridThatIsTooLarge) {
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, relay_kernel, 1024, 0));
    int multiprocessors = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    volatile int* none = nullptr;
    void* arguments[] = {&none};
    EXPECT_EQ(
        cudaLaunchCooperativeKernel(relay_kernel, dim3(blocks * multiprocessors + 1), dim3(1024), arguments),
        cudaErrorCooperativeLaunchTooLarge);
    EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace
}  // namespace cudabook
