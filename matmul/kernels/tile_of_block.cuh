// Which part of C a block makes. Plain arithmetic, which the host can try on shapes that no memory holds.
#pragma once

#include <cstddef>

#include "common/cuda/host_device.hpp"

namespace cudabook::matmul {

/// The place of a tile's first element in C.
struct Tile {
    std::size_t row;
    std::size_t column;
};

/// Tile number `index` of those that cover C, which are fewer than 2^31 as the blocks of a launch are: blocks
/// of one dimension are numbered like this. Blocks that run together have tiles from a few rows of tiles, so
/// that they read the same rows of A and columns of B while these are in the cache.
template <int tile_rows, int tile_columns>
CUDABOOK_HOST_DEVICE Tile tile_of_block(unsigned index, std::size_t m, std::size_t n) {
    constexpr unsigned most = 1024 / tile_rows;  // rows of tiles that are taken together, a band
    const auto rows = static_cast<unsigned>((m + tile_rows - 1) / tile_rows);
    const auto columns = static_cast<unsigned>((n + tile_columns - 1) / tile_columns);
    const unsigned in_band = (rows < most ? rows : most) * columns;  // of all tiles, so 32 bits hold it
    const unsigned first = index / in_band * most;
    const unsigned height = rows - first < most ? rows - first : most;
    const unsigned place = index % in_band;
    return {std::size_t{first + place % height} * tile_rows, std::size_t{place / height} * tile_columns};
}

}  // namespace cudabook::matmul
