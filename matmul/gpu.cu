// The GPU: the matrices, what some kernels need beside them, the launches, and the table of the kernels.
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "matmul/cublas.cuh"
#include "matmul/error_bounds.hpp"
#include "matmul/gpu_ceilings.hpp"
#include "matmul/grid.hpp"
#include "matmul/kernels/1_naive.cuh"
#include "matmul/kernels/2_texture.cuh"
#include "matmul/kernels/3_texture2d.cuh"
#include "matmul/kernels/4_tiled.cuh"
#include "matmul/kernels/5_registers.cuh"
#include "matmul/kernels/6_vectorized.cuh"
#include "matmul/kernels/7_pipelined.cuh"
#include "matmul/kernels/8_tf32.cuh"
#include "matmul/kernels/9_tf32x3.cuh"
#include "matmul/kernels/pack.cuh"
#include "matmul/kernels/transpose_and_pad.cuh"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

namespace {

/// A and B as textures of one dimension, over the same memory, or of two, in memory of their own.
struct Textures {
    TextureObject a;
    TextureObject b;
};

/// What a launch is given.
struct Input {
    const Shape& shape;
    const Device& device;
    const Stream& stream;
    float* c;
    const float* a;
    const float* b;
    const Textures* textures;  ///< for the kernels that read textures
    float* workspace;          ///< for copies of A and B that suit the kernel
};

/// A kernel that was launched.
struct Launched {
    const void* function = nullptr;
    int threads = 0;
    std::size_t shared_bytes = 0;  ///< in addition to what it declares
};

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
    return blocks_for_tiles(shape.m, shape.n, side);
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
    [[nodiscard]] Blocks transpose_blocks() const { return blocks_for_tiles(a_stride, rows, transpose_side); }
    std::size_t rows;
    std::size_t a_stride;
    std::size_t b_stride;
    bool b_needs_none;
};

std::size_t aligned_floats(const Shape& shape) { return AlignedCopies(shape).floats(); }

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
std::size_t tf32_floats(const Shape& shape) {
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

// ----- Why a device cannot run a kernel with a shape; empty: it can

std::string always_possible(const Device&, const Shape&) { return {}; }

std::string why_no_tensor_cores(const Device& device, const Shape&) {
    if (std::stod(device.compute_capability) < 8)
        return fmt::format("it needs compute capability 8.0, and {} has {}", device.name,
                           device.compute_capability);
    // Made by the device from PTX for an older one, the kernels are empty.
    const int code = capability_of_code(reinterpret_cast<const void*>(tf32_kernel<1>));
    if (code >= 80) return {};
    return fmt::format("it needs compute capability 8.0, and this build has code for {}.{} only", code / 10,
                       code % 10);
}

std::string why_no_linear_textures(const Device& device, const Shape& shape) {
    const std::size_t limit = std::min<std::size_t>(TextureObject::linear_limit<float>(device.index),
                                                    std::numeric_limits<int>::max());
    const std::size_t most = std::max(shape.m, shape.n) * shape.k;
    if (most <= limit && std::max(shape.m, shape.n) <= limit) return {};
    return fmt::format("its textures would have {} texels, and the device's have {} at most", most, limit);
}

std::string why_no_2d_textures(const Device& device, const Shape& shape) {
    const auto width = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DWidth, device.index));
    const auto height =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DHeight, device.index));
    if (std::max(shape.k, shape.n) <= width && std::max(shape.m, shape.k) <= height) return {};
    return fmt::format("the device's textures have {} by {} texels at most", width, height);
}

// ----- The table

std::size_t no_floats(const Shape&) { return 0; }

struct CudaKernel {
    std::string_view name;
    std::string_view memory;
    std::string_view what;
    Launched (*launch)(const Input&);
    Blocks (*blocks)(const Shape&);                      ///< of its largest grid
    std::size_t (*workspace)(const Shape&) = no_floats;  ///< floats
    std::string (*why_not)(const Device&, const Shape&) = always_possible;
    double (*error_bound)(std::size_t k) = nullptr;
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    std::string_view peer = {};
};

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
    {.name = "tf32",
     .memory = "shared",
     .what = "tensor cores, operands rounded to TF32",
     .launch = tf32<1>,
     .blocks = packed_blocks,
     .workspace = tf32_floats<1>,
     .why_not = why_no_tensor_cores,
     .error_bound = tf32_bound,
     .peer = "cublas_tf32"},
    {.name = "tf32x3_mma",
     .memory = "shared",
     .what = "tensor cores, operands in two parts",
     .launch = tf32<3>,
     .blocks = packed_blocks,
     .workspace = tf32_floats<3>,
     .why_not = why_no_tensor_cores,
     .error_bound = tf32x3_bound,
     .as_accurate_from_k = tf32x3_as_accurate_from_k},
    {.name = "tf32x3",
     .memory = "shared",
     .what = "the same, by Hopper's warpgroups where there are any",
     .launch = tf32x3,
     .blocks = packed_blocks,
     .workspace = tf32_floats<3>,
     .why_not = why_no_tensor_cores,
     .error_bound = tf32x3_bound,
     .as_accurate_from_k = tf32x3_as_accurate_from_k},
};

