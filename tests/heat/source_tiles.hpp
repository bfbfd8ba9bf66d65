// Finds, without a GPU, the tiles of a scene that contain sources.
#pragma once

#include <cstddef>
#include <vector>

#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/gpu/tile_size.hpp"
#include "heat_notexture/scene.hpp"

namespace cudabook::test {

inline heat::SourceTiles tiles_of(const heat::Scene& scene) {
    const auto width = static_cast<std::size_t>(scene.width);
    const std::size_t across = (width + heat::tile_width - 1) / heat::tile_width;
    const std::size_t rows =
        (static_cast<std::size_t>(scene.height) + heat::tile_height - 1) / heat::tile_height;
    std::vector<unsigned char> flags(across * rows);
    for (std::size_t i = 0; i < scene.sources.size(); ++i)
        if (scene.sources[i] != 0)
            flags[i % width / heat::tile_width + i / width / heat::tile_height * across] = 1;
    return {scene.width, scene.height, flags};
}

}  // namespace cudabook::test
