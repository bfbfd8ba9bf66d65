#include "occupancy/picture/timeline_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include "common/picture/text.hpp"
#include "occupancy/picture/chart.hpp"

namespace cudabook::occupancy {

namespace {

constexpr int panel_width = 940;
constexpr int panel_height = 880;
constexpr int left = 110;
constexpr int plot_width = panel_width - left - 30;
constexpr int rows_height = 220;
constexpr int occupancy_height = 160;

/// The place where a block is drawn: a slot of its multiprocessor, and the number of blocks that used the
/// slot before.
struct Place {
    int slot = 0;
    int wave = 0;
};

/// Assigns places: each block takes the first slot of its multiprocessor that is free when the block
/// begins. If none is free, because the last warps of another block still run, the block takes the slot
/// that will be free first.
std::vector<Place> places_of(const Timeline& timeline, int slots_of_each) {
    struct Slot {
        double free_at = 0;
        int used = 0;
    };
    std::vector<std::size_t> by_begin(timeline.size());
    std::iota(by_begin.begin(), by_begin.end(), std::size_t{0});
    std::ranges::stable_sort(by_begin, {}, [&](std::size_t block) { return timeline[block].begin_us; });
    int multiprocessors = 0;
    for (const Span& block : timeline) multiprocessors = std::max(multiprocessors, block.multiprocessor + 1);
    std::vector slots(static_cast<std::size_t>(multiprocessors),
                      std::vector<Slot>(static_cast<std::size_t>(slots_of_each)));
    std::vector<Place> places(timeline.size());
    for (const std::size_t number : by_begin) {
        const Span& block = timeline[number];
        auto& of_multiprocessor = slots[static_cast<std::size_t>(block.multiprocessor)];
        auto slot = std::ranges::find_if(of_multiprocessor,
                                         [&](const Slot& s) { return s.free_at <= block.begin_us; });
        if (slot == of_multiprocessor.end())
            slot = std::ranges::min_element(of_multiprocessor, {}, &Slot::free_at);
        places[number] = {static_cast<int>(slot - of_multiprocessor.begin()), slot->used++};
        slot->free_at = block.end_us;
    }
    return places;
}

/// The rows of the picture: the multiprocessors that are drawn, evenly spread over all.
struct Rows {
    static constexpr int gap = 2;
    int slots;  ///< the slots of a multiprocessor
    int slot_height;
    int shown;
    int all;

