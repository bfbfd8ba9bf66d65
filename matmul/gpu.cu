// The GPU: the launch of each kernel, with the memory it needs beside the matrices, and the table of the
// kernels.
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
#include "matmul/kernels/11_warpgroups.cuh"
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

/// The grid of a launch. Errors: MachineError, if it has too many blocks.
dim3 grid_of(const Blocks& blocks) {
    if (const std::string reason = too_many_blocks(blocks); !reason.empty()) throw MachineError(reason);
    return dim3(static_cast<unsigned>(blocks.x), static_cast<unsigned>(blocks.y));
}

// ----- A thread for each element of C

constexpr dim3 element_block(tile_side, tile_side);  // the block of tiled; it suits the other kernels too

Blocks element_blocks(const GemmShape& shape) { return blocks_for_elements(shape.m, shape.n, tile_side); }

template <class... Parameters, class... Arguments>
LaunchedKernel launch_for_elements(const Input& in, void (*kernel)(Parameters...), Arguments... arguments) {
    launch(kernel, grid_of(element_blocks(in.shape)), element_block, in.stream, arguments...);
    return {reinterpret_cast<const void*>(kernel), static_cast<int>(element_block.x * element_block.y)};
}

LaunchedKernel naive(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, naive_kernel, in.c, in.a, in.b, m, n, k);
}

LaunchedKernel texture(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, texture_kernel, in.c, in.textures->a.handle(), in.textures->b.handle(), m,
                               n, static_cast<int>(k));
}

LaunchedKernel texture2d(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, texture2d_kernel, in.c, in.textures->a.handle(), in.textures->b.handle(),
                               m, n, static_cast<int>(k));
}

LaunchedKernel tiled(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_elements(in, tiled_kernel, in.c, in.a, in.b, m, n, k);
}

// ----- A block for each tile of C

template <int side>
Blocks tile_blocks(const GemmShape& shape) {
    return blocks_for_tiles(shape.m, shape.n, side, side);
}

template <int side, class... Parameters, class... Arguments>
LaunchedKernel launch_for_tiles(const Input& in, void (*kernel)(Parameters...), int threads,
                                std::size_t shared_bytes, Arguments... arguments) {
    launch_with_shared(kernel, grid_of(tile_blocks<side>(in.shape)), threads, shared_bytes, in.stream,
                       arguments...);
    return {reinterpret_cast<const void*>(kernel), threads, shared_bytes};
}

LaunchedKernel registers(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_tiles<Registers::side>(in, registers_kernel, Registers::threads, 0, in.c, in.a, in.b, m,
                                             n, k);
}

LaunchedKernel vectorized(const Input& in) {
    const auto& [m, n, k] = in.shape;
    return launch_for_tiles<Vectorized::side>(in, vectorized_kernel, Vectorized::threads, 0, in.c, in.a, in.b,
                                              m, n, k);
}

// ----- pipelined: A is transposed; B is copied unless n is a multiple of 4 and k a multiple of 32

