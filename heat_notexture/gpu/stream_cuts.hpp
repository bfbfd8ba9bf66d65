// Where the blocks of kernel `streamed` begin, such that they all take about the same time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "heat_notexture/gpu/stream_tiling.hpp"
#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

/// The time of a row with sources, in times of a row without: by instructions, not measured yet.
inline constexpr double time_of_source_row = 1.25;

/// Which tiles (see kernels/mark_tiles.cuh) have a source, and the cuts that follow from it.
class SourceTiles {
  public:
    /// flags: 1 for each tile of a grid of width × height cells that has a source, else 0; row-major.
    SourceTiles(int width, int height, std::vector<unsigned char> flags)
        : width_(width), height_(height), flags_(std::move(flags)) {}

    /// Returns the cuts for launches of `steps` steps.
    const StreamCuts& cuts(const StreamTiling& tiling, int steps) {
        const auto [found, is_new] = cuts_.try_emplace({tiling.columns, tiling.blocks, steps});
        if (is_new) found->second = make_cuts(tiling, steps);
        return found->second;
    }

  private:
    static constexpr int tile_rows = tile_height;
    static constexpr int tile_columns = tile_width;

    [[nodiscard]] bool has_source(const Bands& bands, int band, int tile_row) const {
        const int across = (width_ + tile_columns - 1) / tile_columns;
        const int begin = bands.begin(band);
        const auto row = flags_.begin() + std::ptrdiff_t{tile_row} * across;
        return std::any_of(row + begin / tile_columns,
                           row + (begin + 32 * bands.columns - 1) / tile_columns + 1,
                           [](unsigned char flag) { return flag != 0; });
    }

    [[nodiscard]] StreamCuts make_cuts(const StreamTiling& tiling, int steps) const {
        const Bands bands = bands_of(width_, tiling.columns, steps);
        const RowsInLine line = rows_in_line(height_, steps);
        // Pieces of the line, as their ends and the time from the line's begin to there, in rows.
        std::vector<std::pair<std::int64_t, double>> ends{{0, 0}};
        const auto add = [&ends](int rows, double time_of_row) {
            ends.emplace_back(ends.back().first + rows, ends.back().second + rows * time_of_row);
        };
        for (int band = 0; band < bands.count; ++band) {
            if (band > 0) add(line.extra, 1);
            for (int y = 0; y < height_; y += tile_rows)
                add(std::min(tile_rows, height_ - y),
                    has_source(bands, band, y / tile_rows) ? time_of_source_row : 1);
        }
        StreamCuts cuts{};
        auto piece = ends.begin();
        for (int block = 1; block <= tiling.blocks; ++block) {
            const double time = ends.back().second * block / tiling.blocks;
            while (std::next(piece) + 1 != ends.end() && std::next(piece)->second < time) ++piece;
            const auto& [begin, begin_time] = *piece;
            const auto& [end, end_time] = *std::next(piece);
            const double part = std::min(1.0, (time - begin_time) / (end_time - begin_time));
            cuts.begin[block] =
                static_cast<int>(static_cast<double>(begin) + part * static_cast<double>(end - begin) + 0.5);
        }
        return cuts;
    }

    int width_, height_;
    std::vector<unsigned char> flags_;
    std::map<std::array<int, 3>, StreamCuts> cuts_;  // by columns, blocks and steps
};

}  // namespace cudabook::heat
