// Two factors and their product in a GPU's memory, multiplied by the kernels of a table and by cuBLAS.
#pragma once

#include <memory>
#include <span>

#include "matmul/gpu/cuda_kernel.cuh"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// Copies the factors to the device. The table of kernels must outlive the product. Errors: MachineError.
std::unique_ptr<Product> make_cuda_product(const Device& device, const Factors& factors,
                                           std::span<const CudaKernel> table);

}  // namespace cudabook::matmul
