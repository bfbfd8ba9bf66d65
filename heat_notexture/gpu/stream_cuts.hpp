// Where the blocks of kernel `streamed` begin, such that they all take about the same time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

/// The time of a row with sources, in times of a row without.
inline constexpr double time_of_source_row = 1.4;

/// Which tiles (see kernels/mark_tiles.cuh) have a source, and the cuts that follow from it.
class SourceTiles {
  public:
    /// flags: 1 for each tile of a grid of width × height cells that has a source, else 0; row-major.
    SourceTiles(int width, int height, std::vector<unsigned char> flags)
        : width_(width), height_(height), flags_(std::move(flags)) {}

    /// Takes over other flags. Returns whether they differ.
    bool set(std::vector<unsigned char> flags) {
        if (flags == flags_) return false;
        flags_ = std::move(flags);
        cuts_.clear();
        return true;
    }

    /// Returns whether any tile has a source.
    [[nodiscard]] bool any() const {
        return std::any_of(flags_.begin(), flags_.end(), [](unsigned char flag) { return flag != 0; });
    }

    /// Returns the cuts for launches of `steps` steps.
    const StreamCuts& cuts(const StreamTiling& tiling, int steps) {
        const auto [found, is_new] = cuts_.try_emplace({tiling.columns, tiling.blocks, steps});
        if (is_new) found->second = make_cuts(tiling, steps);
        return found->second;
    }

  private:
    static constexpr int tile_rows = tile_height;
    static constexpr int tile_columns = tile_width;

    /// A place in the line, and the time that a block would take from the line's begin to there, in rows.
    struct Mark {
        double place, time;
    };

    /// Returns whether the tiles that overlap the rows from `top` up to `bottom` of a band have a source.
    [[nodiscard]] bool has_source(const Bands& bands, int band, int top, int bottom) const {
        const int across = (width_ + tile_columns - 1) / tile_columns;
        const int begin = bands.begin(band);
        for (int row = std::max(top, 0) / tile_rows; row * tile_rows < std::min(bottom, height_); ++row) {
            const auto tiles = flags_.begin() + std::ptrdiff_t{row} * across;
            if (std::any_of(tiles + begin / tile_columns,
                            tiles + (begin + 32 * bands.columns - 1) / tile_columns + 1,
                            [](unsigned char flag) { return flag != 0; }))
                return true;
        }
        return false;
    }

    /// Returns marks between which time grows evenly. What it costs to begin another stretch lies half before
    /// a band and half behind it.
    [[nodiscard]] std::vector<Mark> marks(const Bands& bands, const RowsInLine& line) const {
        std::vector<Mark> marks{{-0.5 * line.extra, 0}};
        for (int band = 0; band < bands.count; ++band)
            for (int y = 0; y < height_; y += tile_rows) {
                const double rows = std::min(tile_rows, height_ - y) + (y == 0 ? 0.5 * line.extra : 0) +
                                    (y + tile_rows >= height_ ? 0.5 * line.extra : 0);
                const double time = has_source(bands, band, y, y + 1) ? time_of_source_row : 1;
                marks.push_back({marks.back().place + rows, marks.back().time + rows * time});
            }
        return marks;
    }

    /// Returns the member `to` where the member `from` is `at`: between two marks, or beyond the first or the
    /// last mark as between the two marks next to it.
    static double between(const std::vector<Mark>& marks, double Mark::*from, double Mark::*to, double at) {
        const auto next = std::lower_bound(marks.begin() + 1, marks.end() - 1, at,
                                           [from](const Mark& mark, double x) { return mark.*from < x; });
        const Mark& a = *std::prev(next);
        const Mark& b = *next;
        return a.*to + (at - a.*from) / (b.*from - a.*from) * (b.*to - a.*to);
    }

    /// Returns the cuts for which the block that takes longest takes the least time. A block takes as long as
    /// the marks say from half of line.extra before its rows to half of it behind them.
    [[nodiscard]] StreamCuts make_cuts(const StreamTiling& tiling, int steps) const {
        const Bands bands = bands_of(width_, tiling.columns, steps);
        const RowsInLine line = rows_in_line(height_, steps);
        const std::vector<Mark> marks = this->marks(bands, line);
        const auto end = static_cast<double>(line.count(bands.count));
        const double half = 0.5 * line.extra;
        StreamCuts cuts{};
        // Cuts such that each block takes `time`. Returns whether the blocks reach the line's end.
        const auto cut = [&](double time) {
            double place = 0;
            for (int block = 1; block <= tiling.blocks; ++block) {
                const double begun = between(marks, &Mark::place, &Mark::time, place - half);
                place = std::min(end, between(marks, &Mark::time, &Mark::place, begun + time) - half);
                cuts.begin[block] = static_cast<int>(place + 0.5);
            }
            return place > end - 0.5;
        };
        double least = 0;
        double enough = marks.back().time;
        while (enough - least > 0.01) {
            const double time = (least + enough) / 2;
            (cut(time) ? enough : least) = time;
        }
        cut(enough);
        cuts.begin[tiling.blocks] = static_cast<int>(line.count(bands.count));
        for (int block = 0; block < tiling.blocks; ++block) {
            int next = cuts.begin[block];
            for (Stretch s{}; line.take(next, cuts.begin[block + 1], s);)
                cuts.has_sources[block] =
                    cuts.has_sources[block] || has_source(bands, s.band, s.top - steps, s.bottom + steps + 2);
        }
        return cuts;
    }

    int width_, height_;
    std::vector<unsigned char> flags_;
    std::map<std::array<int, 3>, StreamCuts> cuts_;  // by columns, blocks and steps
};

}  // namespace cudabook::heat
