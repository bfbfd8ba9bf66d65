// `blocked`, the CPU's fast kernel: several steps in one sweep over the grid, on all cores.
#pragma once

#include <cstddef>
#include <vector>

#include "common/heat/cpu/row_kernels.hpp"
#include "common/heat/solver.hpp"

namespace cudabook::heat {

/// A thread sweeps a tile from its first row to its last. Behind the row it loads, row y - 1 takes its first
/// step, row y - 2 its second, and so on, so that it works on a few rows only, which stay in the cache. The
/// cells around the tile that the steps depend on are computed too, and thrown away.
class Blocked final : public Solver {
  public:
    /// Of one sweep: a thread's rows shall stay in its cache of 256 KiB or more.
    static constexpr int most_steps = 18;

    /// threads: 0 is all cores. rows: the SIMD level.
    Blocked(const Scene& scene, const SolverOptions& options, int threads = 0,
            const RowKernels& rows = row_kernels().front());

    double advance(int steps) override;
    double frame(int steps, Canvas canvas) override;
    [[nodiscard]] std::vector<float> temperatures() const override;
    void read(const Region& region, float* cells) const override;
    void write(const Region& region, const float* cells) override;
    void set_sources(const Region& region, const std::vector<float>& sources) override;
    void save() override { saved_ = now_; }
    [[nodiscard]] std::vector<float> saved() const override;

  private:
    struct Span {
        int begin;
        int end;
    };
    struct Tile {
        Span x;
        Span y;
    };
    struct Workspace;

    [[nodiscard]] std::vector<float> in_scale(std::vector<float> cells) const;
    [[nodiscard]] std::vector<float> out_of_scale(std::vector<float> cells) const;
    void stop_scaling();

    [[nodiscard]] Span source_span(int y) const;
    [[nodiscard]] std::size_t index(int x, int y) const;

    void sweep(int steps, int across, int up);
    void sweep_tile(const Tile& tile, int steps, Workspace& workspace);
    void step_row(float* out, const float* top, const float* row, const float* bottom, int n) const;
    void complete(float* row, int y, const Span& columns, int left) const;

    int width_;
    int height_;
    float speed_;
    int threads_;
    const RowKernels& rows_;
    bool scaled_;  ///< the grids hold the temperatures times `scale`
    std::vector<float> sources_;
    std::vector<Span> source_spans_;  ///< of each row
    std::vector<float> now_;
    std::vector<float> next_;
    std::vector<float> saved_;
};

}  // namespace cudabook::heat
