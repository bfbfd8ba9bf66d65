// Predicts when and where each block of a launch runs.
#pragma once

#include <vector>

#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

/// What a prediction needs to know about a GPU and a kernel. For each multiprocessor, block_us has the time
/// of a block while 1, 2, ... blocks are resident, up to the most blocks that a multiprocessor holds. This
/// maximum is the same for all multiprocessors.
struct Machine {
    std::vector<std::vector<double>> block_us;  ///< [multiprocessor][resident blocks - 1], all above 0

    [[nodiscard]] int multiprocessors() const { return static_cast<int>(block_us.size()); }
    [[nodiscard]] int most_blocks() const { return static_cast<int>(block_us.front().size()); }
    [[nodiscard]] int capacity() const { return multiprocessors() * most_blocks(); }
    /// The mean time of a block over all multiprocessors when the multiprocessors are full.
    [[nodiscard]] double full_us() const;
};

/// Returns a machine whose multiprocessors are all alike: each has the times `block_us`.
Machine alike(int multiprocessors, const std::vector<double>& block_us);

/// Predicts the timeline of a launch of `blocks` blocks. The blocks are handed out in the order of their
/// numbers, in turn to the multiprocessors that are free. A multiprocessor takes as many blocks as it holds.
/// Blocks that begin together on a multiprocessor also end together, and then the multiprocessor is free.
/// Multiprocessors that become free within 2 % of a block's time of each other share the next blocks, because
/// on a real multiprocessor the blocks end one by one.
Timeline predict(const Machine& machine, int blocks);

}  // namespace cudabook::occupancy
