#include "matmul/gpu/limits.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/texture.cuh"

namespace cudabook::matmul {

std::string why_no_tensor_cores(const Device& device, const void* kernel) {
    if (capability_of(device) < 80)
        return fmt::format("it needs compute capability 8.0, and {} has {}", device.name,
                           device.compute_capability);
    // The kernel is empty if the driver compiled it from PTX for less than compute capability 8.0.
    const int code = capability_of_code(kernel);
    if (code >= 80) return {};
    return fmt::format("it needs compute capability 8.0, and this build has code for {}.{} only", code / 10,
                       code % 10);
}

std::string why_no_linear_textures(const Device& device, const GemmShape& shape) {
    const std::size_t limit = std::min<std::size_t>(TextureObject::linear_limit<float>(device.index),
                                                    std::numeric_limits<int>::max());
    const std::size_t most = std::max(shape.m, shape.n) * shape.k;
    if (most <= limit && std::max(shape.m, shape.n) <= limit) return {};
    return fmt::format("its textures would have {} texels, and the device's have {} at most", most, limit);
}

std::string why_no_2d_textures(const Device& device, const GemmShape& shape) {
    const auto width = static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DWidth, device.index));
    const auto height =
        static_cast<std::size_t>(device_attribute(cudaDevAttrMaxTexture2DHeight, device.index));
    if (std::max(shape.k, shape.n) <= width && std::max(shape.m, shape.k) <= height) return {};
    return fmt::format("the device's textures have {} by {} texels at most", width, height);
}

}  // namespace cudabook::matmul
