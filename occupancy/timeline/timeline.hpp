// When each block of a launch ran, and where: predicted, or noted by the warps themselves.
#pragma once

#include <string>
#include <vector>

namespace cudabook::occupancy {

/// A block's time on its multiprocessor, or a warp's.
struct Span {
    int multiprocessor = 0;
    double begin_us = 0;  ///< since the launch's first warp began
    double end_us = 0;
};

/// By the number of the block; or of the warp, block after block.
using Timeline = std::vector<Span>;

/// Blocks from their warps: each lasts from the begin of its first warp to the end of its last.
Timeline blocks_of(const Timeline& warps, int warps_of_block);

/// The warps of blocks, all of which last as long as their block.
Timeline warps_of(const Timeline& blocks, int warps_of_block);

/// The last end; 0 if there is none.
double end_of(const Timeline& timeline);

/// From `at_us` on, until the next step, so many are resident.
struct Step {
    double at_us = 0;
    int resident = 0;
};

/// How many are resident over time, on all multiprocessors; the last step has none. What ends when another
/// begins makes place for it.
std::vector<Step> resident(const Timeline& timeline);

/// How far a prediction is from what was seen: the integral over time of the difference of the resident ones,
/// without sign, as a percentage of the integral of the seen ones.
double error_percent(const Timeline& predicted, const Timeline& seen);

/// What a launch has, and what a multiprocessor holds at most.
struct Bounds {
    int blocks = 0;
    int warps_of_block = 1;
    int multiprocessors = 0;
    int most_warps = 0;  ///< on a multiprocessor
};

/// Why these warps cannot be what happened, or an empty string: every warp of every block must have run once,
/// on a multiprocessor that exists and that is the same for the whole block; and no multiprocessor may have
/// more than `most_warps` at a time.
std::string why_impossible(const Timeline& warps, const Bounds& bounds);

/// The times in which a launch's blocks come: `full` times as many as the GPU holds, then `tail` blocks.
struct Waves {
    int capacity = 0;  ///< blocks that the GPU holds
    int full = 0;
    int tail = 0;
};
Waves waves(int blocks, int capacity);

}  // namespace cudabook::occupancy
