// The lessons about surfaces: arrays, launches, and expected results.
#include "texture_unit/gpu/surface_lessons.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/surface.cuh"
#include "common/cuda/texture.cuh"
#include "common/program/fault.hpp"
#include "texture_unit/kernels/11_coherency.cuh"
#include "texture_unit/kernels/12_boundary.cuh"

namespace cudabook::texture_unit {

namespace {

constexpr std::size_t boundary_texels = std::size_t{boundary_width} * boundary_height;

CudaArray numbered_texels() {
    std::vector<int> texels(boundary_texels);
    std::iota(texels.begin(), texels.end(), 1);
    return {texels, make_cudaExtent(boundary_width, boundary_height, 0), cudaArraySurfaceLoadStore};
}

template <cudaSurfaceBoundaryMode mode>
Boundary boundary(const std::string& name) {
    const CudaArray array = numbered_texels();
    const SurfaceObject surface(array.get());
    constexpr dim3 places(boundary_width + 2, boundary_height + 2);
    const DeviceArray<int> read(std::size_t{places.x} * places.y);
    const Stream stream;
    launch<read_around_kernel<mode>>(1, places, stream, surface.handle(), read.data());
    launch<write_outside_kernel<mode>>(1, 1, stream, surface.handle(), 99, boundary_width, 1);
    stream.synchronize();
    Boundary found{.mode = name, .read = read.download(), .texels_after_write = array.texels<int>()};
    flip_bit_if_asked("boundary", std::span(found.read));

    bool right = true;
    auto value = found.read.begin();
    for (int y = -1; y <= boundary_height; ++y)
        for (int x = -1; x <= boundary_width; ++x) {
            const int nearest_x = std::clamp(x, 0, boundary_width - 1);
            const int nearest_y = std::clamp(y, 0, boundary_height - 1);
            const bool is_zero = mode == cudaBoundaryModeZero && (x != nearest_x || y != nearest_y);
            right = right && *value++ == (is_zero ? 0 : 1 + nearest_x + nearest_y * boundary_width);
        }
    std::vector<int> expected(boundary_texels);
    std::iota(expected.begin(), expected.end(), 1);
    if (mode == cudaBoundaryModeClamp) expected[2 * boundary_width - 1] = 99;
    found.right = right && found.texels_after_write == expected;
    return found;
}

}  // namespace

Coherency coherency(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    constexpr int width = 64;
    constexpr int height = 32;  // 8 KB, which fit into every texture cache
    constexpr int old_value = 1;
    constexpr int new_value = 2;
    constexpr std::size_t texels = std::size_t{width} * height;
    const CudaArray array(std::vector(texels, old_value), make_cudaExtent(width, height, 0),
                          cudaArraySurfaceLoadStore);
    const SurfaceObject surface(array.get());
    const TextureObject texture = TextureObject::array(array.get());
    const DeviceArray<CoherencyCounts> counts{
        std::span<const CoherencyCounts>(std::vector<CoherencyCounts>(1))};
    const DeviceArray<int> fetched(texels);
    const Stream stream;
    launch<coherency_kernel>(2, 1024, stream, surface.handle(), texture.handle(), width, height, old_value,
                             new_value, counts.data());
    launch<fetch_kernel>(1, 1024, stream, texture.handle(), width, height, fetched.data());
    stream.synchronize();
    const CoherencyCounts counted = counts.download().front();
    std::vector<int> in_next_launch = fetched.download();
    flip_bit_if_asked("coherency", std::span(in_next_launch));
    const auto is_new = std::ranges::count(in_next_launch, new_value);
    Coherency found{.texels = texels, .old_of_own = counted.old_of_own};
    if (counted.other_was_seen != 0) found.old_of_other = counted.old_of_other;
    found.old_in_next_launch = texels - static_cast<std::size_t>(is_new);
    return found;
}

std::vector<Boundary> boundaries(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    return {boundary<cudaBoundaryModeZero>("zero"), boundary<cudaBoundaryModeClamp>("clamp")};
}

std::string trap(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    std::string error;
    {
        const CudaArray array = numbered_texels();
        const SurfaceObject surface(array.get());
        const Stream stream;
        try {
            launch<write_outside_kernel<cudaBoundaryModeTrap>>(1, 1, stream, surface.handle(), 99,
                                                               boundary_width, 1);
            stream.synchronize();
        } catch (const CudaError& ended) {
            error = ended.what();
        }
    }
    if (gpu_kind == DeviceKind::emulated) CUDA_CHECK(cudaDeviceReset());
    return error;
}

}  // namespace cudabook::texture_unit
