// The products of the kernels on tensor cores, computed on the CPU: to the bit, by the model of their sums.
// The division of the factors into parts and the order of the sums are written again here, from the kernels'
// descriptions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "common/program/fault.hpp"
#include "common/tensor_core_model/sums.hpp"
#include "matmul/cpu/tensor_core_rows.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"

namespace cudabook::matmul {

namespace {

using tensor_cores::Adder;
using Parts = TensorCoreSums::Parts;

constexpr std::size_t tile_depth = 32;  // the elements along k of a kernel's tile

// A block of C, and the instructions along k whose factors are made at a time.
constexpr std::size_t block_rows = 256;
constexpr std::size_t most_instructions = 128;

float without_low_bits(std::uint32_t bits) { return std::bit_cast<float>(bits & 0xffffe000U); }

/// Rounds to TF32: to nearest, ties away from zero.
float rounded_to_tf32(float value) {
    return without_low_bits(std::bit_cast<std::uint32_t>(value) + (std::isfinite(value) ? 0x1000U : 0U));
}

/// Rounds a number whose magnitude is at most 2^15 to the nearest half, ties to even.
float rounded_to_half(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::abs(value) < 0x1p-14F) return (value + 0.75F) - 0.75F;  // to a multiple of 2^-24
    return std::isfinite(value) ? without_low_bits(bits + 0xfffU + (bits >> 13U & 1U)) : value;
}

Element in_parts(float whole, Parts parts) {
    if (parts == Parts::two_halves) {
        const float high = rounded_to_half(whole);
        return {high, rounded_to_half(whole - high)};
    }
    const float high = rounded_to_tf32(whole);
    // Tensor cores do not read the low bits of a float.
    return {high,
            parts == Parts::one_tf32 ? 0 : without_low_bits(std::bit_cast<std::uint32_t>(whole - high))};
}

/// The exponents of the powers of two by which the rows of A and the columns of B are divided. Then their
/// largest element is at least 2^14 and less than 2^15, unless it is very small. Without halves, all are 0.
struct Scales {
    Scales(const Factors& factors, Parts parts) : rows(factors.shape.m), columns(factors.shape.n) {
        if (parts != Parts::two_halves) return;
        const auto& [shape, a, b] = factors;
        const auto magnitude = [](float value) { return std::bit_cast<std::uint32_t>(value) & 0x7fffffffU; };
        std::vector<std::uint32_t> largest_of_row(shape.m);
        std::vector<std::uint32_t> largest_of_column(shape.n);
        for (std::size_t i = 0; i < shape.m; ++i)
            for (std::size_t p = 0; p < shape.k; ++p)
                largest_of_row[i] = std::max(largest_of_row[i], magnitude(a[i * shape.k + p]));
        for (std::size_t p = 0; p < shape.k; ++p)
            for (std::size_t j = 0; j < shape.n; ++j)
                largest_of_column[j] = std::max(largest_of_column[j], magnitude(b[p * shape.n + j]));
        const auto exponent = [](std::uint32_t largest) {
            return std::max(static_cast<int>(largest >> 23U) - 127, -100) - 14;
        };
        std::ranges::transform(largest_of_row, rows.begin(), exponent);
        std::ranges::transform(largest_of_column, columns.begin(), exponent);
    }
    std::vector<int> rows;
    std::vector<int> columns;
};

/// Returns the element of C as the kernels that do not use tensor cores compute it.
float chain_of_fmas(const Factors& factors, std::size_t row, std::size_t column) {
    const auto& [shape, a, b] = factors;
    float sum = 0;
    for (std::size_t p = 0; p < shape.k; ++p)
        sum = std::fma(a[row * shape.k + p], b[p * shape.n + column], sum);
    return sum;
}

/// Undoes the scales of a row and a column. Returns NaN if a sum of k products could overflow without the
/// scales.
float unscaled(float sum, int exponent, std::size_t k) {
    if (exponent > 127 - 30 - static_cast<int>(std::bit_width(k)))
        return std::numeric_limits<float>::quiet_NaN();
    return std::ldexp(sum, exponent);
}

/// Computes rows of C, in blocks of some rows and columns.
template <class Format>
class BlockedProduct {
  public:
    BlockedProduct(const Factors& factors, const Rows& rows, const TensorCoreSums& how, const Adder& adder)
        : factors_(factors),
          rows_(rows),
          how_(how),
          adder_(adder),
          scales_(factors, how.parts),
          instructions_((factors.shape.k + tile_depth - 1) / tile_depth * in_a_tile),
          in_a_sum_(how.tiles_in_a_sum == 0 ? instructions_ : how.tiles_in_a_sum * in_a_tile) {}

