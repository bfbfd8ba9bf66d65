#include "matmul/memory_needed.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/memory.hpp"
#include "matmul/cpu/blocked.hpp"
#include "matmul/verification/verification.hpp"

namespace cudabook::matmul {

namespace {

std::string product_of(const GemmShape& shape) {
    return fmt::format("a product of {}x{}x{} (m x n x k)", shape.m, shape.n, shape.k);
}

}  // namespace

std::size_t bytes_needed(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark) {
    const auto& [m, n, k] = shape;
    std::size_t bytes = 0;
    const auto add = [&](std::size_t rows, std::size_t columns, std::size_t size) {
        std::size_t matrix = 0;
        if (__builtin_mul_overflow(rows, columns, &matrix) || __builtin_mul_overflow(matrix, size, &matrix) ||
            __builtin_add_overflow(bytes, matrix, &bytes))
            throw OutOfMemory(fmt::format("{} has more bytes than 64 bits can count; choose a smaller one",
                                          product_of(shape)));
    };
    add(m, k, sizeof(float));
    add(k, n, sizeof(float));
    add(m, n, sizeof(float));  // the result
    if (std::ranges::any_of(kernels, [](const Kernel& kernel) { return kernel.device == DeviceKind::cpu; }))
        add(m, n, sizeof(float));  // the CPU's own product
    for (const CpuReference reference : {CpuReference::plain_loops, CpuReference::blocked})
        if (std::ranges::find(kernels, reference, &Kernel::compared_with) != kernels.end())
            add(rows_compared(shape, reference, benchmark), n, sizeof(float));
    add(1, 1, bytes_of_copies());
    if (std::ranges::any_of(kernels,
                            [](const Kernel& kernel) { return kernel.tensor_core_sums != nullptr; })) {
        const std::size_t rows = rows_compared_by_bits(shape, {}, benchmark);
        add(rows, n, sizeof(float));                // the product with their bits
        if (rows < m) add(rows, n, sizeof(float));  // the rows that are compared with it
    }
    if (std::ranges::any_of(kernels, [](const Kernel& kernel) { return kernel.error_bound != nullptr; })) {
        const std::size_t rows = rows_in_float64(shape);
        add(rows, n, 2 * sizeof(double));  // values, magnitudes
        add(rows, n, 2 * sizeof(float));   // the float32 rows that are compared with them
        add(rows, k, sizeof(float));       // the same rows of A
        add(m, 1, sizeof(double));         // norms
        add(n, 1, sizeof(double));
    }
    return bytes;
}

void require_memory_for(const GemmShape& shape, const std::vector<Kernel>& kernels, bool benchmark) {
    require_memory(bytes_needed(shape, kernels, benchmark), product_of(shape));
}

}  // namespace cudabook::matmul
