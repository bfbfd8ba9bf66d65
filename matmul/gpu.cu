// The room on the GPU: the matrices, what some kernels need beside them, the launches, and cuBLAS.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
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
#include "common/program/shared_library.hpp"
#include "matmul/kernels/1_naive.cuh"
#include "matmul/kernels/2_texture.cuh"
#include "matmul/kernels/3_texture2d.cuh"
#include "matmul/kernels/4_tiled.cuh"
#include "matmul/kernels/5_registers.cuh"
#include "matmul/kernels/6_vectorized.cuh"
#include "matmul/kernels/7_pipelined.cuh"
#include "matmul/kernels/8_tf32.cuh"
#include "matmul/kernels/9_tf32x3.cuh"
#include "matmul/kernels/align.cuh"
#include "matmul/kernels/fma_ceiling.cuh"
#include "matmul/kernels/pack.cuh"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

namespace {

/// As many parts of that size as cover the whole.
std::size_t parts_of(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }
std::size_t round_up(std::size_t whole, std::size_t part) { return parts_of(whole, part) * part; }

/// The grid of a launch. Errors: MachineError, if it would have too many blocks.
dim3 grid_of(std::size_t blocks) {
    if (const std::string reason = too_many_blocks(blocks); !reason.empty()) throw MachineError(reason);
    return dim3(static_cast<unsigned>(blocks));
}

/// cuBLAS, where it is there. The functions' types are those of cublas_v2.h.
class Cublas {
  public:
    [[nodiscard]] static bool loaded() {
        const Functions& f = functions();
        return f.create != nullptr && f.destroy != nullptr && f.set_stream != nullptr &&
               f.set_math != nullptr && f.get_property != nullptr && f.multiply != nullptr;
    }

    /// Such as 13.0.2.
    [[nodiscard]] static std::string version() {
        int parts[3] = {};
        for (int i = 0; i < 3; ++i) check(functions().get_property(i, &parts[i]), "cublasGetProperty");
        return fmt::format("{}", fmt::join(parts, "."));
    }

    /// What multiplies: the cores for float32, or, of operands rounded to TF32, the tensor cores.
    enum class Math { float32 = 0, tf32 = 3 };

    Cublas(const Stream& stream, Math math) {
        void* handle = nullptr;
        check(functions().create(&handle), "cublasCreate");
        handle_.reset(handle);
        check(functions().set_stream(handle, stream.get()), "cublasSetStream");
        check(functions().set_math(handle, static_cast<int>(math)), "cublasSetMathMode");
    }

    /// C = A B: to cuBLAS, whose matrices are column-major, C^T = B^T A^T.
    void multiply(float* c, const float* a, const float* b, const Shape& shape) const {
        const int m = static_cast<int>(shape.m);
        const int n = static_cast<int>(shape.n);
        const int k = static_cast<int>(shape.k);
        const float one = 1;
        const float zero = 0;
        constexpr int as_it_is = 0;
        check(functions().multiply(handle_.get(), as_it_is, as_it_is, n, m, k, &one, b, n, a, k, &zero, c, n),
              "cublasSgemm");
    }

  private:
    struct Functions {
        SharedLibrary library{CUDART_VERSION >= 13000 ? "libcublas.so.13" : "libcublas.so.12",
                              "libcublas.so"};
        int (*create)(void** handle) = library.function<int(void**)>("cublasCreate_v2");
        int (*destroy)(void* handle) = library.function<int(void*)>("cublasDestroy_v2");
        int (*set_stream)(void* handle,
                          cudaStream_t) = library.function<int(void*, cudaStream_t)>("cublasSetStream_v2");
        int (*set_math)(void* handle, int mode) = library.function<int(void*, int)>("cublasSetMathMode");
        int (*get_property)(int part, int* value) = library.function<int(int, int*)>("cublasGetProperty");
        int (*multiply)(void* handle, int transpose_a, int transpose_b, int m, int n, int k,
                        const float* alpha, const float* a, int a_stride, const float* b, int b_stride,
                        const float* beta, float* c, int c_stride) =
            library.function<int(void*, int, int, int, int, int, const float*, const float*, int,
                                 const float*, int, const float*, float*, int)>("cublasSgemm_v2");
    };
    static const Functions& functions() {
        static const Functions functions;
        return functions;
    }
    static void check(int status, const char* call) {
        if (status != 0) throw MachineError(fmt::format("{} failed with status {}", call, status));
    }
    struct Destroy {
        void operator()(void* handle) const { functions().destroy(handle); }
    };
    std::unique_ptr<void, Destroy> handle_;
};

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
    const Textures* textures;
    float* workspace;
};