    void run(std::span<float> c) const {
#pragma omp parallel for collapse(2) schedule(dynamic)
        for (std::size_t row = 0; row < rows_.size(); row += block_rows)
            for (std::size_t column = 0; column < factors_.shape.n; column += block_columns)
                multiply_block(c, row, column);
    }

  private:
    static constexpr int depth = Format::share_of_group == 2 ? 8 : 16;
    static constexpr std::size_t in_a_tile = tile_depth / depth;
    using RowOperands = Operands<Format, depth, 1>;
    using ColumnOperands = Operands<Format, depth, block_columns>;

    /// Returns the place along k of factor i of an instruction.
    [[nodiscard]] std::size_t place(std::size_t instruction, int i) const {
        const auto factor = static_cast<std::size_t>(i);
        if (how_.by_warpgroups) return instruction * depth + factor;
        return instruction / in_a_tile * tile_depth + factor % 4 * 8 + factor / 4 +
               2 * (instruction % in_a_tile);
    }

    void divide_row(RowOperands& to, std::size_t row, std::size_t first) const {
        const std::size_t k = factors_.shape.k;
        const float scale = std::ldexp(1.0F, -scales_.rows[row]);
        for (std::size_t instruction = 0; instruction < to.high.size(); ++instruction)
            for (int i = 0; i < depth; ++i) {
                const std::size_t p = place(first + instruction, i);
                to.set(instruction, i, 0, in_parts(p < k ? factors_.a[row * k + p] * scale : 0, how_.parts));
            }
        to.prepare();
    }

    void divide_columns(ColumnOperands& to, std::size_t column, std::size_t first) const {
        const auto& [m, n, k] = factors_.shape;
        float scale[block_columns] = {};  // 0 beyond B
        const int width = static_cast<int>(std::min<std::size_t>(block_columns, n - column));
        for (int j = 0; j < width; ++j)
            scale[j] = std::ldexp(1.0F, -scales_.columns[column + static_cast<std::size_t>(j)]);
        for (std::size_t instruction = 0; instruction < to.high.size(); ++instruction)
            for (int i = 0; i < depth; ++i) {
                const std::size_t p = place(first + instruction, i);
                const float* from = factors_.b.data() + p * n + column;
                for (int j = 0; j < block_columns; ++j)
                    to.set(instruction, i, j,
                           in_parts(p < k && j < width ? from[j] * scale[j] : 0, how_.parts));
            }
        to.prepare();
    }

    void multiply_block(std::span<float> c, std::size_t first_row, std::size_t column) const {
        const std::size_t rows = std::min(block_rows, rows_.size() - first_row);
        std::vector<Sums> sums(rows);
        for (std::size_t first = 0; first < instructions_; first += most_instructions) {
            const std::size_t count = std::min(most_instructions, instructions_ - first);
            ColumnOperands b(count);
            divide_columns(b, column, first);
            RowOperands a(count);
            for (std::size_t r = 0; r < rows; ++r) {
                divide_row(a, rows_[first_row + r], first);
                add_to_row(sums[r], adder_, how_.parts != Parts::one_tf32, in_a_sum_, first, a, b);
            }
        }
        const std::size_t n = factors_.shape.n;
        for (std::size_t r = 0; r < rows; ++r) {
            sums[r].add_up();
            const std::size_t row = rows_[first_row + r];
            for (std::size_t j = 0; j < std::min<std::size_t>(block_columns, n - column); ++j) {
                float sum = sums[r].sums[j];
                if (how_.parts == Parts::two_halves)
                    sum = unscaled(sum, scales_.rows[row] + scales_.columns[column + j], factors_.shape.k);
                c[(first_row + r) * n + column + j] =
                    std::isfinite(sum) ? sum : chain_of_fmas(factors_, row, column + j);
            }
        }
    }

    const Factors& factors_;
    const Rows& rows_;
    const TensorCoreSums& how_;
    const Adder& adder_;
    Scales scales_;
    std::size_t instructions_;
    std::size_t in_a_sum_;
};

}  // namespace

std::vector<float> tensor_core_product(const Factors& factors, const TensorCoreSums& how, int capability,
                                       const std::optional<Rows>& rows) {
    const Rows computed = rows ? *rows : spread_rows(factors.shape.m, factors.shape.m);
    std::vector<float> c(computed.size() * factors.shape.n);
    const Adder& adder = tensor_cores::adder_of(capability);
    if (how.parts == Parts::two_halves)
        BlockedProduct<tensor_cores::Half>(factors, computed, how, adder).run(c);
    else
        BlockedProduct<tensor_cores::Tf32>(factors, computed, how, adder).run(c);
    flip_bit_if_asked("reference", std::span(c));
    return c;
}

}  // namespace cudabook::matmul
