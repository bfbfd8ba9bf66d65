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
    Timeline predicted;  ///< of blocks
    Timeline seen;       ///< of their warps
    int warps_of_block = 1;
    Machine machine;
    double full_percent = 100;  ///< the occupancy while the device holds all the blocks that it can
    std::string units;          ///< what the rows are
    /// False for the emulated GPU, whose time is its own: then what was seen has a scale of its own, and
    /// shows only what ran a block.
    bool comparable = true;
};

/// A panel for each launch, two beside each other. A panel shows as many multiprocessors as have place.
Bitmap picture_of(const std::vector<AdditionPicture>& additions);

}  // namespace cudabook::occupancy