/// The row of a kernel; null for one of cuBLAS's.
const CudaKernel* row_of(const Kernel& kernel) {
    const auto* row = std::ranges::find(table, kernel.name, &CudaKernel::name);
    return row == std::end(table) ? nullptr : row;
}

class CudaProduct final : public Product {
  public:
    CudaProduct(const Device& device, const Factors& factors)
        : shape_(factors.shape),
          device_(device),
          a_(factors.a),
          b_(factors.b),
          c_(factors.shape.m * factors.shape.n) {}

    double run(const Kernel& kernel) override {
        const CudaKernel* row = row_of(kernel);
        return row != nullptr ? run_kernel(*row) : run_cublas(kernel);
    }

    [[nodiscard]] std::vector<float> result(const Kernel& kernel) override {
        CUDA_CHECK(cudaMemsetAsync(c_.data(), 0xff, c_.size() * sizeof(float), stream_.get()));
        run(kernel);
        std::vector<float> c = c_.download();
        flip_bit_if_asked(kernel.name, std::span(c));
        return c;
    }

    [[nodiscard]] std::optional<Occupancy> occupancy(const Kernel& kernel) const override {
        if (row_of(kernel) == nullptr) return std::nullopt;
        const Launched& launched = launched_.at(kernel.name);
        return occupancy_of(launched.function, launched.threads, device_.index, launched.shared_bytes);
    }

  private:
    double run_kernel(const CudaKernel& row) {
        if (const std::size_t floats = row.workspace(shape_); floats > workspace_.size()) {
            workspace_ = {};
            workspace_ = DeviceArray<float>(floats);
        }
        const Input input{.shape = shape_,
                          .device = device_,
                          .stream = stream_,
                          .c = c_.data(),
                          .a = a_.data(),
                          .b = b_.data(),
                          .textures = textures_for(row),
                          .workspace = workspace_.data()};
        stopwatch_.start(stream_);
        launched_[std::string(row.name)] = row.launch(input);
        return stopwatch_.stop(stream_);
    }

    double run_cublas(const Kernel& kernel) {
        const Cublas& cublas = cublas_.try_emplace(kernel.name, stream_, kernel).first->second;
        stopwatch_.start(stream_);
        cublas.multiply(c_.data(), a_.data(), b_.data(), shape_);
        return stopwatch_.stop(stream_);
    }

    /// Made when a kernel first needs them.
    const Textures* textures_for(const CudaKernel& row) {
        if (row.memory == "texture1d") {
            if (!linear_)
                linear_ = std::make_unique<Textures>(Textures{TextureObject::linear(a_.data(), a_.size()),
                                                              TextureObject::linear(b_.data(), b_.size())});
            return linear_.get();
        }
        if (row.memory == "texture2d") {
            if (!arrays_) arrays_ = std::make_unique<Arrays>(shape_, a_.data(), b_.data());
            return &arrays_->textures;
        }
        return nullptr;
    }

    struct Arrays {
        Arrays(const Shape& shape, const float* from_a, const float* from_b)
            : a(shape.k, shape.m),
              b(shape.n, shape.k),
              textures{TextureObject::array(a.get()), TextureObject::array(b.get())} {
            a.copy_from(from_a);
            b.copy_from(from_b);
        }
        TextureArray<float> a;
        TextureArray<float> b;
        Textures textures;
    };

    Shape shape_;
    Device device_;
    Stream stream_;
    Stopwatch stopwatch_;
    DeviceArray<float> a_;
    DeviceArray<float> b_;
    DeviceArray<float> c_;
    DeviceArray<float> workspace_;
    std::unique_ptr<Textures> linear_;
    std::unique_ptr<Arrays> arrays_;
    std::map<std::string, Launched> launched_;
    std::map<std::string, Cublas> cublas_;
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
    backend.peers = [] { return cublas_kernels(why_no_tensor_cores); };
    backend.make = [](const Device& device, const Factors& factors) {
        CUDA_CHECK(cudaSetDevice(device.index));
        return std::make_unique<CudaProduct>(device, factors);
    };
    backend.ceilings = gpu_ceilings;
    return backend;
}

}  // namespace cudabook::matmul
