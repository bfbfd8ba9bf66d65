// Predicts when each block of a launch runs where.
#pragma once

#include <vector>

#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

/// What the prediction knows of a GPU and a kernel: how long a block takes on each multiprocessor while 1, 2,
/// ... blocks are resident there; as many as it holds, the same number for all.
struct Machine {
    std::vector<std::vector<double>> block_us;  ///< [multiprocessor][resident blocks - 1], all above 0

    [[nodiscard]] int multiprocessors() const { return static_cast<int>(block_us.size()); }
    [[nodiscard]] int most_blocks() const { return static_cast<int>(block_us.front().size()); }
    [[nodiscard]] int capacity() const { return multiprocessors() * most_blocks(); }
    /// The mean over all multiprocessors, full.
    [[nodiscard]] double full_us() const;
};

/// A machine whose multiprocessors are all alike.
Machine alike(int multiprocessors, const std::vector<double>& block_us);

/// Blocks are handed out by number, in turn to the multiprocessors that are free. All blocks are alike: those
/// that begin together on a multiprocessor also end together, and then it is free. Multiprocessors that
/// become free within 2 % of a block's time share the next blocks, because a real one's places become free
/// one by one.
Timeline predict(const Machine& machine, int blocks);

}  // namespace cudabook::occupancy
