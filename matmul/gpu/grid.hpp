// The blocks of a launch, and their limits.
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace cudabook::matmul {

/// The blocks of a grid of one or two dimensions.
struct Blocks {
    std::size_t x;
    std::size_t y = 1;
};

/// Returns why a launch cannot have this grid, or an empty string if it can. Source: CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability".
inline std::string too_many_blocks(const Blocks& blocks) {
    if (blocks.x > 0x7fffffff)
        return fmt::format("its grid would have {} blocks, and a launch has 2^31 - 1 at most", blocks.x);
    if (blocks.y > 0xffff)
        return fmt::format("its grid would have {} rows of blocks, and a launch has 65535 at most", blocks.y);
    return {};
}

/// Returns whole / part, rounded up.
inline std::size_t parts_of(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

/// Returns the grid with a thread for each element of an m × n matrix, in blocks of `side` by `side` threads.
inline Blocks blocks_for_elements(std::size_t m, std::size_t n, std::size_t side) {
    return {parts_of(n, side), parts_of(m, side)};
}

/// Returns the one-dimensional grid with a block for each tile of `rows` by `columns` elements of an m × n
/// matrix.
inline Blocks blocks_for_tiles(std::size_t m, std::size_t n, std::size_t rows, std::size_t columns) {
    return {parts_of(m, rows) * parts_of(n, columns)};
}

}  // namespace cudabook::matmul
