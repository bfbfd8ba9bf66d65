// The CPU: the reference, written from the formula; the table of the CPU's kernels; and the ceiling of all
// cores.
#include <algorithm>
#include <limits>
#include <span>

#include "common/program/fault.hpp"
#include "matmul/cpu/blocked.hpp"
#include "matmul/cpu/simd_loops.hpp"
#include "matmul/matmul.hpp"
#include "matmul/peers/openblas.hpp"
#include "matmul/verification/comparison.hpp"

namespace cudabook::matmul {

namespace {

void multiply_plainly(std::vector<float>& c, const GemmShape& shape, const float* a, const float* b) {
    const auto n = static_cast<Index>(shape.n);
    const auto k = static_cast<Index>(shape.k);
    std::ranges::fill(c, 0.0F);
    const SimdLoops& simd = simd_loops().front();
#pragma omp parallel for
    for (Index i = 0; i < static_cast<Index>(shape.m); ++i)
        simd.add_row(c.data() + i * n, a + i * k, b, n, k);
    flip_bit_if_asked("reference", std::span(c));
}

/// Returns the product or, with `rows`, these rows of it, computed by the function `multiply`.
template <class Multiply>
std::vector<float> rows_of_product(const Factors& factors, const std::optional<Rows>& rows,
                                   Multiply multiply) {
    GemmShape shape = factors.shape;
    std::vector<float> some_of_a;
    if (rows) {
        shape.m = rows->size();
        some_of_a = take_rows(factors.a, *rows, shape.k);
    }
    std::vector<float> c(shape.m * shape.n);
    multiply(c, shape, rows ? some_of_a.data() : factors.a.data(), factors.b.data());
    return c;
}

class CpuProduct final : public Product {
  public:
    explicit CpuProduct(const Factors& factors) : factors_(factors), c_(factors.shape.m * factors.shape.n) {}

    double run(const Kernel& kernel) override {
        return wall_ms([&] {
            const auto& [shape, a, b] = factors_;
            if (kernel.name == "reference")
                multiply_plainly(c_, shape, a.data(), b.data());
            else if (kernel.name == "blocked")
                multiply_by_blocks(c_, shape, a.data(), b.data(), simd_loops().front());
            else
                multiply_by_openblas(c_, factors_);
        });
    }

    [[nodiscard]] std::vector<float> result(const Kernel& kernel, const std::optional<Rows>& rows) override {
        std::ranges::fill(c_, std::numeric_limits<float>::quiet_NaN());
        run(kernel);
        return rows ? take_rows(c_, *rows, factors_.shape.n) : c_;
    }

    [[nodiscard]] std::optional<Occupancy> occupancy(const Kernel&) const override { return std::nullopt; }

  private:
    const Factors& factors_;
    std::vector<float> c_;
};

/// Measures the rate of fmas on all cores, in TFLOP/s.
double fma_tflops() {
    constexpr Index rounds = 1 << 17;
    constexpr int tasks = 64;
    const SimdLoops& simd = simd_loops().front();
    float sum = 0;
    const Measurement time = measure([&] {
        return wall_ms([&] {
#pragma omp parallel for reduction(+ : sum)
            for (int task = 0; task < tasks; ++task) sum += simd.chain_fmas(rounds);
        });
    });
    const double fmas = static_cast<double>(simd.rows * simd.columns) * tasks * static_cast<double>(rounds);
    return sum == 0 ? 0 : 2 * fmas / time.median / 1e9;
}

}  // namespace

std::vector<float> reference(const Factors& factors, const std::optional<Rows>& rows) {
    return rows_of_product(factors, rows, multiply_plainly);
}

std::vector<std::string> simd_levels() {
    std::vector<std::string> names;
    for (const SimdLoops& loops : simd_loops()) names.emplace_back(loops.level);
    return names;
}

std::vector<float> blocked(const Factors& factors, const std::optional<Rows>& rows, std::size_t level) {
    return rows_of_product(
        factors, rows,
        [level](std::vector<float>& c, const GemmShape& shape, const float* a, const float* b) {
            multiply_by_blocks(c, shape, a, b, simd_loops()[level]);
        });
}

Backend cpu() {
    Backend backend;
    backend.kernels = {{.name = "reference",
                        .memory = "memory",
                        .what = "three plain loops, on all cores over the rows of C"},
                       {.name = "blocked",
                        .memory = "cache",
                        .what = "by blocks that fit into caches and registers, on all cores",
                        .compared_with = CpuReference::plain_loops}};
    backend.peers = [] { return std::vector{openblas_kernel()}; };
    backend.make = [](const Device&, const Factors& factors) {
        return std::make_unique<CpuProduct>(factors);
    };
    backend.ceilings = [](const Device&) {
        return std::vector<std::pair<std::string, double>>{{"fma_tflops", fma_tflops()}};
    };
    return backend;
}

}  // namespace cudabook::matmul
