// Products of matrices by a warp. For each use of a matrix, element e, counted row by row, is in lane e %
// 32. Sub-byte types are not supported. Source: CUDA C++ Programming Guide, "Warp Matrix Functions".
#pragma once

#define __CUDA_MMA_H__  // programs test whether CUDA's header is included

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/tensor_cores.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/textures/conversions.hpp"

namespace nvcuda::wmma {

// Uses and layouts of fragments.
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;

enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental::precision {
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace experimental::precision

/// Rounds to TF32. The guide asks for this before a product of TF32, which reads a float without its lowest
/// 13 bits.
inline float __float_to_tf32(float value) { return cudabook::emulation::rounded_to_tf32(value); }

namespace details {

namespace emulation = cudabook::emulation;
namespace tensor_cores = cudabook::tensor_cores;

template <class T>
using Stored = std::conditional_t<std::is_same_v<T, precision::tf32>, float, T>;

template <class Use, int m, int n, int k>
constexpr int rows = std::is_same_v<Use, matrix_b> ? k : m;
template <class Use, int m, int n, int k>
constexpr int columns = std::is_same_v<Use, matrix_a> ? k : n;

/// True if the fragment has a sub-byte type, or has the sums of products of such types.
template <int m, int n, int k, class T>
constexpr bool is_of_sub_bytes = (m == 8 && n == 8 && k >= 32) ||
                                 emulation::OneOf<T, experimental::precision::u4, experimental::precision::s4,
                                                  experimental::precision::b1>;

/// True if CUDA has products of matrices of T in this shape.
template <int m, int n, int k, class T>
constexpr bool has_product = false;
template <int m, int n, int k, class T>
requires emulation::OneOf<T, __half, __nv_bfloat16, signed char, unsigned char>
constexpr bool has_product<m, n, k, T> = k == 16 && m * n == 256 && (m == 8 || m == 16 || m == 32);
template <>
inline constexpr bool has_product<16, 16, 8, precision::tf32> = true;
template <>
inline constexpr bool has_product<8, 8, 4, double> = true;

/// True if CUDA adds products of T to sums of this type.
template <class Sum, class T>
constexpr bool has_sums = std::is_same_v<Sum, float>;
template <class Sum>
constexpr bool has_sums<Sum, __half> = emulation::OneOf<Sum, __half, float>;
template <class Sum, class T>
requires emulation::OneOf<T, signed char, unsigned char>
constexpr bool has_sums<Sum, T> = std::is_same_v<Sum, int>;
template <class Sum>
constexpr bool has_sums<Sum, double> = std::is_same_v<Sum, double>;

template <int m, int n, int k, class Sum, class... Types>
constexpr bool has_sums_of_any = ((has_product<m, n, k, Types> && has_sums<Sum, Types>) || ...);

template <class Use, int m, int n, int k, class T, class Layout>
constexpr bool has_fragment = emulation::OneOf<Use, matrix_a, matrix_b>&&
    emulation::OneOf<Layout, row_major, col_major>&& has_product<m, n, k, T>;
template <int m, int n, int k, class T>
constexpr bool has_fragment<accumulator, m, n, k, T, void> =
    has_sums_of_any<m, n, k, T, __half, signed char, precision::tf32, double>;

}  // namespace details

/// A lane's part of a matrix of the product d = a * b + c, where a has m rows and k columns, and b has k rows
/// and n columns. An operation on all x[i] in all lanes is an operation on all elements of the matrix.
template <class Use, int m, int n, int k, class T, class Layout = void>
class alignas(8) fragment {
    static_assert(!details::is_of_sub_bytes<m, n, k, T>,
                  "wmma's sub-byte types need real CUDA: take signed char or unsigned char");
    static_assert(details::is_of_sub_bytes<m, n, k, T> || details::has_fragment<Use, m, n, k, T, Layout>,
                  "wmma has no fragment of this use, shape, type and layout");

  public:
    using element_type = T;
    using storage_element_type = details::Stored<T>;
    static constexpr int num_elements = details::rows<Use, m, n, k> * details::columns<Use, m, n, k> / 32;
    static constexpr int num_storage_elements = num_elements;

    storage_element_type x[num_elements];
};

namespace details {

/// Refuses a call unless all lanes make it. Returns true if all lanes make it.
inline bool is_made_by_all(emulation::Exchange& warp) {
    if (warp.lanes != ~0U)
        emulation::refuse(warp.refused, "a function of wmma in a warp of less than 32 threads");
    return warp.refused[0] == 0;
}

/// Refuses a load or store whose arguments are not the same in all lanes.
inline void need_equal_arguments(emulation::Exchange& warp) {
    if (!is_made_by_all(warp)) return;
    for (unsigned lane = 1; lane < 32; ++lane)
        if (warp.given[lane] != warp.given[0] || warp.argument[lane] != warp.argument[0])
            emulation::refuse(warp.refused,
                              "lanes give a function of wmma different addresses, ldm or layouts");
}

/// Fails unless a matrix in memory is aligned. An element has `bytes` bytes, and a row (in column-major
/// order: a column) has `line` elements. The guide demands an address that is a multiple of 32 bytes. But
/// GPUs accept all tiles of an aligned matrix, even tiles with shorter rows, which CUDA's samples have. In
/// shared memory, the address is not checked, because variables have other addresses here than on a GPU.
inline void check_alignment(const void* begin, unsigned ldm, unsigned bytes, unsigned line,
                            const char* name) {
    if (ldm * bytes % 16 != 0)
        emulation::fail_kernel("%s with an ldm of %u, which is no multiple of %u", name, ldm, 16 / bytes);
    const unsigned aligned = line * bytes < 32 ? line * bytes : 32;
    if (reinterpret_cast<std::uintptr_t>(begin) % aligned != 0 &&
        emulation::address_space_of(begin) != emulation::AddressSpace::shared)
        emulation::fail_kernel(cudaErrorMisalignedAddress, "%s at an address that is no multiple of %u", name,
                               aligned);
}

/// A matrix in memory, for lanes that load it into a `Fragment` or store it.
template <class Fragment, int rows, int columns>
class Memory {
  public:
    /// Waits until all lanes have called this. Fails if their arguments differ.
    Memory(const void* begin, unsigned ldm, layout_t layout, bool is_load)
        : ldm_(ldm), by_rows_(layout == mem_row_major) {
        const char* const name = is_load ? "load_matrix_sync" : "store_matrix_sync";
        check_alignment(begin, ldm, sizeof(typename Fragment::storage_element_type),
                        by_rows_ ? columns : rows, name);
        emulation::await_warp(~0U, reinterpret_cast<std::uint64_t>(begin),
                              std::uint64_t{ldm} << 1 | (by_rows_ ? 1 : 0),
                              is_load ? compare<true> : compare<false>, name);
    }

    /// Returns the place of this lane's element i.
    [[nodiscard]] std::size_t operator[](int i) const {
        const unsigned element = 32 * static_cast<unsigned>(i) + emulation::thread_number() % 32;
        const std::size_t row = element / columns;
        const std::size_t column = element % columns;
        return by_rows_ ? row * ldm_ + column : column * ldm_ + row;
    }

  private:
    template <bool is_load>
    static void compare(emulation::Exchange& warp) {
        need_equal_arguments(warp);
    }

    unsigned ldm_;
    bool by_rows_;
};

template <class Use, int m, int n, int k, class T, class Layout>
using MemoryOf = Memory<fragment<Use, m, n, k, T, Layout>, rows<Use, m, n, k>, columns<Use, m, n, k>>;

/// The types whose sums the tensor cores round in their own way, and the format of the factors.
template <class T>
constexpr bool is_rounded = emulation::OneOf<T, __half, __nv_bfloat16, precision::tf32>;
template <class T>
using Format = std::conditional_t<
    std::is_same_v<T, __half>, tensor_cores::Half,
    std::conditional_t<std::is_same_v<T, __nv_bfloat16>, tensor_cores::Bfloat16, tensor_cores::Tf32>>;

/// Returns the number that a tensor core reads from this element.
template <class T>
float number(Stored<T> element) {
    if constexpr (std::is_same_v<T, precision::tf32>)
        return emulation::tf32_value(element);
    else if constexpr (std::is_same_v<T, float>)
        return element;
    else
        return static_cast<float>(emulation::value_of(element));
}

template <class To>
To narrowed(float number) {
    if constexpr (std::is_same_v<To, __half>)
        return emulation::number_of<__half>(emulation::half_bits(number));
    else
        return number;
}

inline int added(int c, int products, bool saturate) {
    using Limits = std::numeric_limits<int>;
    const std::int64_t sum = std::int64_t{c} + products;
    if (saturate && sum > Limits::max()) return Limits::max();
    if (saturate && sum < Limits::min()) return Limits::min();
    return static_cast<int>(sum);
}

/// A lane's elements of the operands.
template <class T, class C, class D>
struct Operands {
    const Stored<T>* a;
    const Stored<T>* b;
    const C* c;
    D* d;
};

/// Multiplies integers, or doubles by a chain of fma().
template <int m, int n, int k, class T, class C, class D>
void multiply_exact(emulation::Exchange& warp) {
    if (!is_made_by_all(warp)) return;
    constexpr bool is_double = std::is_same_v<T, double>;
    using Products = std::conditional_t<is_double, double, int>;
    Products a[m * k];
    Products b[k * n];
    Products sums[m * n];
    for (int lane = 0; lane < 32; ++lane) {
        const auto& given = emulation::brought_by<const Operands<T, C, D>>(lane, warp);
        for (int i = 0; i < m * k / 32; ++i) a[32 * i + lane] = given.a[i];
        for (int i = 0; i < k * n / 32; ++i) b[32 * i + lane] = given.b[i];
        for (int i = 0; i < m * n / 32; ++i)
            if constexpr (is_double)
                sums[32 * i + lane] = given.c[i];
            else
                sums[32 * i + lane] = 0;
    }
    for (int row = 0; row < m; ++row)
        for (int inner = 0; inner < k; ++inner)
            for (int column = 0; column < n; ++column) {
                Products& sum = sums[row * n + column];
                if constexpr (is_double)
                    sum = std::fma(a[row * k + inner], b[inner * n + column], sum);
                else
                    sum += a[row * k + inner] * b[inner * n + column];
            }
    for (int lane = 0; lane < 32; ++lane) {
        const auto& given = emulation::brought_by<const Operands<T, C, D>>(lane, warp);
        for (int i = 0; i < m * n / 32; ++i) {
            const Products sum = sums[32 * i + lane];
            if constexpr (is_double)
                given.d[i] = sum;
            else
                given.d[i] = added(given.c[i], sum, warp.argument[lane] != 0);
        }
    }
}

/// Multiplies numbers of half precision, bfloat16 or TF32.
template <int m, int n, int k, class T, class C, class D>
void multiply_rounded(emulation::Exchange& warp) {
    if (!is_made_by_all(warp)) return;
    using Result = std::conditional_t<std::is_same_v<C, __half> && std::is_same_v<D, __half>,
                                      tensor_cores::ToHalf<emulation::NearestHalf>, tensor_cores::ToFloat>;
    constexpr int depth_of_instruction = std::is_same_v<T, precision::tf32> ? 4 : k;
    tensor_cores::Factors<Format<T>, k> a[m];
    tensor_cores::Factors<Format<T>, k, n> b;
    float sums[m][n];
    for (int lane = 0; lane < 32; ++lane) {
        const auto& given = emulation::brought_by<const Operands<T, C, D>>(lane, warp);
        for (int i = lane; i < m * k; i += 32) a[i / k].value[i % k][0] = number<T>(given.a[i / 32]);
        for (int i = lane; i < k * n; i += 32) b.value[i / n][i % n] = number<T>(given.b[i / 32]);
        for (int i = lane; i < m * n; i += 32) sums[i / n][i % n] = number<C>(given.c[i / 32]);
    }
    b.prepare();
    for (auto& row : a) row.prepare();
    const tensor_cores::Adder& adder = emulation::tensor_core_adder();
    for (int row = 0; row < m; ++row)
        tensor_cores::add_products<Result>(adder, sums[row], a[row], b, depth_of_instruction);
    for (int lane = 0; lane < 32; ++lane) {
        const auto& given = emulation::brought_by<const Operands<T, C, D>>(lane, warp);
        for (int i = lane; i < m * n; i += 32) given.d[i / 32] = narrowed<D>(sums[i / n][i % n]);
    }
}

template <int m, int n, int k, class T, class C, class D>
void multiply(const Operands<T, C, D>& given, bool satf) {
    const auto product = [] {
        if constexpr (is_rounded<T>)
            return multiply_rounded<m, n, k, T, C, D>;
        else
            return multiply_exact<m, n, k, T, C, D>;
    }();
    emulation::await_warp(~0U, emulation::to_given(given), satf ? 1 : 0, product, "mma_sync");
}

}  // namespace details

/// Sets this lane's elements, without waiting for other lanes.
template <class Use, int m, int n, int k, class T, class Layout>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const details::Stored<T>& value) {
    for (auto& element : f.x) element = value;
}

/// Loads a matrix whose rows (with col_major, columns) begin `ldm` elements apart. All 32 lanes must call
/// this with the same arguments. The kernel fails unless `ldm` elements are a multiple of 16 bytes and,
/// outside shared memory, the address is a multiple of 32 bytes (or of a shorter row's or column's bytes).
template <class Use, int m, int n, int k, class T, class Layout>
CUDABOOK_IN_CALLER void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const details::Stored<T>* from,
                                         unsigned ldm) {
    static_assert(!std::is_same_v<Use, accumulator>, "load_matrix_sync of an accumulator needs a layout_t");
    constexpr layout_t layout = std::is_same_v<Layout, row_major> ? mem_row_major : mem_col_major;
    const details::MemoryOf<Use, m, n, k, T, Layout> memory(from, ldm, layout, true);
    for (int i = 0; i < f.num_elements; ++i) f.x[i] = from[memory[i]];
}
template <int m, int n, int k, class T>
CUDABOOK_IN_CALLER void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const details::Stored<T>* from,
                                         unsigned ldm, layout_t layout) {
    const details::MemoryOf<accumulator, m, n, k, T, void> memory(from, ldm, layout, true);
    for (int i = 0; i < f.num_elements; ++i) f.x[i] = from[memory[i]];
}

