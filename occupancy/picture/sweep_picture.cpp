#include "occupancy/picture/sweep_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "occupancy/picture/chart.hpp"
#include "occupancy/sweep.hpp"

namespace cudabook::occupancy {

namespace {

constexpr double most_times = 8;  ///< as a multiple of the shortest time; longer times are not shown

void draw_kernel(Bitmap& bitmap, const Chart& chart, const SweepPicture& kernel) {
    double shortest = std::numeric_limits<double>::max();
    for (const Sweep& sweep : kernel.sweeps)
        for (const Point& point : sweep.points) shortest = std::min(shortest, point.time.median);
    draw_axes(bitmap, chart, kernel.title + ": time / shortest time", "occupancy, %");
    std::size_t colour = 0;
    int legend = chart.top + 16;
    for (const Sweep& sweep : kernel.sweeps) {
        const auto y = [&](const Point& point) { return chart.y(point.time.median / shortest); };
        const Point* last = nullptr;
        for (const Point& point : sweep.points) {
            if (point.time.median / shortest > most_times) continue;
            if (last != nullptr)
                draw_line(bitmap, chart.x(last->percent), y(*last), chart.x(point.percent), y(point),
                          colours[colour], 4);
            last = &point;
        }
        const Point& bend = bend_of(sweep);
        fill(bitmap, chart.x(bend.percent) - 8, y(bend) - 8, 17, 17, colours[colour]);
        draw_text_before(bitmap, chart.left + chart.width - 12, legend,
                         fmt::format("{} under way: bend at {:.1f} %", sweep.under_way, bend.percent),
                         colours[colour]);
        legend += text_size + 14;
        ++colour;
    }
}

}  // namespace

Bitmap picture_of(const std::vector<SweepPicture>& kernels) {
    constexpr int panel = 960;
    const int count = static_cast<int>(kernels.size());
    Bitmap bitmap = blank(count * panel, 640, white);
    int left = 80;
    for (const SweepPicture& kernel : kernels) {
        draw_kernel(bitmap, {left, 50, panel - 120, 500, 100, most_times}, kernel);
        left += panel;
    }
    return bitmap;
}

}  // namespace cudabook::occupancy
