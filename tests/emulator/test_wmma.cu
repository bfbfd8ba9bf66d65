// Products of matrices by a warp, compared with loops on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <mma.h>

#include <bit>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <type_traits>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

// CUDA's header declares less for older GPUs, on which the tests are skipped.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

namespace cudabook {
namespace {

namespace wmma = nvcuda::wmma;
using wmma::accumulator;
using wmma::col_major;
using wmma::matrix_a;
using wmma::matrix_b;
using wmma::row_major;
using wmma::precision::tf32;

class CudaWmma : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        if (!IsSkipped() && capability_of_device() < 80) GTEST_SKIP() << "needs compute capability 8.0";
    }
};

template <class T>
using Stored = typename std::conditional<std::is_same<T, tf32>::value, float, T>::type;

template <class T>
constexpr bool is_integer = std::is_integral<T>::value;

template <class T>
T from_double(double value) {
    if constexpr (is_integer<T> || std::is_same<T, double>::value)
        return static_cast<T>(value);
    else
        return T(static_cast<float>(value));
}
template <class T>
double to_double(T value) {
    if constexpr (is_integer<T> || std::is_same<T, double>::value)
        return static_cast<double>(value);
    else
        return static_cast<double>(static_cast<float>(value));
}

/// A matrix that begins at element `start` of an array, and whose lines of `ldm` elements are longer than
/// it needs.
template <class T>
struct Matrix {
    Matrix(int rows_, int columns_, bool by_rows_) : rows(rows_), columns(columns_), by_rows(by_rows_) {
        constexpr unsigned step = 32 / sizeof(T);
        const auto line = static_cast<unsigned>(by_rows ? columns : rows);
        ldm = (line + step - 1) / step * step + step;
        start = step;
        elements.assign(start + std::size_t{ldm} * static_cast<unsigned>(by_rows ? rows : columns),
                        from_double<T>(77));
    }
    [[nodiscard]] std::size_t place(int row, int column) const {
        const auto line = static_cast<std::size_t>(by_rows ? row : column);
        return start + line * ldm + static_cast<std::size_t>(by_rows ? column : row);
    }
    [[nodiscard]] double operator()(int row, int column) const {
        return to_double(elements[place(row, column)]);
    }
    void fill(const std::function<double()>& next) {
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                elements[place(row, column)] = from_double<T>(next());
    }
    [[nodiscard]] DeviceArray<T> upload() const { return DeviceArray<T>{std::span<const T>(elements)}; }

    int rows, columns;
    bool by_rows;
    unsigned ldm = 0;
    std::size_t start = 0;
    std::vector<T> elements;
};

/// A matrix as a kernel gets it.
template <class T>
struct View {
    T* begin;
    unsigned ldm;
    wmma::layout_t layout;
};
template <class T>
View<T> view(const Matrix<T>& matrix, const DeviceArray<T>& array) {
    return {array.data() + matrix.start, matrix.ldm,
            matrix.by_rows ? wmma::mem_row_major : wmma::mem_col_major};
}

/// d = a * b + c
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
__global__ void multiply(View<Stored<T>> a, View<Stored<T>> b, View<C> c, View<D> d, bool satf) {
    wmma::fragment<matrix_a, m, n, k, T, LayoutA> of_a;
    wmma::fragment<matrix_b, m, n, k, T, LayoutB> of_b;
    wmma::fragment<accumulator, m, n, k, C> of_c;
    wmma::fragment<accumulator, m, n, k, D> of_d;
    wmma::load_matrix_sync(of_a, a.begin, a.ldm);
    wmma::load_matrix_sync(of_b, b.begin, b.ldm);
    wmma::load_matrix_sync(of_c, c.begin, c.ldm, c.layout);
    if constexpr (std::is_same<T, tf32>::value) {
        for (int i = 0; i < of_a.num_elements; ++i) of_a.x[i] = wmma::__float_to_tf32(of_a.x[i]);
        for (int i = 0; i < of_b.num_elements; ++i) of_b.x[i] = wmma::__float_to_tf32(of_b.x[i]);
    }
    if constexpr (is_integer<T>)
        wmma::mma_sync(of_d, of_a, of_b, of_c, satf);
    else
        wmma::mma_sync(of_d, of_a, of_b, of_c);
    wmma::store_matrix_sync(d.begin, of_d, d.ldm, d.layout);
}

