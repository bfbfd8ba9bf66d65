// When and where each block of a launch ran: predicted, or noted by the warps themselves.
#pragma once

#include <string>
#include <vector>

namespace cudabook::occupancy {

/// The time of a block or a warp on its multiprocessor.
struct Span {
    int multiprocessor = 0;
    double begin_us = 0;  ///< since the launch's first warp began
    double end_us = 0;
};

/// The times of blocks in the order of the block numbers, or the times of warps, block after block.
using Timeline = std::vector<Span>;

/// Returns the times of the blocks that consist of these warps. A block begins with the first begin of its
/// warps and ends with the last end of its warps.
Timeline blocks_of(const Timeline& warps, int warps_of_block);

/// Returns the times of the warps of these blocks. Each warp lasts as long as its block.
Timeline warps_of(const Timeline& blocks, int warps_of_block);

/// Returns the time of the last end, or 0 for an empty timeline.
double end_of(const Timeline& timeline);

/// The number of resident blocks or warps from `at_us` until the next step.
struct Step {
    double at_us = 0;
    int resident = 0;
};

/// Returns the number of resident blocks or warps over time, on all multiprocessors together. The last step
/// has 0. If a block ends at the very time at which another block begins, only the second block is resident
/// at that time; likewise for warps.
std::vector<Step> resident(const Timeline& timeline);

/// Returns the error of a prediction. It is the integral over time of the absolute difference between the
/// predicted and the observed number of resident blocks or warps, as a percentage of the integral of the
/// observed number.
double error_percent(const Timeline& predicted, const Timeline& seen);

/// The size of a launch, and the capacity of a multiprocessor.
struct Bounds {
    int blocks = 0;
    int warps_of_block = 1;
    int multiprocessors = 0;
    int most_warps = 0;  ///< the most warps that a multiprocessor holds
};

/// Returns why these warps cannot be the timeline of a launch, or an empty string if they can. Every warp of
/// every block must have run once. All warps of a block must have run on the same multiprocessor, which must
/// exist. No multiprocessor may have more than `most_warps` warps at a time.
std::string why_impossible(const Timeline& warps, const Bounds& bounds);

/// The waves in which a launch's blocks run: `full` waves of as many blocks as the GPU holds, then `tail`
/// blocks.
struct Waves {
    int capacity = 0;  ///< blocks that the GPU holds
    int full = 0;
    int tail = 0;
};
Waves waves(int blocks, int capacity);

}  // namespace cudabook::occupancy
