// Reads and writes of surface objects; x is in bytes. Source: CUDA C++ Programming Guide, "Surface
// Functions".
#pragma once

#include "emulator/textures/surface.hpp"

#define CUDABOOK_UNPACK(...) __VA_ARGS__
#define CUDABOOK_SURFACE(name, parameters, ...)                                        \
    template <cudabook::emulation::IsSurfaceValue T>                                   \
    T name##read(cudaSurfaceObject_t surface, CUDABOOK_UNPACK parameters,              \
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
        using enum cudabook::emulation::TextureKind;                                   \
        return cudabook::emulation::read_surface<T>(surface, {__VA_ARGS__}, mode);     \
    }                                                                                  \
    template <cudabook::emulation::IsSurfaceValue T>                                   \
    void name##read(T* to, cudaSurfaceObject_t surface, CUDABOOK_UNPACK parameters,    \
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
        using enum cudabook::emulation::TextureKind;                                   \
        *to = cudabook::emulation::read_surface<T>(surface, {__VA_ARGS__}, mode);      \
    }                                                                                  \
    template <cudabook::emulation::IsSurfaceValue T>                                   \
    void name##write(T value, cudaSurfaceObject_t surface, CUDABOOK_UNPACK parameters, \
                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
        using enum cudabook::emulation::TextureKind;                                   \
        cudabook::emulation::write_surface<T>(value, surface, {__VA_ARGS__}, mode);    \
    }
CUDABOOK_SURFACE(surf1D, (int x), line, x)
CUDABOOK_SURFACE(surf2D, (int x, int y), plane, x, y)
CUDABOOK_SURFACE(surf3D, (int x, int y, int z), volume, x, y, z)
CUDABOOK_SURFACE(surf1DLayered, (int x, int layer), line_layers, x, 0, layer)
CUDABOOK_SURFACE(surf2DLayered, (int x, int y, int layer), plane_layers, x, y, layer)
CUDABOOK_SURFACE(surfCubemap, (int x, int y, int face), cube, x, y, face)
CUDABOOK_SURFACE(surfCubemapLayered, (int x, int y, int layer_and_face), cube_layers, x, y, layer_and_face)
#undef CUDABOOK_SURFACE
#undef CUDABOOK_UNPACK
