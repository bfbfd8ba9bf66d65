// The GPU: how each kernel is launched, with what it needs beside the matrices, and the table of the kernels.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "matmul/gpu/ceilings.hpp"
#include "matmul/gpu/choice.hpp"
#include "matmul/gpu/cuda_kernel.cuh"
#include "matmul/gpu/cuda_product.cuh"
#include "matmul/gpu/grid.hpp"
#include "matmul/gpu/limits.hpp"
#include "matmul/kernels/10_tf32.cuh"
#include "matmul/kernels/11_tf32x3.cuh"
#include "matmul/kernels/1_naive.cuh"
#include "matmul/kernels/2_texture.cuh"
#include "matmul/kernels/3_texture2d.cuh"
#include "matmul/kernels/4_tiled.cuh"
#include "matmul/kernels/5_registers.cuh"
#include "matmul/kernels/6_vectorized.cuh"
#include "matmul/kernels/7_pipelined.cuh"
#include "matmul/kernels/8_transposing.cuh"
#include "matmul/kernels/9_small_tiles.cuh"
#include "matmul/kernels/pack.cuh"
#include "matmul/kernels/transpose_and_pad.cuh"
#include "matmul/matmul.hpp"
#include "matmul/peers/cublas.cuh"
#include "matmul/verification/error_bounds.hpp"

namespace cudabook::matmul {

namespace {

/// The grid of a launch. Errors: MachineError, if it would have too many blocks.
dim3 grid_of(const Blocks& blocks) {
    if (const std::string reason = too_many_blocks(blocks); !reason.empty()) throw MachineError(reason);
    return dim3(static_cast<unsigned>(blocks.x), static_cast<unsigned>(blocks.y));
}

// ----- A thread for each element of C

constexpr dim3 element_block(tile_side, tile_side);  // tiled's, which suits the others too

Blocks element_blocks(const Shape& shape) { return blocks_for_elements(shape.m, shape.n, tile_side); }

template <class... Parameters, class... Arguments>
Launched launch_for_elements(const Input& in, void (*kernel)(Parameters...), Arguments... arguments) {
    launch(kernel, grid_of(element_blocks(in.shape)), element_block, in.stream, arguments...);
    return {reinterpret_cast<const void*>(kernel), static_cast<int>(element_block.x * element_block.y)};
}

Launched naive(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, naive_kernel, in.c, in.a, in.b, m, n, k);
}

Launched texture(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, texture_kernel, in.c, in.textures->a.handle(), in.textures->b.handle(), m,
                               n, static_cast<int>(k));
}

Launched texture2d(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, texture2d_kernel, in.c, in.textures->a.handle(), in.textures->b.handle(),
                               m, n, static_cast<int>(k));
}

Launched tiled(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, tiled_kernel, in.c, in.a, in.b, m, n, k);
}

// ----- A block for each tile of C

template <int side>
Blocks tile_blocks(const Shape& shape) {
    return blocks_for_tiles(shape.m, shape.n, side, side);
}

template <int side, class... Parameters, class... Arguments>
Launched launch_for_tiles(const Input& in, void (*kernel)(Parameters...), int threads,
                          std::size_t shared_bytes, Arguments... arguments) {
    launch_with_shared(kernel, grid_of(tile_blocks<side>(in.shape)), threads, shared_bytes, in.stream,
                       arguments...);
    return {reinterpret_cast<const void*>(kernel), threads, shared_bytes};
}

Launched registers(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_tiles<Registers::side>(in, registers_kernel, Registers::threads, 0, in.c, in.a, in.b, m,
                                             n, k);
}

Launched vectorized(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_tiles<Vectorized::side>(in, vectorized_kernel, Vectorized::threads, 0, in.c, in.a, in.b,
                                              m, n, k);
}

// ----- pipelined: A transposed; B copied where its rows or their number do not suit

struct AlignedCopies {
    explicit AlignedCopies(const Shape& shape)
        : rows(Pipelined::depth * parts_of(shape.k, Pipelined::depth)),
          a_stride(4 * parts_of(shape.m, 4)),
          b_stride(4 * parts_of(shape.n, 4)),
          b_needs_none(rows == shape.k && b_stride == shape.n) {}
    [[nodiscard]] std::size_t floats() const { return rows * (a_stride + (b_needs_none ? 0 : b_stride)); }
    [[nodiscard]] Blocks transpose_blocks() const {
        return blocks_for_tiles(a_stride, rows, transpose_side, transpose_side);
    }
    std::size_t rows;
    std::size_t a_stride;
    std::size_t b_stride;
    bool b_needs_none;
};

std::size_t aligned_floats(const Device&, const Shape& shape) { return AlignedCopies(shape).floats(); }

Blocks aligned_blocks(const Shape& shape) {
    return {std::max(tile_blocks<Pipelined::side>(shape).x, AlignedCopies(shape).transpose_blocks().x)};
}

