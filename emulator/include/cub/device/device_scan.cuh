// cub::DeviceScan: prefix sums of an array, one value after another. The output may be the input. Source: CUB
// API Reference, "DeviceScan".
#pragma once

#include <cstddef>

#include "../details/device_call.hpp"

namespace cub {

struct DeviceScan {
    template <class Input, class Output, class Operation, class T, class Count>
    static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, Input input, Output output,
                                     Operation operation, T initial, Count count,
                                     cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            details::Accumulated<Operation, T, Input> sum = initial;
            for (Count i = 0; i < count; ++i) {
                const details::Value<Input> value = input[i];
                output[i] = sum;
                sum = operation(sum, value);
            }
        });
    }
    template <class Input, class Output, class Operation, class Count>
    static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, Input input, Output output,
                                     Operation operation, Count count, cudaStream_t stream = nullptr) {
        return details::call(storage, bytes, stream, [=] {
            if (count <= 0) return;
            details::Accumulated<Operation, details::Value<Input>, Input> sum = details::value_of(input, 0);
            output[0] = sum;
            for (Count i = 1; i < count; ++i) {
                sum = operation(sum, details::value_of(input, i));
                output[i] = sum;
            }
        });
    }
    template <class Input, class Output, class Count>
    static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, Input input, Output output,
                                    Count count, cudaStream_t stream = nullptr) {
        return ExclusiveScan(storage, bytes, input, output, details::Plus(), details::Value<Input>{}, count,
                             stream);
    }
    template <class Input, class Output, class Count>
    static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, Input input, Output output,
                                    Count count, cudaStream_t stream = nullptr) {
        return InclusiveScan(storage, bytes, input, output, details::Plus(), count, stream);
    }
};

}  // namespace cub
