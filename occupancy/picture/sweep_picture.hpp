// Time over occupancy as a picture.
#pragma once

#include <string>
#include <vector>

#include "common/picture/bitmap.hpp"
#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

struct SweepPicture {
    std::string title;
    std::vector<Sweep> sweeps;
};

/// Draws a panel for each kernel, with a curve for each number of loads or chains in flight. A curve shows
/// the time over the occupancy, as a multiple of the kernel's shortest time. The bend of each curve is
/// marked.
Bitmap picture_of(const std::vector<SweepPicture>& kernels);

}  // namespace cudabook::occupancy
