// Where the sources of a grid are, in the forms that the kernels need.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/gpu/grid.cuh"
#include "heat_notexture/gpu/stream_cuts.hpp"
#include "heat_notexture/kernels/mark_sources.cuh"
#include "heat_notexture/kernels/mark_tiles.cuh"
#include "heat_notexture/kernels/write_sources.cuh"

namespace cudabook::heat {

inline constexpr dim3 tile_block{tile_threads_x, tile_height};

/// The marks of a grid's sources. At first the grid has no sources. Errors: CudaError.
class SourceMarks {
  public:
    explicit SourceMarks(const GridShape& shape)
        : shape_(shape),
          tile_has_source_(shape.tiles()),
          tiles_with_sources_(shape.tiles()),
          taken_(std::span<const TakenShares>(std::array<TakenShares, 1>{})),
          tiles_(static_cast<int>(shape.width), static_cast<int>(shape.height),
                 std::vector<unsigned char>(shape.tiles())) {}

    /// Marks the sources, and waits until this is done. with_bits: whether bits() will be used. Returns
    /// whether the set of tiles with sources has changed.
    bool mark(const float* sources, const Stream& stream, bool with_bits) {
        if (with_bits) mark_bits(sources, stream);
        launch<mark_tiles_kernel>(shape_.tiles(), tile_block, stream, sources, tile_has_source_.data(),
                                  shape_.width, shape_.height, shape_.pitch);
        std::vector<unsigned char> flags(tile_has_source_.size());
        CUDA_CHECK(cudaMemcpyAsync(flags.data(), tile_has_source_.data(), flags.size(),
                                   cudaMemcpyDeviceToHost, stream.get()));
        stream.synchronize();
        std::vector<unsigned> with_sources;
        for (unsigned tile = 0; tile < flags.size(); ++tile)
            if (flags[tile] != 0) with_sources.push_back(tile);
        if (!tiles_.set(std::move(flags))) return false;
        count_ = static_cast<unsigned>(with_sources.size());
        CUDA_CHECK(cudaMemcpyAsync(tiles_with_sources_.data(), with_sources.data(), count_ * sizeof(unsigned),
                                   cudaMemcpyHostToDevice, stream.get()));
        stream.synchronize();
        return true;
    }

    /// Enqueues a kernel that writes the sources' temperatures into `cells`.
    void write(const float* sources, float* cells, const Stream& stream) const {
        if (count_ > 0)
            launch<write_sources_kernel>(count_, tile_block, stream, cells, sources,
                                         tiles_with_sources_.data(), shape_.width, shape_.height,
                                         shape_.pitch);
    }

    [[nodiscard]] const bool* tile_has_source() const { return tile_has_source_.data(); }
    /// Returns the bit grid that mark_sources_kernel() makes.
    [[nodiscard]] const unsigned* bits() const { return bits_.data(); }
    /// Returns the counters for the launches of streamed_kernel(), which must run one after the other.
    [[nodiscard]] TakenShares* taken() const { return taken_.data(); }
    [[nodiscard]] SourceTiles& tiles() { return tiles_; }

  private:
    void mark_bits(const float* sources, const Stream& stream) {
        const auto words = static_cast<std::size_t>(source_words(static_cast<int>(shape_.width)));
        if (bits_.size() == 0) bits_ = DeviceArray<unsigned>(words * shape_.height);
        launch<mark_sources_kernel>(shape_.height, tile_block, stream, sources, bits_.data(), shape_.width,
                                    shape_.pitch);
    }

    GridShape shape_;
    DeviceArray<bool> tile_has_source_;
    DeviceArray<unsigned> tiles_with_sources_;  ///< the numbers of `count_` tiles
    unsigned count_ = 0;
    DeviceArray<unsigned> bits_;
    DeviceArray<TakenShares> taken_;
    SourceTiles tiles_;
};

}  // namespace cudabook::heat
