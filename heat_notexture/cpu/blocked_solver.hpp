// `blocked`, the CPU's fast kernel: several steps in one sweep over the grid, on all cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "heat_notexture/cpu/row_kernels.hpp"
#include "heat_notexture/cpu/workspace.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// Returns the size in bytes of a core's L2 cache, or 256 KiB if the size is unknown or smaller.
long bytes_of_own_cache();

/// Returns the size in bytes of the L3 cache of the first core, or 8 MiB if the size is unknown or smaller.
long bytes_of_shared_cache();

/// Returns an upper bound of the number of cells that BlockedSolver stores for a grid. The bound includes the
/// padding of each row to whole blocks.
inline std::size_t cells_in_blocks(int width, int height) {
    constexpr auto block = static_cast<std::size_t>(largest_block);
    return (static_cast<std::size_t>(width) + block - 1) / block * block * static_cast<std::size_t>(height);
}

/// The tuning of BlockedSolver. It does not change the results.
struct BlockedTuning {
    int threads = 0;                                  ///< 0 means all cores
    const RowKernels* rows = &row_kernels().front();  ///< the loops of the SIMD level to use
    bool scale_small = subnormals_are_slow();         ///< whether to use `scale` if row_kernels.hpp allows it
    long cache_bytes = bytes_of_own_cache();          ///< the private cache of each thread; a tile should fit
    long shared_cache_bytes = bytes_of_shared_cache();  ///< the cache that neighbouring threads share
};

/// Allocates memory that begins on a cache line.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t cache_line{64};

    CacheLineAllocator() = default;
    template <class Other>
    explicit CacheLineAllocator(const CacheLineAllocator<Other>&) {}

    T* allocate(std::size_t size) { return static_cast<T*>(::operator new(size * sizeof(T), cache_line)); }
    void deallocate(T* memory, std::size_t) { ::operator delete(memory, cache_line); }
    bool operator==(const CacheLineAllocator&) const { return true; }
};

/// The rows of a grid in block order (see RowKernels). If a block has a multiple of 16 cells, each block
/// begins on a cache line.
using RowsInBlocks = std::vector<float, CacheLineAllocator<float>>;

/// The solver of kernel `blocked`. It uses temporal blocking: a thread sweeps a tile from its first row to
/// its last and does several steps in the sweep, as a wavefront. The thread loads a few rows, then does the
/// first step of the rows one row further back, the second step of the rows two rows further back, and so on.
/// So the thread works on few rows at a time, and these rows stay in the cache. The results of a tile also
/// depend on cells around the tile. The thread computes these cells too, and discards them.
class BlockedSolver final : public Solver {
  public:
    static constexpr int most_steps = 30;  ///< the most steps in one sweep

    BlockedSolver(const Scene& scene, const SolverOptions& options, const BlockedTuning& tuning = {});

    double advance(int steps) override;
    double frame(int steps, Canvas canvas) override;
    [[nodiscard]] std::vector<float> temperatures() const override;
    void read(const Region& region, float* cells) const override;
    void write(const Region& region, const float* cells) override;
    void set_sources(const Region& region, const std::vector<float>& sources) override;

  private:
    struct Span {
        int begin;
        int end;
    };
    struct Tile {
        Span x;
        Span y;
    };

    [[nodiscard]] RowsInBlocks to_blocks(const std::vector<float>& cells) const;
    [[nodiscard]] std::vector<float> from_blocks(const RowsInBlocks& rows) const;
    [[nodiscard]] float to_scale(float t) const { return scaled_ ? t * scale : t; }
    [[nodiscard]] float from_scale(float t) const { return scaled_ ? t * (1 / scale) : t; }
    void stop_scaling();

    void note_sources(int y);
    [[nodiscard]] std::size_t place(int y, int block) const;
    template <class Use>
    void for_each_row(const RowsInBlocks& rows, Use use) const;

    void sweep(int steps);
    void sweep_tile(const Tile& tile, int steps, float least, Workspace& workspace);
    void put_row(float* to, const float* row, int blocks) const;
    [[nodiscard]] float least_safe(int steps) const;
    [[nodiscard]] BlockMask sourced_blocks(const Span& rows, const Span& columns) const;

    int width_;
    int height_;
    float speed_;
    int threads_;
    const RowKernels& rows_;
    int blocks_;   ///< blocks in a row
    int across_;   ///< tiles in the grid's width
    int up_;       ///< tiles in the grid's height
    int at_once_;  ///< the most steps in a sweep
    bool scaled_;  ///< whether the grids hold the temperatures times `scale`

    RowsInBlocks sources_;
    RowsInBlocks now_;
    RowsInBlocks next_;
    bool past_caches_;  ///< whether a sweep writes its rows with non-temporal stores

    std::vector<std::uint8_t> updated_;  ///< the masks of all rows for Batch::updated
    std::vector<Span> source_spans_;     ///< for each row, the span of blocks that has its sources
    std::vector<Workspace> workspaces_;  ///< one for each thread
};

}  // namespace cudabook::heat
