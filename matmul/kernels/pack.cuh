// Packs A and B for the tensor cores, in tiles of 128×32 elements. A tile is consecutive in memory, and its
// elements are in the order in which a kernel reads them. Tiles are padded with zeros beyond the matrix.
#pragma once

#include <cstddef>

#include "common/cuda/ptx/tf32.cuh"

namespace cudabook::matmul {

constexpr int packed_side = 128;  // the rows of A, or columns of B, in a tile
constexpr int packed_depth = 32;  // the elements along k in a tile; they are multiplied in 4 steps of 8
constexpr int packed_floats = packed_side * packed_depth;
constexpr int pack_threads = 256;

// The 32 products of a sum may be added in any order. So lane l of a warp reads eight consecutive columns of
// a row of A, from column 8 (l % 4) on. Step d, from 0 to 3, uses columns 2d and 2d + 1 of these eight
// columns: position p < 4 of step d is column 8p + 2d, and position p + 4 is column 8p + 2d + 1.

/// Packs A into tiles, in the order in which the instruction m16n8k8 reads A. A tile has 8 groups of 16 rows.
/// A group has 4 steps, and a step has 4 elements for every lane. A block packs one tile; the tiles of a row
/// of tiles are consecutive.
__global__ static void __launch_bounds__(pack_threads)
    pack_a_kernel(float4* packed, const float* a, std::size_t m, std::size_t k) {
    const std::size_t tiles_along = (k + packed_depth - 1) / packed_depth;
    const std::size_t tile_row = blockIdx.x / tiles_along * packed_side;
    const std::size_t tile_column = blockIdx.x % tiles_along * packed_depth;
    float4* tile = packed + std::size_t{blockIdx.x} * (packed_floats / 4);
#pragma unroll
    for (int first = 0; first < packed_floats / 4; first += pack_threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        const int lane = i % 32;
        const std::size_t row = tile_row + i / 128 * 16 + lane / 4;
        const std::size_t column = tile_column + lane % 4 * 8 + i / 32 % 4 * 2;
        const auto at = [&](std::size_t down, std::size_t along) {
            return row + down < m && column + along < k ? a[(row + down) * k + column + along] : 0.0F;
        };
        tile[i] = {at(0, 0), at(8, 0), at(0, 1), at(8, 1)};
    }
}

/// Packs B into tiles. A tile has 8 half steps. A half step has 128 columns of 4 elements, which are the core
/// matrices of the PTX ISA. With `parts` = 2, a tile of the elements rounded to TF32 is followed by a tile of
/// the remainders. A block packs one tile; the tiles of a column of tiles are consecutive.
template <int parts>
__global__ void __launch_bounds__(pack_threads)
    pack_b_kernel(float4* packed, const float* b, std::size_t n, std::size_t k) {
    const std::size_t tiles_along = (k + packed_depth - 1) / packed_depth;
    const std::size_t tile_column = blockIdx.x / tiles_along * packed_side;
    const std::size_t tile_row = blockIdx.x % tiles_along * packed_depth;
    float4* tile = packed + std::size_t{blockIdx.x} * (parts * packed_floats / 4);
#pragma unroll
    for (int first = 0; first < packed_floats / 4; first += pack_threads) {
        const int i = first + static_cast<int>(threadIdx.x);
        const std::size_t column = tile_column + i % packed_side;
        const std::size_t row = tile_row + i / packed_side;
        const auto at = [&](std::size_t down) {
            return column < n && row + down < k ? b[(row + down) * n + column] : 0.0F;
        };
        const float4 whole{at(0), at(8), at(16), at(24)};
        const float4 high{ptx::to_tf32(whole.x), ptx::to_tf32(whole.y), ptx::to_tf32(whole.z),
                          ptx::to_tf32(whole.w)};
        tile[i] = high;
        if (parts == 2)
            tile[i + packed_floats / 4] = {whole.x - high.x, whole.y - high.y, whole.z - high.z,
                                           whole.w - high.w};
    }
}

}  // namespace cudabook::matmul
