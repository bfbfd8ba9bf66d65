// common/cuda/ptx/warpgroup.cuh for the emulated GPU. Each warp of a warpgroup computes its rows when all
// its lanes have called the function, without waiting for the other warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/tensor_cores.hpp"
#include "emulator/engine/warp_functions.hpp"

namespace cudabook::ptx {

/// Returns the descriptor of a matrix. Its layout is not a GPU's. But as on a GPU, the low bits are the
/// address in units of 16 bytes, so that a program can advance the address by adding to the descriptor. The
/// higher bits are the two distances, in the same unit.
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

inline float number(float element) { return emulation::tf32_value(element); }
inline float number(std::uint16_t half) { return emulation::half_value(half); }

/// Reads `lines` rows of A or columns of B, beginning with number `first`.
template <class Element, class Format, int depth, int lines>
void read_factors(tensor_cores::Factors<Format, depth, lines>& to, const DescribedMatrix& matrix,
                  unsigned first) {
    constexpr unsigned of_core = depth / 2;
    for (int line = 0; line < lines; ++line) {
        const unsigned across = first + static_cast<unsigned>(line);
        for (unsigned k = 0; k < depth; ++k)
            to.value[k][line] = number(reinterpret_cast<const Element*>(matrix.core(k / of_core, across / 8) +
                                                                        across % 8 * 16)[k % of_core]);
    }
    to.prepare();
}

template <class Element, int columns>
void multiply_for_warp(emulation::Exchange& warp) {
    if (warp.lanes != ~0U) {
        emulation::refuse(warp.refused, "wgmma in a warp of less than 32 threads");
        return;
    }
    const auto brought = [&](int lane) -> const WarpgroupProduct& {
        return emulation::brought_by<const WarpgroupProduct>(static_cast<unsigned>(lane), warp);
    };
    using Format = std::conditional_t<sizeof(Element) == 4, tensor_cores::Tf32, tensor_cores::Half>;
    constexpr int depth = 32 / sizeof(Element);
    constexpr int at_a_time = 64;
    static_assert(columns % at_a_time == 0);
    const DescribedMatrix of_a(brought(0).a);
    const DescribedMatrix of_b(brought(0).b);
    const unsigned first_row = emulation::thread_number() / 32 % 4 * 16;
    const tensor_cores::Adder& adder = emulation::tensor_core_adder();
    tensor_cores::Factors<Format, depth> a[16];
    tensor_cores::Factors<Format, depth, at_a_time> b;
    for (unsigned row = 0; row < 16; ++row) read_factors<Element>(a[row], of_a, first_row + row);
    for (int first = 0; first < columns; first += at_a_time) {
        read_factors<Element>(b, of_b, static_cast<unsigned>(first));
        for (int row = 0; row < 16; ++row) {
            const auto of = [&](int n) -> const WarpgroupProduct& {
                return brought(row % 8 * 4 + n % 8 / 2);
            };
            const auto sum_of = [&](int n) -> float& {
                return of(n).d[(first + n) / 8 * 4 + row / 8 * 2 + n % 2];
            };
            float sums[at_a_time];
            for (int n = 0; n < at_a_time; ++n) sums[n] = of(n).add ? sum_of(n) : 0;
            tensor_cores::add_products<tensor_cores::ToFloat>(adder, sums, a[row], b);
            for (int n = 0; n < at_a_time; ++n) sum_of(n) = sums[n];
        }
    }
}

}  // namespace detail

/// Gives the same bits as wgmma (docs/tensor-cores.md).
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
