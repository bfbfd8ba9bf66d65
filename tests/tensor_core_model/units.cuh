// The ways to multiply matrices on tensor cores, for tests with numbers that are hard to add.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>

#include "common/cuda/ptx/bulk_store.cuh"
#include "common/cuda/ptx/mma.cuh"
#include "common/cuda/ptx/warpgroup.cuh"
#include "common/tensor_core_model/sums.hpp"
#include "tests/tensor_core_model/hostile_numbers.hpp"

namespace cudabook::test {

constexpr int side = 64;  // the rows and columns of d = a b + c

/// The matrices of d = a b + c. A line is a row of a or a column of b; element k of a line is stored at index
/// Unit::place(line, k). c and d are in row-major order.
template <class Unit>
struct Tile {
    typename Unit::Stored a[side * Unit::depth];
    typename Unit::Stored b[side * Unit::depth];
    typename Unit::C c[side * side];
    typename Unit::D d[side * side];
};

/// The base class of the ways to multiply. A derived class has place() and multiply(tile), which 128 threads
/// call for a tile in shared memory. One instruction adds `depth_of_instruction` products to each sum.
template <class Format_, class Stored_, class C_ = float, class D_ = float>
struct Unit {
    using Format = Format_;
    using Stored = Stored_;
    using C = C_;
    using D = D_;
    static constexpr int depth = 32 / sizeof(Stored);
    static constexpr int depth_of_instruction = depth;
    static constexpr Range range = range_of(Format());
    static constexpr Range range_of_c = sizeof(C) == 2 ? range_of(tensor_cores::Half()) : range_of_float;
    __host__ __device__ static constexpr int by_lines(int line, int k) { return line * depth + k; }
};

struct MmaOfTf32 : Unit<tensor_cores::Tf32, float> {
    __host__ __device__ static constexpr int place(int line, int k) { return by_lines(line, k); }
    __device__ static void multiply(Tile<MmaOfTf32>& tile) {
#if __CUDA_ARCH__ >= 800
        const int lane = static_cast<int>(threadIdx.x % 32);
        const int row = static_cast<int>(threadIdx.x / 32) * 16 + lane / 4;
        for (int first = 0; first < side; first += 8) {
            const auto place_of = [&](int i) {
                return (row + i / 2 * 8) * side + first + lane % 4 * 2 + i % 2;
            };
            const auto a_of = [&](int down, int k) { return tile.a[place(row + down, lane % 4 + k)]; };
            const auto b_of = [&](int k) { return tile.b[place(first + lane / 4, lane % 4 + k)]; };
            const float a[] = {a_of(0, 0), a_of(8, 0), a_of(0, 4), a_of(8, 4)};
            float sums[4];
            for (int i = 0; i < 4; ++i) sums[i] = tile.c[place_of(i)];
            ptx::multiply_16x8x8(sums, a, b_of(0), b_of(4));
            for (int i = 0; i < 4; ++i) tile.d[place_of(i)] = sums[i];
        }
#endif
    }
};

template <class Format, class Stored>
struct Wgmma : Unit<Format, Stored> {
    /// The layout of wgmma: core matrices of eight lines, each with 16 bytes.
    __host__ __device__ static constexpr int place(int line, int k) {
        constexpr int of_core = 16 / sizeof(Stored);
        return (k / of_core * side + line) * of_core + k % of_core;
    }
    __device__ static void multiply(Tile<Wgmma>& tile) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
        const int lane = static_cast<int>(threadIdx.x % 32);
        const int row = static_cast<int>(threadIdx.x / 32) * 16 + lane / 4;
        const auto place_of = [&](int i) {
            return (row + i % 4 / 2 * 8) * side + i / 4 * 8 + lane % 4 * 2 + i % 2;
        };
        float sums[side / 2];
        for (int i = 0; i < side / 2; ++i) sums[i] = tile.c[place_of(i)];
        ptx::publish_to_copies();
        __syncthreads();
        ptx::begin_products();
        ptx::multiply<Stored>(sums, ptx::describe(tile.a, side * 16, 128),
                              ptx::describe(tile.b, side * 16, 128), true);
        ptx::end_products();
        ptx::await_products();
        for (int i = 0; i < side / 2; ++i) tile.d[place_of(i)] = sums[i];
#endif
    }
};

