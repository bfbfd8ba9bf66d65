// The device side of texture_reference.h: fetches through references. Device code cannot use a host variable.
// So each fetch is a macro that makes the reference's address a template argument. This argument selects the
// slot: constant memory with the handle of the bound texture or surface object.
#pragma once

#include <type_traits>

#include "texture_bindings.h"
#include "texture_types.h"

namespace cudabook::book {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <class R>
struct IsReference : std::false_type {};
template <class T, int dim, cudaTextureReadMode mode>
struct IsReference<texture<T, dim, mode>> : std::true_type {};
template <class T, int dim>
struct IsReference<surface<T, dim>> : std::true_type {};

template <class R>
constexpr TextureKind kind_of = {};
template <class T, int dim, cudaTextureReadMode mode>
constexpr TextureKind kind_of<texture<T, dim, mode>> = {
    mode, dim == cudaTextureType1D || dim == cudaTextureType1DLayered ? 1
          : dim == cudaTextureType3D                                  ? 3
                                                                      : 2};

/// The FNV-1a hash of `text`.
constexpr unsigned long long hash(const char* text) {
    unsigned long long value = 14695981039346656037U;
    for (; *text != 0; ++text) value = (value ^ static_cast<unsigned char>(*text)) * 1099511628211U;
    return value;
}

namespace {  // each translation unit has its own slots and registers them before main()

template <class R, const R* reference>
struct Slot;

/// The constant memory from which kernels read the handle of the object bound to `reference`. The handle is 0
/// if nothing is bound.
template <class R, const R* reference>
__constant__ Slot<R, reference> slot;

template <class R, const R* reference>
const void* symbol_of_slot() {
    return &slot<R, reference>;
}

template <class R, const R* reference>
struct Registration {
    static inline SlotOnHost slot_on_host{reference, symbol_of_slot<R, reference>(), kind_of<R>};
};

template <const SlotOnHost*>
struct Needs {};

template <class R, const R* reference>
struct Slot {
    unsigned long long object = 0;
#ifdef __CUDACC_RDC__
    // Makes the slots' content differ between translation units. Otherwise nvlink (at least 12.0 to 13.0)
    // merges the units' constant memory.
    unsigned long long unit = hash(__BASE_FILE__);
#endif
#if !defined(__CUDA_ARCH__) || defined(CUDABOOK_EMULATION)
    using Registered = Needs<&Registration<R, reference>::slot_on_host>;
#endif
};

}  // namespace

/// The handle of the object bound to a reference, for use in a kernel. R is the reference's type.
template <class R>
struct Handle {
    unsigned long long object;
};

/// A tag that selects a reference. If the reference in a program is a parameter and not a variable at file
/// scope, the compiler's error contains the name of this struct.
template <class R, const R* reference>
struct ReferenceAtFileScope {};

/// Reads the handle from the reference's slot. If nothing is bound to the reference, the kernel ends with an
/// error.
template <class R, const R* reference>
__device__ __forceinline__ Handle<R> handle_of(ReferenceAtFileScope<R, reference> /*which*/) {
    const unsigned long long object = slot<R, reference>.object;
    if (object == 0) {
        __trap();
        __builtin_unreachable();
    }
    return {object};
}

/// The types that fetches from texels of type T return, apart from T: `Normalized` with
/// cudaReadModeNormalizedFloat, `Gathered` from tex2Dgather.
template <class T>
struct Texel {
    static_assert(sizeof(T) == 0, "texels have 1, 2 or 4 components of 8, 16 or 32 bits");
};

#define CUDABOOK_TEXEL(scalar, name)                \
    template <>                                     \
    struct Texel<scalar> {                          \
        using Normalized = float;                   \
        using Gathered = name##4;                   \
    };                                              \
    CUDABOOK_TEXEL_VECTOR(name##1, float1, name##4) \
    CUDABOOK_TEXEL_VECTOR(name##2, float2, name##4) \
    CUDABOOK_TEXEL_VECTOR(name##4, float4, name##4)
#define CUDABOOK_TEXEL_VECTOR(vector, normalized, gathered) \
    template <>                                             \
    struct Texel<vector> {                                  \
        using Normalized = normalized;                      \
        using Gathered = gathered;                          \
    };
CUDABOOK_TEXEL(signed char, char)
CUDABOOK_TEXEL(unsigned char, uchar)
CUDABOOK_TEXEL(short, short)
CUDABOOK_TEXEL(unsigned short, ushort)
CUDABOOK_TEXEL(int, int)
CUDABOOK_TEXEL(unsigned, uint)
CUDABOOK_TEXEL(float, float)
template <>
struct Texel<char> : Texel<signed char> {};
#undef CUDABOOK_TEXEL_VECTOR
#undef CUDABOOK_TEXEL

template <class T, cudaTextureReadMode mode>
using Fetched = std::conditional_t<mode == cudaReadModeElementType, T, typename Texel<T>::Normalized>;
template <class T, cudaTextureReadMode mode>
using Gathered = std::conditional_t<mode == cudaReadModeElementType, typename Texel<T>::Gathered, float4>;

}  // namespace cudabook::book

// ----- fetches through a handle, and CUDA's own fetches for programs that also use texture objects

#define CUDABOOK_FETCH(name, dimension, Result)                                                 \
    namespace cudabook::book::fetch {                                                           \
    template <class T, cudaTextureReadMode mode, class... Arguments>                            \
    __device__ __forceinline__ Result<T, mode> name(Handle<texture<T, dimension, mode>> t,      \
                                                    Arguments... rest) {                        \
        return ::name<Result<T, mode>>(t.object, rest...);                                      \
    }                                                                                           \
    template <class T, class... Arguments>                                                      \
    __device__ __forceinline__ void name(T* result, cudaTextureObject_t t, Arguments... rest) { \
        ::name(result, t, rest...);                                                             \
    }                                                                                           \
    }                                                                                           \
    template <class Result_, class T, int dim, cudaTextureReadMode mode, class... Arguments>    \
    __device__ Result_ name(const texture<T, dim, mode>&, Arguments...) {                       \
        static_assert(dim < 0, "write the fetch without <type>: " #name "(reference, ...)");    \
    }

CUDABOOK_FETCH(tex1Dfetch, cudaTextureType1D, Fetched)
CUDABOOK_FETCH(tex1D, cudaTextureType1D, Fetched)
CUDABOOK_FETCH(tex1DLod, cudaTextureType1D, Fetched)
CUDABOOK_FETCH(tex1DGrad, cudaTextureType1D, Fetched)
CUDABOOK_FETCH(tex2D, cudaTextureType2D, Fetched)
CUDABOOK_FETCH(tex2DLod, cudaTextureType2D, Fetched)
CUDABOOK_FETCH(tex2DGrad, cudaTextureType2D, Fetched)
CUDABOOK_FETCH(tex2Dgather, cudaTextureType2D, Gathered)
CUDABOOK_FETCH(tex3D, cudaTextureType3D, Fetched)
CUDABOOK_FETCH(tex3DLod, cudaTextureType3D, Fetched)
CUDABOOK_FETCH(tex3DGrad, cudaTextureType3D, Fetched)
CUDABOOK_FETCH(tex1DLayered, cudaTextureType1DLayered, Fetched)
CUDABOOK_FETCH(tex1DLayeredLod, cudaTextureType1DLayered, Fetched)
CUDABOOK_FETCH(tex1DLayeredGrad, cudaTextureType1DLayered, Fetched)
CUDABOOK_FETCH(tex2DLayered, cudaTextureType2DLayered, Fetched)
CUDABOOK_FETCH(tex2DLayeredLod, cudaTextureType2DLayered, Fetched)
CUDABOOK_FETCH(tex2DLayeredGrad, cudaTextureType2DLayered, Fetched)
CUDABOOK_FETCH(texCubemap, cudaTextureTypeCubemap, Fetched)
CUDABOOK_FETCH(texCubemapLod, cudaTextureTypeCubemap, Fetched)
CUDABOOK_FETCH(texCubemapGrad, cudaTextureTypeCubemap, Fetched)
CUDABOOK_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, Fetched)
CUDABOOK_FETCH(texCubemapLayeredLod, cudaTextureTypeCubemapLayered, Fetched)
CUDABOOK_FETCH(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered, Fetched)
#undef CUDABOOK_FETCH

// ----- surfaces: x is in bytes; the original functions also accepted the element size, which is ignored

#define CUDABOOK_UNPACK(...) __VA_ARGS__
#define CUDABOOK_SURFACE(name, dimension, parameters, arguments)                                       \
    namespace cudabook::book::fetch {                                                                  \
    template <class T, class S>                                                                        \
    __device__ __forceinline__ void name##read(T* result, Handle<surface<S, dimension>> s,             \
                                               CUDABOOK_UNPACK parameters,                             \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
        ::name##read(result, s.object, CUDABOOK_UNPACK arguments, mode);                               \
    }                                                                                                  \
    template <class T, class S>                                                                        \
    __device__ __forceinline__ void name##read(T* result, Handle<surface<S, dimension>> s,             \
                                               CUDABOOK_UNPACK parameters, int /*bytes*/,              \
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
        ::name##read(result, s.object, CUDABOOK_UNPACK arguments, mode);                               \
    }                                                                                                  \
    template <class T, class... Arguments>                                                             \
    __device__ __forceinline__ void name##read(T* result, cudaSurfaceObject_t s, Arguments... rest) {  \
        ::name##read(result, s, rest...);                                                              \
    }                                                                                                  \
    template <class T, class S>                                                                        \
    __device__ __forceinline__ void name##write(T value, Handle<surface<S, dimension>> s,              \
                                                CUDABOOK_UNPACK parameters,                            \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        ::name##write(value, s.object, CUDABOOK_UNPACK arguments, mode);                               \
    }                                                                                                  \
    template <class T, class S>                                                                        \
    __device__ __forceinline__ void name##write(T value, Handle<surface<S, dimension>> s,              \
                                                CUDABOOK_UNPACK parameters, int /*bytes*/,             \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        ::name##write(value, s.object, CUDABOOK_UNPACK arguments, mode);                               \
    }                                                                                                  \
    template <class T, class... Arguments>                                                             \
    __device__ __forceinline__ void name##write(T value, cudaSurfaceObject_t s, Arguments... rest) {   \
        ::name##write(value, s, rest...);                                                              \
    }                                                                                                  \
    }                                                                                                  \
    template <class T, class S, int dim, class... Arguments>                                           \
    __device__ T name##read(const surface<S, dim>&, Arguments...) {                                    \
        static_assert(dim < 0, "write the read without <type>: " #name "read(&result, surface, ...)"); \
    }                                                                                                  \
    template <class T, class S, int dim, class... Arguments>                                           \
    __device__ void name##read(T*, const surface<S, dim>&, Arguments...) {                             \
        static_assert(dim < 0, "write the read without <type>: " #name "read(&result, surface, ...)"); \
    }                                                                                                  \
    template <class T, class S, int dim, class... Arguments>                                           \
    __device__ void name##write(T, const surface<S, dim>&, Arguments...) {                             \
        static_assert(dim < 0, "write the write without <type>: " #name "write(value, surface, ...)"); \
    }