/// Which matrices are stored row by row.
struct ByRows {
    bool a, b, c, d;
};

template <int m, int n, int k, class T, class C, class D>
auto kernel_for(const ByRows& by_rows) {
    return by_rows.a   ? by_rows.b ? multiply<m, n, k, T, row_major, row_major, C, D>
                                   : multiply<m, n, k, T, row_major, col_major, C, D>
             : by_rows.b ? multiply<m, n, k, T, col_major, row_major, C, D>
                       : multiply<m, n, k, T, col_major, col_major, C, D>;
}

/// An element of the result, with its row of a, its column of b, and its element of c.
struct Element {
    std::vector<double> a, b;
    double c, result;
};
using Next = std::function<double()>;
using Check = std::function<void(const Element&)>;

/// Fills the matrices, multiplies, and checks each element.
template <int m, int n, int k, class T, class C, class D>
void check_product(const ByRows& by_rows, bool satf, const Next& next_factor, const Next& next_sum,
                   const Check& check) {
    Matrix<Stored<T>> a(m, k, by_rows.a);
    Matrix<Stored<T>> b(k, n, by_rows.b);
    Matrix<C> c(m, n, by_rows.c);
    Matrix<D> d(m, n, by_rows.d);
    a.fill(next_factor);
    b.fill(next_factor);
    c.fill(next_sum);
    const DeviceArray<Stored<T>> a_there = a.upload();
    const DeviceArray<Stored<T>> b_there = b.upload();
    const DeviceArray<C> c_there = c.upload();
    const DeviceArray<D> d_there = d.upload();
    launch(kernel_for<m, n, k, T, C, D>(by_rows), 1, 32, Stream(), view(a, a_there), view(b, b_there),
           view(c, c_there), view(d, d_there), satf);
    std::vector<D> outside = d.elements;
    d.elements = d_there.download();
    for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
            SCOPED_TRACE(testing::Message()
                         << m << "x" << n << "x" << k << ", row " << row << ", column " << column);
            Element element{{}, {}, c(row, column), d(row, column)};
            for (int i = 0; i < k; ++i) {
                element.a.push_back(a(row, i));
                element.b.push_back(b(i, column));
            }
            check(element);
            outside[d.place(row, column)] = d.elements[d.place(row, column)];
        }
    for (std::size_t i = 0; i < outside.size(); ++i)
        ASSERT_EQ(to_double(outside[i]), to_double(d.elements[i])) << "outside the matrix, at " << i;
}

// ----- Products of integers, which are exact in every type

template <int m, int n, int k, class T, class C, class D>
void expect_exact(const ByRows& by_rows) {
    std::mt19937 random(m * 100 + k);
    const auto next_factor = [&] {
        if (std::is_same<T, unsigned char>::value) return static_cast<double>(random() % 256);
        const unsigned most = std::is_same<T, signed char>::value ? 128 : 3;
        return static_cast<double>(random() % (2 * most)) - most;
    };
    const auto next_sum = [&] { return static_cast<double>(random() % 1001) - 500; };
    check_product<m, n, k, T, C, D>(by_rows, false, next_factor, next_sum, [](const Element& of) {
        double expected = of.c;
        for (std::size_t i = 0; i < k; ++i) expected += of.a[i] * of.b[i];
        ASSERT_EQ(of.result, expected);
    });
}

template <int m, int n, int k, class T, class C, class D = C>
void expect_exact_in_all_layouts() {
    for (unsigned i = 0; i < 16; ++i)
        expect_exact<m, n, k, T, C, D>({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0});
}
template <class T, class C, class D = C>
void expect_exact_in_all_shapes() {
    expect_exact_in_all_layouts<16, 16, 16, T, C, D>();
    expect_exact_in_all_layouts<32, 8, 16, T, C, D>();
    expect_exact_in_all_layouts<8, 32, 16, T, C, D>();
}

TEST_F(CudaWmma, Half) { expect_exact_in_all_shapes<half, float>(); }
TEST_F(CudaWmma, HalfAddedToHalf) { expect_exact_in_all_shapes<half, half>(); }
TEST_F(CudaWmma, HalfAddedToHalfInFloat) { expect_exact_in_all_shapes<half, half, float>(); }
TEST_F(CudaWmma, HalfAddedToFloatInHalf) { expect_exact_in_all_shapes<half, float, half>(); }
TEST_F(CudaWmma, Bfloat16) { expect_exact_in_all_shapes<__nv_bfloat16, float>(); }
TEST_F(CudaWmma, SignedChar) { expect_exact_in_all_shapes<signed char, int>(); }
TEST_F(CudaWmma, UnsignedChar) { expect_exact_in_all_shapes<unsigned char, int>(); }
TEST_F(CudaWmma, Tf32) { expect_exact_in_all_layouts<16, 16, 8, tf32, float>(); }
TEST_F(CudaWmma, Double) { expect_exact_in_all_layouts<8, 8, 4, double, double>(); }

