// Timelines as a picture. It shows the predicted blocks of each multiprocessor over time, below them the
// observed blocks, and below these the occupancy over time.
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
    /// Whether the observed times can be compared with the predicted times. On the emulated GPU they cannot.
    /// Then the observed blocks have a time scale of their own, multiprocessors without blocks are left out,
    /// and only the predicted occupancy is drawn.
    bool comparable = true;
};

/// Draws a panel for each launch, two side by side. A panel shows as many multiprocessors as fit.
Bitmap picture_of(const std::vector<AdditionPicture>& additions);

}  // namespace cudabook::occupancy
