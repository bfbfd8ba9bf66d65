// Cuts the work of kernel `streamed` into shares, one for each block, that take about the same time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

/// The time of a row in a share with sources: first of a row without sources, then of a row with sources. The
/// unit is the time of a row in a share without sources.
inline constexpr double time_of_row_beside_sources = 1.15;
inline constexpr double time_of_source_row = 1.49;

/// Which tiles (see kernels/mark_tiles.cuh) have a source, and the cuts for a grid with these sources.
class SourceTiles {
  public:
    /// flags: 1 for each tile of a grid of width × height cells that has a source, else 0; row-major.
    SourceTiles(int width, int height, std::vector<unsigned char> flags)
        : width_(width), height_(height), flags_(std::move(flags)), any_(is_any(flags_)) {}

    /// Replaces the flags. Returns whether they have changed.
    bool set(std::vector<unsigned char> flags) {
        if (flags == flags_) return false;
        flags_ = std::move(flags);
        any_ = is_any(flags_);
        cuts_.clear();
        return true;
    }

    /// Returns this, or null if no tile has a source.
    [[nodiscard]] SourceTiles* if_any() { return any_ ? this : nullptr; }

    /// Returns the cuts for launches of `steps` steps.
    const StreamCuts& cuts(const StreamTiling& tiling, int steps) { return timed_cuts(tiling, steps).cuts; }

    /// Returns how long the slowest block takes, in units of the time of a row without sources.
    double time(const StreamTiling& tiling, int steps) { return timed_cuts(tiling, steps).time; }

  private:
    static bool is_any(const std::vector<unsigned char>& flags) {
        return std::any_of(flags.begin(), flags.end(), [](unsigned char flag) { return flag != 0; });
    }

    struct TimedCuts {
        StreamCuts cuts;
        double time;
    };

    const TimedCuts& timed_cuts(const StreamTiling& tiling, int steps) {
        const auto [found, is_new] = cuts_.try_emplace({tiling.columns, tiling.blocks, steps});
        if (is_new) found->second = Cutter(*this, tiling, steps).cut();
        return found->second;
    }

    /// Cuts the line (see RowsInLine) into shares.
    class Cutter {
      public:
        Cutter(const SourceTiles& tiles, const StreamTiling& tiling, int steps)
            : height_(tiles.height_),
              blocks_(tiling.blocks),
              steps_(steps),
              bands_(bands_of(tiles.width_, tiling.columns, steps)),
              line_(rows_in_line(tiles.height_, steps)),
              end_(static_cast<double>(line_.count(bands_.count))) {
            count_sources(tiles);
            mark();
        }

        /// Returns the cuts with which the slowest block takes the least time. Two multiprocessors seem to
        /// share an instruction cache, which has room for the code of only one kind of share. So the number
        /// of shares with sources is even, if at most three more shares can make it even.
        [[nodiscard]] TimedCuts cut() const {
            const TimedCuts least = cut_with(0);
            if (least.cuts.with_sources % 2 == 0) return least;
            for (int more = 1; more <= 3; ++more)
                if (const TimedCuts cuts = cut_with(more); cuts.cuts.with_sources % 2 == 0) return cuts;
            return least;
        }

      private:
        static constexpr int tile_rows = tile_height;
        static constexpr int tile_columns = tile_width;

        /// A place in the line, and the time that a share with sources would take from the line's begin to
        /// this place, in units of the time of a row without sources.
        struct Mark {
            double place, time;
        };

        /// For each band, counts the rows of tiles with sources above each row of tiles (prefix sums).
        void count_sources(const SourceTiles& tiles) {
            const int across = (tiles.width_ + tile_columns - 1) / tile_columns;
            for (int band = 0; band < bands_.count; ++band) {
                const int begin = bands_.begin(band);
                with_sources_.push_back(0);
                for (int row = 0; row < rows_of_tiles(); ++row) {
                    const auto first = tiles.flags_.begin() + std::ptrdiff_t{row} * across;
                    const bool found =
                        std::any_of(first + begin / tile_columns,
                                    first + (begin + 32 * bands_.columns - 1) / tile_columns + 1,
                                    [](unsigned char flag) { return flag != 0; });
                    with_sources_.push_back(with_sources_.back() + (found ? 1 : 0));
                }
            }
        }
        [[nodiscard]] int rows_of_tiles() const { return (height_ + tile_rows - 1) / tile_rows; }

