// Packs A and B for the warpgroups, in tiles of 32 elements along k. A tile is consecutive in memory, so that
// one copy brings the whole tile to shared memory. Tiles are padded with zeros beyond the matrix.
#pragma once

#include <cstddef>

#include "common/cuda/previous_launch.cuh"
#include "matmul/kernels/four_floats.cuh"
#include "matmul/kernels/operands.cuh"
#include "matmul/kernels/pack.cuh"

namespace cudabook::matmul {

/// A strip of A has 8 rows; a strip of B has 32 columns.
constexpr int rows_of_strip = 8;
constexpr int columns_of_strip = 32;

/// The chunks of the strips. Each strip is cut along k into chunks, so that there are enough blocks: a block
/// packs one chunk.
struct Chunks {
    unsigned strips;     // the strips of A and of B
    unsigned count;      // the chunks of a strip, at most 32
    std::size_t length;  // the length of a chunk along k, a multiple of packed_depth
};

/// Up to this k, each block finds the largest magnitudes in its strip by itself, without a launch of
/// maxima_kernel.
constexpr std::size_t depth_without_maxima = 512;

/// The layout of the packed factors. A tile has `side` rows of A or columns of B. Its groups of 16 bytes are
/// ordered by part, then by their place along k, then by row or column. The groups form the core matrices of
/// the PTX ISA.
template <class Operands>
struct PackedTile {
    static constexpr int group_elements = Group<Operands>::elements;
    static constexpr int groups = packed_depth / group_elements;

    __host__ __device__ static constexpr int bytes(int side) { return Operands::parts * groups * side * 16; }

