// What is bound to the references of texture_reference.h.
//
// A reference has a slot of constant memory in every module whose kernels read through it. To bind it makes
// a texture object, or takes one made before, and has its handle copied to the slots between the kernels
// launched before and those launched after.
//
// Old programs say `using namespace std` and call their variables count, map or lock: so nothing of the C++
// library may be included here that cuda_runtime.h does not bring itself.
#pragma once

#include <cuda_runtime.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <utility>

#include "texture_types.h"

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

    /// Binds an array that was made for it. What its format is said to be was never looked at.
    cudaError_t bind_surface(const surfaceReference* surface, cudaArray_const_t array) {
        const Lock lock(mutex_);
        if (surface == nullptr) return cudaErrorInvalidSurface;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        unsigned flags = 0;
        if (const cudaError_t error =
                cudaArrayGetInfo(nullptr, nullptr, &flags, const_cast<cudaArray_t>(array)))
            return error;
        if ((flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
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
        bool in_slots;  ///< the object; false: a copy failed, and they may hold another
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
        return install(reference, device, Bound{}, false);
    }

    /// Has kernels find this object from their next launch on; nothing, where there is no object. Where that
    /// fails, during stream capture say, the reference stays bound to what it was bound to.
    cudaError_t install(const void* reference, int device, Bound bound, bool is_bound = true) {
        bound.reference = reference;
        bound.device = device;
        bound.is_bound = is_bound;
        bound.in_slots = true;
        Bound* place = find(reference, device);
        if (place == nullptr) {
            place = &bound_.add(Bound{});
            place->reference = reference;
            place->device = device;
            place->in_slots = true;
        }
        if (place->object != bound.object || !place->in_slots) {
            if (const cudaError_t error = copy_to_slots(reference, bound.object)) {
                place->in_slots = false;
                retire(bound);
                return error;
            }
        }
        retire(std::exchange(*place, bound));
        reclaim();
        return cudaSuccess;
    }

    /// The legacy stream waits for kernels in other streams, and they for it; only streams that were made not
    /// to have to be waited for by hand.
    cudaError_t copy_to_slots(const void* reference, Handle object) const {
        if (independent_streams_) {
            if (const cudaError_t error = cudaDeviceSynchronize()) return error;
        }
        const cudaError_t error = SlotOnHost::for_each(reference, [&](const void* symbol, TextureKind) {
            return cudaMemcpyToSymbolAsync(symbol, &object, sizeof object, 0, cudaMemcpyHostToDevice,
                                           cudaStreamLegacy);
        });
        if (error != cudaSuccess || !independent_streams_) return error;
        return cudaStreamSynchronize(cudaStreamLegacy);
    }

    /// Objects of arrays are destroyed once they are not bound; those of memory may be bound again.
    void retire(const Bound& bound) {
        if (bound.object == 0 || from_memory(bound)) return;
        retired_.add(bound);
        ++idle_objects_;
    }

    static bool from_memory(const Bound& bound) {
        return !bound.is_surface && (bound.resource.resType == cudaResourceTypeLinear ||
                                     bound.resource.resType == cudaResourceTypePitch2D);
    }

    /// Destroys this device's objects that are not bound, once they are many and no kernel reads them.
    void reclaim() {
        if (idle_objects_ < most_idle_objects) return;
        int device = 0;
        if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return;
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
