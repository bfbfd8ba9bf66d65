// Texture objects that read like the model in common/texture_model/, and kernels that fetch from them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"
#include "common/texture_model/model.hpp"

namespace cudabook::test {

using texture_unit::Address;
using texture_unit::Filter;
using texture_unit::TextureModel;

/// Returns 32 pseudo-random bits that depend only on i.
inline std::uint32_t random_bits(std::uint32_t i) {
    i = (i + 1) * 0x9e3779b9U;
    i = (i ^ i >> 16U) * 0x85ebca6bU;
    return i ^ i >> 13U;
}

inline cudaTextureAddressMode cuda(Address address) {
    switch (address) {
        case Address::wrap:
            return cudaAddressModeWrap;
        case Address::clamp:
            return cudaAddressModeClamp;
        case Address::mirror:
            return cudaAddressModeMirror;
        case Address::border:
            break;
    }
    return cudaAddressModeBorder;
}

inline cudaTextureFilterMode cuda(Filter filter) {
    return filter == Filter::point ? cudaFilterModePoint : cudaFilterModeLinear;
}

/// Returns the description with which a texture object reads like the model.
inline cudaTextureDesc description(const TextureModel& model, cudaTextureReadMode mode) {
    cudaTextureDesc texture{};
    for (std::size_t d = 0; d < 3; ++d) texture.addressMode[d] = cuda(model.address[d]);
    texture.filterMode = cuda(model.filter);
    texture.readMode = mode;
    texture.normalizedCoords = model.normalized ? 1 : 0;
    std::copy(model.border.begin(), model.border.end(), texture.borderColor);
    return texture;
}

/// The fetch functions that take float coordinates.
enum class Form {
    line,
    plane,
    volume,
    gather0,
    gather1,
    line_layered,
    plane_layered,
    cube,
    line_level,
    plane_level,
    volume_level
};

/// Fetches to[i] at the coordinates at[i].x, .y and .z. at[i].w is the layer or the mipmap level.
template <class T>
__global__ void fetch(T* to, cudaTextureObject_t texture, const float4* at, int count, Form form) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= count) return;
    const float4 c = at[i];
    switch (form) {
        case Form::line:
            to[i] = tex1D<T>(texture, c.x);
            break;
        case Form::plane:
            to[i] = tex2D<T>(texture, c.x, c.y);
            break;
        case Form::volume:
            to[i] = tex3D<T>(texture, c.x, c.y, c.z);
            break;
        case Form::gather0:
            if constexpr (requires(T texel) { texel.w; }) to[i] = tex2Dgather<T>(texture, c.x, c.y, 0);
            break;
        case Form::gather1:
            if constexpr (requires(T texel) { texel.w; }) to[i] = tex2Dgather<T>(texture, c.x, c.y, 1);
            break;
        case Form::line_layered:
            to[i] = tex1DLayered<T>(texture, c.x, static_cast<int>(c.w));
            break;
        case Form::plane_layered:
            to[i] = tex2DLayered<T>(texture, c.x, c.y, static_cast<int>(c.w));
            break;
        case Form::cube:
            to[i] = texCubemap<T>(texture, c.x, c.y, c.z);
            break;
        case Form::line_level:
            to[i] = tex1DLod<T>(texture, c.x, c.w);
            break;
        case Form::plane_level:
            to[i] = tex2DLod<T>(texture, c.x, c.y, c.w);
            break;
        case Form::volume_level:
            to[i] = tex3DLod<T>(texture, c.x, c.y, c.z, c.w);
            break;
    }
}

/// Launches kernel(to, texture, at, at.size(), arguments...) and returns what it wrote.
template <class Fetched, class At, class Kernel, class... Arguments>
std::vector<Fetched> run(Kernel kernel, const TextureObject& texture, const std::vector<At>& at,
                         Arguments... arguments) {
    const DeviceArray<At> coordinates{std::span<const At>(at)};
    const DeviceArray<Fetched> to(at.size());
    const Stream stream;
    const int count = static_cast<int>(at.size());
    launch(kernel, (count + 127) / 128, 128, stream, to.data(), texture.handle(),
           static_cast<const At*>(coordinates.data()), count, arguments...);
    return to.download();
}

}  // namespace cudabook::test
