#include "texture_unit/gpu/table.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "texture_unit/gpu/cuda_modes.cuh"
#include "texture_unit/kernels/fetch_at.cuh"

namespace cudabook::texture_unit {

namespace {

int dimensions_of(const TextureModel& texture) {
    return texture.size[2] > 1 ? 3 : texture.size[1] > 1 ? 2 : 1;
}

/// Returns an array of the texels as type T. code(value) converts a component.
template <class T, class Code>
CudaArray array_of(const TextureModel& texture, Code code) {
    const int dimensions = dimensions_of(texture);
    const auto size = [&](std::size_t d) {
        return static_cast<int>(d) < dimensions ? static_cast<std::size_t>(texture.size[d]) : 0;
    };
    std::vector<T> texels;
    for (const Texel& texel : texture.texels)
        texels.push_back({code(texel[0]), code(texel[1]), code(texel[2]), code(texel[3])});
    return {texels, make_cudaExtent(size(0), size(1), size(2))};
}

CudaArray array_of(const TextureModel& texture) {
    if (texture.kind == Kind::floats) return array_of<float4>(texture, [](float value) { return value; });
    if (texture.kind == Kind::unsigned_fractions)
        return array_of<uchar4>(
            texture, [](float fraction) { return static_cast<unsigned char>(std::lround(fraction * 255)); });
    return array_of<char4>(
        texture, [](float fraction) { return static_cast<signed char>(std::lround(fraction * 127)); });
}

}  // namespace

std::vector<Texel> fetch_from_gpu(const Device& device, const TextureModel& texture,
                                  const std::vector<std::array<float, 3>>& at) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const CudaArray array = array_of(texture);
    cudaTextureDesc description = description_of(texture.address, texture.filter, texture.normalized);
    for (std::size_t c = 0; c < 4; ++c) description.borderColor[c] = texture.border[c];
    description.readMode =
        texture.kind == Kind::floats ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    const TextureObject object(array.get(), description);

    std::vector<float3> points;
    for (const auto& [x, y, z] : at) points.push_back({x, y, z});
    const DeviceArray<float3> device_points{std::span<const float3>(points)};
    const DeviceArray<float4> out(at.size());
    const Stream stream;
    launch<fetch_at_kernel>(1, 64, stream, out.data(), object.handle(), device_points.data(),
                            static_cast<int>(at.size()), dimensions_of(texture));
    stream.synchronize();
    std::vector<Texel> fetched;
    for (const float4& texel : out.download()) fetched.push_back({texel.x, texel.y, texel.z, texel.w});
    return fetched;
}

DeviceLimits limits_of(const Device& device) {
    cudaDeviceProp p{};
    CUDA_CHECK(cudaGetDeviceProperties(&p, device.index));
    const auto one = [](int size) { return Extent{size, 0, 0}; };
    const auto two = [](const int(&sizes)[2]) { return Extent{sizes[0], sizes[1], 0}; };
    const auto three = [](const int(&sizes)[3]) { return Extent{sizes[0], sizes[1], sizes[2]}; };
    return {.name = device.name,
            .major = p.major,
            .minor = p.minor,
            .sizes = {
                .texture_1d = one(p.maxTexture1D),
                .texture_1d_linear = one(device_attribute(cudaDevAttrMaxTexture1DLinearWidth, device.index)),
                .texture_1d_layered = two(p.maxTexture1DLayered),
                .texture_2d = two(p.maxTexture2D),
                .texture_2d_linear = {p.maxTexture2DLinear[0], p.maxTexture2DLinear[1], 0},
                .texture_2d_gather = two(p.maxTexture2DGather),
                .texture_2d_layered = three(p.maxTexture2DLayered),
                .texture_3d = three(p.maxTexture3D),
                .texture_cubemap = one(p.maxTextureCubemap),
                .texture_cubemap_layered = two(p.maxTextureCubemapLayered),
                .surface_1d = one(p.maxSurface1D),
                .surface_1d_layered = two(p.maxSurface1DLayered),
                .surface_2d = two(p.maxSurface2D),
                .surface_2d_layered = three(p.maxSurface2DLayered),
                .surface_3d = three(p.maxSurface3D),
                .surface_cubemap = one(p.maxSurfaceCubemap),
                .surface_cubemap_layered = two(p.maxSurfaceCubemapLayered)}};
}

}  // namespace cudabook::texture_unit
