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
    static constexpr int engines = 16;           ///< the engines of a core
    static constexpr int threads_of_engine = 7;  ///< the contexts of an engine, one for each thread
    static constexpr int operations = 8;         ///< the operations of 32 bits that a thread does at a time
    static constexpr int most_work_items = 512;  ///< the most work-items of a group
    static constexpr int most_shared_bytes = 128 << 10;  ///< the local memory of a core

    static constexpr int threads_of_core = engines * threads_of_engine;
    static constexpr int threads = cores * threads_of_core;
};

/// Returns Xe-LP for the calculator. The calculator's threads are Xe-LP's work-items, its blocks are groups,
/// its warps are threads, and its multiprocessors are Xe-cores.
CalculatedGpu xe_lp();

/// A period in which the number of resident threads stays the same. A phase of length 0 lies between two
/// events at the same time.
struct Phase {
    double begin = 0;  ///< in units of the time for which a thread runs
    double end = 0;
    int threads = 0;

    [[nodiscard]] bool lasts() const { return end > begin; }
};

/// Returns the number of resident threads on Xe-LP over time, while `groups` groups of `threads` threads run.
/// The rules of the model:
/// - A core takes groups in order while it has a free context. Then the next core takes groups. The threads
///   of a group start one by one as contexts become free, so some threads of a core's last group may wait.
/// - Without a barrier, a thread ends one unit of time after its start. Its context goes first to the waiting
///   threads of a group on the same core, and then to a new group. The model uses as many cores as all
///   threads together fill completely.
/// - With a barrier at both ends, the threads of a group end together, one unit of time after the start of
///   the group's last thread. The model uses as many cores as are needed for all threads to be resident.
/// - In both cases the model uses at least one core and at most XeLp::cores cores.
/// - Threads that end at the same time are removed group by group, first on the core with the fewest resident
///   threads.
std::vector<Phase> xe_lp_phases(int groups, int threads, bool barrier);

}  // namespace cudabook::occupancy
