// A row of the table of the GPU's kernels, and the arguments of its launch.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "matmul/gpu/grid.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

/// A and B as textures: either one-dimensional textures over the memory of A and B, or two-dimensional
/// textures over arrays with copies of A and B.
struct Textures {
    TextureObject a;
    TextureObject b;
};

/// The arguments of a launch.
struct Input {
    const GemmShape& shape;
    const Device& device;
    const Stream& stream;
    float* c;
    const float* a;
    const float* b;
    const Textures* textures;  ///< null unless the kernel reads textures
    float* workspace;          ///< for copies of A and B that suit the kernel
};

inline std::size_t no_floats(const Device&, const GemmShape&) { return 0; }

inline std::string always_possible(const Device&, const GemmShape&) { return {}; }

/// A row of the table of the GPU's kernels. A field with the name of a field of Kernel has the same meaning.
struct CudaKernel {
    std::string_view name;
    std::string_view memory;
    std::string_view what;
    LaunchedKernel (*launch)(const Input&);
    Blocks (*blocks)(const GemmShape&);  ///< the size of the kernel's largest grid
    std::size_t (*workspace)(const Device&, const GemmShape&) = no_floats;  ///< the size in floats
    std::string (*why_not)(const Device&, const GemmShape&) = always_possible;
    ErrorBound (*error_bound)(std::size_t k) = nullptr;
    TensorCoreSums (*tensor_core_sums)(const Device&) = nullptr;
    std::optional<std::size_t> as_accurate_from_k = std::nullopt;
    std::string_view peer = {};
};

}  // namespace cudabook::matmul
