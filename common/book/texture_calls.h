// The functions of the CUDA 11 runtime that bind texture and surface references. Each C function is followed
// by its C++ templates. The functions return the error codes of the original functions.
#pragma once

#include <cuda_runtime.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "texture_bindings.h"
#include "texture_types.h"

/// Binds `size` bytes of device memory at `devPtr`. The texture begins at the last multiple of the device's
/// textureAlignment at or before devPtr. Sets `offset` to the distance in bytes from the texture's beginning
/// to devPtr. A kernel must add this distance, in texels, to the index of each fetch.
inline cudaError_t cudaBindTexture(size_t* offset, const textureReference* texref, const void* devPtr,
                                   const cudaChannelFormatDesc* desc, size_t size = UINT_MAX) {
    if (desc == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void*>(devPtr);
    resource.res.linear.desc = *desc;
    resource.res.linear.sizeInBytes = size;
    return cudabook::book::Bindings::instance().bind_memory(texref, resource, offset);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& tex, const void* devPtr,
                            const cudaChannelFormatDesc& desc, size_t size = UINT_MAX) {
    return cudaBindTexture(offset, &tex, devPtr, &desc, size);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dim, mode>& tex, const void* devPtr,
                            size_t size = UINT_MAX) {
    return cudaBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}

/// Binds `height` rows of `width` texels. The rows begin `pitch` bytes apart. Sets `offset` as
/// cudaBindTexture() does.
inline cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texref, const void* devPtr,
                                     const cudaChannelFormatDesc* desc, size_t width, size_t height,
                                     size_t pitch) {
    if (desc == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void*>(devPtr);
    resource.res.pitch2D.desc = *desc;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return cudabook::book::Bindings::instance().bind_memory(texref, resource, offset);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& tex, const void* devPtr,
                              const cudaChannelFormatDesc& desc, size_t width, size_t height, size_t pitch) {
    return cudaBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& tex, const void* devPtr,
                              size_t width, size_t height, size_t pitch) {
    return cudaBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}

/// Binds an array whose format is `desc`.
inline cudaError_t cudaBindTextureToArray(const textureReference* texref, cudaArray_const_t array,
                                          const cudaChannelFormatDesc* desc) {
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return cudabook::book::Bindings::instance().bind_array(texref, resource, array, desc);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& tex, cudaArray_const_t array,
                                   const cudaChannelFormatDesc& desc) {
    return cudaBindTextureToArray(&tex, array, &desc);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dim, mode>& tex, cudaArray_const_t array) {
    cudaChannelFormatDesc desc;
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindTextureToArray(&tex, array, &desc) : error;
}

/// Binds a mipmapped array whose format is `desc`.
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texref,
                                                   cudaMipmappedArray_const_t mipmappedArray,
                                                   const cudaChannelFormatDesc* desc) {
    if (mipmappedArray == nullptr) return cudaErrorInvalidResourceHandle;
    cudaArray_t first = nullptr;
    if (const cudaError_t error = cudaGetMipmappedArrayLevel(&first, mipmappedArray, 0)) return error;
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(mipmappedArray);
    return cudabook::book::Bindings::instance().bind_array(texref, resource, first, desc);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, dim, mode>& tex,
                                            cudaMipmappedArray_const_t mipmappedArray,
                                            const cudaChannelFormatDesc& desc) {
    return cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, dim, mode>& tex,
                                            cudaMipmappedArray_const_t mipmappedArray) {
    if (mipmappedArray == nullptr) return cudaErrorInvalidResourceHandle;
    cudaArray_t first = nullptr;
    cudaChannelFormatDesc desc;
    if (const cudaError_t error = cudaGetMipmappedArrayLevel(&first, mipmappedArray, 0)) return error;
    const cudaError_t error = cudaGetChannelDesc(&desc, first);
    return error == cudaSuccess ? cudaBindTextureToMipmappedArray(&tex, mipmappedArray, &desc) : error;
}

/// Unbinds the reference. A kernel launched later fails if it fetches through the reference.
inline cudaError_t cudaUnbindTexture(const textureReference* texref) {
    return cudabook::book::Bindings::instance().unbind(texref);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, dim, mode>& tex) {
    return cudaUnbindTexture(&tex);
}

/// Sets `offset` to the offset in bytes that the reference's last cudaBindTexture() or cudaBindTexture2D()
/// returned.
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texref) {
    return cudabook::book::Bindings::instance().offset(texref, offset);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dim, mode>& tex) {
    return cudaGetTextureAlignmentOffset(offset, &tex);
}

/// Sets `texref` to the texture reference at the address `symbol`.
inline cudaError_t cudaGetTextureReference(const textureReference** texref, const void* symbol) {
    if (texref == nullptr) return cudaErrorInvalidValue;
    if (!cudabook::book::SlotOnHost::any(symbol)) return cudaErrorInvalidTexture;
    *texref = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
}

/// Binds an array that was made with cudaArraySurfaceLoadStore.
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference* surfref, cudaArray_const_t array,
                                          const cudaChannelFormatDesc* /*desc*/) {
    return cudabook::book::Bindings::instance().bind_surface(surfref, array);
}

template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& surf, cudaArray_const_t array,
                                   const cudaChannelFormatDesc& desc) {
    return cudaBindSurfaceToArray(&surf, array, &desc);
}

template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& surf, cudaArray_const_t array) {
    return cudaBindSurfaceToArray(&surf, array, nullptr);
}

/// Sets `surfref` to the surface reference at the address `symbol`.
inline cudaError_t cudaGetSurfaceReference(const surfaceReference** surfref, const void* symbol) {
    if (surfref == nullptr) return cudaErrorInvalidValue;
    if (!cudabook::book::SlotOnHost::any(symbol)) return cudaErrorInvalidSurface;
    *surfref = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
}

// ----- current runtime functions that affect the bindings

namespace cudabook::book {

inline cudaError_t reset_device() {
    Bindings::instance().forget_device();
    return cudaDeviceReset();
}

template <class... Arguments>
cudaError_t create_stream_with_flags(cudaStream_t* stream, unsigned flags, Arguments... more) {
    if ((flags & cudaStreamNonBlocking) != 0) Bindings::instance().expect_independent_streams();
    if constexpr (sizeof...(more) == 0) {
        return cudaStreamCreateWithFlags(stream, flags);
    } else {
        return cudaStreamCreateWithPriority(stream, flags, more...);
    }
}

}  // namespace cudabook::book

#define cudaDeviceReset() ::cudabook::book::reset_device()
#define cudaStreamCreateWithFlags(...) ::cudabook::book::create_stream_with_flags(__VA_ARGS__)
#define cudaStreamCreateWithPriority(...) ::cudabook::book::create_stream_with_flags(__VA_ARGS__)
