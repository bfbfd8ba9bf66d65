// The room that is heated: where its sources stand and how warm it is at the start.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heat_notexture/region.hpp"

namespace cudabook::heat {

inline constexpr float max_temperature = 1.0F;
inline constexpr float min_temperature = 0.0001F;

/// A grid of width × height cells, row-major; row 0 is drawn at the bottom. If `sources` is empty, the grid
/// has no sources; if `start` is empty, all cells start at 0.
struct Scene {
    int width = 0;
    int height = 0;
    std::vector<float> sources;  ///< the temperature that a cell is held at, 0 where there is no source
    std::vector<float> start;    ///< the temperature of each cell before the first step

    [[nodiscard]] std::size_t cells() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
    [[nodiscard]] std::vector<float> sources_or_none() const {
        return sources.empty() ? std::vector<float>(cells()) : sources;
    }
    [[nodiscard]] std::vector<float> start_or_cold() const {
        return start.empty() ? std::vector<float>(cells()) : start;
    }
};

/// Returns the part `region` of the room of CUDA by Example, chapter 7, for a grid of width × height cells.
/// The book's 1024×1024 coordinates are scaled by integer division: a grid of 1024×1024 cells is exactly the
/// book's, and every other size (from 1×1) looks the same.
inline Scene book_scene(int width, int height, const Region& region) {
    Scene scene{region.width, region.height, {}, {}};
    scene.sources.assign(scene.cells(), 0.0F);
    const auto across = [width](std::int64_t book_x) { return static_cast<int>(book_x * width / 1024); };
    const auto up = [height](std::int64_t book_y) { return static_cast<int>(book_y * height / 1024); };
    const auto fill = [&region](std::vector<float>& grid, int x0, int x1, int y0, int y1, float temperature) {
        const auto within = [](int at, int begin, int length) { return std::clamp(at - begin, 0, length); };
        const int left = within(x0, region.x, region.width);
        const int bottom = within(y0, region.y, region.height);
        const Region filled{left, bottom, within(x1, region.x, region.width) - left,
                            within(y1, region.y, region.height) - bottom};
        for_each_cell(filled, region.width, [&](std::size_t i) { grid[i] = temperature; });
    };
    const auto place = [&fill, &scene](int x, int y, float temperature) {
        fill(scene.sources, x, x + 1, y, y + 1, temperature);
    };

    fill(scene.sources, across(300) + 1, across(600), up(310) + 1, up(601), max_temperature);
    place(across(100), up(100), (max_temperature + min_temperature) / 2);
    place(across(100), up(700), min_temperature);
    place(across(300), up(300), min_temperature);
    place(across(700), up(200), min_temperature);
    fill(scene.sources, across(400), across(500), up(800), up(900), min_temperature);

    scene.start = scene.sources;
    fill(scene.start, 0, across(200), up(800), height, max_temperature);
    return scene;
}

/// Returns the whole room of the book.
inline Scene book_scene(int width, int height) { return book_scene(width, height, {0, 0, width, height}); }

}  // namespace cudabook::heat