/// A kernel that was launched.
struct Launched {
    const void* function = nullptr;
    int threads = 0;
    std::size_t shared_bytes = 0;  ///< beside what it declares
};

/// The tiles that cover C.
std::size_t tiles_of(const Shape& shape, std::size_t side) {
    return parts_of(shape.m, side) * parts_of(shape.n, side);
}

template <int side>
std::size_t blocks_for_tiles(const Shape& shape) {
    return tiles_of(shape, side);
}

/// Launches the kernel with a block for each tile of C.
template <class... Parameters, class... Arguments>
Launched launch_tiles(const Input& in, void (*kernel)(Parameters...), std::size_t side, dim3 threads,
                      std::size_t shared_bytes, Arguments... arguments) {
    launch_with_shared(kernel, grid_of(tiles_of(in.shape, side)), threads, shared_bytes, in.stream,
                       arguments...);
    return {reinterpret_cast<const void*>(kernel), static_cast<int>(threads.x * threads.y), shared_bytes};
}

/// A kernel that takes C, A and B as they are.
template <class Kernel>
Launched launch_plain(const Input& in, Kernel kernel, std::size_t side, dim3 threads) {
    const auto& [m, n, k] = in.shape;
    return launch_tiles(in, kernel, side, threads, 0, in.c, in.a, in.b, m, n, k);
}

constexpr dim3 plain_block(plain_side, plain_side);

Launched naive(const Input& in) { return launch_plain(in, naive_kernel, plain_side, plain_block); }
Launched tiled(const Input& in) { return launch_plain(in, tiled_kernel, plain_side, plain_block); }
Launched registers(const Input& in) {
    return launch_plain(in, registers_kernel, Registers::side, Registers::threads);
}
Launched vectorized(const Input& in) {
    return launch_plain(in, vectorized_kernel, Vectorized::side, Vectorized::threads);
}

template <class Kernel>
Launched launch_textured(const Input& in, Kernel kernel) {
    const auto& [m, n, k] = in.shape;
    return launch_tiles(in, kernel, plain_side, plain_block, 0, in.c, in.textures->a.handle(),
                        in.textures->b.handle(), m, n, static_cast<int>(k));
}
Launched texture(const Input& in) { return launch_textured(in, texture_kernel); }
Launched texture2d(const Input& in) { return launch_textured(in, texture2d_kernel); }

/// A and B as pipelined needs them in the workspace: A transposed; B where its rows or their number do not
/// suit.
struct Aligned {
    explicit Aligned(const Shape& shape)
        : rows(round_up(shape.k, Pipelined::depth)),
          a_stride(round_up(shape.m, 4)),
          b_stride(round_up(shape.n, 4)),
          b_as_it_is(rows == shape.k && b_stride == shape.n) {}
    [[nodiscard]] std::size_t floats() const { return rows * (a_stride + (b_as_it_is ? 0 : b_stride)); }
    [[nodiscard]] std::size_t tiles_of_a() const {
        return parts_of(a_stride, align_side) * parts_of(rows, align_side);
    }
    std::size_t rows;
    std::size_t a_stride;
    std::size_t b_stride;
    bool b_as_it_is;
};

Launched pipelined(const Input& in) {
    const auto& [m, n, k] = in.shape;
    const Aligned aligned(in.shape);
    float* const a = in.workspace;
    launch(transpose_kernel, grid_of(aligned.tiles_of_a()), align_threads, in.stream, a, aligned.rows,
           aligned.a_stride, in.a, m, k);
    const float* b = in.b;
    if (!aligned.b_as_it_is) {
        float* const padded = a + aligned.rows * aligned.a_stride;
        const int blocks = 8 * in.device.units;
        launch(pad_kernel, blocks, align_threads, in.stream, padded, aligned.rows, aligned.b_stride, in.b, n,
               k);
        b = padded;
    }
    launch_overlapped_with_shared(Reads::memory, pipelined_kernel,
                                  grid_of(tiles_of(in.shape, Pipelined::side)), Pipelined::threads,
                                  Pipelined::shared_bytes, in.stream, in.c, a, aligned.a_stride, b,
                                  aligned.b_stride, m, n, static_cast<int>(aligned.rows / Pipelined::depth));
    return {reinterpret_cast<const void*>(pipelined_kernel), Pipelined::threads, Pipelined::shared_bytes};
}