CUDABOOK_SURFACE(surf1D, cudaSurfaceType1D, (int x), (x))
CUDABOOK_SURFACE(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
CUDABOOK_SURFACE(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
CUDABOOK_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), (x, layer))
CUDABOOK_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
CUDABOOK_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int face), (x, y, face))
CUDABOOK_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int y, int layer_and_face),
                 (x, y, layer_and_face))
#undef CUDABOOK_SURFACE
#undef CUDABOOK_UNPACK

// ----- the names that programs use

// Suppresses nvcc's warning about a host variable in a template, where the variable is only a template
// argument.
#ifndef CUDABOOK_EMULATION
#pragma nv_diag_suppress 20096
#endif

#define CUDABOOK_NO_PARAMETER(holds) \
    static_assert(                   \
        !is_reference_ || (holds),   \
        "a texture reference cannot be handed to a device function: make a macro of that function")

/// Returns the handle of a texture or surface reference, and any other argument unchanged. Two checks reject
/// a reference that is a function parameter. The first rejects a parameter of C++ reference type, because its
/// address is not a constant. The second rejects a parameter passed by value: inside a lambda that captures
/// by copy, the parameter's type becomes const. A variable at file scope keeps its type there, because a
/// lambda does not capture it.
#define CUDABOOK_HANDLE(r)                                                                                   \
    [&]() {                                                                                                  \
        using Type_ = ::cudabook::book::Plain<decltype(r)>;                                                  \
        using Here_ = decltype((r));                                                                         \
        constexpr bool is_reference_ = ::cudabook::book::IsReference<Type_>::value;                          \
        CUDABOOK_NO_PARAMETER(__builtin_constant_p(&static_cast<const Type_&>(r) != nullptr));               \
        static_cast<void>([=]() { CUDABOOK_NO_PARAMETER((::std::is_same_v<Here_, decltype((r))>)); });       \
        if constexpr (is_reference_)                                                                         \
            return ::cudabook::book::handle_of(                                                              \
                ::cudabook::book::ReferenceAtFileScope<Type_, (is_reference_ ? &static_cast<const Type_&>(r) \
                                                                             : nullptr)>());                 \
        else                                                                                                 \
            return r;                                                                                        \
    }()

