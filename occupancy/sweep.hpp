// The occupancies at which a kernel's time is measured, and the evaluation of its curve.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// The numbers of blocks on a multiprocessor, up to `most`: all steps of a benchmark, or only the least and
/// the most.
std::vector<int> sweep_steps(int most, bool all);

/// Work over time: GB/s or TFLOP/s.
double rate_of(const Point& point, bool is_bytes);

/// The point where the curve bends: the first whose time is at most 10 % above the sweep's shortest. The
/// sweep must have points, by increasing occupancy.
const Point& bend_of(const Sweep& sweep);

/// The bytes in flight on a multiprocessor at a point of memory_bound, for Little's law; each thread's load
/// has four bytes.
double bytes_under_way(const Sweep& sweep, const Point& point);

}  // namespace cudabook::occupancy
