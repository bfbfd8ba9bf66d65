// Surfaces: reads and writes of every shape, and what happens out of range.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/surface.cuh"
#include "common/cuda/texture.cuh"
#include "tests/support/emulated_gpu.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

enum class TextureShape { line, plane, volume, line_layers, plane_layers, cube, cube_layers };

/// read() and write() read and write texel (x, y, z) of a surface of this shape.
template <class T>
__device__ T read(cudaSurfaceObject_t surface, TextureShape shape, int x, int y, int z) {
    const int bytes = x * static_cast<int>(sizeof(T));
    switch (shape) {
        case TextureShape::line:
            return surf1Dread<T>(surface, bytes);
        case TextureShape::plane:
            return surf2Dread<T>(surface, bytes, y);
        case TextureShape::volume:
            return surf3Dread<T>(surface, bytes, y, z);
        case TextureShape::line_layers:
            return surf1DLayeredread<T>(surface, bytes, z);
        case TextureShape::plane_layers:
            return surf2DLayeredread<T>(surface, bytes, y, z);
        case TextureShape::cube:
            return surfCubemapread<T>(surface, bytes, y, z);
        case TextureShape::cube_layers:
            break;
    }
    T value;
    surfCubemapLayeredread(&value, surface, bytes, y, z);
    return value;
}

template <class T>
__device__ void write(T value, cudaSurfaceObject_t surface, TextureShape shape, int x, int y, int z) {
    const int bytes = x * static_cast<int>(sizeof(T));
    switch (shape) {
        case TextureShape::line:
            return surf1Dwrite(value, surface, bytes);
        case TextureShape::plane:
            return surf2Dwrite(value, surface, bytes, y);
        case TextureShape::volume:
            return surf3Dwrite(value, surface, bytes, y, z);
        case TextureShape::line_layers:
            return surf1DLayeredwrite(value, surface, bytes, z);
        case TextureShape::plane_layers:
            return surf2DLayeredwrite(value, surface, bytes, y, z);
        case TextureShape::cube:
            return surfCubemapwrite(value, surface, bytes, y, z);
        case TextureShape::cube_layers:
            return surfCubemapLayeredwrite(value, surface, bytes, y, z);
    }
}

/// One block of the surface's size: adds 100 to each texel.
__global__ void add_hundred(cudaSurfaceObject_t surface, TextureShape shape) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(threadIdx.y);
    const int z = static_cast<int>(threadIdx.z);
    write(read<int>(surface, shape, x, y, z) + 100, surface, shape, x, y, z);
}

class CudaSurfaces : public test::Gpu {};
class EmulatedSurfaces : public test::EmulatedGpu {};

TEST_F(CudaSurfaces, OfEveryShape) {
    struct Case {
        TextureShape shape;
        cudaExtent extent;
        unsigned flags;
    };
    for (const auto& [shape, extent, flags] :
         {Case{TextureShape::line, make_cudaExtent(5, 0, 0), 0},
          Case{TextureShape::plane, make_cudaExtent(5, 3, 0), 0},
          Case{TextureShape::volume, make_cudaExtent(5, 3, 2), 0},
          Case{TextureShape::line_layers, make_cudaExtent(5, 0, 3), cudaArrayLayered},
          Case{TextureShape::plane_layers, make_cudaExtent(5, 2, 3), cudaArrayLayered},
          Case{TextureShape::cube, make_cudaExtent(2, 2, 6), cudaArrayCubemap},
          Case{TextureShape::cube_layers, make_cudaExtent(2, 2, 12), cudaArrayCubemap | cudaArrayLayered}}) {
        const dim3 size(static_cast<unsigned>(extent.width),
                        static_cast<unsigned>(std::max<std::size_t>(extent.height, 1)),
                        static_cast<unsigned>(std::max<std::size_t>(extent.depth, 1)));
        std::vector<int> values(static_cast<std::size_t>(size.x) * size.y * size.z);
        std::iota(values.begin(), values.end(), 1);
        const CudaArray array(values, extent, flags | cudaArraySurfaceLoadStore);
        const SurfaceObject surface(array.get());
        const Stream stream;
        launch(add_hundred, 1, size, stream, surface.handle(), shape);
        for (int& value : values) value += 100;
        CUDA_CHECK(cudaDeviceSynchronize());
        EXPECT_EQ(array.texels<int>(), values) << "shape " << static_cast<int>(shape);
    }
}

/// Reads the texels from (-1, -1) to (4, 2) of a plane of 4 × 2 texels. write_around writes to them.
__global__ void around(cudaSurfaceObject_t surface, int* to, cudaSurfaceBoundaryMode mode) {
    const int x = static_cast<int>(threadIdx.x) - 1;
    const int y = static_cast<int>(threadIdx.y) - 1;
    const int bytes = x * static_cast<int>(sizeof(int));
    to[threadIdx.y * 6 + threadIdx.x] = mode == cudaBoundaryModeZero
                                            ? surf2Dread<int>(surface, bytes, y, cudaBoundaryModeZero)
                                            : surf2Dread<int>(surface, bytes, y, cudaBoundaryModeClamp);
}