struct AlignedCopies {
    explicit AlignedCopies(const GemmShape& shape)
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

std::size_t aligned_floats(const Device&, const GemmShape& shape) { return AlignedCopies(shape).floats(); }

Blocks aligned_blocks(const GemmShape& shape) {
    return {std::max(tile_blocks<Pipelined::side>(shape).x, AlignedCopies(shape).transpose_blocks().x)};
}

LaunchedKernel pipelined(const Input& in) {
    const auto& [m, n, k] = in.shape;
    const AlignedCopies copies(in.shape);
    float* const a = in.workspace;
    launch<transpose_kernel>(grid_of(copies.transpose_blocks()), copy_threads, in.stream, a, copies.rows,
                             copies.a_stride, in.a, m, k);
    const float* b = in.b;
    if (!copies.b_needs_none) {
        float* const padded = a + copies.rows * copies.a_stride;
        const int blocks = 8 * in.device.units;
        launch<pad_kernel>(blocks, copy_threads, in.stream, padded, copies.rows, copies.b_stride, in.b, n, k);
        b = padded;
    }
    launch_overlapped_with_shared(Reads::memory, pipelined_kernel,
                                  grid_of(tile_blocks<Pipelined::side>(in.shape)), Pipelined::threads,
                                  Pipelined::shared_bytes, in.stream, in.c, a, copies.a_stride, b,
                                  copies.b_stride, m, n, static_cast<int>(copies.rows / Pipelined::depth));
    return {reinterpret_cast<const void*>(pipelined_kernel), Pipelined::threads, Pipelined::shared_bytes};
}

// ----- transposing, small_tiles: these kernels need no preparation

Blocks transposing_blocks(const GemmShape& shape) {
    return blocks_for_tiles(shape.m, shape.n, Transposing::rows, Transposing::columns);
}

/// Launches a kernel that needs no preparation.
template <class T>
LaunchedKernel launch_at_once(const Input& in, void (*kernel)(float*, const float*, const float*, std::size_t,
                                                              std::size_t, std::size_t)) {
    const auto& [m, n, k] = in.shape;
    launch_with_shared(kernel, grid_of(blocks_for_tiles(m, n, T::rows, T::columns)), T::threads,
                       T::shared_bytes, in.stream, in.c, in.a, in.b, m, n, k);
    return {reinterpret_cast<const void*>(kernel), T::threads, T::shared_bytes};
}

bool is_aligned(const GemmShape& shape) { return shape.n % 4 == 0 && shape.k % 4 == 0; }

LaunchedKernel transposing(const Input& in) {
    return launch_at_once<Transposing>(
        in, is_aligned(in.shape) ? transposing_kernel<true> : transposing_kernel<false>);
}

template <class T>
LaunchedKernel small_tiles_of(const Input& in) {
    return launch_at_once<T>(
        in, is_aligned(in.shape) ? small_tiles_kernel<T, true> : small_tiles_kernel<T, false>);
}

Blocks largest_small_tile_blocks(const GemmShape& shape) {
    return blocks_for_tiles(shape.m, shape.n, Tile64x64::rows, Tile64x64::columns);
}

// ----- auto

LaunchedKernel launch_tiling(const Input& in, FastestOf of) {
    constexpr LaunchedKernel (*launches[])(const Input&) = {
        small_tiles_of<Tile32x32>, small_tiles_of<Tile32x64>, small_tiles_of<Tile64x64>, transposing,
        pipelined};
    static_assert(std::size(launches) == tilings.size());
    return launches[fastest_tiling(in.shape, in.device.units, of)](in);
}

std::size_t floats_of_fastest(const Device& device, const GemmShape& shape) {
    const Tiling& tiling = tilings[fastest_tiling(shape, device.units, FastestOf::all)];
    return tiling.name == "pipelined" ? aligned_floats(device, shape) : 0;
}

LaunchedKernel small_tiles(const Input& in) { return launch_tiling(in, FastestOf::small_tiles); }

LaunchedKernel fastest(const Input& in) { return launch_tiling(in, FastestOf::all); }

// ----- tf32_mma, tf32x3_mma: A and B in tiles for the tensor cores

/// The number of packed tiles of a factor: of A with `along_c` rows, or of B with `along_c` columns.
std::size_t packed_tiles(std::size_t along_c, std::size_t k) {
    return parts_of(along_c, packed_side) * parts_of(k, packed_depth);
}

Blocks packed_blocks(const GemmShape& shape) {
    return {std::max(
        {tile_blocks<packed_side>(shape).x, packed_tiles(shape.m, shape.k), packed_tiles(shape.n, shape.k)})};
}

template <int products>
std::size_t mma_floats(const Device&, const GemmShape& shape) {
    return packed_floats *
           (packed_tiles(shape.m, shape.k) + Tf32<products>::parts * packed_tiles(shape.n, shape.k));
}

template <int products>
LaunchedKernel mma(const Input& in) {
    using T = Tf32<products>;
    const auto& [m, n, k] = in.shape;
    float* const packed_a = in.workspace;
    float* const packed_b = packed_a + packed_floats * packed_tiles(m, k);
    launch<pack_a_kernel>(grid_of({packed_tiles(m, k)}), pack_threads, in.stream,
                          reinterpret_cast<float4*>(packed_a), in.a, m, k);
    launch<pack_b_kernel<T::parts>>(grid_of({packed_tiles(n, k)}), pack_threads, in.stream,
                                    reinterpret_cast<float4*>(packed_b), in.b, n, k);
    return launch_for_tiles<packed_side>(in, tf32_kernel<products>, T::threads, T::shared_bytes, in.c,
                                         packed_a, packed_b, in.a, in.b, m, n, k);
}

// ----- tf32, tf32x3, f16x3: by warpgroups

bool has_warpgroups(const Device& device) { return CUDABOOK_HAS_SM90A && device.compute_capability == "9.0"; }

/// The width of a block's tile: the greatest width that registers and shared memory allow and that gives
/// work to at least three quarters of the multiprocessors, or 64 if there is no such width.
template <class Operands>
int width_of_tile(const Device& device, const GemmShape& shape) {
    constexpr int widest = Operands::parts == 1 ? 256 : 128;
    const auto busy = [&](int width) {
        const std::size_t tiles = blocks_for_tiles(shape.m, shape.n, packed_side, width).x;
        return 4 * tiles >= 3 * static_cast<std::size_t>(device.units);
    };
    for (int width = widest; width > 64; width /= 2)
        if (busy(width)) return width;
    return 64;
}

/// The chunks in which factors are packed.
Chunks chunks_of(const GemmShape& shape, int width) {
    constexpr std::size_t enough_blocks = 2560;
    const std::size_t strips = parts_of(shape.m, packed_side) * (packed_side / rows_of_strip) +
                               parts_of(shape.n, width) * (width / columns_of_strip);
    const std::size_t tiles = parts_of(shape.k, packed_depth);
    const std::size_t most = std::clamp<std::size_t>(enough_blocks / strips, 1, 32);
    const std::size_t tiles_of_chunk = std::max<std::size_t>(8, parts_of(tiles, most));
    return {static_cast<unsigned>(strips), static_cast<unsigned>(parts_of(tiles, tiles_of_chunk)),
            tiles_of_chunk * packed_depth};
}

/// The packed factors, the exponents of their scales, and the maxima from which the exponents are computed.
template <class Operands>
struct PackedFactors {
    PackedFactors(const GemmShape& shape, int width)
        : chunks(chunks_of(shape, width)),
          a_bytes(bytes(shape.m, packed_side, shape.k)),
          b_bytes(bytes(shape.n, width, shape.k)),
          scales(Operands::scaled ? shape.m + shape.n : 0),
          floats((a_bytes + b_bytes) / sizeof(float) + (1 + chunks.count) * scales) {}

