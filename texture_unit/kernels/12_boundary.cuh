// The boundary mode decides what a surface does with a coordinate outside its array. The mode is an
// argument of each read and write, while a texture's address mode is a setting of the texture object:
//   cudaBoundaryModeZero    a read gives 0, a write is left out
//   cudaBoundaryModeClamp   the nearest texel is read or written
//   cudaBoundaryModeTrap    the kernel ends with an error. This is the default.
// The x coordinate of a surface is in bytes.
#pragma once

namespace cudabook::texture_unit {

/// Reads every place from (-1, -1) to (width, height). The grid is one block with a thread for each place.
template <cudaSurfaceBoundaryMode mode>
__global__ static void read_around_kernel(cudaSurfaceObject_t surface, int* to) {
    const int x = static_cast<int>(threadIdx.x) - 1;
    const int y = static_cast<int>(threadIdx.y) - 1;
    to[threadIdx.y * blockDim.x + threadIdx.x] =
        surf2Dread<int>(surface, x * static_cast<int>(sizeof(int)), y, mode);
}

/// Writes `value` to (x, y). The grid is one thread.
template <cudaSurfaceBoundaryMode mode>
__global__ static void write_outside_kernel(cudaSurfaceObject_t surface, int value, int x, int y) {
    surf2Dwrite(value, surface, x * static_cast<int>(sizeof(int)), y, mode);
}

}  // namespace cudabook::texture_unit
