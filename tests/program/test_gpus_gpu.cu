// common/program/gpus.hpp: the published figures of a GPU are the figures of CUDA, on a machine with one of
// these GPUs.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "common/cuda/device.cuh"
#include "common/program/gpus.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class PublishedGpu : public test::Gpu {
  protected:
    /// The entry of this machine's GPU in the table, or null.
    static const EmulatedGpu* published() {
        cudaDeviceProp properties{};
        CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
        for (const EmulatedGpu& gpu : emulated_gpus())
            if (std::string_view(properties.name).starts_with(gpu.product)) return &gpu;
        return nullptr;
    }

    static void expect(const char* what, cudaDeviceAttr attribute, int value) {
        EXPECT_EQ(device_attribute(attribute, 0), value) << what;
    }

    template <std::size_t n>
    static void expect(const char* what, const std::array<cudaDeviceAttr, n>& attributes,
                       const std::array<int, n>& values) {
        for (std::size_t i = 0; i < n; ++i) expect(what, attributes[i], values[i]);
    }
};

TEST_F(PublishedGpu, FiguresOfTheMultiprocessorsAreTheRealOnes) {
    const EmulatedGpu* gpu = published();
    if (gpu == nullptr) GTEST_SKIP() << "this GPU is not one of those that can be emulated";
    expect("major", cudaDevAttrComputeCapabilityMajor, gpu->major);
    expect("minor", cudaDevAttrComputeCapabilityMinor, gpu->minor);
    expect("multiprocessors", cudaDevAttrMultiProcessorCount, gpu->multiprocessors);
    expect("shared", cudaDevAttrMaxSharedMemoryPerBlock, gpu->shared_bytes_per_block);
    expect("shared optin", cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu->shared_bytes_per_block_optin);
    expect("shared of a multiprocessor", cudaDevAttrMaxSharedMemoryPerMultiprocessor,
           gpu->shared_bytes_per_multiprocessor);
    expect("shared reserved", cudaDevAttrReservedSharedMemoryPerBlock, gpu->shared_bytes_reserved_per_block);
    expect("registers", cudaDevAttrMaxRegistersPerBlock, gpu->registers_per_block);
    expect("registers of a multiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor,
           gpu->registers_per_multiprocessor);
    expect("threads", cudaDevAttrMaxThreadsPerMultiProcessor, gpu->threads_per_multiprocessor);
    expect("blocks", cudaDevAttrMaxBlocksPerMultiprocessor, gpu->blocks_per_multiprocessor);
    expect("L2", cudaDevAttrL2CacheSize, gpu->l2_bytes);
    expect("clock", cudaDevAttrClockRate, gpu->clock_khz);
    expect("memory clock", cudaDevAttrMemoryClockRate, gpu->memory_clock_khz);
    expect("memory bus", cudaDevAttrGlobalMemoryBusWidth, gpu->memory_bus_bits);
}

TEST_F(PublishedGpu, LimitsOfTexturesAndSurfacesAreTheRealOnes) {
    if (published() == nullptr) GTEST_SKIP() << "this GPU is not one of those that can be emulated";
    const TextureLimits& limits = published()->textures;
    expect("1D", cudaDevAttrMaxTexture1DWidth, limits.array_1d);
    expect("linear 1D", cudaDevAttrMaxTexture1DLinearWidth, limits.linear_1d);
    expect("mipmapped 1D", cudaDevAttrMaxTexture1DMipmappedWidth, limits.mipmapped_1d);
    expect<2>("layered 1D", {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers},
              limits.layered_1d);
    expect<2>("2D", {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight}, limits.array_2d);
    expect<2>("linear 2D", {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight},
              limits.linear_2d);
    expect("pitch", cudaDevAttrMaxTexture2DLinearPitch, limits.linear_2d_pitch_bytes);
    expect<2>("gather", {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight},
              limits.gather_2d);
    expect<2>("mipmapped 2D", {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight},
              limits.mipmapped_2d);
    expect<3>("layered 2D",
              {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight,
               cudaDevAttrMaxTexture2DLayeredLayers},
              limits.layered_2d);
    expect<3>("3D",
              {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth},
              limits.array_3d);
    expect<3>(
        "alternate 3D",
        {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt},
        limits.alternate_3d);
    expect("cubemap", cudaDevAttrMaxTextureCubemapWidth, limits.cubemap);
    expect<2>("layered cubemap",
              {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers},
              limits.layered_cubemap);
    expect("1D surface", cudaDevAttrMaxSurface1DWidth, limits.surface_1d);
    expect<2>("layered 1D surface",
              {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers},
              limits.surface_layered_1d);
    expect<2>("2D surface", {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight}, limits.surface_2d);
    expect<3>("layered 2D surface",
              {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight,
               cudaDevAttrMaxSurface2DLayeredLayers},
              limits.surface_layered_2d);
    expect<3>("3D surface",
              {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth},
              limits.surface_3d);
    expect("cubemap surface", cudaDevAttrMaxSurfaceCubemapWidth, limits.surface_cubemap);
    expect<2>("layered cubemap surface",
              {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers},
              limits.surface_layered_cubemap);
    expect("alignment", cudaDevAttrTextureAlignment, static_cast<int>(limits.alignment_bytes));
    expect("pitch alignment", cudaDevAttrTexturePitchAlignment,
           static_cast<int>(limits.pitch_alignment_bytes));
    expect("surface alignment", cudaDevAttrSurfaceAlignment,
           static_cast<int>(limits.surface_alignment_bytes));
}

}  // namespace
}  // namespace cudabook
