// The calls of CUB's device-wide algorithms: programs call each algorithm twice, first without storage. The
// algorithms process one value after another. Source: CUB API Reference, "Device-wide Primitives".
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/graph.hpp"

namespace cub {

namespace details {

template <class Iterator>
using Value = typename std::iterator_traits<Iterator>::value_type;

/// Returns element i as a value, because Thrust's iterators return special reference types.
template <class Iterator, class Count>
Value<Iterator> value_of(Iterator values, Count i) {
    return values[i];
}

/// The value type of the output or, if that is void, the value type of the input.
template <class Output, class Input>
using Written = std::conditional_t<std::is_void_v<Value<Output>>, Value<Input>, Value<Output>>;

/// The type in which CUB combines values if the first value has type T.
template <class Operation, class T, class Input>
using Accumulated = std::decay_t<std::invoke_result_t<Operation, T, Value<Input>>>;

/// Adds as + does: two values of type char give an int.
struct Plus {
    template <class A, class B>
    auto operator()(const A& a, const B& b) const {
        return a + b;
    }
};

/// If `storage` is null, only sets `bytes` to the bytes of storage that are needed. Otherwise enqueues the
/// work in the stream.
template <class Work>
cudaError_t call(void* storage, std::size_t& bytes, cudaStream_t stream, Work work) {
    if (storage == nullptr) {
        bytes = 1;
        return cudabook::emulation::result(cudaSuccess);
    }
    return cudabook::emulation::enqueue(stream, {.type = cudaGraphNodeTypeKernel, .run = std::move(work)});
}

}  // namespace details

/// Two arrays. Current() has the values. A sort reads from Current(), and may write to the other array.
template <class T>
struct DoubleBuffer {
    T* d_buffers[2] = {nullptr, nullptr};
    int selector = 0;

    DoubleBuffer() = default;
    DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}

    T* Current() { return d_buffers[selector]; }
    T* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub
