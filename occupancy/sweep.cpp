#include "occupancy/sweep.hpp"

#include <algorithm>

namespace cudabook::occupancy {

std::vector<int> sweep_steps(int most, bool all) {
    std::vector<int> steps;
    for (const int step : {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 32})
        if (step < most && (all || step == 1)) steps.push_back(step);
    steps.push_back(most);
    return steps;
}

double rate_of(const Point& point, bool is_bytes) {
    return point.work / point.time.median / (is_bytes ? 1e6 : 1e9);
}

const Point& bend_of(const Sweep& sweep) {
    const auto ms = [](const Point& point) { return point.time.median; };
    const double shortest = std::ranges::min_element(sweep.points, {}, ms)->time.median;
    return *std::ranges::find_if(sweep.points,
                                 [&](const Point& point) { return ms(point) <= 1.1 * shortest; });
}

double bytes_under_way(const Sweep& sweep, const Point& point) {
    constexpr double bytes_of_load = 32 * 4;  // one load by all threads of a warp
    return bytes_of_load * sweep.under_way * point.warps;
}

}  // namespace cudabook::occupancy
