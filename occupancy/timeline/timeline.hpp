// When each block of a launch ran, and where: predicted, or noted by the blocks themselves.
#pragma once

#include <string>
#include <vector>

namespace cudabook::occupancy {

struct BlockTime {
    int multiprocessor = 0;
    double begin_us = 0;  ///< since the launch's first block began
    double end_us = 0;
};

/// By the block's number.
using Timeline = std::vector<BlockTime>;

/// The end of the last block; 0 if there is none.
double end_of(const Timeline& timeline);

/// From `at_us` on, until the next step, so many blocks are resident.
struct Step {
    double at_us = 0;
    int blocks = 0;
};

/// How many blocks are resident over time, on all multiprocessors; the last step has none. A block that ends
/// when another begins makes place for it.
std::vector<Step> resident_blocks(const Timeline& timeline);

/// How far a prediction is from what was seen: the integral over time of the difference of the resident
/// blocks, without sign, as a percentage of the integral of the seen ones.
double error_percent(const Timeline& predicted, const Timeline& seen);

/// Why this cannot be what happened, or an empty string: every block must have run once, on a multiprocessor
/// that exists, and no multiprocessor may have more than `most` of them at a time.
std::string why_impossible(const Timeline& timeline, int blocks, int multiprocessors, int most);

/// The times in which a launch's blocks come: `full` times as many as the GPU holds, then `tail` blocks.
struct Waves {
    int capacity = 0;  ///< blocks that the GPU holds
    int full = 0;
    int tail = 0;
};
Waves waves(int blocks, int capacity);

}  // namespace cudabook::occupancy
