// CUDA arrays of the emulated GPU: row-major memory without gaps, and the format of the texels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

#include "emulator/runtime/gpu_state.hpp"
#include "emulator/textures/texture.hpp"

struct cudaArray {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  ///< as in cudaMalloc3DArray: a missing dimension is 0
    unsigned flags = 0;
    cudabook::emulation::TextureKind shape{};
    cudabook::emulation::Image image{};
    const cudabook::emulation::GpuState* gpu = nullptr;
};

struct cudaMipmappedArray {
    std::vector<cudaArray> levels;
    std::byte* memory = nullptr;
    const cudabook::emulation::GpuState* gpu = nullptr;
};

namespace cudabook::emulation {

/// Returns whether textures and arrays can have this format: 1, 2 or 4 components of the same size, integers
/// of 8, 16 or 32 bits or floats of 16 or 32 bits.
bool is_format(const cudaChannelFormatDesc& format);

int components(const cudaChannelFormatDesc& format);
std::size_t texel_bytes(const cudaChannelFormatDesc& format);

/// Both return whether this is an array that has not been freed. is_array() also returns true for a level of
/// a mipmapped array.
bool is_array(cudaArray_const_t array);
bool is_mipmapped_array(cudaMipmappedArray_const_t array);

/// The memory of a two-dimensional CUDA array, or of a texture over memory with a pitch.
struct PlaneInMemory {
    std::uint64_t begin;
    std::size_t bytes;
    std::size_t row_bytes;
    std::size_t texel_bytes;
    bool is_array;
};

/// Returns the memory of all two-dimensional CUDA arrays.
std::vector<PlaneInMemory> planes_in_memory();

}  // namespace cudabook::emulation