Launched pipelined(const Input& in) {
    const auto& [m, n, k] = in.shape;
    const AlignedCopies copies(in.shape);
    float* const a = in.workspace;
    launch(transpose_kernel, grid_of(copies.transpose_blocks()), copy_threads, in.stream, a, copies.rows,
           copies.a_stride, in.a, m, k);
    const float* b = in.b;
    if (!copies.b_needs_none) {
        float* const padded = a + copies.rows * copies.a_stride;
        const int blocks = 8 * in.device.units;
        launch(pad_kernel, blocks, copy_threads, in.stream, padded, copies.rows, copies.b_stride, in.b, n, k);
        b = padded;
    }
    launch_overlapped_with_shared(Reads::memory, pipelined_kernel,
                                  grid_of(tile_blocks<Pipelined::side>(in.shape)), Pipelined::threads,
                                  Pipelined::shared_bytes, in.stream, in.c, a, copies.a_stride, b,
                                  copies.b_stride, m, n, static_cast<int>(copies.rows / Pipelined::depth));
    return {reinterpret_cast<const void*>(pipelined_kernel), Pipelined::threads, Pipelined::shared_bytes};
}

// ----- transposing, small_tiles: nothing beforehand

Blocks transposing_blocks(const Shape& shape) {
    return blocks_for_tiles(shape.m, shape.n, Transposing::rows, Transposing::columns);
}

/// By a kernel that needs nothing beforehand.
template <class T>
Launched launch_at_once(const Input& in, void (*kernel)(float*, const float*, const float*, std::size_t,
                                                        std::size_t, std::size_t)) {
    const auto& [m, n, k] = in.shape;
    launch_with_shared(kernel, grid_of(blocks_for_tiles(m, n, T::rows, T::columns)), T::threads,
                       T::shared_bytes, in.stream, in.c, in.a, in.b, m, n, k);
    return {reinterpret_cast<const void*>(kernel), T::threads, T::shared_bytes};
}

bool is_aligned(const Shape& shape) { return shape.n % 4 == 0 && shape.k % 4 == 0; }

Launched transposing(const Input& in) {
    return launch_at_once<Transposing>(
        in, is_aligned(in.shape) ? transposing_kernel<true> : transposing_kernel<false>);
}

template <class T>
Launched small_tiles_of(const Input& in) {
    return launch_at_once<T>(
        in, is_aligned(in.shape) ? small_tiles_kernel<T, true> : small_tiles_kernel<T, false>);
}

Blocks largest_small_tile_blocks(const Shape& shape) {
    return blocks_for_tiles(shape.m, shape.n, Tile64x64::rows, Tile64x64::columns);
}

// ----- auto

Launched launch_tiling(const Input& in, FastestOf of) {
    constexpr Launched (*launches[])(const Input&) = {small_tiles_of<Tile32x32>, small_tiles_of<Tile32x64>,
                                                      small_tiles_of<Tile64x64>, transposing, pipelined};
    static_assert(std::size(launches) == tilings.size());
    return launches[fastest_tiling(in.shape, in.device.units, of)](in);
}

std::size_t floats_of_fastest(const Device& device, const Shape& shape) {
    const Tiling& tiling = tilings[fastest_tiling(shape, device.units, FastestOf::all)];
    return tiling.name == "pipelined" ? aligned_floats(device, shape) : 0;
}

Launched small_tiles(const Input& in) { return launch_tiling(in, FastestOf::small_tiles); }

Launched fastest(const Input& in) { return launch_tiling(in, FastestOf::all); }

// ----- tf32, tf32x3: A and B in tiles for the tensor cores

/// The packed tiles of a factor with so many rows or columns along C.
std::size_t packed_tiles(std::size_t along_c, std::size_t k) {
    return parts_of(along_c, packed_side) * parts_of(k, packed_depth);
}

Blocks packed_blocks(const Shape& shape) {
    return {std::max(
        {tile_blocks<packed_side>(shape).x, packed_tiles(shape.m, shape.k), packed_tiles(shape.n, shape.k)})};
}

template <int products>
std::size_t tf32_floats(const Device&, const Shape& shape) {
    return packed_floats *
           (packed_tiles(shape.m, shape.k) + Tf32<products>::parts * packed_tiles(shape.n, shape.k));
}

template <int parts>
void pack_b(const Input& in, float* packed) {
    launch(pack_b_kernel<parts>, grid_of({packed_tiles(in.shape.n, in.shape.k)}), pack_threads, in.stream,
           reinterpret_cast<float4*>(packed), in.b, in.shape.n, in.shape.k);
}

template <int products>
Launched tf32(const Input& in) {
    using T = Tf32<products>;
    const auto& [m, n, k] = in.shape;
    float* const packed_a = in.workspace;
    float* const packed_b = packed_a + packed_floats * packed_tiles(m, k);
    launch(pack_a_kernel, grid_of({packed_tiles(m, k)}), pack_threads, in.stream,
           reinterpret_cast<float4*>(packed_a), in.a, m, k);
    pack_b<T::parts>(in, packed_b);
    return launch_for_tiles<packed_side>(in, tf32_kernel<products>, T::threads, T::shared_bytes, in.c,
                                         packed_a, packed_b, in.a, in.b, m, n, k);
}