std::size_t aligned_floats(const Shape& shape) { return Aligned(shape).floats(); }

std::size_t blocks_for_aligned(const Shape& shape) {
    return std::max(tiles_of(shape, Pipelined::side), Aligned(shape).tiles_of_a());
}

/// Tiles of A and B, packed.
std::size_t packed_tiles(std::size_t side, std::size_t k) {
    return parts_of(side, packed_side) * parts_of(k, packed_depth);
}

template <int parts>
void pack_b(const Input& in, float* packed) {
    launch(pack_b_kernel<parts>, grid_of(packed_tiles(in.shape.n, in.shape.k)), pack_threads, in.stream,
           reinterpret_cast<float4*>(packed), in.b, in.shape.n, in.shape.k);
}

std::size_t blocks_for_packed(const Shape& shape) {
    return std::max(
        {tiles_of(shape, packed_side), packed_tiles(shape.m, shape.k), packed_tiles(shape.n, shape.k)});
}

template <int products>
std::size_t packed_size(const Shape& shape) {
    return packed_floats *
           (packed_tiles(shape.m, shape.k) + Tf32<products>::parts * packed_tiles(shape.n, shape.k));
}

template <int products>
Launched tf32(const Input& in) {
    using T = Tf32<products>;
    const auto& [m, n, k] = in.shape;
    float* const packed_a = in.workspace;
    float* const packed_b = packed_a + packed_floats * packed_tiles(m, k);
    launch(pack_a_kernel, grid_of(packed_tiles(m, k)), pack_threads, in.stream,
           reinterpret_cast<float4*>(packed_a), in.a, m, k);
    pack_b<T::parts>(in, packed_b);
    return launch_tiles(in, tf32_kernel<products>, packed_side, T::threads, T::shared_bytes, in.c, packed_a,
                        packed_b, in.a, in.b, m, n, k);
}

bool has_warpgroups(const Device& device) { return CUDABOOK_HAS_SM90A && device.compute_capability == "9.0"; }

Launched tf32x3(const Input& in) {
    if (!has_warpgroups(in.device)) return tf32<3>(in);
    const auto& [m, n, k] = in.shape;
    pack_b<2>(in, in.workspace);
    return launch_tiles(in, tf32x3_kernel, packed_side, Tf32x3::threads, sizeof(Tf32x3::Shared), in.c,
                        in.workspace, in.a, in.b, m, n, k);
}

std::string anywhere(const Device&, const Shape&) { return {}; }

std::string tensor_cores(const Device& device, const Shape&) {
    if (std::stod(device.compute_capability) < 8)
        return fmt::format("it needs compute capability 8.0, and {} has {}", device.name,
                           device.compute_capability);
    // Made by the device from PTX for an older one, the kernels are empty.
    const int code = capability_of_code(reinterpret_cast<const void*>(tf32_kernel<1>));
    if (code >= 80) return {};
    return fmt::format("it needs compute capability 8.0, and this build has code for {}.{} only", code / 10,
                       code % 10);
}

std::string linear_textures(const Device& device, const Shape& shape) {
    const std::size_t limit = std::min<std::size_t>(TextureObject::linear_limit<float>(device.index),
                                                    std::numeric_limits<int>::max());
    const std::size_t most = std::max(shape.m, shape.n) * shape.k;
    if (most <= limit && std::max(shape.m, shape.n) <= limit) return {};
    return fmt::format("its textures would have {} texels, and the device's have {} at most", most, limit);
}

std::string arrays(const Device& device, const Shape& shape) {
    const auto width = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DWidth, device.index));
    const auto height =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DHeight, device.index));
    if (std::max(shape.k, shape.n) <= width && std::max(shape.m, shape.k) <= height) return {};
    return fmt::format("the device's textures have {} by {} texels at most", width, height);
}

std::size_t no_floats(const Shape&) { return 0; }

