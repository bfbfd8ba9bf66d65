// cub::DeviceReduce: sums, extremes and other reductions of an array, one value after another. Source: CUB
// API Reference, "DeviceReduce".
#pragma once

#include <cstddef>
#include <limits>

#include "../details/device_call.hpp"

namespace cub {

struct DeviceReduce {
    template <class Input, class Output, class Operation, class T, class Count>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                              Operation operation, T initial, cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            details::Accumulated<Operation, T, Input> reduced = initial;
            for (Count i = 0; i < count; ++i) reduced = operation(reduced, details::value_of(input, i));
            *output = reduced;
        });
    }
    template <class Input, class Output, class Count>
    static cudaError_t Sum(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = details::Written<Output, Input>;
        return Reduce(storage, bytes, input, output, count, details::Plus(), T{}, stream);
    }
    template <class Input, class Output, class Count>
    static cudaError_t Min(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = details::Value<Input>;
        return Reduce(
            storage, bytes, input, output, count, [](const T& a, const T& b) { return b < a ? b : a; },
            std::numeric_limits<T>::max(), stream);
    }
    template <class Input, class Output, class Count>
    static cudaError_t Max(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = details::Value<Input>;
        return Reduce(
            storage, bytes, input, output, count, [](const T& a, const T& b) { return a < b ? b : a; },
            std::numeric_limits<T>::lowest(), stream);
    }
    /// Reduces the values of each run of equal keys, and writes the run's first key to `unique`.
    template <class Keys, class UniqueKeys, class Values, class Sums, class Runs, class Operation,
              class Count>
    static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, UniqueKeys unique,
                                   Values values, Sums sums, Runs runs, Operation operation, Count count,
                                   cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            Count found = 0;
            for (Count i = 0; i < count; ++found) {
                const details::Value<Keys> key = keys[i];
                details::Accumulated<Operation, details::Value<Values>, Values> sum =
                    details::value_of(values, i);
                for (++i; i < count && details::value_of(keys, i) == key; ++i)
                    sum = operation(sum, details::value_of(values, i));
                unique[found] = key;
                sums[found] = sum;
            }
            *runs = found;
        });
    }
};

}  // namespace cub
