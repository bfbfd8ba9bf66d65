// cub::BlockReduce: sums and other reductions of a block's values. The operations are in CUB's own order:
// each warp combines values that are 1, 2, 4, 8 and 16 lanes apart; then the warps' results are combined,
// one after another. Source: CUB API Reference, "BlockReduce".
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/engine/block.hpp"
#include "emulator/engine/warp_functions.hpp"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

template <class T, int block_dim_x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int block_dim_y = 1, int block_dim_z = 1>
class BlockReduce {
    static constexpr int threads = block_dim_x * block_dim_y * block_dim_z;
    static constexpr int warps = (threads + 31) / 32;

  public:
    struct TempStorage {
        T warp_results[warps];
        T result;
    };

    explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    /// Reduces the values of the first `valid` threads. Only thread 0 gets the result. `operation` must be
    /// the same in all threads.
    template <class Operation>
    T Reduce(T input, Operation operation, int valid = threads) {
        const int thread = static_cast<int>(cudabook::emulation::thread_number());
        const int warp = thread / 32;
        Lane<Operation> lane{input, operation};
        cudabook::emulation::await_warp(~0U, cudabook::emulation::to_given(lane),
                                        static_cast<std::uint64_t>(std::clamp(valid - 32 * warp, 0, 32)),
                                        reduce_warp<Operation>, "cub::BlockReduce");
        if (thread % 32 == 0) storage_.warp_results[warp] = lane.value;
        cudabook::emulation::await_block(false);
        if (thread == 0) {
            lane.value = storage_.warp_results[0];
            for (int other = 1; 32 * other < valid; ++other)
                lane.value = operation(lane.value, storage_.warp_results[other]);
        }
        return lane.value;
    }
    T Sum(T input, int valid = threads) {
        return Reduce(
            input, [](const T& a, const T& b) { return static_cast<T>(a + b); }, valid);
    }

  private:
    template <class Operation>
    struct Lane {
        T value;
        Operation& operation;
    };

    template <class Operation>
    static void reduce_warp(cudabook::emulation::Exchange& warp) {
        const auto valid = static_cast<unsigned>(
            std::min<std::uint64_t>(warp.argument[0], static_cast<unsigned>(std::popcount(warp.lanes))));
        const auto lane = [&](unsigned i) -> Lane<Operation>& {
            return cudabook::emulation::brought_by<Lane<Operation>>(i, warp);
        };
        for (unsigned distance = 1; distance < 32; distance *= 2)
            for (unsigned i = 0; i + distance < valid; ++i)
                lane(i).value = lane(i).operation(lane(i).value, lane(i + distance).value);
    }

    TempStorage& storage_;
};

}  // namespace cub
