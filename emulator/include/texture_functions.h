// Fetches from texture objects. Source: CUDA C++ Programming Guide, "Texture Functions".
// common/texture_model/ defines the results of fetches.
#pragma once

#include <array>

#include <channel_descriptor.h>
#include <vector_types.h>

#include "emulator/textures/texture.hpp"

template <cudabook::emulation::IsTexel T>
T tex1Dfetch(cudaTextureObject_t texture, int x) {
    return cudabook::emulation::fetch_linear_as<T>(texture, x);
}

template <cudabook::emulation::IsTexel T>
T tex2D(cudaTextureObject_t texture, float x, float y) {
    return cudabook::emulation::fetch_plane_as<T>(texture, x, y);
}

// The fetches whose parameters go into a FetchPoint.
#define CUDABOOK_UNPACK(...) __VA_ARGS__
#define CUDABOOK_FETCH(name, parameters, ...)                                                                \
    template <cudabook::emulation::IsTexel T>                                                                \
    T name(cudaTextureObject_t texture, CUDABOOK_UNPACK parameters) {                                        \
        using enum cudabook::emulation::TextureKind;                                                         \
        return cudabook::emulation::fetched<T>(texture, cudabook::emulation::fetch(texture, {__VA_ARGS__})); \
    }
CUDABOOK_FETCH(tex1D, (float x), line, {x, 0, 0})
CUDABOOK_FETCH(tex3D, (float x, float y, float z), volume, {x, y, z})
CUDABOOK_FETCH(tex1DLayered, (float x, int layer), line_layers, {x, 0, 0}, layer)
CUDABOOK_FETCH(tex2DLayered, (float x, float y, int layer), plane_layers, {x, y, 0}, layer)
CUDABOOK_FETCH(texCubemap, (float x, float y, float z), cube, {x, y, z})
CUDABOOK_FETCH(texCubemapLayered, (float x, float y, float z, int layer), cube_layers, {x, y, z}, layer)

CUDABOOK_FETCH(tex1DLod, (float x, float level), line, {x, 0, 0}, 0, level)
CUDABOOK_FETCH(tex2DLod, (float x, float y, float level), plane, {x, y, 0}, 0, level)
CUDABOOK_FETCH(tex3DLod, (float x, float y, float z, float level), volume, {x, y, z}, 0, level)
CUDABOOK_FETCH(tex1DLayeredLod, (float x, int layer, float level), line_layers, {x, 0, 0}, layer, level)
CUDABOOK_FETCH(tex2DLayeredLod, (float x, float y, int layer, float level), plane_layers, {x, y, 0}, layer,
               level)
CUDABOOK_FETCH(texCubemapLod, (float x, float y, float z, float level), cube, {x, y, z}, 0, level)
CUDABOOK_FETCH(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), cube_layers,
               {x, y, z}, layer, level)
#undef CUDABOOK_FETCH

// Fetches at the mipmap level that two gradients determine.
template <cudabook::emulation::IsTexel T>
T tex1DGrad(cudaTextureObject_t texture, float x, float along_x, float along_y) {
    using cudabook::emulation::TextureKind;
    return tex1DLod<T>(
        texture, x,
        cudabook::emulation::level_of_gradients(texture, TextureKind::line, {along_x}, {along_y}));
}
template <cudabook::emulation::IsTexel T>
T tex2DGrad(cudaTextureObject_t texture, float x, float y, float2 along_x, float2 along_y) {
    using cudabook::emulation::TextureKind;
    return tex2DLod<T>(texture, x, y,
                       cudabook::emulation::level_of_gradients(
                           texture, TextureKind::plane, {along_x.x, along_x.y}, {along_y.x, along_y.y}));
}
template <cudabook::emulation::IsTexel T>
T tex3DGrad(cudaTextureObject_t texture, float x, float y, float z, float4 along_x, float4 along_y) {
    using cudabook::emulation::TextureKind;
    return tex3DLod<T>(texture, x, y, z,
                       cudabook::emulation::level_of_gradients(texture, TextureKind::volume,
                                                               {along_x.x, along_x.y, along_x.z},
                                                               {along_y.x, along_y.y, along_y.z}));
}
template <cudabook::emulation::IsTexel T>
T tex1DLayeredGrad(cudaTextureObject_t texture, float x, int layer, float along_x, float along_y) {
    using cudabook::emulation::TextureKind;
    return tex1DLayeredLod<T>(
        texture, x, layer,
        cudabook::emulation::level_of_gradients(texture, TextureKind::line_layers, {along_x}, {along_y}));
}
template <cudabook::emulation::IsTexel T>
T tex2DLayeredGrad(cudaTextureObject_t texture, float x, float y, int layer, float2 along_x, float2 along_y) {
    using cudabook::emulation::TextureKind;
    return tex2DLayeredLod<T>(
        texture, x, y, layer,
        cudabook::emulation::level_of_gradients(texture, TextureKind::plane_layers, {along_x.x, along_x.y},
                                                {along_y.x, along_y.y}));
}

template <cudabook::emulation::IsTexel T>
T texCubemapGrad(cudaTextureObject_t, float, float, float, float4, float4) {
    static_assert(sizeof(T) == 0, "the emulated GPU has no texCubemapGrad()");
}
template <cudabook::emulation::IsTexel T>
T texCubemapLayeredGrad(cudaTextureObject_t, float, float, float, int, float4, float4) {
    static_assert(sizeof(T) == 0, "the emulated GPU has no texCubemapLayeredGrad()");
}

/// Returns one component, 0 to 3, of each of the four texels around a point.
template <cudabook::emulation::IsTexel T>
T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
    return cudabook::emulation::fetched<T>(texture, cudabook::emulation::gather(texture, x, y, component));
}

// The overloads of the fetches that write the result to memory.
#define CUDABOOK_FETCH_TO(name)                                                                  \
    template <cudabook::emulation::IsTexel T, class... Arguments>                                \
    requires requires(cudaTextureObject_t texture, Arguments... at) { name<T>(texture, at...); } \
    void name(T* to, cudaTextureObject_t texture, Arguments... at) { *to = name<T>(texture, at...); }
CUDABOOK_FETCH_TO(tex1Dfetch)
CUDABOOK_FETCH_TO(tex1D)
CUDABOOK_FETCH_TO(tex2D)
CUDABOOK_FETCH_TO(tex3D)
CUDABOOK_FETCH_TO(tex1DLayered)
CUDABOOK_FETCH_TO(tex2DLayered)
CUDABOOK_FETCH_TO(texCubemap)
CUDABOOK_FETCH_TO(texCubemapLayered)
CUDABOOK_FETCH_TO(tex1DLod)
CUDABOOK_FETCH_TO(tex2DLod)
CUDABOOK_FETCH_TO(tex3DLod)
CUDABOOK_FETCH_TO(tex1DLayeredLod)
CUDABOOK_FETCH_TO(tex2DLayeredLod)
CUDABOOK_FETCH_TO(texCubemapLod)
CUDABOOK_FETCH_TO(texCubemapLayeredLod)
CUDABOOK_FETCH_TO(tex1DGrad)
CUDABOOK_FETCH_TO(tex2DGrad)
CUDABOOK_FETCH_TO(tex3DGrad)
CUDABOOK_FETCH_TO(tex1DLayeredGrad)
CUDABOOK_FETCH_TO(tex2DLayeredGrad)
CUDABOOK_FETCH_TO(texCubemapGrad)
CUDABOOK_FETCH_TO(texCubemapLayeredGrad)
CUDABOOK_FETCH_TO(tex2Dgather)
#undef CUDABOOK_FETCH_TO
#undef CUDABOOK_UNPACK
