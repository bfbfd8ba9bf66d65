// Timelines as a picture: multiprocessors by time, predicted above seen, and the occupancy over time.
#pragma once

#include <string>
#include <vector>

#include "common/picture/bitmap.hpp"
#include "occupancy/timeline/scheduler.hpp"
#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

struct AdditionPicture {
    std::string title;
    Timeline predicted;  ///< the predicted times of the blocks
    Timeline seen;       ///< the observed times of the blocks' warps
    int warps_of_block = 1;
    Machine machine;
    double full_percent = 100;  ///< the occupancy while the device is full of blocks
    std::string units;          ///< what a row stands for, in the plural, such as "multiprocessors"
    /// Whether the observed times can be compared with the predicted times. False for the emulated GPU: the
    /// observed blocks then have a separate time scale, and only multiprocessors that ran a block are shown.
    bool comparable = true;
};

/// Draws a panel for each launch, two side by side. A panel shows as many multiprocessors as fit.
Bitmap picture_of(const std::vector<AdditionPicture>& additions);

}  // namespace cudabook::occupancy
