// cub::BlockScan: prefix sums of a block's values, added one thread after another. Source: CUB API Reference,
// "BlockScan".
#pragma once

#include "emulator/engine/block.hpp"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int block_dim_x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int block_dim_y = 1,
          int block_dim_z = 1>
class BlockScan {
    static constexpr int threads = block_dim_x * block_dim_y * block_dim_z;

  public:
    struct TempStorage {
        T values[threads];
    };

    explicit BlockScan(TempStorage& storage) : storage_(storage) {}

    /// `input` and `output` may be one variable. In all threads, `aggregate` becomes the sum of all inputs.
    template <class Operation>
    void InclusiveScan(T input, T& output, Operation operation, T& aggregate) {
        const unsigned thread = scan(input, operation);
        output = storage_.values[thread];
        aggregate = storage_.values[threads - 1];
    }
    template <class Operation>
    void InclusiveScan(T input, T& output, Operation operation) {
        output = storage_.values[scan(input, operation)];
    }
    /// `aggregate` does not include `initial`.
    template <class Operation>
    void ExclusiveScan(T input, T& output, T initial, Operation operation, T& aggregate) {
        const unsigned thread = scan(input, operation);
        output = thread == 0 ? initial : operation(initial, storage_.values[thread - 1]);
        aggregate = storage_.values[threads - 1];
    }
    template <class Operation>
    void ExclusiveScan(T input, T& output, T initial, Operation operation) {
        const unsigned thread = scan(input, operation);
        output = thread == 0 ? initial : operation(initial, storage_.values[thread - 1]);
    }
    void InclusiveSum(T input, T& output) { InclusiveScan(input, output, plus); }
    void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, plus, aggregate); }
    void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, plus); }
    void ExclusiveSum(T input, T& output, T& aggregate) {
        ExclusiveScan(input, output, T{}, plus, aggregate);
    }

  private:
    static T plus(const T& a, const T& b) { return static_cast<T>(a + b); }

    /// Fills the storage with the inclusive sums, and returns the thread's number.
    template <class Operation>
    unsigned scan(const T& input, Operation& operation) {
        const unsigned thread = cudabook::emulation::thread_number();
        storage_.values[thread] = input;
        cudabook::emulation::await_block(false);
        if (thread == 0)
            for (int i = 1; i < threads; ++i)
                storage_.values[i] = operation(storage_.values[i - 1], storage_.values[i]);
        cudabook::emulation::await_block(false);
        return thread;
    }

    TempStorage& storage_;
};

}  // namespace cub
