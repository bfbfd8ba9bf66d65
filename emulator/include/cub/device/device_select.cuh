// cub::DeviceSelect: copies selected elements, in their order. Source: CUB API Reference, "DeviceSelect".
#pragma once

#include <cstddef>

#include "../details/device_call.hpp"

namespace cub {

struct DeviceSelect {
    template <class Input, class Flags, class Output, class Selected, class Count>
    static cudaError_t Flagged(void* storage, std::size_t& bytes, Input input, Flags flags, Output output,
                               Selected selected, Count count, cudaStream_t stream = nullptr) {
        return copy(storage, bytes, input, output, selected, count, stream,
                    [=](Count i) { return static_cast<bool>(flags[i]); });
    }
    template <class Input, class Output, class Selected, class Count, class Condition>
    static cudaError_t If(void* storage, std::size_t& bytes, Input input, Output output, Selected selected,
                          Count count, Condition condition, cudaStream_t stream = nullptr) {
        return copy(storage, bytes, input, output, selected, count, stream,
                    [=](Count i) { return static_cast<bool>(condition(details::value_of(input, i))); });
    }
    /// Copies the first value of each run of equal values.
    template <class Input, class Output, class Selected, class Count>
    static cudaError_t Unique(void* storage, std::size_t& bytes, Input input, Output output,
                              Selected selected, Count count, cudaStream_t stream = nullptr) {
        return copy(storage, bytes, input, output, selected, count, stream, [=](Count i) {
            return i == 0 || !(details::value_of(input, i - 1) == details::value_of(input, i));
        });
    }

  private:
    template <class Input, class Output, class Selected, class Count, class IsSelected>
    static cudaError_t copy(void* storage, std::size_t& bytes, Input input, Output output, Selected selected,
                            Count count, cudaStream_t stream, IsSelected is_selected) {
        return details::call(storage, bytes, stream, [=] {
            Count found = 0;
            for (Count i = 0; i < count; ++i)
                if (is_selected(i)) output[found++] = details::value_of(input, i);
            *selected = found;
        });
    }
};

}  // namespace cub