#define CUDABOOK_TEXTURE(name, t, ...) ::cudabook::book::fetch::name(CUDABOOK_HANDLE(t), __VA_ARGS__)
#define tex1Dfetch(t, ...) CUDABOOK_TEXTURE(tex1Dfetch, t, __VA_ARGS__)
#define tex1D(t, ...) CUDABOOK_TEXTURE(tex1D, t, __VA_ARGS__)
#define tex1DLod(t, ...) CUDABOOK_TEXTURE(tex1DLod, t, __VA_ARGS__)
#define tex1DGrad(t, ...) CUDABOOK_TEXTURE(tex1DGrad, t, __VA_ARGS__)
#define tex2D(t, ...) CUDABOOK_TEXTURE(tex2D, t, __VA_ARGS__)
#define tex2DLod(t, ...) CUDABOOK_TEXTURE(tex2DLod, t, __VA_ARGS__)
#define tex2DGrad(t, ...) CUDABOOK_TEXTURE(tex2DGrad, t, __VA_ARGS__)
#define tex2Dgather(t, ...) CUDABOOK_TEXTURE(tex2Dgather, t, __VA_ARGS__)
#define tex3D(t, ...) CUDABOOK_TEXTURE(tex3D, t, __VA_ARGS__)
#define tex3DLod(t, ...) CUDABOOK_TEXTURE(tex3DLod, t, __VA_ARGS__)
#define tex3DGrad(t, ...) CUDABOOK_TEXTURE(tex3DGrad, t, __VA_ARGS__)
#define tex1DLayered(t, ...) CUDABOOK_TEXTURE(tex1DLayered, t, __VA_ARGS__)
#define tex1DLayeredLod(t, ...) CUDABOOK_TEXTURE(tex1DLayeredLod, t, __VA_ARGS__)
#define tex1DLayeredGrad(t, ...) CUDABOOK_TEXTURE(tex1DLayeredGrad, t, __VA_ARGS__)
#define tex2DLayered(t, ...) CUDABOOK_TEXTURE(tex2DLayered, t, __VA_ARGS__)
#define tex2DLayeredLod(t, ...) CUDABOOK_TEXTURE(tex2DLayeredLod, t, __VA_ARGS__)
#define tex2DLayeredGrad(t, ...) CUDABOOK_TEXTURE(tex2DLayeredGrad, t, __VA_ARGS__)
#define texCubemap(t, ...) CUDABOOK_TEXTURE(texCubemap, t, __VA_ARGS__)
#define texCubemapLod(t, ...) CUDABOOK_TEXTURE(texCubemapLod, t, __VA_ARGS__)
#define texCubemapGrad(t, ...) CUDABOOK_TEXTURE(texCubemapGrad, t, __VA_ARGS__)
#define texCubemapLayered(t, ...) CUDABOOK_TEXTURE(texCubemapLayered, t, __VA_ARGS__)
#define texCubemapLayeredLod(t, ...) CUDABOOK_TEXTURE(texCubemapLayeredLod, t, __VA_ARGS__)
#define texCubemapLayeredGrad(t, ...) CUDABOOK_TEXTURE(texCubemapLayeredGrad, t, __VA_ARGS__)