/// The rounding of both operands, and what the sums lose: each of 32 products is cut off as the tensor cores
/// add them.
double tf32_bound(std::size_t k) { return 0x1p-10 + 0x1p-21 + (40 + static_cast<double>(k) / 32) * 0x1p-23; }
/// What two parts miss of each operand, and the product that is left out; the sums as above, thrice as long.
double tf32x3_bound(std::size_t k) { return 0x1p-21 + (120 + static_cast<double>(k) / 32) * 0x1p-23; }
constexpr std::size_t tf32x3_as_accurate_from_k = 1024;
/// Of cuBLAS, which may cut the operands off, and adds all products up in the tensor cores, which cut off
/// too.
double cublas_tf32_bound(std::size_t k) { return 0x1p-9 + 0x1p-20 + (40 + static_cast<double>(k)) * 0x1p-23; }

struct CudaKernel {
    const char* name;
    const char* memory;
    const char* what;
    Launched (*launch)(const Input&);
    std::size_t (*blocks)(const Shape&);  ///< of its largest grid
    std::size_t (*workspace)(const Shape&) = no_floats;
    std::string (*why_not)(const Device&, const Shape&) = anywhere;
    double (*error_bound)(std::size_t k) = nullptr;
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    const char* peer = "";
};

const char* const cublas_name = "cublas";
const char* const cublas_tf32_name = "cublas_tf32";

const CudaKernel table[] = {
    {"naive", "global", "a thread for each element of C", naive, blocks_for_tiles<plain_side>},
    {"texture", "texture1d", "the same, read by tex1Dfetch", texture, blocks_for_tiles<plain_side>, no_floats,
     linear_textures},
    {"texture2d", "texture2d", "the same, read by tex2D", texture2d, blocks_for_tiles<plain_side>, no_floats,
     arrays},
    {"tiled", "shared", "the guide's 16x16 tiles in shared memory", tiled, blocks_for_tiles<plain_side>},
    {"registers", "shared", "each thread makes 8x8 elements", registers, blocks_for_tiles<Registers::side>},
    {"vectorized", "shared", "loads of 16 bytes, A transposed on its way", vectorized,
     blocks_for_tiles<Vectorized::side>},
    {"pipelined", "shared", "A transposed beforehand, asynchronous copies", pipelined, blocks_for_aligned,
     aligned_floats},
    {"tf32", "shared", "tensor cores, operands rounded to TF32", tf32<1>, blocks_for_packed, packed_size<1>,
     tensor_cores, tf32_bound, std::nullopt, cublas_tf32_name},
    {"tf32x3_mma", "shared", "tensor cores, operands in two parts", tf32<3>, blocks_for_packed,
     packed_size<3>, tensor_cores, tf32x3_bound, tf32x3_as_accurate_from_k},
    {"tf32x3", "shared", "the same, by Hopper's warpgroups where there are", tf32x3, blocks_for_packed,
     packed_size<3>, tensor_cores, tf32x3_bound, tf32x3_as_accurate_from_k},
};

class CudaProduct final : public Product {
  public:
    CudaProduct(const Device& device, const Factors& factors)
        : shape_(factors.shape),
          device_(device),
          a_(factors.a),
          b_(factors.b),
          c_(factors.shape.m * factors.shape.n) {}

    double run(const Kernel& kernel) override {
        if (is_library(kernel)) {
            const auto math = kernel.name == cublas_tf32_name ? Cublas::Math::tf32 : Cublas::Math::float32;
            const Cublas& cublas = cublas_.try_emplace(math, stream_, math).first->second;
            stopwatch_.start(stream_);
            cublas.multiply(c_.data(), a_.data(), b_.data(), shape_);
            return stopwatch_.stop(stream_);
        }
        const CudaKernel& row = *std::ranges::find(table, kernel.name, &CudaKernel::name);
        if (const std::size_t floats = row.workspace(shape_); floats > workspace_.size()) {
            workspace_ = {};
            workspace_ = DeviceArray<float>(floats);
        }
        const Input input{shape_,    device_,   stream_,          c_.data(),
                          a_.data(), b_.data(), textures_of(row), workspace_.data()};
        stopwatch_.start(stream_);
        launched_[kernel.name] = row.launch(input);
        return stopwatch_.stop(stream_);
    }

