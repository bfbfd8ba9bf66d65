// The host's side of texture_reference.h: the references, and the calls that bind them.
//
// A reference has a slot of constant memory in every module whose kernels read through it. To bind it makes
// a texture object, or takes one made before, and has its handle copied to the slots between the kernels
// launched before and those launched after.
#pragma once

#include <cuda_runtime.h>
#include <limits.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
// Tells the compiler, which still knows references, to treat their variables on the host as it did: each
// translation unit has its own, unless -rdc=true shares them.
#define CUDABOOK_TEXTURE_REFERENCE __device_builtin_texture_type__
#define CUDABOOK_SURFACE_REFERENCE __device_builtin_surface_type__
#else
#define CUDABOOK_TEXTURE_REFERENCE
#define CUDABOOK_SURFACE_REFERENCE
#endif

namespace cudabook::book {

/// A host field of a texture reference. As with the references of old, the next launch follows what is set
/// here, also when the reference was bound before.
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

/// What the host knows of a texture reference.
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

/// What the host knows of a surface reference.
struct surfaceReference {
    cudaChannelFormatDesc channelDesc = {};
};

/// Texels of type T, read in `dim` dimensions (cudaTextureType…) as T or as floats from 0 or -1 to 1.
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

/// Memory that kernels read and write in `dim` dimensions (cudaSurfaceType…).
template <class T, int dim = cudaSurfaceType1D>
struct CUDABOOK_SURFACE_REFERENCE surface : surfaceReference {};

namespace cudabook::book {

/// What the type of a texture reference says.
struct TextureKind {
    cudaTextureReadMode mode = cudaReadModeElementType;
    int dimensions = 1;  ///< of a layer, or of a face
};

/// What is bound to the references of this process, for every device. Its functions return the codes that
/// the calls of old returned.
class Bindings {
  public:
    static Bindings& instance() {
        static Bindings bindings;
        return bindings;
    }

    /// Kernels take the reference's handle from this symbol.
    bool add_slot(const void* reference, const void* symbol, TextureKind kind) {
        const std::lock_guard<std::mutex> lock(mutex_);
        references_[reference].slots.push_back(symbol);
        references_[reference].kind = kind;
        return true;
    }

    /// Whether any kernel reads through it.
    bool knows(const void* reference) {
        const std::lock_guard<std::mutex> lock(mutex_);
        return references_.count(reference) != 0;
    }

    /// Binds linear memory, after moving its start back to where a texture can begin; `offset` gets the
    /// bytes between the two, and must be there unless they are none.
    cudaError_t bind_memory(const textureReference* texture, cudaResourceDesc resource, std::size_t* offset) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (texture == nullptr) return cudaErrorInvalidTexture;
        const bool pitched = resource.resType == cudaResourceTypePitch2D;
        auto& format = pitched ? resource.res.pitch2D.desc : resource.res.linear.desc;
        auto& memory = pitched ? resource.res.pitch2D.devPtr : resource.res.linear.devPtr;
        if (const cudaError_t error = check_format(*texture, format)) return error;

        cudaPointerAttributes attributes;
        if (const cudaError_t error = cudaPointerGetAttributes(&attributes, memory)) return error;
        if (attributes.devicePointer == nullptr) return cudaErrorInvalidValue;

        int device = 0;
        int alignment = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        if (const cudaError_t error = cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, device))
            return error;
        const std::size_t shift = reinterpret_cast<std::size_t>(memory) % static_cast<std::size_t>(alignment);
        if (shift != 0 && offset == nullptr) return cudaErrorInvalidValue;
        memory = static_cast<char*>(memory) - shift;

