// The calculator's curves as a picture.
#pragma once

#include <vector>

#include "common/picture/bitmap.hpp"
#include "occupancy/calculator/calculator.hpp"

namespace cudabook::occupancy {

/// Draws a panel for each curve, side by side. The kernel's own values are marked.
Bitmap picture_of(const CalculatedGpu& gpu, const KernelResources& shape, const Held& held,
                  const std::vector<Curve>& curves);

}  // namespace cudabook::occupancy