__global__ void write_around(cudaSurfaceObject_t surface) {
    const int x = static_cast<int>(threadIdx.x) - 1;
    const int y = static_cast<int>(threadIdx.y) - 1;
    surf2Dwrite(10 * y + x, surface, x * static_cast<int>(sizeof(int)), y, cudaBoundaryModeZero);
}

TEST_F(CudaSurfaces, OutOfRange) {
    const cudaExtent extent = make_cudaExtent(4, 2, 0);
    const CudaArray array(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}, extent, cudaArraySurfaceLoadStore);
    const SurfaceObject surface(array.get());
    const DeviceArray<int> to(24);
    const Stream stream;
    launch(around, 1, dim3(6, 4), stream, surface.handle(), to.data(), cudaBoundaryModeClamp);
    EXPECT_EQ(to.download(), (std::vector{1, 1, 2, 3, 4, 4,  //
                                          1, 1, 2, 3, 4, 4,  //
                                          5, 5, 6, 7, 8, 8,  //
                                          5, 5, 6, 7, 8, 8}));
    launch(around, 1, dim3(6, 4), stream, surface.handle(), to.data(), cudaBoundaryModeZero);
    EXPECT_EQ(to.download(), (std::vector{0, 0, 0, 0, 0, 0,  //
                                          0, 1, 2, 3, 4, 0,  //
                                          0, 5, 6, 7, 8, 0,  //
                                          0, 0, 0, 0, 0, 0}));
    launch(write_around, 1, dim3(6, 4), stream, surface.handle());
    CUDA_CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(array.texels<int>(), (std::vector{0, 1, 2, 3, 10, 11, 12, 13}));
}

/// Elements of 16 bytes, and a texture over the same array, which sees them in the next launch.
__global__ void write_fours(cudaSurfaceObject_t surface) {
    const int x = static_cast<int>(threadIdx.x);
    const float value = static_cast<float>(x);
    surf2Dwrite(make_float4(value, value + 0.25F, value + 0.5F, value + 0.75F), surface,
                x * static_cast<int>(sizeof(float4)), 0);
}
__global__ void fetch_fours(cudaTextureObject_t texture, float4* to) {
    to[threadIdx.x] = tex2D<float4>(texture, static_cast<float>(threadIdx.x) + 0.5F, 0.5F);
}

TEST_F(CudaSurfaces, WrittenThenFetched) {
    const CudaArray array(cudaCreateChannelDesc<float4>(), make_cudaExtent(8, 1, 0),
                          cudaArraySurfaceLoadStore);
    const SurfaceObject surface(array.get());
    const TextureObject texture(array.get(), {});
    const DeviceArray<float4> to(8);
    const Stream stream;
    launch(write_fours, 1, 8, stream, surface.handle());
    launch(fetch_fours, 1, 8, stream, texture.handle(), to.data());
    const std::vector<float4> fetched = to.download();
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(fetched[i].x, static_cast<float>(i));
        EXPECT_EQ(fetched[i].w, static_cast<float>(i) + 0.75F);
    }
}

// Like on an H200, also over an array without cudaArraySurfaceLoadStore.
TEST_F(CudaSurfaces, AreMadeOverAnyArray) {
    const CudaArray array(cudaCreateChannelDesc<float>(), make_cudaExtent(8, 1, 0));
    cudaSurfaceObject_t surface = 0;
    cudaResourceDesc resource = resource_of(array.get());
    ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
}

__global__ void read_beyond(cudaSurfaceObject_t surface, int* to) { *to = surf2Dread<int>(surface, 16, 1); }

TEST_F(EmulatedSurfaces, OutOfRangeEndsTheKernel) {
    const CudaArray array(std::vector<int>(8), make_cudaExtent(4, 2, 0), cudaArraySurfaceLoadStore);
    const SurfaceObject surface(array.get());
    const DeviceArray<int> to(1);
    const Stream stream;
    const std::string error = test::error_text<CudaError>([&] {
        launch(read_beyond, 1, 1, stream, surface.handle(), to.data());
        CUDA_CHECK(cudaDeviceSynchronize());
    });
    EXPECT_NE(error.find("cudaErrorLaunchFailure"), std::string::npos) << error;
    EXPECT_NE(error.find("surface coordinate (16 bytes, 1, 0) is not within 16 bytes x 2 x 1"),
              std::string::npos)
        << error;
}

}  // namespace
}  // namespace cudabook
