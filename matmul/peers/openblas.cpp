#include "matmul/peers/openblas.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>

#include <fmt/format.h>

#include "common/program/fault.hpp"
#include "common/program/shared_library.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/error_bounds.hpp"

namespace cudabook::matmul {

namespace {

/// The library, called through the C interface that every BLAS has.
class OpenBlas {
  public:
    OpenBlas() {
        if (set_threads_ != nullptr) set_threads_(omp_get_max_threads());
    }

    [[nodiscard]] bool loaded() const { return multiply_ != nullptr; }

    void multiply(std::vector<float>& c, const Factors& f) const {
        constexpr int row_major = 101;
        constexpr int not_transposed = 111;
        const int m = static_cast<int>(f.shape.m);
        const int n = static_cast<int>(f.shape.n);
        const int k = static_cast<int>(f.shape.k);
        multiply_(row_major, not_transposed, not_transposed, m, n, k, 1, f.a.data(), k, f.b.data(), n, 0,
                  c.data(), n);
    }

    /// The processor that OpenBLAS takes this processor for.
    [[nodiscard]] std::string core() const { return core_ == nullptr ? "an unknown processor" : core_(); }

  private:
    using Sgemm = void(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                       const float* a, int a_stride, const float* b, int b_stride, float beta, float* c,
                       int c_stride);
    static SharedLibrary load() {
        // An old version of OpenBLAS takes a new processor for an old processor, and is slow.
        if (simd_levels().front() == "avx512") setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
        // After a call OpenBLAS's threads busy-wait for 2^26 cycles by default, and take a core from the
        // kernel that is measured next.
        setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
        return {"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib"};
    }
    SharedLibrary library_ = load();
    Sgemm* multiply_ = library_.function<Sgemm>("cblas_sgemm");
    const char* (*core_)() = library_.function<const char*()>("openblas_get_corename");
    void (*set_threads_)(int) = library_.function<void(int)>("openblas_set_num_threads");
};

const OpenBlas& open_blas() {
    static const OpenBlas library;
    return library;
}

std::string why_not(const Device&, const GemmShape& shape) {
    if (!open_blas().loaded()) return "libopenblas is not there";
    return std::max({shape.m, shape.n, shape.k}) > std::numeric_limits<int>::max()
               ? "OpenBLAS takes sides up to 2^31 - 1"
               : "";
}

}  // namespace

Kernel openblas_kernel() {
    return {.name = "openblas",
            .memory = "library",
            .what = open_blas().loaded() ? fmt::format("OpenBLAS's sgemm for {}", open_blas().core()) : "",
            .device = DeviceKind::cpu,
            .error_bound = float32_bound,
            .why_not = why_not};
}

void multiply_by_openblas(std::vector<float>& c, const Factors& factors) {
    open_blas().multiply(c, factors);
    flip_bit_if_asked("openblas", std::span(c));
}

}  // namespace cudabook::matmul