        /// Returns whether the tiles that overlap the rows from `top` up to `bottom` of a band have a source.
        [[nodiscard]] bool has_source(int band, int top, int bottom) const {
            const auto rows = with_sources_.begin() + std::ptrdiff_t{band} * (rows_of_tiles() + 1);
            const int end = (std::min(bottom, height_) + tile_rows - 1) / tile_rows;
            return rows[std::max(top, 0) / tile_rows] != rows[end];
        }
        /// Returns whether a share reads rows with sources.
        [[nodiscard]] bool has_source(StreamCuts::Share share) const {
            for (Stretch s{}; line_.take(share.begin, share.end, s);)
                if (has_source(s.band, s.top - steps_, s.bottom + steps_ + 2)) return true;
            return false;
        }

        /// Makes the marks: between two neighbouring marks, the time grows linearly. Half of the cost of
        /// beginning another stretch lies before a band, and half behind it.
        void mark() {
            marks_.push_back({-0.5 * line_.extra, 0});
            for (int band = 0; band < bands_.count; ++band)
                for (int y = 0; y < height_; y += tile_rows) {
                    const double rows = std::min(tile_rows, height_ - y) + (y == 0 ? 0.5 * line_.extra : 0) +
                                        (y + tile_rows >= height_ ? 0.5 * line_.extra : 0);
                    const double time =
                        has_source(band, y, y + 1) ? time_of_source_row : time_of_row_beside_sources;
                    marks_.push_back({marks_.back().place + rows, marks_.back().time + rows * time});
                }
        }

        /// Interpolates linearly between the marks: returns the value of member `to` at the point where
        /// member `from` is `at`. Extrapolates from the nearest two marks beyond the first or last mark.
        [[nodiscard]] double between(double Mark::*from, double Mark::*to, double at) const {
            const auto next = std::lower_bound(marks_.begin() + 1, marks_.end() - 1, at,
                                               [from](const Mark& mark, double x) { return mark.*from < x; });
            const Mark& a = *std::prev(next);
            const Mark& b = *next;
            return a.*to + (at - a.*from) / (b.*from - a.*from) * (b.*to - a.*to);
        }

        /// Returns the place that a block reaches in `time` from place `begin`. A share takes the time of its
        /// rows, plus half of line_.extra before the rows and half of it behind them.
        [[nodiscard]] int end_without_sources(int begin, double time) const {
            return place(begin + time - line_.extra, begin);
        }
        [[nodiscard]] int end_with_sources(int begin, double time) const {
            const double half = 0.5 * line_.extra;
            const double begun = between(&Mark::place, &Mark::time, begin - half);
            return place(between(&Mark::time, &Mark::place, begun + time) - half, begin);
        }
        [[nodiscard]] int place(double at, int least) const {
            return std::max(static_cast<int>(std::lround(std::min(at, end_))), least);
        }

        /// Cuts the line such that each block takes `time`, and treats `more` shares without sources as if
        /// they had sources. Returns whether the blocks reach the line's end.
        bool cut_by(double time, int more, StreamCuts& cuts) const {
            std::vector<StreamCuts::Share> without;
            cuts.with_sources = 0;
            int begin = 0;
            for (int block = 0; block < blocks_; ++block) {
                StreamCuts::Share share{begin, end_without_sources(begin, time)};
                const bool has = has_source(share);
                if (has || more > 0) {
                    if (!has) --more;
                    share.end = end_with_sources(begin, time);
                    cuts.shares[cuts.with_sources++] = share;
                } else {
                    without.push_back(share);
                }
                begin = share.end;
            }
            std::copy(without.begin(), without.end(), cuts.shares + cuts.with_sources);
            return begin >= static_cast<int>(end_);
        }

        [[nodiscard]] TimedCuts cut_with(int more) const {
            double least = end_ / blocks_;
            double enough = marks_.back().time;
            TimedCuts best{};
            while (enough - least > 0.1) {
                const double time = (least + enough) / 2;
                (cut_by(time, more, best.cuts) ? enough : least) = time;
            }
            cut_by(enough, more, best.cuts);
            best.time = enough;
            return best;
        }

        int height_, blocks_, steps_;
        Bands bands_;
        RowsInLine line_;
        double end_;
        std::vector<int> with_sources_;  ///< for each band, rows_of_tiles() + 1 counts
        std::vector<Mark> marks_;
    };

    int width_, height_;
    std::vector<unsigned char> flags_;
    bool any_;
    std::map<std::array<int, 3>, TimedCuts> cuts_;  // the key: columns, blocks and steps
};

}  // namespace cudabook::heat
