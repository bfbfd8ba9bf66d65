// CUDA arrays of the emulated GPU: memory, row-major and without gaps, and its texels' format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include "emulator/runtime/gpu_state.hpp"
#include "emulator/textures/texture.hpp"

struct cudaArray {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  ///< as cudaMalloc3DArray had it: a missing dimension is 0
    unsigned flags = 0;
    cudabook::emulation::Shape shape{};
    cudabook::emulation::Image image{};
    const cudabook::emulation::GpuState* gpu = nullptr;
};

struct cudaMipmappedArray {
    std::vector<cudaArray> levels;
    std::byte* memory = nullptr;
    const cudabook::emulation::GpuState* gpu = nullptr;
};

namespace cudabook::emulation {

/// Whether textures and arrays can have that format: 1, 2 or 4 components of the same size, integers of 8, 16
/// or 32 bits or floats of 16 or 32.
bool is_format(const cudaChannelFormatDesc& format);

int components(const cudaChannelFormatDesc& format);
std::size_t texel_bytes(const cudaChannelFormatDesc& format);

/// Whether it is an array that has not been freed: one of its own, or a level of another.
bool is_array(cudaArray_const_t array);
bool is_mipmapped_array(cudaMipmappedArray_const_t array);

/// Where the arrays of two dimensions are.
struct PlaneInMemory {
    std::uint64_t begin;
    std::size_t bytes;
    std::size_t row_bytes;
    std::size_t texel_bytes;
};
std::vector<PlaneInMemory> planes_in_memory();

}  // namespace cudabook::emulation
