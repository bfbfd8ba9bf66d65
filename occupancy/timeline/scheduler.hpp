// Predicts when each block of a launch runs where.
#pragma once

#include <vector>

#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

/// What the prediction knows of a GPU and a kernel.
struct Machine {
    int multiprocessors = 0;
    /// How long a block takes while 1, 2, ... blocks are resident on its multiprocessor; as many as it holds.
    std::vector<double> block_us;

    [[nodiscard]] int most_blocks() const { return static_cast<int>(block_us.size()); }
    [[nodiscard]] int capacity() const { return multiprocessors * most_blocks(); }
};

/// Blocks are handed out by number, each to the multiprocessor with the fewest of them that has place; then
/// the next one whenever a block ends. While k blocks are resident on a multiprocessor, each of them gets on
/// as if it took block_us[k - 1].
Timeline predict(const Machine& machine, int blocks);

}  // namespace cudabook::occupancy