    /// Writes a group of a row of A or column of B. `begin`: the start of the tiles with this row or column.
    /// `across`: the place of the row or column in its tile.
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

/// The chunk that a block packs.
struct Chunk {
    bool of_a;
    unsigned number;
    std::size_t first;  // the first row of A, or column of B
    std::size_t begin;  // the begin and end along k
    std::size_t end;
};

/// The chunk that block number `block` packs. The blocks first pack chunk 0 of every strip of A, then chunk 0
/// of every strip of B, then chunk 1 of every strip of A, and so on.
__device__ inline Chunk chunk_of_block(unsigned block, std::size_t m, const Chunks& chunks) {
    const auto a_strips =
        static_cast<unsigned>((m + packed_side - 1) / packed_side * (packed_side / rows_of_strip));
    const unsigned strip = block % chunks.strips;
    const unsigned number = block / chunks.strips;
    const bool of_a = strip < a_strips;
    return {of_a, number,
            of_a ? std::size_t{strip} * rows_of_strip : std::size_t{strip - a_strips} * columns_of_strip,
            number * chunks.length, (number + 1) * chunks.length};
}

/// Finds the largest magnitude of each row of A, or column of B, in a strip, from `begin` to `end` along k.
/// Returns the result for this thread's row or column, as bits. All threads of a block must call this.
__device__ inline unsigned largest_of_strip(const Chunk& chunk, std::size_t begin, std::size_t end,
                                            const float* a, const float* b, std::size_t m, std::size_t n,
                                            std::size_t k) {
    __shared__ unsigned largest[columns_of_strip];
    const int thread = static_cast<int>(threadIdx.x);
    const int lane = thread % 32;
    const int warp = thread / 32;
    if (warp == 0) largest[lane] = 0;
    __syncthreads();
    unsigned found = 0;
    if (chunk.of_a) {  // a warp for each row
        const std::size_t row = chunk.first + warp;
        if (row < m)
#pragma unroll 8
            for (std::size_t i = begin + lane; i < end; i += 32)
                found = max(found, magnitude(a[row * k + i]));
#if __CUDA_ARCH__ >= 800  // the calling kernels are compiled for all GPUs, but run only from 8.0 on
        found = __reduce_max_sync(~0U, found);
#endif
        if (lane == 0) largest[warp] = found;
    } else {  // a lane for each column
        const std::size_t column = chunk.first + lane;
        if (column < n)
#pragma unroll 32
            for (std::size_t i = begin + warp; i < end; i += pack_threads / 32)
                found = max(found, magnitude(b[i * n + column]));
        atomicMax(&largest[lane], found);
    }
    __syncthreads();
    return largest[thread % (chunk.of_a ? rows_of_strip : columns_of_strip)];
}

/// Writes to `maxima`, for each chunk along k, the largest magnitudes in the rows of A and then in the
/// columns of B, as bits.
__global__ static void __launch_bounds__(pack_threads)
    maxima_kernel(unsigned* maxima, const float* a, const float* b, std::size_t m, std::size_t n,
                  std::size_t k, Chunks chunks) {
    await_previous_launch();
    const Chunk chunk = chunk_of_block(blockIdx.x, m, chunks);
    const unsigned largest = largest_of_strip(chunk, chunk.begin, min(chunk.end, k), a, b, m, n, k);
    const unsigned across = threadIdx.x;
    if (chunk.of_a ? across < rows_of_strip && chunk.first + across < m
                   : across < columns_of_strip && chunk.first + across < n)
        maxima[chunk.number * (m + n) + (chunk.of_a ? 0 : m) + chunk.first + across] = largest;
}

/// Packs both factors. `packed_b` has tiles of `width` columns. If the operands are scaled, `scales` receives
/// exponent_of_scale() of each row of A, and then of each column of B.
template <class Operands>
__global__ void __launch_bounds__(pack_threads)
    pack_tiles_kernel(unsigned char* packed_a, unsigned char* packed_b, int width, int* scales,
                      const unsigned* maxima, const float* a, const float* b, std::size_t m, std::size_t n,
                      std::size_t k, Chunks chunks) {
    await_previous_launch();
    using P = PackedTile<Operands>;
    constexpr int elements = P::group_elements;
    const Chunk chunk = chunk_of_block(blockIdx.x, m, chunks);
    const std::size_t tiles_along = (k + packed_depth - 1) / packed_depth;
    const std::size_t end = min(chunk.end / elements, tiles_along * P::groups);
    const int thread = static_cast<int>(threadIdx.x);
    const int strip_side = chunk.of_a ? rows_of_strip : columns_of_strip;
    const std::size_t across = chunk.first + thread % strip_side;
    const bool inside = across < (chunk.of_a ? m : n);

    float scale = 1;
    if (Operands::scaled) {
        const std::size_t place = (chunk.of_a ? 0 : m) + across;
        unsigned largest = 0;
        if (k <= depth_without_maxima)
            largest = largest_of_strip(chunk, 0, k, a, b, m, n, k);
        else if (inside)
            for (unsigned i = 0; i < chunks.count; ++i) largest = max(largest, maxima[i * (m + n) + place]);
        const int exponent = exponent_of_scale(largest);
        scale = power_of_two(-exponent);
        if (chunk.number == 0 && thread < strip_side && inside) scales[place] = exponent;
    }
    if (chunk.of_a) {
        unsigned char* const to = packed_a + chunk.first / packed_side * tiles_along * P::bytes(packed_side);
        const float* const from = a + min(across, m - 1) * k;
        for (std::size_t group = chunk.begin / elements + thread / rows_of_strip; group < end;
             group += pack_threads / rows_of_strip) {
            float values[elements];
#pragma unroll
            for (int i = 0; i < elements; i += 4) {
                const float4 four = load_four_padded(from, group * elements + i, inside ? k : 0, 0);
                values[i] = four.x;
                values[i + 1] = four.y;
                values[i + 2] = four.z;
                values[i + 3] = four.w;
            }
            P::store(to, packed_side, static_cast<int>(across % packed_side), group,
                     Group<Operands>(values, scale));
        }
    } else {
        unsigned char* const to = packed_b + chunk.first / width * tiles_along * P::bytes(width);
#pragma unroll 4
        for (std::size_t group = chunk.begin / elements + thread / columns_of_strip; group < end;
             group += pack_threads / columns_of_strip) {
            float values[elements];
#pragma unroll
            for (int i = 0; i < elements; ++i) {
                const std::size_t row = group * elements + i;
                values[i] = inside && row < k ? b[row * n + across] : 0.0F;
            }
            P::store(to, width, static_cast<int>(across % width), group, Group<Operands>(values, scale));
        }
    }
}

}  // namespace cudabook::matmul
