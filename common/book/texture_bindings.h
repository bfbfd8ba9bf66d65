// The host's side of texture_reference.h: the references, and the calls that bind them.
//
// A reference has a slot of constant memory in every module whose kernels read through it. To bind it makes
// a texture object, or takes one made before, and has its handle copied to the slots between the kernels
// launched before and those launched after.
//
// Old programs say `using namespace std` and call their variables count, map or lock: so nothing of the C++
// library may be included here that cuda_runtime.h does not bring itself.
#pragma once

#include <cuda_runtime.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <utility>

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

/// A slot of constant memory from which kernels take a reference's handle; there is one of these for each,
/// made before main().
class SlotOnHost {
  public:
    SlotOnHost(const void* reference, const void* symbol, TextureKind kind)
        : reference_(reference), symbol_(symbol), kind_(kind), next_(std::exchange(first(), this)) {}

    /// Calls visit(symbol, kind) for every slot of the reference, until that returns an error.
    template <class Visit>
    static cudaError_t for_each(const void* reference, Visit visit) {
        for (const SlotOnHost* slot = first(); slot != nullptr; slot = slot->next_) {
            if (slot->reference_ != reference) continue;
            if (const cudaError_t error = visit(slot->symbol_, slot->kind_)) return error;
        }
        return cudaSuccess;
    }

    /// Whether any kernel reads through it.
    static bool any(const void* reference) {
        return for_each(reference, [](auto, auto) { return cudaErrorUnknown; }) != cudaSuccess;
    }

  private:
    static const SlotOnHost*& first() {
        static const SlotOnHost* slot = nullptr;
        return slot;
    }

    const void* reference_;
    const void* symbol_;
    TextureKind kind_;
    const SlotOnHost* next_;
};

/// A list that owns what is in it.
template <class T>
class List {
  public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    ~List() {
        remove_if([](const T&) { return true; });
    }

    /// What stays where it is until it is removed.
    T& add(const T& value) {
        first_ = new Node{value, first_};
        return first_->value;
    }

    /// The first for which test(value) holds, or null.
    template <class Test>
    T* find(Test test) {
        for (Node* node = first_; node != nullptr; node = node->next)
            if (test(node->value)) return &node->value;
        return nullptr;
    }

    template <class Test>
    void remove_if(Test test) {
        for (Node** link = &first_; *link != nullptr;) {
            Node* node = *link;
            if (test(node->value)) {
                *link = node->next;
                delete node;
            } else {
                link = &node->next;
            }
        }
    }

  private:
    struct Node {
        T value;
        Node* next;
    };
    Node* first_ = nullptr;
};

/// What is bound to the references of this process, for every device. Its functions return the codes that
/// the calls of old returned.
class Bindings {
  public:
    static Bindings& instance() {
        static Bindings bindings;
        return bindings;
    }