    static std::size_t bytes(std::size_t along_c, int side, std::size_t k) {
        return parts_of(along_c, side) * parts_of(k, packed_depth) *
               static_cast<std::size_t>(PackedTile<Operands>::bytes(side));
    }

    Chunks chunks;
    std::size_t a_bytes;
    std::size_t b_bytes;
    std::size_t scales;
    std::size_t floats;
};

template <class Operands>
std::size_t packed_floats_of(const Device& device, const GemmShape& shape) {
    return PackedFactors<Operands>(shape, width_of_tile<Operands>(device, shape)).floats;
}

template <class Operands, int width>
LaunchedKernel by_warpgroups_of(const Input& in) {
    using W = Warpgroups<Operands, width>;
    const auto& [m, n, k] = in.shape;
    const PackedFactors<Operands> packed(in.shape, width);
    auto* const a = reinterpret_cast<unsigned char*>(in.workspace);
    auto* const b = a + packed.a_bytes;
    auto* const scales = reinterpret_cast<int*>(b + packed.b_bytes);
    auto* const maxima = reinterpret_cast<unsigned*>(scales + packed.scales);
    const dim3 blocks = grid_of({std::size_t{packed.chunks.strips} * packed.chunks.count});
    if (Operands::scaled && k > depth_without_maxima)
        launch<maxima_kernel>(blocks, pack_threads, in.stream, maxima, in.a, in.b, m, n, k, packed.chunks);
    launch_overlapped(Reads::memory, pack_tiles_kernel<Operands>, blocks, pack_threads, in.stream, a, b,
                      width, scales, maxima, in.a, in.b, m, n, k, packed.chunks);
    const auto kernel = warpgroups_kernel<Operands, width>;
    launch_overlapped_with_shared(Reads::memory, kernel, grid_of(blocks_for_tiles(m, n, packed_side, width)),
                                  W::threads, sizeof(typename W::Shared), in.stream, in.c, a, b, scales, in.a,
                                  in.b, m, n, k);
    return {reinterpret_cast<const void*>(kernel), W::threads, sizeof(typename W::Shared)};
}

template <class Operands>
LaunchedKernel by_warpgroups(const Input& in) {
    const int width = width_of_tile<Operands>(in.device, in.shape);
    if (width == 64) return by_warpgroups_of<Operands, 64>(in);
    if constexpr (Operands::parts == 1)
        if (width == 256) return by_warpgroups_of<Operands, 256>(in);
    return by_warpgroups_of<Operands, 128>(in);
}

LaunchedKernel tf32(const Input& in) {
    return has_warpgroups(in.device) ? by_warpgroups<OneTf32>(in) : mma<1>(in);
}

LaunchedKernel tf32x3(const Input& in) {
    return has_warpgroups(in.device) ? by_warpgroups<TwoTf32>(in) : mma<3>(in);
}

template <class Operands, int products>
std::size_t tf32_floats(const Device& device, const GemmShape& shape) {
    return has_warpgroups(device) ? packed_floats_of<Operands>(device, shape)
                                  : mma_floats<products>(device, shape);
}

// ----- The order of the sums on tensor cores

template <int products>
TensorCoreSums sums_of_mma(const Device&) {
    return {.parts = products == 3 ? TensorCoreSums::Parts::two_tf32 : TensorCoreSums::Parts::one_tf32};
}

TensorCoreSums sums_of_tf32(const Device& device) {
    if (!has_warpgroups(device)) return sums_of_mma<1>(device);
    return {.parts = TensorCoreSums::Parts::one_tf32, .by_warpgroups = true, .tiles_in_a_sum = 0};
}

TensorCoreSums sums_of_tf32x3(const Device& device) {
    TensorCoreSums sums = sums_of_mma<3>(device);
    sums.by_warpgroups = has_warpgroups(device);
    return sums;
}

TensorCoreSums sums_of_f16x3(const Device&) {
    return {.parts = TensorCoreSums::Parts::two_halves, .by_warpgroups = true, .tiles_in_a_sum = 2};
}

std::string why_no_tf32(const Device& device, const GemmShape&) {
    return why_no_tensor_cores(device, reinterpret_cast<const void*>(tf32_kernel<1>));
}

std::string why_no_warpgroups(const Device& device, const GemmShape& shape) {
    const std::string reason = why_no_tf32(device, shape);
    if (!reason.empty() || has_warpgroups(device)) return reason;
    return "it needs the warpgroups of compute capability 9.0, and a build for them (90a)";
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
     .what = "pipelined, transposing or small_tiles, whichever suits the shape",
     .launch = fastest,
     .blocks = transposing_blocks,
     .workspace = floats_of_fastest},
    {.name = "tf32_mma",
     .memory = "shared",
     .what = "tensor cores, operands rounded to TF32",
     .launch = mma<1>,
     .blocks = packed_blocks,
     .workspace = mma_floats<1>,
     .why_not = why_no_tf32,
     .error_bound = tf32_mma_bound,
     .tensor_core_sums = sums_of_mma<1>,
     .peer = "cublas_tf32"},
    {.name = "tf32x3_mma",
     .memory = "shared",
     .what = "tensor cores, operands in two parts",
     .launch = mma<3>,
     .blocks = packed_blocks,
     .workspace = mma_floats<3>,
     .why_not = why_no_tf32,
     .error_bound = tf32x3_bound,
     .tensor_core_sums = sums_of_mma<3>,
     .as_accurate_from_k = two_parts_as_accurate_from_k},
    {.name = "tf32",
     .memory = "shared",
     .what = "tf32_mma, by Hopper's warpgroups where there are any",
     .launch = tf32,
     .blocks = packed_blocks,
     .workspace = tf32_floats<OneTf32, 1>,
     .why_not = why_no_tf32,
     .error_bound = tf32_bound,
     .tensor_core_sums = sums_of_tf32,
     .peer = "cublas_tf32"},
    {.name = "tf32x3",
     .memory = "shared",
     .what = "tf32x3_mma, by Hopper's warpgroups where there are any",
     .launch = tf32x3,
     .blocks = packed_blocks,
     .workspace = tf32_floats<TwoTf32, 3>,
     .why_not = why_no_tf32,
     .error_bound = tf32x3_bound,
     .tensor_core_sums = sums_of_tf32x3,
     .as_accurate_from_k = two_parts_as_accurate_from_k},
    {.name = "f16x3",
     .memory = "shared",
     .what = "the same with scaled parts of 16 bits",
     .launch = by_warpgroups<TwoHalves>,
     .blocks = packed_blocks,
     .workspace = packed_floats_of<TwoHalves>,
     .why_not = why_no_warpgroups,
     .error_bound = f16x3_bound,
     .tensor_core_sums = sums_of_f16x3,
     .as_accurate_from_k = two_parts_as_accurate_from_k},
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
                      .why_not = [&row](const Device& device, const GemmShape& shape) {
                          const std::string reason = too_many_blocks(row.blocks(shape));
                          return reason.empty() ? row.why_not(device, shape) : reason;
                      }};
        if (row.error_bound != nullptr) kernel.error_bound = row.error_bound;
        if (row.tensor_core_sums != nullptr) kernel.tensor_core_sums = row.tensor_core_sums;
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