// ----- Products of fractions

template <int m, int n, int k, class T, class Sum>
void expect_within(double unit) {
    std::mt19937 random(7);
    const auto next = [&] { return static_cast<double>(random() % 20001) / 10000 - 1; };
    check_product<m, n, k, T, Sum, Sum>({true, false, true, true}, false, next, next, [&](const Element& of) {
        double expected = of.c;
        double sizes = std::abs(expected);
        for (std::size_t i = 0; i < k; ++i) {
            expected += of.a[i] * of.b[i];
            sizes += std::abs(of.a[i] * of.b[i]);
        }
        ASSERT_NEAR(of.result, expected, unit * sizes);
    });
}

TEST_F(CudaWmma, Fractions) {
    expect_within<16, 16, 16, half, float>(0x1p-22);
    expect_within<16, 16, 16, half, half>(0x1p-9);
    expect_within<32, 8, 16, __nv_bfloat16, float>(0x1p-22);
    expect_within<16, 16, 8, tf32, float>(0x1p-10);  // the factors' rounding
    expect_within<8, 8, 4, double, double>(0x1p-51);
}

// ----- Sums of integers that overflow

template <class T>
void expect_overflow(bool satf) {
    const double factor = std::is_same<T, signed char>::value ? -128 : 255;
    const auto sum = INT_MAX - 5 + 16 * static_cast<std::int64_t>(factor * factor);
    const int expected = satf ? INT_MAX : static_cast<int>(static_cast<std::uint32_t>(sum));
    check_product<16, 16, 16, T, int, int>(
        {true, false, true, true}, satf, [&] { return factor; }, [] { return INT_MAX - 5; },
        [&](const Element& of) { ASSERT_EQ(of.result, expected); });
}

TEST_F(CudaWmma, SumsOfIntegersWrap) {
    expect_overflow<signed char>(false);
    expect_overflow<unsigned char>(false);
}
TEST_F(CudaWmma, SumsOfIntegersAreClamped) {
    expect_overflow<signed char>(true);
    expect_overflow<unsigned char>(true);
    int next = 0;
    check_product<16, 16, 16, signed char, int, int>(
        {true, false, true, true}, true, [&] { return next++ < 256 ? -128 : 127; },
        [] { return INT_MIN + 5; }, [](const Element& of) { ASSERT_EQ(of.result, INT_MIN); });
}

// ----- Elements

/// Writes a * 2 + 3 * c - 1, where a is the left part of `from`, and c all of it.
__global__ void scale(const half* from, half* to) {
    wmma::fragment<matrix_a, 16, 16, 16, half, row_major> a;
    wmma::fragment<matrix_b, 16, 16, 16, half, row_major> one;
    wmma::fragment<accumulator, 16, 16, 16, half> c;
    wmma::fragment<accumulator, 16, 16, 16, half> minus;
    __shared__ __align__(32) half identity[256];
    for (unsigned i = threadIdx.x; i < 256; i += 32) identity[i] = __float2half(i % 17 == 0 ? 1.0F : 0.0F);
    __syncwarp();
    wmma::load_matrix_sync(one, identity, 16);
    wmma::load_matrix_sync(a, from, 16);
    wmma::load_matrix_sync(c, from, 16, wmma::mem_row_major);
    wmma::fill_fragment(minus, __float2half(-1));
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = a.x[i] * __float2half(2);
    for (int i = 0; i < c.num_elements; ++i) c.x[i] = __float2half(3) * c.x[i] + minus.x[i];
    wmma::mma_sync(c, a, one, c);
    wmma::store_matrix_sync(to, c, 16, wmma::mem_row_major);
}

TEST_F(CudaWmma, ElementsAreScaled) {
    std::vector<half> values;
    for (int i = 0; i < 256; ++i) values.push_back(from_double<half>(i));
    const DeviceArray<half> from{std::span<const half>(values)};
    const DeviceArray<half> to(256);
    launch(scale, 1, 32, Stream(), from.data(), to.data());
    const std::vector<half> got = to.download();
    for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(to_double(got[i]), 5 * static_cast<double>(i) - 1) << i;
}