    /// Binds linear memory, after moving its start back to where a texture can begin; `offset` gets the
    /// bytes between the two, and must be there unless they are none.
    cudaError_t bind_memory(const textureReference* texture, cudaResourceDesc resource, size_t* offset) {
        const Lock lock(mutex_);
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
        const size_t shift = reinterpret_cast<size_t>(memory) % static_cast<size_t>(alignment);
        if (shift != 0 && offset == nullptr) return cudaErrorInvalidValue;
        memory = static_cast<char*>(memory) - shift;

        const auto texel = static_cast<size_t>(format.x + format.y + format.z + format.w) / 8;
        if (pitched) {
            const auto& rows = resource.res.pitch2D;
            if (rows.width == 0 || rows.width > rows.pitchInBytes / texel) return cudaErrorInvalidValue;
        } else {
            size_t most = 0;
            if (const cudaError_t error = cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, device))
                return error;
            size_t& bytes = resource.res.linear.sizeInBytes;
            const size_t texels = (bytes + shift) / texel;
            bytes = (texels < most ? texels : most) * texel;
        }
        if (const cudaError_t error = bind(*texture, resource, shift, device)) return error;
        if (offset != nullptr) *offset = shift;
        return cudaSuccess;
    }

    /// Binds an array, or the first level of mipmaps, of the format that is said.
    cudaError_t bind_array(const textureReference* texture, const cudaResourceDesc& resource,
                           cudaArray_const_t array, const cudaChannelFormatDesc* format) {
        const Lock lock(mutex_);
        if (texture == nullptr) return cudaErrorInvalidTexture;
        if (format == nullptr) return cudaErrorInvalidValue;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = check_format(*texture, *format)) return error;
        cudaChannelFormatDesc real;
        if (const cudaError_t error = cudaGetChannelDesc(&real, array)) return error;
        if (!same(*format, real)) return cudaErrorInvalidValue;
        const bool whole_numbers = real.f != cudaChannelFormatKindFloat;
        if (texture->filterMode == cudaFilterModeLinear && whole_numbers &&
            kind_of(texture).mode == cudaReadModeElementType)
            return cudaErrorInvalidFilterSetting;
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        return bind(*texture, resource, 0, device);
    }

    cudaError_t bind_surface(const surfaceReference* surface, cudaArray_const_t array,
                             const cudaChannelFormatDesc* format) {
        const Lock lock(mutex_);
        if (surface == nullptr) return cudaErrorInvalidSurface;
        if (format == nullptr) return cudaErrorInvalidValue;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        cudaChannelFormatDesc real;
        unsigned flags = 0;
        if (const cudaError_t error =
                cudaArrayGetInfo(&real, nullptr, &flags, const_cast<cudaArray_t>(array)))
            return error;
        if (!same(*format, real) || (flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
        Bound bound{};
        bound.resource.resType = cudaResourceTypeArray;
        bound.resource.res.array.array = const_cast<cudaArray_t>(array);
        bound.is_surface = true;
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        if (const cudaError_t error = cudaCreateSurfaceObject(&bound.object, &bound.resource)) return error;
        return install(surface, device, bound);
    }

    cudaError_t unbind(const void* reference) {
        const Lock lock(mutex_);
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        if (find(reference, device) == nullptr) return cudaSuccess;
        return leave_unbound(reference, device);
    }

    /// How many bytes its texture begins in front of the memory that was bound.
    cudaError_t offset(const void* reference, size_t* offset) {
        const Lock lock(mutex_);
        if (offset == nullptr) return cudaErrorInvalidValue;
        int device = 0;
        if (const cudaError_t error = cudaGetDevice(&device)) return error;
        const Bound* bound = find(reference, device);
        if (bound == nullptr || !bound->is_bound) return cudaErrorInvalidTextureBinding;
        *offset = bound->offset;
        return cudaSuccess;
    }

    /// A field, of whatever reference, was set.
    void changed(const void* field) {
        const Lock lock(mutex_);
        bound_.find([&](const Bound& bound) {
            const auto* start = static_cast<const char*>(bound.reference);
            const auto* byte = static_cast<const char*>(field);
            if (!bound.is_bound || bound.is_surface || byte < start ||
                byte >= start + sizeof(textureReference))
                return false;
            int device = 0;
            cudaGetDevice(&device);
            cudaSetDevice(bound.device);
            // What a texture unit cannot do leaves it unbound, until it is bound again: a fetch is an error.
            const auto& texture = *static_cast<const textureReference*>(bound.reference);
            if (bind(texture, bound.resource, bound.offset, bound.device) != cudaSuccess) {
                static_cast<void>(cudaGetLastError());
                leave_unbound(bound.reference, bound.device);
            }
            cudaSetDevice(device);
            return false;  // nor is it the last: there are other devices
        });
    }

    /// From now on there may be streams that do not wait for others.
    void expect_independent_streams() {
        const Lock lock(mutex_);
        independent_streams_ = true;
    }

    /// The device loses all it holds.
    void forget_device() {
        const Lock lock(mutex_);
        int device = 0;
        if (cudaGetDevice(&device) != cudaSuccess) return;
        const auto of_device = [device](const auto& what) { return what.device == device; };
        bound_.remove_if(of_device);
        for (auto& bucket : of_memory_) bucket.remove_if(of_device);
        retired_.remove_if(of_device);
        idle_objects_ = 0;
    }

  private:
    using Handle = unsigned long long;  ///< of a texture or a surface object; 0: none

    struct Lock {
        explicit Lock(pthread_mutex_t& mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
        ~Lock() { pthread_mutex_unlock(&mutex_); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        pthread_mutex_t& mutex_;
    };

    struct Bound {
        const void* reference;
        int device;
        cudaResourceDesc resource;
        size_t offset;
        Handle object;
        bool is_surface;
        bool is_bound;
    };

    /// A texture of linear memory, by all that was asked for.
    struct OfMemory {
        int device;
        cudaResourceDesc resource;
        cudaTextureDesc sampler;
        Handle object;
    };

    static constexpr int most_idle_objects = 1024;

    static bool same(const cudaChannelFormatDesc& a, const cudaChannelFormatDesc& b) {
        return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && a.f == b.f;
    }

    static TextureKind kind_of(const textureReference* texture) {
        TextureKind found;
        SlotOnHost::for_each(texture, [&](const void*, TextureKind kind) {
            found = kind;
            return cudaSuccess;
        });
        return found;
    }

    /// Whether fetches of the reference give sense with texels of that format: its own; halves where it has
    /// floats; where the texture unit makes floats of whole numbers, any of 8 or 16 bits.
    static cudaError_t check_format(const textureReference& texture, const cudaChannelFormatDesc& format) {
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
            is_number && format.x <= 16 && kind_of(&texture).mode == cudaReadModeNormalizedFloat;
        return same_count && (halves || made_floats) ? cudaSuccess : cudaErrorInvalidValue;
    }

    Bound* find(const void* reference, int device) {
        return bound_.find([&](const Bound& b) { return b.reference == reference && b.device == device; });
    }

    cudaError_t bind(const textureReference& texture, const cudaResourceDesc& resource, size_t offset,
                     int device) {
        const bool linear = resource.resType == cudaResourceTypeLinear;
        Bound bound{};
        bound.resource = resource;
        bound.offset = offset;
        if (linear && resource.res.linear.sizeInBytes == 0) return install(&texture, device, bound);

        cudaTextureDesc sampler;
        memset(&sampler, 0, sizeof sampler);
        const TextureKind kind = kind_of(&texture);
        sampler.readMode = kind.mode;
        for (auto& mode : sampler.addressMode) mode = cudaAddressModeClamp;
        if (!linear) {
            // Objects follow the modes of dimensions that they lack; references did not.
            for (int d = 0; d < kind.dimensions; ++d) sampler.addressMode[d] = texture.addressMode[d];
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
        // Objects of arrays are not looked up: another array may come to lie where one was freed.
        const bool memory = linear || resource.resType == cudaResourceTypePitch2D;
        List<OfMemory>& bucket = of_memory_[hash(resource) % buckets];
        if (memory) {
            const OfMemory* made = bucket.find([&](const OfMemory& m) {
                return m.device == device && memcmp(&m.resource, &resource, sizeof resource) == 0 &&
                       memcmp(&m.sampler, &sampler, sizeof sampler) == 0;
            });
            if (made != nullptr) {
                bound.object = made->object;
                return install(&texture, device, bound);
            }
        }
        if (const cudaError_t error = cudaCreateTextureObject(&bound.object, &resource, &sampler, nullptr))
            return error;
        if (memory) {
            bucket.add({device, resource, sampler, bound.object});
            ++idle_objects_;
        }
        return install(&texture, device, bound);
    }

    /// FNV-1a.
    static unsigned hash(const cudaResourceDesc& resource) {
        unsigned value = 2166136261U;
        for (size_t i = 0; i < sizeof resource; ++i)
            value = (value ^ reinterpret_cast<const unsigned char*>(&resource)[i]) * 16777619U;
        return value;
    }

    cudaError_t leave_unbound(const void* reference, int device) {
        const cudaError_t error = install(reference, device, Bound{});
        find(reference, device)->is_bound = false;
        return error;
    }

    /// Has kernels find this object from their next launch on; nothing, where there is no object.
    cudaError_t install(const void* reference, int device, Bound bound) {
        bound.reference = reference;
        bound.device = device;
        bound.is_bound = true;
        Bound* place = find(reference, device);
        if (place == nullptr) {
            place = &bound_.add(bound);
            place->object = 0;
        }
        const Bound before = std::exchange(*place, bound);
        if (before.object != bound.object) {
            // The legacy stream waits for kernels in other streams, and they for it; only streams that were
            // made not to have to be waited for by hand.
            if (independent_streams_) cudaDeviceSynchronize();
            const cudaError_t error = SlotOnHost::for_each(reference, [&](const void* symbol, TextureKind) {
                return cudaMemcpyToSymbolAsync(symbol, &bound.object, sizeof bound.object, 0,
                                               cudaMemcpyHostToDevice, cudaStreamLegacy);
            });
            if (error != cudaSuccess) return error;
            if (independent_streams_) cudaStreamSynchronize(cudaStreamLegacy);
        }
        if (before.object != 0 && !from_memory(before)) {
            retired_.add(before);
            ++idle_objects_;
        }
        reclaim();
        return cudaSuccess;
    }

    static bool from_memory(const Bound& bound) {
        return !bound.is_surface && (bound.resource.resType == cudaResourceTypeLinear ||
                                     bound.resource.resType == cudaResourceTypePitch2D);
    }

    /// Destroys this device's objects that are not bound, once they are many and no kernel reads them.
    void reclaim() {
        if (idle_objects_ < most_idle_objects) return;
        int device = 0;
        cudaGetDevice(&device);
        cudaDeviceSynchronize();
        idle_objects_ = 0;
        retired_.remove_if([&](const Bound& old) {
            if (old.device != device) return false;
            if (old.is_surface) {
                cudaDestroySurfaceObject(old.object);
            } else {
                cudaDestroyTextureObject(old.object);
            }
            return true;
        });
        for (auto& bucket : of_memory_) {
            bucket.remove_if([&](const OfMemory& made) {
                const bool in_use = bound_.find([&](const Bound& b) {
                    return b.device == device && from_memory(b) && b.object == made.object;
                }) != nullptr;
                if (made.device != device || in_use) return false;
                cudaDestroyTextureObject(made.object);
                return true;
            });
        }
    }

    static constexpr int buckets = 256;

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    List<Bound> bound_;
    List<OfMemory> of_memory_[buckets];
    List<Bound> retired_;   ///< objects of arrays that are no longer bound
    int idle_objects_ = 0;  ///< made since they were last reclaimed, and perhaps no longer bound
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

/// Binds `height` rows of `width` texels, `pitch` bytes apart.
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

/// Binds the levels of a mipmapped array whose format is `desc`.
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
    if (!cudabook::book::SlotOnHost::any(symbol)) return cudaErrorInvalidTexture;
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
    if (!cudabook::book::SlotOnHost::any(symbol)) return cudaErrorInvalidSurface;
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
