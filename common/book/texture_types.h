// The host side of texture_reference.h: reference types and the fields that a program sets.
#pragma once

#include <cuda_runtime.h>

#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
// nvcc still knows references. These attributes make nvcc treat the host variables of references as before:
// each translation unit has its own variables, unless -rdc=true shares them.
#define CUDABOOK_TEXTURE_REFERENCE __device_builtin_texture_type__
#define CUDABOOK_SURFACE_REFERENCE __device_builtin_surface_type__
#else
#define CUDABOOK_TEXTURE_REFERENCE
#define CUDABOOK_SURFACE_REFERENCE
#endif

namespace cudabook::book {

/// A host field of a texture reference. As with CUDA's original references, a new value takes effect at the
/// next launch, even if the reference is already bound.
template <class T>
class Field {
  public:
    Field(T value = T()) : value_(value) {}
    Field(const Field&) = default;
    Field& operator=(const Field& other) { return *this = other.value_; }
    Field& operator=(T value);
    operator T() const { return value_; }

  private:
    T value_;
};

}  // namespace cudabook::book

/// The host side of a texture reference.
struct textureReference {
    cudabook::book::Field<int> normalized;
    cudabook::book::Field<cudaTextureFilterMode> filterMode;
    cudabook::book::Field<cudaTextureAddressMode> addressMode[3];
    cudaChannelFormatDesc channelDesc = {};
    cudabook::book::Field<int> sRGB;
    cudabook::book::Field<unsigned> maxAnisotropy;
    cudabook::book::Field<cudaTextureFilterMode> mipmapFilterMode;
    cudabook::book::Field<float> mipmapLevelBias;
    cudabook::book::Field<float> minMipmapLevelClamp;
    cudabook::book::Field<float> maxMipmapLevelClamp;
    cudabook::book::Field<int> disableTrilinearOptimization;
};

/// The host side of a surface reference.
struct surfaceReference {
    cudaChannelFormatDesc channelDesc = {};
};

/// A texture reference. Kernels read texels of type T in `dim` dimensions (cudaTextureType…). With
/// cudaReadModeElementType, a fetch returns T. With cudaReadModeNormalizedFloat, a fetch returns floats from
/// 0 to 1, or from -1 to 1 for signed types.
template <class T, int dim = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct CUDABOOK_TEXTURE_REFERENCE texture : textureReference {
    texture(int normalized_ = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(normalized_, filter, address, cudaCreateChannelDesc<T>()) {}
    texture(int normalized_, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc format) {
        normalized = normalized_;
        filterMode = filter;
        for (auto& mode_of_dimension : addressMode) mode_of_dimension = address;
        channelDesc = format;
    }
#ifdef __CUDA_ARCH__
    [[deprecated(
        "a texture reference cannot be handed to a device function: make a macro of that function")]]  //
    texture(const texture&) = default;
#endif
};

/// A surface reference. Kernels read and write its memory in `dim` dimensions (cudaSurfaceType…).
template <class T, int dim = cudaSurfaceType1D>
struct CUDABOOK_SURFACE_REFERENCE surface : surfaceReference {};