#define CUDABOOK_SURFACE(name, v, s, ...) ::cudabook::book::fetch::name(v, CUDABOOK_HANDLE(s), __VA_ARGS__)
#define surf1Dread(result, s, ...) CUDABOOK_SURFACE(surf1Dread, result, s, __VA_ARGS__)
#define surf1Dwrite(value, s, ...) CUDABOOK_SURFACE(surf1Dwrite, value, s, __VA_ARGS__)
#define surf2Dread(result, s, ...) CUDABOOK_SURFACE(surf2Dread, result, s, __VA_ARGS__)
#define surf2Dwrite(value, s, ...) CUDABOOK_SURFACE(surf2Dwrite, value, s, __VA_ARGS__)
#define surf3Dread(result, s, ...) CUDABOOK_SURFACE(surf3Dread, result, s, __VA_ARGS__)
#define surf3Dwrite(value, s, ...) CUDABOOK_SURFACE(surf3Dwrite, value, s, __VA_ARGS__)
#define surf1DLayeredread(result, s, ...) CUDABOOK_SURFACE(surf1DLayeredread, result, s, __VA_ARGS__)
#define surf1DLayeredwrite(value, s, ...) CUDABOOK_SURFACE(surf1DLayeredwrite, value, s, __VA_ARGS__)
#define surf2DLayeredread(result, s, ...) CUDABOOK_SURFACE(surf2DLayeredread, result, s, __VA_ARGS__)
#define surf2DLayeredwrite(value, s, ...) CUDABOOK_SURFACE(surf2DLayeredwrite, value, s, __VA_ARGS__)
#define surfCubemapread(result, s, ...) CUDABOOK_SURFACE(surfCubemapread, result, s, __VA_ARGS__)
#define surfCubemapwrite(value, s, ...) CUDABOOK_SURFACE(surfCubemapwrite, value, s, __VA_ARGS__)
#define surfCubemapLayeredread(result, s, ...) \
    CUDABOOK_SURFACE(surfCubemapLayeredread, result, s, __VA_ARGS__)
#define surfCubemapLayeredwrite(value, s, ...) \
    CUDABOOK_SURFACE(surfCubemapLayeredwrite, value, s, __VA_ARGS__)
