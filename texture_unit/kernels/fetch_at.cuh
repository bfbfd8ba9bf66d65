// Fetches at given points, for the table of examples.
#pragma once

namespace cudabook::texture_unit {

/// Fetches with tex1D, tex2D or tex3D at each of `count` points, with one block.
__global__ inline void fetch_at_kernel(float4* out, cudaTextureObject_t texture, const float3* at, int count,
                                       int dimensions) {
    for (auto i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
        const auto [x, y, z] = at[i];
        out[i] = dimensions == 1   ? tex1D<float4>(texture, x)
                 : dimensions == 2 ? tex2D<float4>(texture, x, y)
                                   : tex3D<float4>(texture, x, y, z);
    }
}

}  // namespace cudabook::texture_unit
