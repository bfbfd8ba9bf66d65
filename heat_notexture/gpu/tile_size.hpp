// The size of the tiles that are marked if they have a source (kernels/mark_tiles.cuh).
#pragma once

namespace cudabook::heat {

/// A tile is the work of one block of the fused kernels: 32 × 8 threads, each with four consecutive cells.
inline constexpr unsigned tile_threads_x = 32;
inline constexpr unsigned tile_width = 4 * tile_threads_x;
inline constexpr unsigned tile_height = 8;

}  // namespace cudabook::heat
