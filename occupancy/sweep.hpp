// At which occupancies a kernel's time is measured, and what its curve says.
#pragma once

#include <vector>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

/// The blocks on a multiprocessor, up to `most`: all steps of a benchmark, or the least and the most.
std::vector<int> sweep_steps(int most, bool all);

/// Work over time: GB/s or TFLOP/s.
double rate_of(const Point& point, bool is_bytes);

/// Where the curve bends: the first point whose time is at most 10 % above the sweep's shortest. The sweep
/// must have points, by increasing occupancy.
const Point& bend_of(const Sweep& sweep);

/// By Little's law: the bytes under way on a multiprocessor at a point of memory_bound, four in each load.
double bytes_under_way(const Sweep& sweep, const Point& point);

}  // namespace cudabook::occupancy
