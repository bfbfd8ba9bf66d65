// A and B as warpgroups read them from shared memory: cut into tiles of 32 elements along k, each consecutive
// in memory, so that one copy brings it. Zeros stand where a tile reaches beyond the matrix.
#pragma once

#include <cstddef>

#include "common/cuda/launch.cuh"
#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/operands.cuh"
#include "matmul/kernels/pack.cuh"

namespace cudabook::matmul {

/// A strip of A are 8 rows, a strip of B 32 columns, both from one end of k to the other. A block packs one.
constexpr int rows_of_strip = 8;
constexpr int columns_of_strip = 32;

/// Where the packed factors are. A tile has `side` rows of A or columns of B: of each part, for each 16 bytes
/// along k, the 16 bytes of every row or column. These are the core matrices of the PTX ISA.
template <class Operands>
struct PackedTile {
    static constexpr int group_elements = Group<Operands>::elements;
    static constexpr int groups = packed_depth / group_elements;

    __host__ __device__ static constexpr int bytes(int side) { return Operands::parts * groups * side * 16; }

    /// Writes a group of a row or column: `begin` is where the tiles of its rows or columns begin.
    __device__ static void store(unsigned char* begin, int side, int across, std::size_t group,
                                 const Group<Operands>& values) {
        unsigned char* const to =
            begin + group / groups * bytes(side) + (group % groups * side + across) * 16;
#pragma unroll
        for (int p = 0; p < Operands::parts; ++p)
            *reinterpret_cast<typename Group<Operands>::Part*>(to + p * groups * side * 16) = values.part[p];
    }
};

__device__ inline unsigned magnitude(float value) { return __float_as_uint(value) & 0x7fffffffU; }

/// The largest magnitude of eight rows; the first lane of each warp has that of its row.
__device__ inline unsigned largest_of_row(const float* a, std::size_t k) {
    unsigned largest = 0;
#pragma unroll 8
    for (std::size_t i = threadIdx.x % 32; i < k; i += 32) largest = max(largest, magnitude(a[i]));
    return __reduce_max_sync(~0U, largest);
}

/// One launch packs both factors: its first blocks strips of A, the others strips of B. `packed_b` has tiles
/// of `width` columns. scales: exponent_of_scale() of each row of A, and of each column of B.
template <class Operands>
__global__ void __launch_bounds__(pack_threads)
    pack_tiles_kernel(unsigned char* packed_a, unsigned char* packed_b, int width, int* a_scales,
                      int* b_scales, const float* a, const float* b, std::size_t m, std::size_t n,
                      std::size_t k) {
    await_previous_launch();
    using P = PackedTile<Operands>;
    constexpr int elements = P::group_elements;
    __shared__ unsigned largest[columns_of_strip];
    const std::size_t tiles_along = (k + packed_depth - 1) / packed_depth;
    const std::size_t groups = tiles_along * P::groups;
    const auto a_strips =
        static_cast<unsigned>((m + packed_side - 1) / packed_side * (packed_side / rows_of_strip));
    const int thread = static_cast<int>(threadIdx.x);
    float scale = 1;

    if (blockIdx.x < a_strips) {
        const std::size_t first = std::size_t{blockIdx.x} * rows_of_strip;
        const std::size_t row = first + thread % rows_of_strip;
        if (Operands::scaled) {
            const std::size_t of_warp = first + thread / 32;
            const unsigned found = of_warp < m ? largest_of_row(a + of_warp * k, k) : 0;
            if (thread % 32 == 0) largest[thread / 32] = found;
            __syncthreads();
            const int exponent = exponent_of_scale(largest[thread % rows_of_strip]);
            scale = power_of_two(-exponent);
            if (thread < rows_of_strip && row < m) a_scales[row] = exponent;
        }
        unsigned char* const to = packed_a + first / packed_side * tiles_along * P::bytes(packed_side);
        const float* const from = a + min(row, m - 1) * k;
        for (std::size_t group = thread / rows_of_strip; group < groups;
             group += pack_threads / rows_of_strip) {
            float values[elements];
#pragma unroll
            for (int i = 0; i < elements; i += 4) {
                const float4 four = load_four_padded(from, group * elements + i, row < m ? k : 0, 0);
                values[i] = four.x;
                values[i + 1] = four.y;
                values[i + 2] = four.z;
                values[i + 3] = four.w;
            }
            P::store(to, packed_side, static_cast<int>(row % packed_side), group,
                     Group<Operands>(values, scale));
        }
    } else {
        const std::size_t first = std::size_t{blockIdx.x - a_strips} * columns_of_strip;
        const std::size_t column = first + thread % columns_of_strip;
        constexpr int rows_at_once = pack_threads / columns_of_strip;
        if (Operands::scaled) {
            if (thread < columns_of_strip) largest[thread] = 0;
            __syncthreads();
            unsigned found = 0;
            if (column < n)
#pragma unroll 8
                for (std::size_t row = thread / columns_of_strip; row < k; row += rows_at_once)
                    found = max(found, magnitude(b[row * n + column]));
            atomicMax(&largest[thread % columns_of_strip], found);
            __syncthreads();
            const int exponent = exponent_of_scale(largest[thread % columns_of_strip]);
            scale = power_of_two(-exponent);
            if (thread < columns_of_strip && column < n) b_scales[column] = exponent;
        }
        unsigned char* const to = packed_b + first / width * tiles_along * P::bytes(width);
        for (std::size_t group = thread / columns_of_strip; group < groups; group += rows_at_once) {
            float values[elements];
#pragma unroll
            for (int i = 0; i < elements; ++i) {
                const std::size_t row = group * elements + i;
                values[i] = column < n && row < k ? b[row * n + column] : 0.0F;
            }
            P::store(to, width, static_cast<int>(column % width), group, Group<Operands>(values, scale));
        }
    }
}

}  // namespace cudabook::matmul