__global__ void round_to_tf32(const float* from, float* to) {
    to[threadIdx.x] = wmma::__float_to_tf32(from[threadIdx.x]);
}

TEST_F(CudaWmma, FloatToTf32) {
    std::mt19937 random(3);
    std::vector<float> values;
    for (int i = 0; i < 256; ++i) {  // exponents up to 127; every third is a tie
        const auto high = static_cast<std::uint32_t>(random()) & 0xbfffe000U;
        values.push_back(std::bit_cast<float>(
            high | (i % 3 == 0 ? 0x1000U : static_cast<std::uint32_t>(random()) & 0x1fffU)));
    }
    const DeviceArray<float> from{std::span<const float>(values)};
    const DeviceArray<float> to(256);
    launch(round_to_tf32, 1, 256, Stream(), from.data(), to.data());
    const std::vector<float> got = to.download();
    for (std::size_t i = 0; i < 256; ++i) {
        int exponent = 0;
        std::frexp(values[i], &exponent);
        if (exponent < -125) continue;
        const double unit = std::ldexp(1.0, exponent - 11);
        ASSERT_EQ(got[i], std::round(static_cast<double>(values[i]) / unit) * unit) << values[i];
    }
}

// ----- A product of large matrices, by several warps

constexpr unsigned size = 96;

/// Each warp computes a tile of c = alpha * a * b + beta * c.
__global__ void multiply_large(const half* a, const half* b, float* c, float alpha, float beta) {
    const unsigned row = 16 * (threadIdx.x / 32 + blockDim.x / 32 * blockIdx.x);
    const unsigned column = 16 * (threadIdx.y + blockDim.y * blockIdx.y);
    if (row >= size || column >= size) return;
    wmma::fragment<accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0F);
    for (unsigned k = 0; k < size; k += 16) {
        wmma::fragment<matrix_a, 16, 16, 16, half, row_major> of_a;
        wmma::fragment<matrix_b, 16, 16, 16, half, col_major> of_b;
        wmma::load_matrix_sync(of_a, a + row * size + k, size);
        wmma::load_matrix_sync(of_b, b + column * size + k, size);
        wmma::mma_sync(sum, of_a, of_b, sum);
    }
    wmma::fragment<accumulator, 16, 16, 16, float> old;
    wmma::load_matrix_sync(old, c + row * size + column, size, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; ++i) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
    wmma::store_matrix_sync(c + row * size + column, old, size, wmma::mem_row_major);
}

TEST_F(CudaWmma, LargeMatrices) {
    std::mt19937 random(5);
    std::vector<half> a;
    std::vector<half> b;
    std::vector<float> c;
    for (unsigned i = 0; i < size * size; ++i) {
        a.push_back(from_double<half>(static_cast<double>(random() % 7) - 3));
        b.push_back(from_double<half>(static_cast<double>(random() % 7) - 3));
        c.push_back(static_cast<float>(random() % 100));
    }
    const DeviceArray<half> a_there{std::span<const half>(a)};
    const DeviceArray<half> b_there{std::span<const half>(b)};
    const DeviceArray<float> c_there{std::span<const float>(c)};
    launch(multiply_large, dim3(2, 4), dim3(128, 2), Stream(), a_there.data(), b_there.data(), c_there.data(),
           2.0F, -1.0F);
    const std::vector<float> got = c_there.download();
    for (unsigned row = 0; row < size; ++row)
        for (unsigned column = 0; column < size; ++column) {
            double sum = 0;
            for (unsigned k = 0; k < size; ++k)
                sum += to_double(a[row * size + k]) * to_double(b[column * size + k]);
            ASSERT_EQ(got[row * size + column], 2 * sum - c[row * size + column])
                << "row " << row << ", column " << column;
        }
}

}  // namespace
}  // namespace cudabook

#else  // the host's code refers to these kernels

namespace cudabook {
namespace {

[[maybe_unused]] __global__ void scale(const half*, half*) {}
[[maybe_unused]] __global__ void round_to_tf32(const float*, float*) {}
[[maybe_unused]] __global__ void multiply_large(const half*, const half*, float*, float, float) {}

}  // namespace
}  // namespace cudabook

#endif
