// Texels for a benchmark: whole numbers from 0 to 255, in no order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudabook::texture_unit {

__device__ inline std::uint32_t scrambled(std::uint32_t i) {
    i = (i ^ i >> 16) * 0x7feb352dU;
    i = (i ^ i >> 15) * 0x846ca68bU;
    return i >> 24;
}

__device__ inline void set(float& texel, std::uint32_t number) { texel = static_cast<float>(number); }
__device__ inline void set(unsigned char& texel, std::uint32_t number) {
    texel = static_cast<unsigned char>(number);
}
template <class Texel>
__device__ void set(Texel& texel, std::uint32_t number) {
    set(texel.x, number);
    set(texel.y, 255 - number);
    set(texel.z, number / 2);
    set(texel.w, 255);
}

template <class Texel>
__global__ void fill_kernel(Texel* texels, std::size_t size) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride)
        set(texels[i], scrambled(static_cast<std::uint32_t>(i)));
}

}  // namespace cudabook::texture_unit
