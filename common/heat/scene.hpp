// The room that is heated: where its sources stand and how warm it is at the start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudabook::heat {

inline constexpr float max_temperature = 1.0F;
inline constexpr float min_temperature = 0.0001F;

/// A grid of width × height cells, row-major; row 0 is drawn at the bottom.
struct Scene {
    int width = 0;
    int height = 0;
    std::vector<float> sources;  ///< the temperature that a cell is held at, 0 where there is no source
    std::vector<float> start;    ///< the temperature of each cell before the first step

    [[nodiscard]] std::size_t cells() const {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};

/// The room of CUDA by Example, chapter 7, whose 1024×1024 coordinates are scaled to the grid by integer
/// division: 1024×1024 is the book's exactly, and every other size (from 1×1) looks the same.
inline Scene book_scene(int width, int height) {
    Scene scene{width, height, {}, {}};
    scene.sources.assign(scene.cells(), 0.0F);
    const auto across = [width](std::int64_t book_x) { return static_cast<int>(book_x * width / 1024); };
    const auto up = [height](std::int64_t book_y) { return static_cast<int>(book_y * height / 1024); };
    const auto cell = [width](int x, int y) {
        return static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
    };
    const auto fill = [&cell](std::vector<float>& grid, int x0, int x1, int y0, int y1, float temperature) {
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) grid[cell(x, y)] = temperature;
    };

    fill(scene.sources, across(300) + 1, across(600), up(310) + 1, up(601), max_temperature);
    scene.sources[cell(across(100), up(100))] = (max_temperature + min_temperature) / 2;
    scene.sources[cell(across(100), up(700))] = min_temperature;
    scene.sources[cell(across(300), up(300))] = min_temperature;
    scene.sources[cell(across(700), up(200))] = min_temperature;
    fill(scene.sources, across(400), across(500), up(800), up(900), min_temperature);

    scene.start = scene.sources;
    fill(scene.start, 0, across(200), up(800), height, max_temperature);
    return scene;
}

}  // namespace cudabook::heat
