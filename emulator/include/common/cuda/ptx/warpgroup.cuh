// common/cuda/ptx/warpgroup.cuh for the emulated GPU. Each warp of a warpgroup computes its rows when all
// its lanes have called the function, without waiting for the other warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/textures/conversions.hpp"

namespace cudabook::ptx {

/// Returns the descriptor of a matrix. Its layout differs from a GPU's descriptor. But as on a GPU, the low
/// bits are the address in units of 16 bytes, so that one may add to the address. The bits above are the
/// distances, in the same unit.
inline std::uint64_t describe(const void* shared, std::uint64_t depth_bytes, std::uint64_t side_bytes) {
    if (reinterpret_cast<std::uint64_t>(shared) % 16 != 0 || depth_bytes >= 1U << 14 ||
        side_bytes >= 1U << 14)
        emulation::fail_kernel("a matrix of wgmma that the emulated GPU cannot describe");
    return reinterpret_cast<std::uint64_t>(shared) >> 4 | depth_bytes >> 4 << 44 | side_bytes >> 4 << 54;
}

template <int registers>
void shrink_to() {}
template <int registers>
void grow_to() {}

inline void begin_products() {}
inline void end_products() {}
inline void await_products() {}
inline void await_products_before_last() {}

namespace detail {

/// A lane's operands.
struct WarpgroupProduct {
    float* d;
    std::uint64_t a;
    std::uint64_t b;
    bool add;
};

/// A matrix in shared memory: two core matrices along k, each of 8 rows or columns of 16 bytes.
struct DescribedMatrix {
    explicit DescribedMatrix(std::uint64_t descriptor)
        : begin(reinterpret_cast<const unsigned char*>((descriptor & ((std::uint64_t{1} << 44) - 1)) << 4)),
          depth_bytes((descriptor >> 44 & 0x3ff) << 4),
          side_bytes((descriptor >> 54) << 4) {}
    [[nodiscard]] const unsigned char* core(unsigned k, unsigned side) const {
        return begin + k * depth_bytes + side * side_bytes;
    }

    const unsigned char* begin;
    std::size_t depth_bytes;
    std::size_t side_bytes;
};

inline double number(float element) { return emulation::tf32_bits(element); }
inline double number(std::uint16_t half) { return emulation::half_value(half); }

/// Reads the elements with all k of one row of A or column of B, whose number is `across`.
template <class Element, unsigned depth>
void read_along_k(double (&to)[depth], const DescribedMatrix& matrix, unsigned across) {
    constexpr unsigned of_core = depth / 2;
    for (unsigned k = 0; k < depth; ++k)
        to[k] = number(reinterpret_cast<const Element*>(matrix.core(k / of_core, across / 8) +
                                                        across % 8 * 16)[k % of_core]);
}

template <class Element, unsigned columns>
void multiply_for_warp(emulation::Exchange& warp) {
    if (warp.lanes != ~0U) {
        emulation::refuse(warp.refused, "wgmma in a warp of less than 32 threads");
        return;
    }
    const auto brought = [&](unsigned lane) -> const WarpgroupProduct& {
        return emulation::brought_by<const WarpgroupProduct>(lane, warp);
    };
    constexpr unsigned depth = 32 / sizeof(Element);
    const DescribedMatrix of_a(brought(0).a);
    const DescribedMatrix of_b(brought(0).b);
    const unsigned first_row = emulation::thread_number() / 32 % 4 * 16;
    double a[16][depth];
    for (unsigned row = 0; row < 16; ++row) read_along_k<Element>(a[row], of_a, first_row + row);
    for (unsigned n = 0; n < columns; ++n) {
        double b[depth];
        read_along_k<Element>(b, of_b, n);
        for (unsigned row = 0; row < 16; ++row) {
            double products = 0;
            for (unsigned k = 0; k < depth; ++k) products += a[row][k] * b[k];
            const WarpgroupProduct& of = brought(row % 8 * 4 + n % 8 / 2);
            float& sum = of.d[n / 8 * 4 + row / 8 * 2 + n % 2];
            sum = emulation::truncated_to_float(of.add ? sum + products : products);
        }
    }
}

}  // namespace detail

/// Multiplies like wgmma, with the accuracy of multiply_16x8x8() in mma.cuh.
template <class Element, std::size_t floats>
void multiply(float (&d)[floats], std::uint64_t a, std::uint64_t b, bool add) {
    const unsigned thread = emulation::thread_number();
    if (thread % 32 == 0)  // one lane notes the reads of the whole warp
        for (unsigned k = 0; k < 2; ++k) {
            for (unsigned n = 0; n < floats / 4; ++n)
                emulation::see_read(detail::DescribedMatrix(b).core(k, n), 128);
            for (unsigned row = 0; row < 2; ++row)
                emulation::see_read(detail::DescribedMatrix(a).core(k, thread / 32 % 4 * 2 + row), 128);
        }
    using Stored = std::conditional_t<std::is_same_v<Element, float>, float, std::uint16_t>;
    const detail::WarpgroupProduct given{.d = d, .a = a, .b = b, .add = add};
    emulation::await_warp(~0U, emulation::to_given(given), 0, detail::multiply_for_warp<Stored, 2 * floats>,
                          "wgmma.mma_async");
}

}  // namespace cudabook::ptx
