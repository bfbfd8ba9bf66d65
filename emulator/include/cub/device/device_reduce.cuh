// cub::DeviceReduce: sums and extremes of an array, one value after another. Source: CUB API Reference,
// "DeviceReduce".
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include <cuda_runtime.h>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/graph.hpp"

namespace cub {

struct DeviceReduce {
    /// Without storage, sets `bytes` to the bytes of storage that are needed, and does nothing else.
    template <class Input, class Output, class Operation, class T, class Count>
    static cudaError_t Reduce(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                              Operation operation, T initial, cudaStream_t stream = nullptr) {
        if (storage == nullptr) {
            bytes = 1;
            return cudabook::emulation::result(cudaSuccess);
        }
        const auto reduce = [=] {
            T reduced = initial;
            for (Count i = 0; i < count; ++i) reduced = operation(reduced, input[i]);
            *output = reduced;
        };
        return cudabook::emulation::enqueue(stream, {.type = cudaGraphNodeTypeKernel, .run = reduce});
    }
    template <class Input, class Output, class Count>
    static cudaError_t Sum(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = typename std::iterator_traits<Input>::value_type;
        return Reduce(
            storage, bytes, input, output, count,
            [](const T& a, const T& b) { return static_cast<T>(a + b); }, T{}, stream);
    }
    template <class Input, class Output, class Count>
    static cudaError_t Min(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = typename std::iterator_traits<Input>::value_type;
        return Reduce(
            storage, bytes, input, output, count, [](const T& a, const T& b) { return b < a ? b : a; },
            std::numeric_limits<T>::max(), stream);
    }
    template <class Input, class Output, class Count>
    static cudaError_t Max(void* storage, std::size_t& bytes, Input input, Output output, Count count,
                           cudaStream_t stream = nullptr) {
        using T = typename std::iterator_traits<Input>::value_type;
        return Reduce(
            storage, bytes, input, output, count, [](const T& a, const T& b) { return a < b ? b : a; },
            std::numeric_limits<T>::lowest(), stream);
    }
};

}  // namespace cub