        const auto texel = static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
        if (pitched) {
            const auto& rows = resource.res.pitch2D;
            if (rows.width == 0 || rows.width > rows.pitchInBytes / texel) return cudaErrorInvalidValue;
        } else {
            std::size_t most = 0;
            if (const cudaError_t error = cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, device))
                return error;
            std::size_t& bytes = resource.res.linear.sizeInBytes;
            bytes = std::min((bytes + shift) / texel, most) * texel;
        }
        if (const cudaError_t error = bind(*texture, resource, shift, device)) return error;
        if (offset != nullptr) *offset = shift;
        return cudaSuccess;
    }

    /// Binds an array, or the first level of mipmaps, of the format that is said.
    cudaError_t bind_array(const textureReference* texture, const cudaResourceDesc& resource,
                           cudaArray_const_t array, const cudaChannelFormatDesc* format) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (texture == nullptr) return cudaErrorInvalidTexture;
        if (format == nullptr) return cudaErrorInvalidValue;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = check_format(*texture, *format)) return error;
        cudaChannelFormatDesc real;
        if (const cudaError_t error = cudaGetChannelDesc(&real, array)) return error;
        if (!same(*format, real)) return cudaErrorInvalidValue;
        const bool whole_numbers = real.f != cudaChannelFormatKindFloat;
        if (texture->filterMode == cudaFilterModeLinear && whole_numbers &&
            references_[texture].kind.mode == cudaReadModeElementType)
            return cudaErrorInvalidFilterSetting;
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        return bind(*texture, resource, 0, device);
    }

    cudaError_t bind_surface(const surfaceReference* surface, cudaArray_const_t array,
                             const cudaChannelFormatDesc* format) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (surface == nullptr) return cudaErrorInvalidSurface;
        if (format == nullptr) return cudaErrorInvalidValue;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        cudaChannelFormatDesc real;
        unsigned flags = 0;
        if (const cudaError_t error =
                cudaArrayGetInfo(&real, nullptr, &flags, const_cast<cudaArray_t>(array)))
            return error;
        if (!same(*format, real) || (flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
        cudaResourceDesc resource;
        std::memset(&resource, 0, sizeof resource);
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = const_cast<cudaArray_t>(array);
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        Bound bound{};
        bound.is_surface = true;
        if (const cudaError_t error = cudaCreateSurfaceObject(&bound.object, &resource)) return error;
        return install(surface, device, bound);
    }

    cudaError_t unbind(const void* reference) {
        const std::lock_guard<std::mutex> lock(mutex_);
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        if (bound_.count({reference, device}) == 0) return cudaSuccess;
        return install(reference, device, Bound{});
    }

    /// How many bytes its texture begins in front of the memory that was bound.
    cudaError_t offset(const void* reference, std::size_t* offset) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (offset == nullptr) return cudaErrorInvalidValue;
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        const auto bound = bound_.find({reference, device});
        if (bound == bound_.end()) return cudaErrorInvalidTextureBinding;
        *offset = bound->second.offset;
        return cudaSuccess;
    }

    /// A field, of whatever reference, was set.
    void changed(const void* field) {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& [place, bound] : std::map(bound_)) {
            const auto* start = static_cast<const char*>(place.first);
            const auto* byte = static_cast<const char*>(field);
            if (bound.is_surface || byte < start || byte >= start + sizeof(textureReference)) continue;
            int device = 0;
            cudaGetDevice(&device);
            cudaSetDevice(place.second);
            const auto& texture = *static_cast<const textureReference*>(place.first);
            // What a texture unit cannot do leaves it unbound: then a fetch is an error.
            if (bind(texture, bound.resource, bound.offset, place.second) != cudaSuccess)
                install(place.first, place.second, Bound{});
            cudaSetDevice(device);
        }
    }

    /// From now on there may be streams that do not wait for others.
    void expect_independent_streams() {
        const std::lock_guard<std::mutex> lock(mutex_);
        independent_streams_ = true;
    }

    /// The device loses all it holds.
    void forget_device() {
        const std::lock_guard<std::mutex> lock(mutex_);
        int device = 0;
        if (cudaGetDevice(&device) != cudaSuccess) return;
        for (auto bound = bound_.begin(); bound != bound_.end();)
            bound = bound->first.second == device ? bound_.erase(bound) : std::next(bound);
        devices_.erase(device);
    }

  private:
    using Handle = unsigned long long;  ///< of a texture or a surface object; 0: none

    struct Reference {
        std::vector<const void*> slots;
        TextureKind kind;
    };

    struct Bound {
        cudaResourceDesc resource;
        std::size_t offset;
        Handle object;
        bool is_surface;
    };

    struct Device {
        std::map<std::string, Handle> of_memory;  ///< textures by what was asked for
        std::vector<Bound> retired;               ///< of arrays, and no longer bound
    };

    static constexpr std::size_t most_idle_objects = 1024;

    static bool same(const cudaChannelFormatDesc& a, const cudaChannelFormatDesc& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
    }

    /// Whether fetches of the reference give sense with texels of that format: its own; halves where it has
    /// floats; where the texture unit makes floats of whole numbers, any of 8 or 16 bits.
    cudaError_t check_format(const textureReference& texture, const cudaChannelFormatDesc& format) {
        const bool is_float = format.f == cudaChannelFormatKindFloat;
        const bool is_number =
            format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
        const bool width = format.x == 16 || format.x == 32 || (is_number && format.x == 8);
        const bool count = (format.y == 0 || format.y == format.x) && format.z == format.w &&
                           (format.z == 0 || (format.z == format.x && format.y == format.x));
        if (!(is_float || is_number) || !width || !count) return cudaErrorInvalidChannelDescriptor;

        const cudaChannelFormatDesc& own = texture.channelDesc;
        if (same(format, own)) return cudaSuccess;
        const bool same_count = (format.y != 0) == (own.y != 0) && (format.z != 0) == (own.z != 0);
        const bool halves = is_float && own.f == cudaChannelFormatKindFloat;
        const bool made_floats =
            is_number && format.x <= 16 && references_[&texture].kind.mode == cudaReadModeNormalizedFloat;
        return same_count && (halves || made_floats) ? cudaSuccess : cudaErrorInvalidValue;
    }

    cudaError_t bind(const textureReference& texture, const cudaResourceDesc& resource, std::size_t offset,
                     int device) {
        const bool linear = resource.resType == cudaResourceTypeLinear;
        const bool memory = linear || resource.resType == cudaResourceTypePitch2D;
        Bound bound{resource, offset, 0, false};
        if (linear && resource.res.linear.sizeInBytes == 0) return install(&texture, device, bound);

        cudaTextureDesc sampler;
        std::memset(&sampler, 0, sizeof sampler);
        const TextureKind kind = references_[&texture].kind;
        sampler.readMode = kind.mode;
        for (auto& mode : sampler.addressMode) mode = cudaAddressModeClamp;
        if (!linear) {
            // Objects follow the modes of dimensions that they lack; references did not.
            std::copy_n(texture.addressMode, kind.dimensions, sampler.addressMode);
            sampler.filterMode = texture.filterMode;
            sampler.normalizedCoords = texture.normalized;
            sampler.sRGB = texture.sRGB;
            sampler.maxAnisotropy = texture.maxAnisotropy;
            sampler.mipmapFilterMode = texture.mipmapFilterMode;
            sampler.mipmapLevelBias = texture.mipmapLevelBias;
            sampler.minMipmapLevelClamp = texture.minMipmapLevelClamp;
            sampler.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
            sampler.disableTrilinearOptimization = texture.disableTrilinearOptimization;
        }
        std::string key;  // arrays have none: another one may come to lie where this one was
        if (memory) {
            key.assign(reinterpret_cast<const char*>(&resource), sizeof resource);
            key.append(reinterpret_cast<const char*>(&sampler), sizeof sampler);
            const auto made = devices_[device].of_memory.find(key);
            if (made != devices_[device].of_memory.end()) {
                bound.object = made->second;
                return install(&texture, device, bound);
            }
        }
        if (const cudaError_t error = cudaCreateTextureObject(&bound.object, &resource, &sampler, nullptr))
            return error;
        if (memory) devices_[device].of_memory.emplace(std::move(key), bound.object);
        return install(&texture, device, bound);
    }

    /// Has kernels find this object from their next launch on; nothing, where there is no object.
    cudaError_t install(const void* reference, int device, const Bound& bound) {
        Bound& now = bound_[{reference, device}];
        const Bound before = std::exchange(now, bound);
        if (before.object != bound.object) {
            // The legacy stream waits for kernels in other streams, and they for it; only streams that were
            // made not to have to be waited for by hand.
            if (independent_streams_) cudaDeviceSynchronize();
            for (const void* slot : references_[reference].slots) {
                if (const cudaError_t error =
                        cudaMemcpyToSymbolAsync(slot, &bound.object, sizeof bound.object, 0,
                                                cudaMemcpyHostToDevice, cudaStreamLegacy))
                    return error;
            }
            if (independent_streams_) cudaStreamSynchronize(cudaStreamLegacy);
        }
        if (bound.object == 0) bound_.erase({reference, device});
        if (before.object != 0 && !from_memory(before)) devices_[device].retired.push_back(before);
        reclaim(device);
        return cudaSuccess;
    }

    static bool from_memory(const Bound& bound) {
        return !bound.is_surface && (bound.resource.resType == cudaResourceTypeLinear ||
                                     bound.resource.resType == cudaResourceTypePitch2D);
    }

    /// Destroys what is not bound, once it has become much and no kernel reads it any more.
    void reclaim(int device) {
        Device& objects = devices_[device];
        if (objects.of_memory.size() + objects.retired.size() < most_idle_objects) return;
        cudaDeviceSynchronize();
        for (const Bound& old : objects.retired) {
            if (old.is_surface) {
                cudaDestroySurfaceObject(old.object);
            } else {
                cudaDestroyTextureObject(old.object);
            }
        }
        objects.retired.clear();
        for (auto made = objects.of_memory.begin(); made != objects.of_memory.end();) {
            const bool in_use = std::any_of(bound_.begin(), bound_.end(), [&](const auto& entry) {
                return entry.first.second == device && from_memory(entry.second) &&
                       entry.second.object == made->second;
            });
            if (!in_use) cudaDestroyTextureObject(made->second);
            made = in_use ? std::next(made) : objects.of_memory.erase(made);
        }
    }

    std::mutex mutex_;
    std::map<const void*, Reference> references_;
    std::map<std::pair<const void*, int>, Bound> bound_;  ///< by reference and device
    std::map<int, Device> devices_;
    bool independent_streams_ = false;
};