bool has_warpgroups(const Device& device) { return CUDABOOK_HAS_SM90A && device.compute_capability == "9.0"; }

Launched tf32x3(const Input& in) {
    if (!has_warpgroups(in.device)) return tf32<3>(in);
    const auto& [m, n, k] = in.shape;
    pack_b<2>(in, in.workspace);
    return launch_for_tiles<packed_side>(in, tf32x3_kernel, Tf32x3::threads, sizeof(Tf32x3::Shared), in.c,
                                         in.workspace, in.a, in.b, m, n, k);
}

std::string why_no_tf32(const Device& device, const Shape&) {
    return why_no_tensor_cores(device, reinterpret_cast<const void*>(tf32_kernel<1>));
}

// ----- The table

const CudaKernel table[] = {
    {.name = "naive",
     .memory = "global",
     .what = "a thread for each element of C",
     .launch = naive,
     .blocks = element_blocks},
    {.name = "texture",
     .memory = "texture1d",
     .what = "the same, read by tex1Dfetch",
     .launch = texture,
     .blocks = element_blocks,
     .why_not = why_no_linear_textures},
    {.name = "texture2d",
     .memory = "texture2d",
     .what = "the same, read by tex2D",
     .launch = texture2d,
     .blocks = element_blocks,
     .why_not = why_no_2d_textures},
    {.name = "tiled",
     .memory = "shared",
     .what = "the guide's 16x16 tiles in shared memory",
     .launch = tiled,
     .blocks = element_blocks},
    {.name = "registers",
     .memory = "shared",
     .what = "each thread makes 8x8 elements",
     .launch = registers,
     .blocks = tile_blocks<Registers::side>},
    {.name = "vectorized",
     .memory = "shared",
     .what = "loads of 16 bytes, A transposed on its way",
     .launch = vectorized,
     .blocks = tile_blocks<Vectorized::side>},
    {.name = "pipelined",
     .memory = "shared",
     .what = "A transposed beforehand, asynchronous copies",
     .launch = pipelined,
     .blocks = aligned_blocks,
     .workspace = aligned_floats},
    {.name = "transposing",
     .memory = "shared",
     .what = "A transposed on its way, tiles of 64x128",
     .launch = transposing,
     .blocks = transposing_blocks},
    {.name = "small_tiles",
     .memory = "shared",
     .what = "tiles of 32x32 to 64x64, for a small C",
     .launch = small_tiles,
     .blocks = largest_small_tile_blocks},
    {.name = "auto",
     .memory = "shared",
     .what = "that of the three before which suits the shape",
     .launch = fastest,
     .blocks = transposing_blocks,
     .workspace = floats_of_fastest},
    {.name = "tf32",
     .memory = "shared",
     .what = "tensor cores, operands rounded to TF32",
     .launch = tf32<1>,
     .blocks = packed_blocks,
     .workspace = tf32_floats<1>,
     .why_not = why_no_tf32,
     .error_bound = tf32_bound,
     .peer = "cublas_tf32"},
    {.name = "tf32x3_mma",
     .memory = "shared",
     .what = "tensor cores, operands in two parts",
     .launch = tf32<3>,
     .blocks = packed_blocks,
     .workspace = tf32_floats<3>,
     .why_not = why_no_tf32,
     .error_bound = tf32x3_bound,
     .as_accurate_from_k = tf32x3_as_accurate_from_k},
    {.name = "tf32x3",
     .memory = "shared",
     .what = "the same, by Hopper's warpgroups where there are any",
     .launch = tf32x3,
     .blocks = packed_blocks,
     .workspace = tf32_floats<3>,
     .why_not = why_no_tf32,
     .error_bound = tf32x3_bound,
     .as_accurate_from_k = tf32x3_as_accurate_from_k},
};

}  // namespace

GpuBackend gpu() {
    GpuBackend backend;
    backend.find_devices = cuda_devices;
    for (const CudaKernel& row : table) {
        Kernel kernel{.name = std::string(row.name),
                      .memory = std::string(row.memory),
                      .what = std::string(row.what),
                      .device = DeviceKind::cuda,
                      .as_accurate_from_k = row.as_accurate_from_k,
                      .peer = std::string(row.peer),
                      .why_not = [&row](const Device& device, const Shape& shape) {
                          const std::string reason = too_many_blocks(row.blocks(shape));
                          return reason.empty() ? row.why_not(device, shape) : reason;
                      }};
        if (row.error_bound != nullptr) kernel.error_bound = row.error_bound;
        backend.kernels.push_back(std::move(kernel));
    }
    backend.peers = [] { return cublas_kernels(why_no_tf32); };
    backend.make = [](const Device& device, const Factors& factors) {
        return make_cuda_product(device, factors, table);
    };
    backend.ceilings = gpu_ceilings;
    return backend;
}

}  // namespace cudabook::matmul