    Rows(int all_of_them, int slots_of_each)
        : slots(slots_of_each),
          slot_height(std::clamp((rows_height / all_of_them - gap) / slots_of_each, 2, 40)),
          shown(std::clamp(rows_height / height(), 1, all_of_them)),
          all(all_of_them) {}
    [[nodiscard]] int height() const { return slots * slot_height + gap; }
    /// The row of a multiprocessor, or -1 if it is not drawn.
    [[nodiscard]] int row_of(int multiprocessor) const {
        const int row = (multiprocessor * shown + all - 1) / all;
        return row < shown && row * all / shown == multiprocessor ? row : -1;
    }
};

void draw_rows(Bitmap& bitmap, const Chart& chart, const Rows& rows, const Timeline& timeline) {
    fill(bitmap, chart.left, chart.top, chart.width, rows.shown * rows.height(), pale);
    const std::vector<Place> places = places_of(timeline, rows.slots);
    for (std::size_t i = 0; i < timeline.size(); ++i) {
        const int row = rows.row_of(timeline[i].multiprocessor);
        if (row < 0) continue;
        const int x = chart.x(timeline[i].begin_us);
        const int end = chart.x(timeline[i].end_us);
        const int y = chart.top + row * rows.height() + places[i].slot * rows.slot_height;
        fill(bitmap, x, y, std::max(1, end - x - 1),
             std::max(1, rows.slot_height - (rows.slot_height > 3 ? 1 : 0)),
             colours[static_cast<std::size_t>(places[i].wave) % colours.size()]);
    }
}

/// Draws the occupancy over time. `percent_of_each`: the share of each resident block or warp.
void draw_steps(Bitmap& bitmap, const Chart& chart, const Timeline& timeline, double percent_of_each,
                Rgba colour, int thickness) {
    double last_us = 0;
    int last = 0;
    for (const Step& step : resident(timeline)) {
        const int y = chart.y(last * percent_of_each);
        const int x = chart.x(step.at_us);
        draw_line(bitmap, chart.x(last_us), y, x, y, colour, thickness);
        draw_line(bitmap, x, y, x, chart.y(step.resident * percent_of_each), colour, thickness);
        last_us = step.at_us;
        last = step.resident;
    }
}

void draw_panel(Bitmap& bitmap, int x, int y, const AdditionPicture& addition) {
    const Machine& machine = addition.machine;
    const Timeline seen = blocks_of(addition.seen, addition.warps_of_block);
    const int blocks = static_cast<int>(seen.size());
    const Waves in_waves = waves(blocks, machine.capacity());
    draw_text(bitmap, x + left, y + 16, addition.title, black, 24);
    draw_text(bitmap, x + left, y + 52,
              fmt::format("{} blocks, {} at a time: {} full wave{}, then {}", blocks, in_waves.capacity,
                          in_waves.full, in_waves.full == 1 ? "" : "s", in_waves.tail));
    constexpr double least_us = 0.001;
    const double predicted_us = std::max(least_us, end_of(addition.predicted));
    const double seen_us = std::max(least_us, end_of(addition.seen));
    const double both_us = std::max(predicted_us, seen_us);
    int top = y + 112;
    const auto draw = [&](const char* what, const Timeline& timeline, const Rows& rows, double most_us) {
        draw_text(bitmap, x + left, top - heading,
                  fmt::format("{}: {} of {} {}", what, rows.shown, rows.all, addition.units));
        draw_rows(bitmap, {x + left, top, plot_width, rows_height, most_us, 1}, rows, timeline);
        top += rows_height + heading + 12;
    };
    const Rows all(machine.multiprocessors(), machine.most_blocks());
    int used = 0;
    for (const Span& block : seen) used = std::max(used, block.multiprocessor + 1);
    draw("predicted", addition.predicted, all, addition.comparable ? both_us : predicted_us);
    draw("seen", seen, addition.comparable ? all : Rows(used, 1), addition.comparable ? both_us : seen_us);

    const Chart chart{
        x + left, top + 8, plot_width, occupancy_height, addition.comparable ? both_us : predicted_us, 100};
    const double percent_of_block = addition.full_percent / machine.capacity();
    draw_axes(bitmap, chart, "", "µs");
    const std::string predicted = "occupancy, %: predicted";
    draw_text(bitmap, chart.left, chart.top - heading, predicted, colours[0]);
    draw_steps(bitmap, chart, addition.predicted, percent_of_block, colours[0], 5);
    if (!addition.comparable) return;
    draw_text(
        bitmap, chart.left + lettering().width(predicted + "  ", text_size), chart.top - heading,
        fmt::format("seen, {:.1f} % apart",
                    error_percent(warps_of(addition.predicted, addition.warps_of_block), addition.seen)),
        colours[1]);
    draw_steps(bitmap, chart, addition.seen, percent_of_block / addition.warps_of_block, colours[1], 2);
}

}  // namespace

Bitmap picture_of(const std::vector<AdditionPicture>& additions) {
    const int count = static_cast<int>(additions.size());
    const int columns = count > 1 ? 2 : 1;
    Bitmap bitmap = blank(columns * panel_width, (count + columns - 1) / columns * panel_height, white);
    int i = 0;
    for (const AdditionPicture& addition : additions) {
        draw_panel(bitmap, i % columns * panel_width, i / columns * panel_height, addition);
        ++i;
    }
    return bitmap;
}

}  // namespace cudabook::occupancy
