// The products of a row of A and some columns of B on tensor cores, computed on the CPU at the widest SIMD
// level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "common/tensor_core_model/sums.hpp"

namespace cudabook::matmul {

inline constexpr int block_columns = 64;  ///< the columns of B

/// The numbers that stand for an element. `low` is 0 if a kernel takes one number.
struct Element {
    float high;
    float low;
};

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

using HalvesOfRow = Operands<tensor_cores::Half, 16, 1>;
using HalvesOfColumns = Operands<tensor_cores::Half, 16, block_columns>;
using Tf32OfRow = Operands<tensor_cores::Tf32, 8, 1>;
using Tf32OfColumns = Operands<tensor_cores::Tf32, 8, block_columns>;

/// Adds products to the sums of a row, from instruction `first` on. `in_a_sum`: the instructions whose
/// products the tensor cores add up.
void add_to_row(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
                std::size_t first, const HalvesOfRow& a, const HalvesOfColumns& b);
void add_to_row(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
                std::size_t first, const Tf32OfRow& a, const Tf32OfColumns& b);

}  // namespace cudabook::matmul
