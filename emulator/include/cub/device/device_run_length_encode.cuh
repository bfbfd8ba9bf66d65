// cub::DeviceRunLengthEncode: finds runs of equal values. Source: CUB API Reference, "DeviceRunLengthEncode".
#pragma once

#include <cstddef>

#include "../details/device_call.hpp"

namespace cub {

struct DeviceRunLengthEncode {
    template <class Input, class Unique, class Lengths, class Runs, class Count>
    static cudaError_t Encode(void* storage, std::size_t& bytes, Input input, Unique unique, Lengths lengths,
                              Runs runs, Count count, cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            Count found = 0;
            for (Count i = 0; i < count; ++found) {
                const Count first = i;
                const details::Value<Input> value = input[i];
                while (i < count && details::value_of(input, i) == value) ++i;
                unique[found] = value;
                lengths[found] = i - first;
            }
            *runs = found;
        });
    }
};

}  // namespace cub
