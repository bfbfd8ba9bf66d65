// The occupancy of Intel's Xe-LP (Tiger Lake), the GPU of the oneAPI guide's chapter on thread mapping. On
// Xe-LP a thread runs a sub-group of 8, 16 or 32 work-items, and the work-items of a group with a barrier or
// local memory must all be on one Xe-core.
#pragma once

#include <vector>

#include "occupancy/calculator/calculator.hpp"

namespace cudabook::occupancy {

/// The figures of the chapter's first table.
struct XeLp {
    static constexpr int cores = 6;
    static constexpr int engines = 16;                   ///< of a core
    static constexpr int threads_of_engine = 7;          ///< contexts
    static constexpr int operations = 8;                 ///< of a thread at a time, 32 bits each
    static constexpr int most_work_items = 512;          ///< of a group
    static constexpr int most_shared_bytes = 128 << 10;  ///< local memory of a core

    static constexpr int threads_of_core = engines * threads_of_engine;
    static constexpr int threads = cores * threads_of_core;
};

/// Xe-LP for the calculator: threads are work-items, blocks groups, warps threads, multiprocessors Xe-cores.
CalculatedGpu xe_lp();

/// A period in which the number of resident threads stays the same. A phase of length 0 lies between two
/// events at the same time.
struct Phase {
    double begin = 0;  ///< in units of a thread's time
    double end = 0;
    int threads = 0;

    [[nodiscard]] bool lasts() const { return end > begin; }
};

/// The threads on Xe-LP over time while `groups` groups of `threads` threads run, by these rules:
/// - A core takes groups in order, as long as a context is free; then the next core does. A group's threads
///   start one by one as contexts are free, so that the last group of a core may be there in part.
/// - Without a barrier a thread ends after its time, and its context goes to the next thread: first of the
///   group that is there in part. As many cores are used as the threads fill.
/// - With a barrier at both ends, a group's time begins when all its threads are there, and all of them end
///   together. As many cores are used as it takes to begin all groups.
/// - Ends at the same time are taken one after another, on the core with the fewest threads first.
std::vector<Phase> xe_lp_phases(int groups, int threads, bool barrier);

}  // namespace cudabook::occupancy
