// cuBLAS, the peer of the GPU's kernels. The library is loaded at the first use. If the library is missing,
// Kernel::why_not of its kernels returns this reason.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/cuda/stream.cuh"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Returns the two kernels of cuBLAS: the first uses TF32, the second float32. The first kernel's why_not
/// calls `why_no_tf32`, which returns why the tensor cores cannot be used, or an empty string.
std::vector<Kernel> cublas_kernels(
    const std::function<std::string(const Device&, const GemmShape&)>& why_no_tf32);

/// One of cuBLAS's kernels on a stream. Errors of every call: MachineError.
class Cublas {
  public:
    Cublas(const Stream& stream, const Kernel& kernel);

    /// Computes C = A B on the device.
    void multiply(float* c, const float* a, const float* b, const GemmShape& shape) const;

  private:
    struct Destroy {
        void operator()(void* handle) const;
    };
    std::unique_ptr<void, Destroy> handle_;
};

}  // namespace cudabook::matmul
