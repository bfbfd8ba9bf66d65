// The check of a kernel's product: comparison with the CPU's product, whose code shares nothing with the
// kernel's. The exception are tensor cores of the emulated GPU, which add by the same model as the CPU does.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"

namespace cudabook::matmul {

/// The number of rows of C that are compared with float64: few enough to take little time and memory.
std::size_t rows_in_float64(const GemmShape& shape);

/// The number of rows of C that are compared with the CPU's product: all rows or, in a benchmark, at most
/// as many as the CPU computes in about a second.
std::size_t rows_compared(const GemmShape& shape, CpuReference reference, bool benchmark);

/// Returns whether the bits that tensor cores give are known on this device: where the model of their sums
/// was compared with them, and on GPUs that are emulated by it.
bool tensor_cores_are_known(const Device& device);

/// The number of rows of C that are compared bit by bit with the CPU's tensor_core_product(): as many as two
/// cores compute in about four seconds or, in a benchmark, in one.
std::size_t rows_compared_by_bits(const GemmShape& shape, const TensorCoreSums& sums, bool benchmark);

/// Compares products of two factors. The products for comparison are computed when they are first needed.
class Verifier {
  public:
    /// The factors and the device must outlive the verifier.
    Verifier(const Factors& factors, const Device& device, bool benchmark)
        : factors_(factors), device_(device), benchmark_(benchmark) {}

    /// Sets `checksum` and `verified` of the result. If the kernel has an error bound, also adds the error of
    /// `c` to the result and, if C's bits are known, the compute capability whose tensor cores give them.
    void verify(Result& result, const Kernel& kernel, const std::vector<float>& c);

  private:
    /// C or some of its rows, for comparison bit by bit.
    struct Bits {
        std::optional<Rows> rows;
        std::vector<float> c;
    };

    /// Some rows of C in float64, and the error of float32 in these rows.
    struct Float64 {
        ExactRows exact;
        double error_of_float32;
    };

    const Bits& bits(CpuReference reference);
    const Float64& float64();
    bool has_bits_of_tensor_cores(Result& result, const Kernel& kernel, const std::vector<float>& c) const;
    bool within_bound(Result& result, const Kernel& kernel, const std::vector<float>& c,
                      const std::vector<float>& compared, const Bits& expected);

    const Factors& factors_;
    const Device& device_;
    bool benchmark_;
    std::array<std::optional<Bits>, 2> bits_;  ///< one for each CpuReference
    std::optional<Float64> float64_;
};

}  // namespace cudabook::matmul