/// Stores a matrix. The requirements are those of load_matrix_sync().
template <int m, int n, int k, class T>
CUDABOOK_IN_CALLER void store_matrix_sync(details::Stored<T>* to, const fragment<accumulator, m, n, k, T>& f,
                                          unsigned ldm, layout_t layout) {
    const details::MemoryOf<accumulator, m, n, k, T, void> memory(to, ldm, layout, false);
    for (int i = 0; i < f.num_elements; ++i) to[memory[i]] = f.x[i];
}

/// Computes d = a * b + c; d may be c. All 32 lanes must call this. Integers are exact: modulo 2^32, or
/// clamped with `satf`. Products of doubles are added to c by a chain of fma() in the order of k. Other
/// products are added as by the tensor cores of the emulated GPU, to the bit (docs/tensor-cores.md). If c or
/// d has floats, the sum is a float, and is then rounded to d's type.
template <int m, int n, int k, class D, class T, class LayoutA, class LayoutB, class C>
requires details::has_sums<D, T> && details::has_sums<C, T>
void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
              const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c) {
    details::multiply<m, n, k, T, C, D>({a.x, b.x, c.x, d.x}, false);
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB>
requires details::has_sums<int, T>
void mma_sync(fragment<accumulator, m, n, k, int>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
              const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, int>& c,
              bool satf) {
    details::multiply<m, n, k, T, int, int>({a.x, b.x, c.x, d.x}, satf);
}

}  // namespace nvcuda::wmma