template <class T>
Field<T>& Field<T>::operator=(T value) {
    if (value_ != value) {
        value_ = value;
        Bindings::instance().changed(this);
    }
    return *this;
}

}  // namespace cudabook::book

// ----- the calls of old: those of C, and beside each the templates of C++

/// Binds `size` bytes of device memory from `devPtr` on. Texels are read from a multiple of the device's
/// textureAlignment: `offset` gets the bytes by which devPtr lies behind it, which fetches must add.
inline cudaError_t cudaBindTexture(size_t* offset, const textureReference* texref, const void* devPtr,
                                   const cudaChannelFormatDesc* desc, size_t size = UINT_MAX) {
    if (desc == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
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

/// Binds `height` rows of `width` texels, `pitch` bytes apart.
inline cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* texref, const void* devPtr,
                                     const cudaChannelFormatDesc* desc, size_t width, size_t height,
                                     size_t pitch) {
    if (desc == nullptr) return cudaErrorInvalidValue;
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
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
    std::memset(&resource, 0, sizeof resource);
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

/// Binds the levels of a mipmapped array whose format is `desc`.
inline cudaError_t cudaBindTextureToMipmappedArray(const textureReference* texref,
                                                   cudaMipmappedArray_const_t mipmappedArray,
                                                   const cudaChannelFormatDesc* desc) {
    if (mipmappedArray == nullptr) return cudaErrorInvalidResourceHandle;
    cudaArray_t first = nullptr;
    if (const cudaError_t error = cudaGetMipmappedArrayLevel(&first, mipmappedArray, 0)) return error;
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof resource);
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

/// Unbinds it; a kernel launched from now on that fetches through it fails.
inline cudaError_t cudaUnbindTexture(const textureReference* texref) {
    return cudabook::book::Bindings::instance().unbind(texref);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, dim, mode>& tex) {
    return cudaUnbindTexture(&tex);
}

/// The offset that the last cudaBindTexture() or cudaBindTexture2D() of it gave, in bytes.
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* texref) {
    return cudabook::book::Bindings::instance().offset(texref, offset);
}

template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dim, mode>& tex) {
    return cudaGetTextureAlignmentOffset(offset, &tex);
}

