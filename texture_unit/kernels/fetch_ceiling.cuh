// How many fetches the texture units do: all threads of a block walk over the same few texels, which each
// multiprocessor keeps in its cache.
#pragma once

namespace cudabook::texture_unit {

constexpr int ceiling_side = 32;      ///< texels of the texture, 4 KB
constexpr int ceiling_fetches = 256;  ///< of each thread

/// A warp fetches 8 × 4 neighbours at a time.
__global__ inline void fetch_ceiling_kernel(float* out, cudaTextureObject_t texture) {
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const float x = static_cast<float>(lane % 8) + 0.75F;
    float y = static_cast<float>(lane / 8) + 0.75F;
    float sum = 0;
#pragma unroll 16
    for (int i = 0; i < ceiling_fetches; ++i) {
        sum += tex2D<float>(texture, x, y);
        y += 1.0F / 16;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace cudabook::texture_unit
