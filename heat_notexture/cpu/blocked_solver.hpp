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

/// Returns the size of a core's own cache in bytes; 256 KiB if unknown or less.
long bytes_of_own_cache();

/// Returns the size in bytes of the cache that the first core shares with others; 8 MiB if unknown or less.
long bytes_of_shared_cache();

/// Returns how many cells a grid of BlockedSolver has in memory, at most. Its rows are whole blocks.
inline std::size_t cells_in_blocks(int width, int height) {
    constexpr auto block = static_cast<std::size_t>(largest_block);
    return (static_cast<std::size_t>(width) + block - 1) / block * block * static_cast<std::size_t>(height);
}

/// The tuning of BlockedSolver, which makes no difference to its results.
struct BlockedTuning {
    int threads = 0;                                    ///< 0 means all cores
    const RowKernels* rows = &row_kernels().front();    ///< the SIMD level
    bool scale_small = subnormals_are_slow();           ///< whether to scale temperatures if they allow it
    long cache_bytes = bytes_of_own_cache();            ///< of each thread; its part of a tile should fit in
    long shared_cache_bytes = bytes_of_shared_cache();  ///< shared by neighbouring threads
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

/// The rows of a grid in block order. If the cells of a block are a multiple of 16, each block begins on a
/// cache line.
using RowsInBlocks = std::vector<float, CacheLineAllocator<float>>;

/// The solver of kernel `blocked`. A thread sweeps a tile from its first row to its last, a few rows at a
/// time. After each loading of rows, the rows shifted back by one take their first step, the rows shifted
/// back by two their second step, and so on. So the thread works on few rows at a time, which stay in the
/// cache. The cells around the tile that the steps depend on are computed too, and thrown away.
class BlockedSolver final : public Solver {
  public:
    static constexpr int most_steps = 30;  ///< in one sweep

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
    int blocks_;   ///< in a row
    int across_;   ///< tiles in the grid's width
    int up_;       ///< tiles in the grid's height
    int at_once_;  ///< steps in a sweep, at most
    bool scaled_;  ///< the grids hold the temperatures times `scale`

    RowsInBlocks sources_;
    RowsInBlocks now_;
    RowsInBlocks next_;
    bool past_caches_;  ///< whether a sweep writes its rows past the caches

    std::vector<std::uint8_t> updated_;  ///< see Batch
    std::vector<Span> source_spans_;     ///< of each row, in blocks
    std::vector<Workspace> workspaces_;  ///< of the threads
};

}  // namespace cudabook::heat
