// Loads and stores of four floats at once, which are 16 bytes.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstddef>

namespace cudabook::matmul {

/// Reads four floats in one load; `from` is aligned to 16 bytes.
__device__ inline void load_four(float* to, const float* from) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
}

/// Reads elements `column` to `column` + 3 of a row of `columns` elements, in one load if they are aligned
/// and inside the row. An element beyond the row's end is `padding`.
__device__ inline float4 load_four_padded(const float* row, std::size_t column, std::size_t columns,
                                          float padding) {
    const float* from = row + column;
    if (column + 4 <= columns && reinterpret_cast<std::size_t>(from) % sizeof(float4) == 0)
        return *reinterpret_cast<const float4*>(from);
    const auto at = [&](std::size_t i) { return column + i < columns ? from[i] : padding; };
    return {at(0), at(1), at(2), at(3)};
}

/// Copies elements `column` to `column` + 3 of a row to shared memory, asynchronously. Beyond the row's end,
/// writes `padding`. `aligned` means that rows are aligned and columns % 4 == 0, so that one copy suffices.
template <bool aligned>
__device__ void copy_four_padded(float* to, const float* row, std::size_t column, std::size_t columns,
                                 float padding) {
    if (aligned && column < columns) {
        __pipeline_memcpy_async(to, row + column, sizeof(float4));
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (!aligned && column + i < columns)
            __pipeline_memcpy_async(to + i, row + column + i, sizeof(float));
        else
            to[i] = padding;
}

/// Writes elements `column` to `column` + 3 of a row of `columns` elements, in four stores. Writes nothing
/// beyond the row's end.
__device__ inline void store_each(float* row, std::size_t column, std::size_t columns, float4 values) {
    const float each[] = {values.x, values.y, values.z, values.w};
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (column + i < columns) row[column + i] = each[i];
}

/// As store_each(), but in one store if the elements are aligned and inside the row.
__device__ inline void store_four(float* row, std::size_t column, std::size_t columns, float4 values) {
    float* to = row + column;
    if (column + 4 <= columns && reinterpret_cast<std::size_t>(to) % sizeof(float4) == 0)
        *reinterpret_cast<float4*>(to) = values;
    else
        store_each(row, column, columns, values);
}

}  // namespace cudabook::matmul