/// The texture reference at the address `symbol`.
inline cudaError_t cudaGetTextureReference(const textureReference** texref, const void* symbol) {
    if (texref == nullptr) return cudaErrorInvalidValue;
    if (!cudabook::book::Bindings::instance().knows(symbol)) return cudaErrorInvalidTexture;
    *texref = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
}

/// Binds an array, made with cudaArraySurfaceLoadStore, whose format is `desc`.
inline cudaError_t cudaBindSurfaceToArray(const surfaceReference* surfref, cudaArray_const_t array,
                                          const cudaChannelFormatDesc* desc) {
    return cudabook::book::Bindings::instance().bind_surface(surfref, array, desc);
}

template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& surf, cudaArray_const_t array,
                                   const cudaChannelFormatDesc& desc) {
    return cudaBindSurfaceToArray(&surf, array, &desc);
}

template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& surf, cudaArray_const_t array) {
    cudaChannelFormatDesc desc;
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const cudaError_t error = cudaGetChannelDesc(&desc, array);
    return error == cudaSuccess ? cudaBindSurfaceToArray(&surf, array, &desc) : error;
}

/// The surface reference at the address `symbol`.
inline cudaError_t cudaGetSurfaceReference(const surfaceReference** surfref, const void* symbol) {
    if (surfref == nullptr) return cudaErrorInvalidValue;
    if (!cudabook::book::Bindings::instance().knows(symbol)) return cudaErrorInvalidSurface;
    *surfref = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
}

// ----- calls of today that the bindings must hear of

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
