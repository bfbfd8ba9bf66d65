// The order in which blocks compute the tiles of C. It is plain arithmetic, which the host can test on
// shapes too large for any memory.
#pragma once

#include <cstddef>

#include "common/cuda/host_device.hpp"

namespace cudabook::matmul {

/// The place of a tile's first element in C.
struct Tile {
    std::size_t row;
    std::size_t column;
};

/// Returns the tile that block `block` computes. The grid is one-dimensional and has a block for each tile of
/// `tile_rows` by `tile_columns` elements; there are fewer than 2^31 tiles. In practice a GPU starts blocks
/// in the order of their numbers. So the numbers run down the columns of a band of 1024 rows. Blocks that run
/// together then read the same few rows of A and columns of B, while these are in the L2 cache. In the
/// order of a two-dimensional grid, blocks that run together would share only rows of A.
template <int tile_rows, int tile_columns = tile_rows>
CUDABOOK_HOST_DEVICE Tile tile_of_block(unsigned block, std::size_t m, std::size_t n) {
    constexpr unsigned rows_of_band = 1024 / tile_rows;  // in tiles, as everything below
    const auto rows = static_cast<unsigned>((m + tile_rows - 1) / tile_rows);
    const auto columns = static_cast<unsigned>((n + tile_columns - 1) / tile_columns);
    // This is at most the number of all tiles, so 32 bits suffice.
    const unsigned blocks_of_band = (rows < rows_of_band ? rows : rows_of_band) * columns;
    const unsigned first_row = block / blocks_of_band * rows_of_band;
    const unsigned height = rows - first_row < rows_of_band ? rows - first_row : rows_of_band;
    const unsigned place = block % blocks_of_band;
    return {std::size_t{first_row + place % height} * tile_rows, std::size_t{place / height} * tile_columns};
}

}  // namespace cudabook::matmul