/// `T` is the element type of the factors in wmma's fragments.
template <class Format, class Stored, class T, class C = float, class D = float, int m = 16, int n = 16>
struct Wmma : Unit<Format, Stored, C, D> {
    using Unit<Format, Stored, C, D>::depth;
    static constexpr int depth_of_instruction = sizeof(Stored) == 4 ? 4 : depth;
    __host__ __device__ static constexpr int place(int line, int k) { return Wmma::by_lines(line, k); }
    __device__ static void multiply(Tile<Wmma>& tile) {
#if __CUDA_ARCH__ >= 800
        namespace wmma = nvcuda::wmma;
        wmma::fragment<wmma::matrix_a, m, n, depth, T, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, m, n, depth, T, wmma::col_major> b;
        wmma::fragment<wmma::accumulator, m, n, depth, C> c;
        wmma::fragment<wmma::accumulator, m, n, depth, D> d;
        for (int i = static_cast<int>(threadIdx.x / 32); i < side / m * (side / n); i += 4) {
            const int row = i / (side / n) * m;
            const int column = i % (side / n) * n;
            wmma::load_matrix_sync(a, tile.a + place(row, 0), depth);
            wmma::load_matrix_sync(b, tile.b + place(column, 0), depth);
            wmma::load_matrix_sync(c, tile.c + row * side + column, side, wmma::mem_row_major);
            wmma::mma_sync(d, a, b, c);
            wmma::store_matrix_sync(tile.d + row * side + column, d, side, wmma::mem_row_major);
        }
#endif
    }
};

using WgmmaOfTf32 = Wgmma<tensor_cores::Tf32, float>;
using WgmmaOfHalf = Wgmma<tensor_cores::Half, __half>;
template <class C, class D, int m = 16, int n = 16>
using WmmaOfHalf = Wmma<tensor_cores::Half, __half, __half, C, D, m, n>;
template <int m = 16, int n = 16>
using WmmaOfBfloat16 = Wmma<tensor_cores::Bfloat16, __nv_bfloat16, __nv_bfloat16, float, float, m, n>;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using WmmaOfTf32 = Wmma<tensor_cores::Tf32, float, nvcuda::wmma::precision::tf32>;
#else
using WmmaOfTf32 = Wmma<tensor_cores::Tf32, float, void>;  // CUDA's header has no such type for older GPUs
#endif

template <class To>
__device__ To converted(float value) {  // exact: the format can represent the value
    if constexpr (sizeof(To) == 4)
        return value;
    else
        return static_cast<To>(value);
}

/// Fills a tile with `numbers` and multiplies. All 128 threads of the block call this function.
template <class Unit>
__device__ void multiply(Tile<Unit>& tile, const HostileNumbers& numbers) {
    const int thread = static_cast<int>(threadIdx.x);
    for (int i = thread; i < side * Unit::depth; i += 128) {
        const int line = i / Unit::depth;
        const int k = i % Unit::depth;
        tile.a[Unit::place(line, k)] = converted<typename Unit::Stored>(numbers.factor(0, line, k));
        tile.b[Unit::place(line, k)] = converted<typename Unit::Stored>(numbers.factor(1, line, k));
    }
    for (int i = thread; i < side * side; i += 128)
        tile.c[i] = converted<typename Unit::C>(numbers.accumulator(i / side, i % side, Unit::range_of_c));
    __syncthreads();
    Unit::multiply(tile);
    __syncthreads();
}

}  // namespace cudabook::test
