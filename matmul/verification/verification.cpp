#include "matmul/verification/verification.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "common/numbers/crc32.hpp"
#include "matmul/verification/error_bounds.hpp"

namespace cudabook::matmul {

namespace {

/// The number of rows of C that take about `products` products to compute, but at least 4, and at most all.
std::size_t rows_for(const GemmShape& shape, double products) {
    const double rows = products / static_cast<double>(shape.n) / static_cast<double>(shape.k);
    return std::min(shape.m, std::max<std::size_t>(4, static_cast<std::size_t>(std::min(rows, 0x1p62))));
}

}  // namespace

std::size_t rows_in_float64(const GemmShape& shape) {
    const std::size_t by_memory = std::max<std::size_t>(4, (std::size_t{1} << 22U) / shape.n);
    return std::min(rows_for(shape, 0x1p29), by_memory);
}

std::size_t rows_compared(const GemmShape& shape, CpuReference reference, bool benchmark) {
    if (!benchmark) return shape.m;
    return rows_for(shape, reference == CpuReference::plain_loops ? 0x1p34 : 0x1p39);
}

bool tensor_cores_are_known(const Device& device) {
    return device.compute_capability == "9.0" || device.kind == DeviceKind::emulated;
}

std::size_t rows_compared_by_bits(const GemmShape& shape, const TensorCoreSums& sums, bool benchmark) {
    const double products = sums.parts == TensorCoreSums::Parts::one_tf32 ? 1 : 3;  // for each fma
    const auto padded = [](std::size_t side, std::size_t to) { return (side + to - 1) / to * to; };
    return rows_for({shape.m, padded(shape.n, 64), padded(shape.k, 32)},
                    (benchmark ? 0x1p32 : 0x1p34) / products);
}

void Verifier::verify(Result& result, const Kernel& kernel, const std::vector<float>& c) {
    result.checksum = hex(checksum(c));
    const Bits& expected = bits(kernel.compared_with);
    std::vector<float> some_rows;
    if (expected.rows) {
        some_rows = take_rows(c, *expected.rows, factors_.shape.n);
        result.figures["rows_compared"] = expected.rows->size();
    }
    const std::vector<float>& compared = expected.rows ? some_rows : c;
    bool right = kernel.error_bound ? within_bound(result, kernel, c, compared, expected)
                                    : differing(compared, expected.c) == 0;
    if (kernel.tensor_core_sums && tensor_cores_are_known(device_))
        right = has_bits_of_tensor_cores(result, kernel, c) && right;
    // In the rows that are not compared, a NaN shows an element that the kernel did not write.
    result.verified =
        right && (!expected.rows || std::ranges::none_of(c, [](float x) { return std::isnan(x); }));
}

const Verifier::Bits& Verifier::bits(CpuReference way) {
    std::optional<Bits>& bits = bits_[way == CpuReference::plain_loops ? 0 : 1];
    if (!bits) {
        const std::size_t m = factors_.shape.m;
        const std::size_t count = rows_compared(factors_.shape, way, benchmark_);
        auto rows = count < m ? std::optional(spread_rows(m, count)) : std::nullopt;
        auto c = way == CpuReference::plain_loops ? reference(factors_, rows) : blocked(factors_, rows);
        bits = {std::move(rows), std::move(c)};
    }
    return *bits;
}

const Verifier::Float64& Verifier::float64() {
    if (!float64_) {
        Rows rows = spread_rows(factors_.shape.m, rows_in_float64(factors_.shape));
        const std::vector<float> float32 = blocked(factors_, rows);
        ExactRows exact = exact_rows(factors_, std::move(rows));
        const double error = accuracy(exact, float32).relative_error;
        float64_ = {std::move(exact), error};
    }
    return *float64_;
}

/// Compares all rows, or some of many rows, with the CPU's product by the model of tensor cores.
bool Verifier::has_bits_of_tensor_cores(Result& result, const Kernel& kernel,
                                        const std::vector<float>& c) const {
    const auto& [m, n, k] = factors_.shape;
    const TensorCoreSums sums = kernel.tensor_core_sums(device_);
    result.figures["tensor_cores"] =
        device_.compute_capability + (sums.by_warpgroups ? " by warpgroups" : "");
    const std::size_t count = rows_compared_by_bits(factors_.shape, sums, benchmark_);
    if (count == m) return differing(c, tensor_core_product(factors_, sums, capability_of(device_))) == 0;
    const Rows rows = spread_rows(m, count);
    result.figures["rows_compared_by_bits"] = count;
    const std::vector<float> expected = tensor_core_product(factors_, sums, capability_of(device_), rows);
    return differing(take_rows(c, rows, n), expected) == 0;
}

/// Compares some rows with float64, and all rows, or the rows of `expected`, with the float32 product. The
/// difference from the float32 product may be as large as both bounds together.
bool Verifier::within_bound(Result& result, const Kernel& kernel, const std::vector<float>& c,
                            const std::vector<float>& compared, const Bits& expected) {
    const auto& [m, n, k] = factors_.shape;
    const auto& [exact, error_of_float32] = float64();
    const ErrorBound bound = kernel.error_bound(k);
    const Accuracy found = accuracy(exact, take_rows(c, exact.rows, n), bound);
    result.figures["relative_error"] = found.relative_error;
    result.figures["relative_error_of_fp32"] = error_of_float32;
    const bool as_accurate = !kernel.as_accurate_from_k || k < *kernel.as_accurate_from_k ||
                             found.relative_error <= 2 * error_of_float32;
    const double apart = bound.products + bound.norms + float32_bound(k).products;
    return found.worst <= 1 && as_accurate &&
           far_apart(compared, expected.c, expected.rows, exact.norms, apart) == 0;
}

}  // namespace cudabook::matmul
