#include "matmul/cpu/tensor_core_rows.hpp"

#include "common/program/simd_levels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "matmul/cpu/tensor_core_rows.cpp"
#include <hwy/foreach_target.h>  // compiles this file for each SIMD level
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cudabook::matmul {
namespace {
namespace HWY_NAMESPACE {

template <class Row, class Columns>
[[gnu::always_inline]] inline void add(Sums& row, const tensor_cores::Adder& adder, bool two_parts,
                                       std::size_t in_a_sum, std::size_t first, const Row& a,
                                       const Columns& b) {
    using tensor_cores::ToFloat;
    for (std::size_t i = 0; i < a.high.size(); ++i) {
        if (two_parts) {
            tensor_cores::add_products<ToFloat>(adder, row.products, a.low[i], b.high[i]);
            tensor_cores::add_products<ToFloat>(adder, row.products, a.high[i], b.low[i]);
        }
        tensor_cores::add_products<ToFloat>(adder, row.products, a.high[i], b.high[i]);
        if ((first + i + 1) % in_a_sum == 0) row.add_up();
    }
}

void add_halves(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
                std::size_t first, const HalvesOfRow& a, const HalvesOfColumns& b) {
    add(row, adder, two_parts, in_a_sum, first, a, b);
}

void add_tf32(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
              std::size_t first, const Tf32OfRow& a, const Tf32OfColumns& b) {
    add(row, adder, two_parts, in_a_sum, first, a, b);
}

}  // namespace HWY_NAMESPACE
}  // namespace
}  // namespace cudabook::matmul
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudabook::matmul {

namespace {
HWY_EXPORT(add_halves);
HWY_EXPORT(add_tf32);
}  // namespace

void add_to_row(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
                std::size_t first, const HalvesOfRow& a, const HalvesOfColumns& b) {
    HWY_DYNAMIC_DISPATCH(add_halves)(row, adder, two_parts, in_a_sum, first, a, b);
}

void add_to_row(Sums& row, const tensor_cores::Adder& adder, bool two_parts, std::size_t in_a_sum,
                std::size_t first, const Tf32OfRow& a, const Tf32OfColumns& b) {
    HWY_DYNAMIC_DISPATCH(add_tf32)(row, adder, two_parts, in_a_sum, first, a, b);
}

}  // namespace cudabook::matmul
#endif
