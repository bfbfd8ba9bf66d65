#include "matmul/peers/cublas.cuh"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "common/cuda/gpu_kind.hpp"
#include "common/program/errors.hpp"
#include "common/program/shared_library.hpp"
#include "matmul/verification/error_bounds.hpp"

namespace cudabook::matmul {

namespace {

constexpr const char* tf32_name = "cublas_tf32";

/// The functions of libcublas. Their signatures are binary compatible with cublas_v2.h: int stands for its
/// enumerations, and void* for cublasHandle_t.
struct Functions {
    SharedLibrary library{CUDART_VERSION >= 13000 ? "libcublas.so.13" : "libcublas.so.12", "libcublas.so"};
    int (*create)(void** handle) = library.function<int(void**)>("cublasCreate_v2");
    int (*destroy)(void* handle) = library.function<int(void*)>("cublasDestroy_v2");
    int (*set_stream)(void* handle,
                      cudaStream_t) = library.function<int(void*, cudaStream_t)>("cublasSetStream_v2");
    int (*set_math)(void* handle, int mode) = library.function<int(void*, int)>("cublasSetMathMode");
    int (*get_property)(int part, int* value) = library.function<int(int, int*)>("cublasGetProperty");
    int (*multiply)(void* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
                    const float* a, int a_stride, const float* b, int b_stride, const float* beta, float* c,
                    int c_stride) =
        library.function<int(void*, int, int, int, int, int, const float*, const float*, int, const float*,
                             int, const float*, float*, int)>("cublasSgemm_v2");

    [[nodiscard]] bool loaded() const {
        return create != nullptr && destroy != nullptr && set_stream != nullptr && set_math != nullptr &&
               get_property != nullptr && multiply != nullptr;
    }
};

const Functions& cublas() {
    static const Functions functions;
    return functions;
}

void check(int status, const char* call) {
    if (status != 0) throw MachineError(fmt::format("{} failed with status {}", call, status));
}

/// The version of cuBLAS, such as 13.0.2.
std::string version() {
    int parts[3] = {};
    for (int i = 0; i < 3; ++i) check(cublas().get_property(i, &parts[i]), "cublasGetProperty");
    return fmt::format("{}", fmt::join(parts, "."));
}

std::string why_not(const Device&, const GemmShape& shape) {
    if (gpu_kind == DeviceKind::emulated) return "it needs a real GPU";
    if (!cublas().loaded()) return "libcublas is not there";
    return std::max({shape.m, shape.n, shape.k}) > std::numeric_limits<int>::max()
               ? "cuBLAS takes sides up to 2^31 - 1"
               : "";
}

}  // namespace

std::vector<Kernel> cublas_kernels(
    const std::function<std::string(const Device&, const GemmShape&)>& why_no_tf32) {
    const bool there = gpu_kind == DeviceKind::cuda && cublas().loaded();
    const std::string what = there ? fmt::format("cuBLAS {}'s sgemm", version()) : "";
    return {{.name = tf32_name,
             .memory = "library",
             .what = what + " with TF32",
             .device = DeviceKind::cuda,
             .error_bound = cublas_tf32_bound,
             .why_not =
                 [why_no_tf32](const Device& device, const GemmShape& shape) {
                     const std::string reason = why_not(device, shape);
                     return reason.empty() ? why_no_tf32(device, shape) : reason;
                 }},
            {.name = "cublas",
             .memory = "library",
             .what = what,
             .device = DeviceKind::cuda,
             .error_bound = float32_bound,
             .why_not = why_not}};
}

Cublas::Cublas(const Stream& stream, const Kernel& kernel) {
    constexpr int default_math = 0;  // float32 is multiplied as float32
    constexpr int tf32_math = 3;     // operands are rounded to TF32, for the tensor cores
    void* handle = nullptr;
    check(cublas().create(&handle), "cublasCreate");
    handle_.reset(handle);
    check(cublas().set_stream(handle, stream.get()), "cublasSetStream");
    check(cublas().set_math(handle, kernel.name == tf32_name ? tf32_math : default_math),
          "cublasSetMathMode");
}

// cuBLAS's matrices are column-major, so it computes C^T = B^T A^T.
void Cublas::multiply(float* c, const float* a, const float* b, const GemmShape& shape) const {
    const int m = static_cast<int>(shape.m);
    const int n = static_cast<int>(shape.n);
    const int k = static_cast<int>(shape.k);
    const float one = 1;
    const float zero = 0;
    constexpr int not_transposed = 0;
    check(cublas().multiply(handle_.get(), not_transposed, not_transposed, n, m, k, &one, b, n, a, k, &zero,
                            c, n),
          "cublasSgemm");
}

void Cublas::Destroy::operator()(void* handle) const { cublas().destroy(handle); }

}  // namespace cudabook::matmul
