#include "occupancy/picture/curve_picture.hpp"

#include <cstddef>

#include <fmt/format.h>

#include "occupancy/picture/chart.hpp"

namespace cudabook::occupancy {

namespace {

/// The unit of a curve's axis: bytes are shown in KiB.
double unit_of(const Curve& curve) { return curve.over == "shared bytes" ? 1024 : 1; }

void draw_curve(Bitmap& bitmap, const Chart& chart, const Curve& curve, const Held& held) {
    const auto x_of = [&](std::size_t at) { return chart.x(static_cast<double>(at) / unit_of(curve)); };
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const CurvePoint& point = curve.points[i];
        const int x = x_of(point.at);
        const int y = chart.y(point.percent);
        if (i > 0) {
            // The curve is a step: the previous value holds until this point.
            const int before = chart.y(curve.points[i - 1].percent);
            const int from = x_of(curve.points[i - 1].at);
            draw_line(bitmap, from, before, x, before, colours[0], 3);
            draw_line(bitmap, x, before, x, y, colours[0], 3);
        }
    }
    const int x = x_of(curve.now);
    const int y = chart.y(held.percent());
    draw_line(bitmap, x, chart.top, x, chart.top + chart.height, colours[1], 2);
    fill(bitmap, x - 7, y - 7, 15, 15, colours[1]);
}

}  // namespace

Bitmap picture_of(const CalculatedGpu& gpu, const KernelResources& shape, const Held& held,
                  const std::vector<Curve>& curves) {
    constexpr int panel_width = 560;
    constexpr int panel_height = 400;
    constexpr int margin = 90;
    constexpr int head = 150;
    const int panels = static_cast<int>(curves.size());
    Bitmap bitmap = blank(panels * (panel_width + margin) + 50, head + panel_height + 80, white);
    draw_text(bitmap, margin, 20, fmt::format("{}: occupancy {:.1f} %", gpu.product, held.percent()), black,
              28);
    draw_text(
        bitmap, margin, 70,
        gpu.has_registers
            ? fmt::format("block of {} threads, {} registers, {} bytes shared: {} blocks, {} of {} warps, "
                          "limited by {}",
                          shape.threads, shape.registers, shape.shared_bytes, held.blocks, held.warps,
                          held.most_warps, held.limit)
            : fmt::format("group of {} in sub-groups of {}, {} bytes local: {} groups, {} of {} threads, "
                          "limited by {}",
                          shape.threads, shape.lanes, shape.shared_bytes, held.blocks, held.warps,
                          held.most_warps, held.limit));
    int left = margin;
    for (const Curve& curve : curves) {
        const double most = static_cast<double>(curve.points.back().at) / unit_of(curve);
        const Chart chart{left, head, panel_width, panel_height, most, 100};
        draw_axes(bitmap, chart, "occupancy, %", unit_of(curve) == 1 ? curve.over : "shared KiB");
        draw_curve(bitmap, chart, curve, held);
        left += panel_width + margin;
    }
    return bitmap;
}

}  // namespace cudabook::occupancy
