// The occupancies at which a kernel's time is measured, and the evaluation of its curve.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// Returns the numbers of blocks per multiprocessor at which a kernel is measured: if `all` is true, the
/// steps of a benchmark from 1 to `most`, otherwise 1 and `most`.
std::vector<int> sweep_steps(int most, bool all);

/// Returns the rate at a point, which is its work divided by its time: GB/s if `is_bytes` is true, otherwise
/// TFLOP/s.
double rate_of(const Point& point, bool is_bytes);

/// Returns the point where the curve bends: the first point whose time is at most 10 % above the shortest
/// time of the sweep. The sweep must have points, in the order of increasing occupancy.
const Point& bend_of(const Sweep& sweep);

/// Returns the bytes in flight on a multiprocessor at a point of a sweep of kernel memory_bound, for Little's
/// law. Each load of a thread has four bytes.
double bytes_under_way(const Sweep& sweep, const Point& point);

}  // namespace cudabook::occupancy
