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
#include "common/program/simd.hpp"
#include "common/tensor_core_model/sums.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"

namespace cudabook::matmul {

namespace {

using tensor_cores::Adder;
using Parts = TensorCoreSums::Parts;

constexpr std::size_t tile_depth = 32;          // the elements along k of a kernel's tile
constexpr std::size_t most_instructions = 128;  // what is divided at a time along k: a multiple of all sums
constexpr int block_columns = 64;               // the columns of B that are multiplied together

/// The numbers that stand for an element. `low` is 0 if a kernel takes one number.
struct Element {
    float high;
    float low;
};

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

/// The factors of a row of A, or of some columns of B, in a part of the matrix along k: for each instruction,
/// the high numbers and the low numbers.
template <class Format, int depth, int lines>
struct Operands {
    explicit Operands(std::size_t instructions) : high(instructions), low(instructions) {}
    void set(std::size_t instruction, int k, int line, const Element& element) {
        high[instruction].value[k][line] = element.high;
        low[instruction].value[k][line] = element.low;
    }
    void prepare() {
        for (auto* part : {&high, &low})
            for (auto& factors : *part) factors.prepare();
    }
    std::vector<tensor_cores::Factors<Format, depth, lines>> high;
    std::vector<tensor_cores::Factors<Format, depth, lines>> low;
};

/// Sums of a row of A times some columns of B. The tensor cores add up `products`, and ordinary additions do
/// the rest.
struct Sums {
    float products[block_columns] = {};
    float sums[block_columns] = {};
    void add_up() {
        for (int j = 0; j < block_columns; ++j) sums[j] += products[j];
        std::ranges::fill(products, 0.0F);
    }
};

/// Adds products to the sums of a row. `in_a_sum`: the instructions whose products the tensor cores add up.
template <class Format, int depth>
[[gnu::always_inline]] inline void add_to_row(Sums& row, const Adder& adder, bool two_parts,
                                              std::size_t in_a_sum, const Operands<Format, depth, 1>& a,
                                              const Operands<Format, depth, block_columns>& b) {
    using tensor_cores::ToFloat;
    for (std::size_t i = 0; i < a.high.size(); ++i) {
        if (two_parts) {
            tensor_cores::add_products<ToFloat>(adder, row.products, a.low[i], b.high[i]);
            tensor_cores::add_products<ToFloat>(adder, row.products, a.high[i], b.low[i]);
        }
        tensor_cores::add_products<ToFloat>(adder, row.products, a.high[i], b.high[i]);
        if ((i + 1) % in_a_sum == 0) row.add_up();
    }
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute has none
#define CUDABOOK_LEVEL(name, target)                                                                         \
    template <class Format, int depth>                                                                       \
    target void name(Sums& row, const Adder& adder, bool two_parts, std::size_t in_a_sum,                    \
                     const Operands<Format, depth, 1>& a, const Operands<Format, depth, block_columns>& b) { \
        add_to_row(row, adder, two_parts, in_a_sum, a, b);                                                   \
    }
CUDABOOK_LEVEL(add_portably, )
#ifdef __x86_64__
CUDABOOK_LEVEL(add_by_avx2, CUDABOOK_AVX2)
CUDABOOK_LEVEL(add_by_avx512, CUDABOOK_AVX512)
#endif
// NOLINTEND(bugprone-macro-parentheses)
#undef CUDABOOK_LEVEL

template <class Format, int depth>
auto add_at_this_level() {
#ifdef __x86_64__
    if (simd_level() == SimdLevel::avx512) return add_by_avx512<Format, depth>;
    if (simd_level() == SimdLevel::avx2) return add_by_avx2<Format, depth>;
#endif
    return add_portably<Format, depth>;
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

/// Computes the given rows of C.
template <class Format>
void multiply(std::span<float> c, const Factors& factors, const Rows& rows, const TensorCoreSums& how,
              const Adder& adder) {
    constexpr int depth = Format::share_of_group == 2 ? 8 : 16;
    constexpr std::size_t in_a_tile = tile_depth / depth;
    const std::vector<float>& a = factors.a;
    const std::vector<float>& b = factors.b;
    const std::size_t n = factors.shape.n;
    const std::size_t k = factors.shape.k;
    const std::size_t instructions = (k + tile_depth - 1) / tile_depth * in_a_tile;
    const std::size_t in_a_sum = how.tiles_in_a_sum == 0 ? instructions : how.tiles_in_a_sum * in_a_tile;
    const auto add = add_at_this_level<Format, depth>();
    const Scales scales(factors, how.parts);

    // The place along k of factor i of an instruction.
    const auto place = [by_warpgroups = how.by_warpgroups](std::size_t instruction, std::size_t i) {
        if (by_warpgroups) return instruction * depth + i;
        return instruction / in_a_tile * tile_depth + i % 4 * 8 + i / 4 + 2 * (instruction % in_a_tile);
    };
    // Divides elements of a row or column, from instruction `first` on, into the line of the operands. The
    // function `element` returns an element.
    const auto divide = [&, parts = how.parts](auto& operands, std::size_t first, int line, int exponent,
                                               const auto& element) {
        const float scale = std::ldexp(1.0F, -exponent);
        for (std::size_t instruction = 0; instruction < operands.high.size(); ++instruction)
            for (int i = 0; i < depth; ++i) {
                const std::size_t p = place(first + instruction, static_cast<std::size_t>(i));
                operands.set(instruction, i, line, in_parts(p < k ? element(p) * scale : 0, parts));
            }
    };

    for (std::size_t column = 0; column < n; column += block_columns) {
        const std::size_t width = std::min<std::size_t>(block_columns, n - column);
        std::vector<Sums> sums(rows.size());
        for (std::size_t first = 0; first < instructions; first += most_instructions) {
            const std::size_t count = std::min(most_instructions, instructions - first);
            Operands<Format, depth, block_columns> of_b(count);
            for (std::size_t j = 0; j < block_columns; ++j) {
                const bool inside = j < width;
                divide(of_b, first, static_cast<int>(j), inside ? scales.columns[column + j] : 0,
                       [&](std::size_t p) { return inside ? b[p * n + column + j] : 0; });
            }
            of_b.prepare();
#pragma omp parallel for
            for (std::size_t r = 0; r < rows.size(); ++r) {
                Operands<Format, depth, 1> of_a(count);
                divide(of_a, first, 0, scales.rows[rows[r]],
                       [&](std::size_t p) { return a[rows[r] * k + p]; });
                of_a.prepare();
                add(sums[r], adder, how.parts != Parts::one_tf32, in_a_sum, of_a, of_b);
            }
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            sums[r].add_up();
            for (std::size_t j = 0; j < width; ++j) {
                const int exponent = scales.rows[rows[r]] + scales.columns[column + j];
                const float sum =
                    how.parts == Parts::two_halves ? unscaled(sums[r].sums[j], exponent, k) : sums[r].sums[j];
                c[r * n + column + j] =
                    std::isfinite(sum) ? sum : chain_of_fmas(factors, rows[r], column + j);
            }
        }
    }
}

}  // namespace

std::vector<float> tensor_core_product(const Factors& factors, const TensorCoreSums& how, int capability,
                                       const std::optional<Rows>& rows) {
    const Rows computed = rows ? *rows : spread_rows(factors.shape.m, factors.shape.m);
    std::vector<float> c(computed.size() * factors.shape.n);
    const Adder& adder = tensor_cores::adder_of(capability);
    if (how.parts == Parts::two_halves)
        multiply<tensor_cores::Half>(c, factors, computed, how, adder);
    else
        multiply<tensor_cores::Tf32>(c, factors, computed, how, adder);
    flip_bit_if_asked("reference", std::span(c));
    return c;
}

}  // namespace cudabook::matmul
