// A grid in the memory of a GPU, and the path by which kernels read it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/cuda/array.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/tile_size.hpp"

namespace cudabook::heat {

/// width × height cells in rows that begin `pitch` cells apart. The cells between a row's end and the next
/// row repeat the row's last cell.
struct GridShape {
    unsigned width = 0;
    unsigned height = 0;
    unsigned pitch = 0;
    [[nodiscard]] std::size_t size() const { return std::size_t{pitch} * height; }

    /// Returns how many blocks of `block` threads cover the grid with one thread for each cell. In y, the
    /// number is limited to the most blocks that a launch may have.
    [[nodiscard]] dim3 blocks(dim3 block) const {
        return {(width + block.x - 1) / block.x, std::min((height + block.y - 1) / block.y, 65535U)};
    }
    /// Returns how many tiles (see kernels/mark_tiles.cuh) cover the grid. A block works on tile number
    /// blockIdx.x.
    [[nodiscard]] unsigned tiles() const { return tiles(tile_width, tile_height); }

    /// Returns how many tiles of `columns` × `rows` cells cover the grid.
    [[nodiscard]] unsigned tiles(unsigned columns, unsigned rows) const {
        return (width + columns - 1) / columns * ((height + rows - 1) / rows);
    }
};

/// A View with memory of its own, such as a CUDA array, which the kernels read and write. load() copies the
/// grid's cells to that memory before the steps, and store() copies them back afterwards.
template <class View>
concept HasOwnMemory = requires(const View& view, const Stream& stream) {
    view.load(stream);
    view.store(stream);
};

/// A grid in device memory, and the View through which kernels use the grid: a pointer, textures or surfaces.
/// A View is constructed from a pointer, a shape and a device. The pitch of the shape must be a multiple of
/// View::row_alignment.
template <class View>
struct Grid {
    Grid(std::span<const float> values, const GridShape& shape, int device)
        : cells(values), view(cells.data(), shape, device) {}

    /// Makes a grid whose cells are all 0.
    Grid(const GridShape& shape, int device) : cells(shape.size()), view(cells.data(), shape, device) {
        CUDA_CHECK(cudaMemset(cells.data(), 0, cells.size() * sizeof(float)));
    }

    /// load_view() must be called before kernels use the view. store_view() must be called after kernels have
    /// written through the view.
    void load_view(const Stream& stream) const {
        if constexpr (HasOwnMemory<View>) view.load(stream);
    }
    void store_view(const Stream& stream) const {
        if constexpr (HasOwnMemory<View>) view.store(stream);
    }

    DeviceArray<float> cells;
    View view;
};

}  // namespace cudabook::heat
