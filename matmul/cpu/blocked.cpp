#include "matmul/cpu/blocked.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "common/program/fault.hpp"

namespace cudabook::matmul {

namespace {

/// Part of a matrix, cut into strips of `width` rows (or columns). A strip has its `width` elements of each
/// step along k consecutive; the last strip is filled up with zeros.
class Strips {
  public:
    Strips(Index width, Index size, Index depth)
        : width_(width),
          size_(size),
          elements_(static_cast<std::size_t>((size + width - 1) / width * width * depth)) {}

    /// The element of step p in row (or column) i is from[p * step_stride + i * stride]; one of the strides
    /// is 1.
    void fill(Index depth, const float* from, Index step_stride, Index stride) {
        depth_ = depth;
#pragma omp parallel for
        for (Index strip = 0; strip < count(); ++strip) {
            float* to = elements_.data() + strip * width_ * depth;
            const float* first = from + strip * width_ * stride;
            const Index there = std::min(width_, size_ - strip * width_);
            if (there < width_) std::fill_n(to, width_ * depth, 0.0F);
            if (stride == 1)
                for (Index p = 0; p < depth; ++p)
                    std::copy_n(first + p * step_stride, there, to + p * width_);
            else
                for (Index i = 0; i < there; ++i)
                    for (Index p = 0; p < depth; ++p) to[p * width_ + i] = first[i * stride + p];
        }
    }
    [[nodiscard]] Index count() const { return (size_ + width_ - 1) / width_; }
    [[nodiscard]] const float* strip(Index i) const { return elements_.data() + i * width_ * depth_; }

  private:
    Index width_;
    Index size_;
    Index depth_ = 0;
    std::vector<float> elements_;
};

/// One tile of C at a row and a column. A tile that reaches beyond C's edges is made in a buffer.
void add_tile_at(float* c, Index m, Index n, Index row, Index column, const SimdLoops& simd, const float* a,
                 const float* b, Index depth) {
    if (row + simd.rows <= m && column + simd.columns <= n)
        return simd.add_tile(c + row * n + column, n, a, b, depth);
    std::array<float, largest_tile> buffer{};
    const Index height = std::min<Index>(simd.rows, m - row);
    const Index width = std::min<Index>(simd.columns, n - column);
    for (Index i = 0; i < height; ++i)
        std::copy_n(c + (row + i) * n + column, width, buffer.data() + i * simd.columns);
    simd.add_tile(buffer.data(), simd.columns, a, b, depth);
    for (Index i = 0; i < height; ++i)
        std::copy_n(buffer.data() + i * simd.columns, width, c + (row + i) * n + column);
}

}  // namespace

// A part of B stays in the last-level cache, strips of A in the second, a strip of B in the first, and a tile
// of C in the registers.
void multiply_by_blocks(std::vector<float>& c, const Shape& shape, const float* a, const float* b,
                        const SimdLoops& simd) {
    const auto m = static_cast<Index>(shape.m);
    const auto n = static_cast<Index>(shape.n);
    const auto k = static_cast<Index>(shape.k);
    constexpr Index depth = blocked_depth;
    constexpr Index columns = 4096;
    constexpr Index strips_of_a = 8;  // of a task
    constexpr Index strips_of_b = 16;
    std::ranges::fill(c, 0.0F);
    Strips a_strips(simd.rows, m, std::min(depth, k));
    for (Index column = 0; column < n; column += columns) {
        const Index width = std::min(columns, n - column);
        Strips b_strips(simd.columns, width, std::min(depth, k));
        for (Index begin = 0; begin < k; begin += depth) {
            const Index deep = std::min(depth, k - begin);
            a_strips.fill(deep, a + begin, 1, k);
            b_strips.fill(deep, b + begin * n + column, n, 1);
#pragma omp parallel for collapse(2) schedule(dynamic)
            for (Index i_task = 0; i_task < a_strips.count(); i_task += strips_of_a)
                for (Index j_task = 0; j_task < b_strips.count(); j_task += strips_of_b)
                    for (Index j = j_task; j < std::min(j_task + strips_of_b, b_strips.count()); ++j)
                        for (Index i = i_task; i < std::min(i_task + strips_of_a, a_strips.count()); ++i)
                            add_tile_at(c.data(), m, n, i * simd.rows, column + j * simd.columns, simd,
                                        a_strips.strip(i), b_strips.strip(j), deep);
        }
    }
    flip_bit_if_asked("blocked", std::span(c));
}

}  // namespace cudabook::matmul