    [[nodiscard]] std::vector<float> result(const Kernel& kernel) override {
        CUDA_CHECK(cudaMemsetAsync(c_.data(), 0xff, c_.size() * sizeof(float), stream_.get()));
        run(kernel);
        std::vector<float> c = c_.download();
        flip_bit_if_asked(kernel.name, std::span(c));
        return c;
    }

    [[nodiscard]] std::optional<Occupancy> occupancy(const Kernel& kernel) const override {
        if (is_library(kernel)) return std::nullopt;
        const Launched& launched = launched_.at(kernel.name);
        return occupancy_of(launched.function, launched.threads, device_.index, launched.shared_bytes);
    }

  private:
    static bool is_library(const Kernel& kernel) {
        return kernel.name == cublas_name || kernel.name == cublas_tf32_name;
    }

    const Textures* textures_of(const CudaKernel& row) {
        if (row.launch == texture && !linear_)
            linear_ = std::make_unique<Textures>(Textures{TextureObject::linear(a_.data(), a_.size()),
                                                          TextureObject::linear(b_.data(), b_.size())});
        if (row.launch == texture2d && !arrays_)
            arrays_ = std::make_unique<Arrays>(shape_, a_.data(), b_.data());
        return row.launch == texture ? linear_.get() : row.launch == texture2d ? &arrays_->textures : nullptr;
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
    std::map<Cublas::Math, Cublas> cublas_;
};

/// Multiprocessors × units for float32 of each × 2 operations × the highest clock.
double fp32_peak_tflops(const Device& device) {
    const bool has_64 = device.compute_capability.starts_with("7.") || device.compute_capability == "8.0";
    const double khz = device_attribute(cudaDevAttrClockRate, device.index);
    return device.units * (has_64 ? 64.0 : 128.0) * 2 * khz / 1e9;
}

double fma_tflops(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const DeviceArray<float> nothing(1);
    const Stream stream;
    Stopwatch stopwatch;
    const int blocks = 4 * device.units;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        launch(fma_ceiling_kernel, blocks, ceiling_threads, stream, nothing.data());
        return stopwatch.stop(stream);
    });
    return 2.0 * ceiling_chains * ceiling_rounds * ceiling_threads * blocks / time.median / 1e9;
}

}  // namespace

GpuBackend gpu() {
    GpuBackend side;
    side.find_devices = cuda_devices;
    for (const CudaKernel& row : table) {
        Kernel kernel{row.name, row.memory, row.what, DeviceKind::cuda};
        if (row.error_bound != nullptr) kernel.error_bound = row.error_bound;
        kernel.as_accurate_from_k = row.as_accurate_from_k;
        kernel.peer = row.peer;
        kernel.why_not = [&row](const Device& device, const Shape& shape) {
            const std::string reason = too_many_blocks(row.blocks(shape));
            return reason.empty() ? row.why_not(device, shape) : reason;
        };
        side.kernels.push_back(std::move(kernel));
    }
    side.peers = [] {
        const std::string what = Cublas::loaded() ? fmt::format("cuBLAS {}'s sgemm", Cublas::version()) : "";
        Kernel tf32{cublas_tf32_name, "library", what + " with TF32", DeviceKind::cuda, cublas_tf32_bound};
        Kernel float32{cublas_name, "library", what, DeviceKind::cuda, float32_bound};
        float32.why_not = [](const Device&, const Shape& shape) -> std::string {
            if (!Cublas::loaded()) return "libcublas is not there";
            return std::max({shape.m, shape.n, shape.k}) > std::numeric_limits<int>::max()
                       ? "cuBLAS takes sides up to 2^31 - 1"
                       : "";
        };
        tf32.why_not = [of_float32 = float32.why_not](const Device& device, const Shape& shape) {
            const std::string reason = tensor_cores(device, shape);
            return reason.empty() ? of_float32(device, shape) : reason;
        };
        return std::vector{std::move(tf32), std::move(float32)};
    };
    side.make = [](const Device& device, const Factors& factors) {
        CUDA_CHECK(cudaSetDevice(device.index));
        return std::make_unique<CudaProduct>(device, factors);
    };
    side.ceilings = [](const Device& device) {
        return std::vector<std::pair<std::string, double>>{{"fp32_peak_tflops", fp32_peak_tflops(device)},
                                                           {"fma_tflops", fma_tflops(device)}};
    };
    return side;
}

}  // namespace cudabook::matmul
