#include "matmul/cpu/blocked.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "common/program/fault.hpp"

namespace cudabook::matmul {

namespace {

/// The greatest width of a part of C and of a block of B. A block of this width takes half a megabyte.
constexpr Index part_width = 512;

/// A thread's copies of parts of the matrices. The elements of a copy lie close together and begin at a
/// cache line.
struct Copies {
    alignas(64) std::array<float, most_rows * copied_row> rows_of_a;
    alignas(64) std::array<float, block_depth * part_width> block_of_b;
    alignas(64) std::array<float, most_rows * most_columns> tile_of_c;
};

/// Returns the copies of all threads. Their memory is kept for the next product, because allocating it
/// again would take longer than the copying.
Copies* copies_of_threads() {
    thread_local std::unique_ptr<Copies[]> copies;
    thread_local std::size_t size = 0;
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    if (size < threads) {
        copies = std::make_unique_for_overwrite<Copies[]>(threads);
        size = threads;
    }
    return copies.get();
}

void copy_rows(float* to, Index to_stride, const float* from, Index from_stride, Index rows, Index width) {
    for (Index i = 0; i < rows; ++i) std::copy_n(from + i * from_stride, width, to + i * to_stride);
}

/// The number of rows of the next tile, at most `most`, where `left` rows remain. All tiles get about the
/// same height, because a low tile does not keep the processor busy.
Index even_share(Index left, Index most) {
    const Index tiles = (left + most - 1) / most;
    return (left + tiles - 1) / tiles;
}

/// A part of C, m × n, and the rows of A and columns of B that it is computed from. The rows of A are k
/// elements apart, and the rows of B and C are `stride` elements apart.
struct Part {
    float* c;
    const float* a;
    const float* b;
    Index m;
    Index n;
    Index k;
    Index stride;
};

// A block of B stays in the L2 cache, a tile's rows of A stay in the L1 cache, and the tile of C stays in
// registers.
void multiply_part(const Part& part, const SimdLoops& simd, Copies& copies) {
    auto& [rows_of_a, block_of_b, tile_of_c] = copies;
    for (Index begin = 0; begin < part.k; begin += block_depth) {
        const Index depth = std::min(block_depth, part.k - begin);
        simd.copy_strips(block_of_b.data(), part.b + begin * part.stride, part.stride, depth, part.n);
        for (Index i = 0, height = 0; i < part.m; i += height) {
            height = even_share(part.m - i, simd.rows);
            copy_rows(rows_of_a.data(), copied_row, part.a + i * part.k + begin, part.k, height, depth);
            for (Index next = i + height; next < std::min(i + 2 * height, part.m); ++next)
                prefetch_row(part.a + next * part.k + begin, depth);
            AddTile* const add_tile = simd.add_tile[height - 1];
            for (Index j = 0; j < part.n; j += simd.columns) {
                float* const c = part.c + i * part.stride + j;
                const float* const strip = block_of_b.data() + j * depth;
                const Index width = std::min<Index>(simd.columns, part.n - j);
                if (width == simd.columns) {
                    add_tile(c, part.stride, rows_of_a.data(), strip, depth, begin == 0);
                    continue;
                }
                copy_rows(tile_of_c.data(), simd.columns, c, part.stride, height, width);
                add_tile(tile_of_c.data(), simd.columns, rows_of_a.data(), strip, depth, begin == 0);
                copy_rows(c, part.stride, tile_of_c.data(), simd.columns, height, width);
            }
        }
    }
}

/// The number of rows of a part. Each thread gets about four parts, so that all threads end nearly
/// together. It gets fewer if a part would have fewer than 256 rows, because copying a block of B takes as
/// long as computing two rows of a part.
Index part_height(Index m, Index n, Index tile_rows) {
    const Index of_a_thread = m * ((n + part_width - 1) / part_width) / omp_get_max_threads();
    const Index rows = std::max({of_a_thread / 4, std::min<Index>(of_a_thread, 256), Index{64}});
    return (rows + tile_rows - 1) / tile_rows * tile_rows;
}

}  // namespace

std::size_t bytes_of_copies() { return static_cast<std::size_t>(omp_get_max_threads()) * sizeof(Copies); }

void multiply_by_blocks(std::vector<float>& c, const GemmShape& shape, const float* a, const float* b,
                        const SimdLoops& simd) {
    const auto m = static_cast<Index>(shape.m);
    const auto n = static_cast<Index>(shape.n);
    const auto k = static_cast<Index>(shape.k);
    const Index height = part_height(m, n, simd.rows);
    Copies* const copies = copies_of_threads();
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (Index left = 0; left < n; left += part_width)
        for (Index top = 0; top < m; top += height)
            multiply_part({c.data() + top * n + left, a + top * k, b + left, std::min(height, m - top),
                           std::min(part_width, n - left), k, n},
                          simd, copies[omp_get_thread_num()]);
    flip_bit_if_asked("blocked", std::span(c));
}

}  // namespace cudabook::matmul
