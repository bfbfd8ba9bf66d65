// Predicts when and where each block of a launch runs.
#pragma once

#include <vector>

#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

/// The data of a GPU and a kernel for a prediction. For each multiprocessor, there is the time of a block
/// while 1, 2, ... blocks are resident on the multiprocessor, up to the maximum that it holds. This maximum
/// is the same for all multiprocessors.
struct Machine {
    std::vector<std::vector<double>> block_us;  ///< [multiprocessor][resident blocks - 1], all above 0

    [[nodiscard]] int multiprocessors() const { return static_cast<int>(block_us.size()); }
    [[nodiscard]] int most_blocks() const { return static_cast<int>(block_us.front().size()); }
    [[nodiscard]] int capacity() const { return multiprocessors() * most_blocks(); }
    /// The mean time of a block over all multiprocessors when the multiprocessors are full.
    [[nodiscard]] double full_us() const;
};

/// Returns a machine whose multiprocessors are all alike.
Machine alike(int multiprocessors, const std::vector<double>& block_us);

/// Predicts the timeline. Blocks are handed out by number, in turn to the multiprocessors that are free. All
/// blocks are alike: blocks that begin together on a multiprocessor also end together, and then the
/// multiprocessor is free. Multiprocessors that become free within 2 % of a block's time share the next
/// blocks, because the places of a real multiprocessor become free one by one.
Timeline predict(const Machine& machine, int blocks);

}  // namespace cudabook::occupancy
