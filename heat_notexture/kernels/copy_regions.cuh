// Copies several regions of grids in one launch. The rows need not be aligned.
#pragma once

#include <cstddef>

namespace cudabook::heat {

struct CopiedRegion {
    float* to;  // the first cell
    const float* from;
    size_t to_pitch;  // in cells
    size_t from_pitch;
    unsigned width;
    unsigned height;
};

inline constexpr unsigned most_copied_regions = 4;
struct CopiedRegions {
    CopiedRegion region[most_copied_regions];
};

// The blocks with blockIdx.y == i copy region i. A thread copies every (gridDim.x * blockDim.x)-th cell.
__global__ static void copy_regions_kernel(CopiedRegions regions) {
    const CopiedRegion& r = regions.region[blockIdx.y];
    const unsigned cells = r.width * r.height;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x) {
        const unsigned x = i % r.width;
        const unsigned y = i / r.width;
        r.to[x + y * r.to_pitch] = r.from[x + y * r.from_pitch];
    }
}

}  // namespace cudabook::heat
