// Verifies a kernel's product by comparing it with the CPU's product. The CPU's code shares nothing with the
// kernel, with one exception: the emulated GPU's tensor cores and the CPU use the same model of sums.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "common/program/report.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"

namespace cudabook::matmul {

/// Returns how many rows of C are compared with a product in float64: few, to save time and memory.
std::size_t rows_in_float64(const GemmShape& shape);

/// Returns how many rows of C are compared with the CPU's product: all rows or, in a benchmark, at most as
/// many as the CPU computes in about a second.
std::size_t rows_compared(const GemmShape& shape, CpuReference reference, bool benchmark);

/// Returns true if the model of the tensor cores' sums gives this device's bits. This is known for compute
/// capability 9.0, on which the model was tested, and for emulated GPUs, which use the model.
bool tensor_cores_are_known(const Device& device);

/// Returns how many rows of C are compared bit by bit with the CPU's tensor_core_product(): at most as many
/// as two cores compute in about four seconds or, in a benchmark, in about one second.
std::size_t rows_compared_by_bits(const GemmShape& shape, const TensorCoreSums& sums, bool benchmark);

/// Verifies products of two factors. The CPU's products are computed when they are first needed.
class Verifier {
  public:
    /// The factors and the device must outlive the verifier.
    Verifier(const Factors& factors, const Device& device, bool benchmark)
        : factors_(factors), device_(device), benchmark_(benchmark) {}

    /// Sets `checksum` and `verified` of the result. If the kernel has an error bound, adds the error of `c`
    /// to the result. If the bits of the kernel's tensor cores are known, also compares the bits, and adds
    /// the compute capability to the result.
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
