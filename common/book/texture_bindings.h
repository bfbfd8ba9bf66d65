// Binds the texture and surface references of texture_reference.h to memory and arrays.
//
// Every module whose kernels read through a reference has a slot for this reference in constant memory.
// Binding creates or reuses a texture object and copies the object's handle to the slots. The copy takes
// place after the kernels already launched and before the kernels launched later.
//
// Old programs say `using namespace std` and have variables called count, map or lock, which would clash with
// names of the C++ library. So this file may include only the C++ library headers that cuda_runtime.h itself
// includes.
#pragma once

#include <cuda_runtime.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <utility>

#include "texture_types.h"

namespace cudabook::book {

/// The properties that a texture reference's type determines.
struct TextureKind {
    cudaTextureReadMode mode = cudaReadModeElementType;
    int dimensions = 1;  ///< the dimensions of one layer or face
};

/// The host's record of a slot. A slot is constant memory from which kernels read the handle that belongs to
/// a reference. The records are constructed before main().
class SlotOnHost {
  public:
    SlotOnHost(const void* reference, const void* symbol, TextureKind kind)
        : reference_(reference), symbol_(symbol), kind_(kind), next_(std::exchange(first(), this)) {}

    /// Calls visit(symbol, kind) for every slot of the reference, until one call returns an error.
    template <class Visit>
    static cudaError_t for_each(const void* reference, Visit visit) {
        for (const SlotOnHost* slot = first(); slot != nullptr; slot = slot->next_) {
            if (slot->reference_ != reference) continue;
            if (const cudaError_t error = visit(slot->symbol_, slot->kind_)) return error;
        }
        return cudaSuccess;
    }

    /// Whether any kernel reads through the reference.
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

/// A linked list.
template <class T>
class List {
  public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;
    ~List() {
        remove_if([](const T&) { return true; });
    }

    /// Adds a copy of a value and returns a reference to the copy, which is valid until the copy is removed.
    T& add(const T& value) {
        first_ = new Node{value, first_};
        return first_->value;
    }

    /// The first value for which test(value) holds, or null.
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

/// The bindings of all references of this process, for every device. The functions return the error codes
/// that CUDA's original functions returned.
class Bindings {
  public:
    static Bindings& instance() {
        static Bindings bindings;
        return bindings;
    }

    /// Binds linear or pitched memory. The texture begins at the last multiple of the device's texture
    /// alignment at or before the memory. Sets `offset` to the distance in bytes from the texture's beginning
    /// to the memory. `offset` may be null only if the distance is 0.
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

    /// Binds an array, or a mipmapped array whose first level is `array`. The format of `array` must be
    /// `format`.
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

    /// Binds an array that was created with cudaArraySurfaceLoadStore. CUDA's original function also had a
    /// format argument, but ignored it.
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

    /// Sets `offset` to the distance in bytes from the texture's beginning to the bound memory.
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

    /// Called when a field of any reference was set. If the reference is bound, binds it again, so that the
    /// new value takes effect.
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
            // If a setting is invalid, the reference becomes unbound, and fetches through it are errors.
            const auto& texture = *static_cast<const textureReference*>(bound.reference);
            if (bind(texture, bound.resource, bound.offset, bound.device) != cudaSuccess) {
                static_cast<void>(cudaGetLastError());
                leave_unbound(bound.reference, bound.device);
            }
            cudaSetDevice(device);
            return false;  // go on: the reference may be bound on other devices too
        });
    }

    /// Must be called when the program creates a non-blocking stream; copy_to_slots() then synchronises with
    /// such streams.
    void expect_independent_streams() {
        const Lock lock(mutex_);
        independent_streams_ = true;
    }

    /// Forgets all bindings on the current device, which is about to be reset.
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
    using Handle = unsigned long long;  ///< the handle of a texture or surface object; 0 if there is none

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
        bool in_slots;  ///< false if a copy failed; some slots may then hold another handle
    };

    /// A texture object over linear or pitched memory, and the arguments that it was created with.
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

    /// Checks that a reference can read texels of this format. The number of components must be the same as
    /// in the reference's own format. The type of the components may differ in three ways. Integers of the
    /// same width may differ in sign. Floats may have 16 or 32 bits. If the reference's read mode is
    /// normalized float, the components may be any 8-bit or 16-bit integers.
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
        const bool same_but_for_sign =
            is_number && format.x == own.x &&
            (own.f == cudaChannelFormatKindSigned || own.f == cudaChannelFormatKindUnsigned);
        const bool halves = is_float && own.f == cudaChannelFormatKindFloat;
        const bool made_floats =
            is_number && format.x <= 16 && kind_of(&texture).mode == cudaReadModeNormalizedFloat;
        return same_count && (same_but_for_sign || halves || made_floats) ? cudaSuccess
                                                                          : cudaErrorInvalidValue;
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
            // Objects also obey the address modes of dimensions that they do not have; references did not.
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
        // Objects of arrays are not reused: a new array may have the address of a freed array.
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

    /// The FNV-1a hash of the bytes of `resource`.
    static unsigned hash(const cudaResourceDesc& resource) {
        unsigned value = 2166136261U;
        for (size_t i = 0; i < sizeof resource; ++i)
            value = (value ^ reinterpret_cast<const unsigned char*>(&resource)[i]) * 16777619U;
        return value;
    }

    cudaError_t leave_unbound(const void* reference, int device) {
        return install(reference, device, Bound{}, false);
    }

    /// Makes kernels launched from now on use `bound.object`, or no object if `bound.object` is 0. If copying
    /// the handle fails, for example during stream capture, the reference keeps its old binding.
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

    /// Copies the handle to all slots of the reference, in the legacy default stream. This stream
    /// synchronises with all blocking streams. If there may be non-blocking streams, this function also
    /// synchronises explicitly.
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

    /// Lets reclaim() destroy the object of an array that is no longer bound. Does nothing for an object of
    /// linear or pitched memory, because the memory may be bound again.
    void retire(const Bound& bound) {
        if (bound.object == 0 || from_memory(bound)) return;
        retired_.add(bound);
        ++idle_objects_;
    }

    static bool from_memory(const Bound& bound) {
        return !bound.is_surface && (bound.resource.resType == cudaResourceTypeLinear ||
                                     bound.resource.resType == cudaResourceTypePitch2D);
    }

    /// If there are many unbound objects, waits for the current device and destroys the objects that are not
    /// bound there.
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
    List<Bound> retired_;   ///< ended bindings of arrays, whose objects reclaim() will destroy
    int idle_objects_ = 0;  ///< objects in retired_ + memory objects created since the last reclaim()
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
