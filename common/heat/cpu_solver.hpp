// The heat rooms on the CPU: `reference`, the oracle, and `blocked`, the fast one.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/heat/row_kernels.hpp"
#include "common/heat/solver.hpp"
#include "common/numbers/colour_map.hpp"
#include "common/program/fault.hpp"

namespace cudabook::heat {

namespace detail {

/// Draws cells (row-major, times `factor` to be temperatures) on all cores.
inline void draw(unsigned char* rgba, const std::vector<float>& cells, float factor) {
    const auto count = static_cast<std::ptrdiff_t>(cells.size());
#pragma omp parallel for
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const Rgba colour = colour_of(cells[static_cast<std::size_t>(i)] * factor);
        std::memcpy(rgba + 4 * i, &colour, sizeof colour);
    }
}

/// Calls visit(i) with the number of each cell of a region.
template <class Visit>
void for_each_cell(const Region& region, int width, Visit visit) {
    for (int y = region.y; y < region.y + region.height; ++y)
        for (int x = region.x; x < region.x + region.width; ++x)
            visit(static_cast<std::size_t>(x) +
                  static_cast<std::size_t>(y) * static_cast<std::size_t>(width));
}

}  // namespace detail

/// Plain serial loops over the grid, a step at a time.
class Reference final : public Solver {
  public:
    Reference(const Scene& scene, const SolverOptions& options)
        : width_(scene.width),
          height_(scene.height),
          speed_(options.speed),
          sources_(scene.sources),
          now_(scene.start),
          next_(scene.start) {}

    double advance(int steps) override {
        return wall_ms([&] {
            for (int i = 0; i < steps; ++i) {
                row_kernels().front().reference(next_.data(), now_.data(), sources_.data(), width_, height_,
                                                speed_);
                std::swap(now_, next_);
            }
        });
    }

    double frame(int steps, Canvas canvas) override {
        return advance(steps) + wall_ms([&] { detail::draw(canvas.rgba, now_, 1); });
    }

    [[nodiscard]] std::vector<float> temperatures() const override {
        std::vector<float> cells = now_;
        flip_bit_if_asked("reference", std::span(cells));
        return cells;
    }

    void set_sources(const std::vector<float>& sources, const Region& changed) override {
        detail::for_each_cell(changed, width_, [&](std::size_t i) {
            sources_[i] = sources[i];
            if (sources[i] != 0) now_[i] = sources[i];
        });
    }

    void save() override { saved_ = now_; }
    [[nodiscard]] std::vector<float> saved() const override { return saved_; }

  private:
    int width_;
    int height_;
    float speed_;
    std::vector<float> sources_;
    std::vector<float> now_;
    std::vector<float> next_;
    std::vector<float> saved_;
};

/// Several steps in one sweep over the grid. A thread sweeps a tile from its first row to its last; behind
/// the row it loads, row y - 1 takes its first step, row y - 2 its second, and so on, so that all it works on
/// are a few rows in the cache. The cells around the tile on which the steps depend are computed too, and
/// thrown away.
class Blocked final : public Solver {
  public:
    /// threads: 0 is all cores. rows: the SIMD level.
    Blocked(const Scene& scene, const SolverOptions& options, int threads = 0,
            const RowKernels& rows = row_kernels().front())
        : width_(scene.width),
          height_(scene.height),
          speed_(options.speed),
          threads_(threads > 0 ? threads : omp_get_max_threads()),
          rows_(rows),
          scaled_(can_scale(scene, options.speed)),
          sources_(in_scale(scene.sources)),
          now_(in_scale(scene.start)),
          next_(now_) {
        for (int y = 0; y < height_; ++y) source_spans_.push_back(source_span(y));
    }

    double advance(int steps) override {
        return wall_ms([&] {
            const int across = tiles(width_, widest_tile);
            const int up =
                std::min(height_, std::max(tiles(height_, highest_tile), tiles(2 * threads_, across)));
            const int at_once = std::clamp(height_ / up / 4, 1, most_steps);
            for (int sweeps = tiles(steps, at_once); sweeps > 0; --sweeps) {
                const int now = tiles(steps, sweeps);
                sweep(now, across, up);
                steps -= now;
            }
        });
    }

    double frame(int steps, Canvas canvas) override {
        return advance(steps) + wall_ms([&] { detail::draw(canvas.rgba, now_, scaled_ ? 1 / scale : 1); });
    }

    [[nodiscard]] std::vector<float> temperatures() const override {
        std::vector<float> cells = out_of_scale(now_);
        flip_bit_if_asked("blocked", std::span(cells));
        return cells;
    }

    void set_sources(const std::vector<float>& sources, const Region& changed) override {
        detail::for_each_cell(changed, width_, [&](std::size_t i) {
            if (scaled_ && !fits_scale(sources[i])) stop_scaling();
        });
        detail::for_each_cell(changed, width_, [&](std::size_t i) {
            sources_[i] = scaled_ ? sources[i] * scale : sources[i];
            if (sources[i] != 0) now_[i] = sources_[i];
        });
        for (int y = changed.y; y < changed.y + changed.height; ++y)
            source_spans_[static_cast<std::size_t>(y)] = source_span(y);
    }

    void save() override { saved_ = now_; }
    [[nodiscard]] std::vector<float> saved() const override { return out_of_scale(saved_); }

  private:
    static constexpr int most_steps =
        18;  ///< in one sweep: a thread's rows shall stay in its cache of 256 KiB or more
    static constexpr int widest_tile = 1024;  ///< in cells
    static constexpr int highest_tile = 512;
    static constexpr std::size_t least_work = 65536;  ///< cells' steps that are worth a thread's start
    static constexpr std::size_t margin =
        16;  ///< cells before and after a row, so that rows begin on a cache line

    struct Span {
        int begin;
        int end;
    };
    struct Tile {
        Span x;
        Span y;
    };

    /// The rows that a thread works on: 2 · steps + 1 that hold the cells between two steps, and one to write
    /// to.
    struct Workspace {
        Workspace(int steps, int row_length)
            : length(row_length),
              size((2 * static_cast<std::size_t>(steps) + 2) * stride() + margin),
              memory(std::make_unique_for_overwrite<float[]>(size)) {
            void* begin = memory.get();
            std::size_t space = size * sizeof(float);
            auto* first = static_cast<float*>(std::align(64, stride() * sizeof(float), begin, space));
            for (int i = 0; i <= 2 * steps; ++i)
                rows.push_back(first + static_cast<std::size_t>(i) * stride() + margin);
            spare = first + (2 * static_cast<std::size_t>(steps) + 1) * stride() + margin;
        }

        /// For the thread that works there: memory is near to who writes it first.
        void clear() { std::fill_n(memory.get(), size, 0.0F); }

        [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(length) + 2 * margin; }

        int length;
        std::size_t size;
        std::unique_ptr<float[]> memory;
        std::vector<float*> rows;
        float* spare;
    };

    static bool can_scale(const Scene& scene, float speed) {
        return speed >= least_scaled_speed && speed <= largest_scaled_speed &&
               std::ranges::all_of(scene.start, fits_scale) && std::ranges::all_of(scene.sources, fits_scale);
    }

    static bool fits_scale(float t) { return t >= 0 && t <= largest_scaled_temperature; }

    [[nodiscard]] std::vector<float> in_scale(std::vector<float> cells) const {
        if (scaled_)
            for (float& cell : cells) cell *= scale;
        return cells;
    }

    [[nodiscard]] std::vector<float> out_of_scale(std::vector<float> cells) const {
        if (scaled_)
            for (float& cell : cells) cell *= 1 / scale;
        return cells;
    }

    void stop_scaling() {
        for (std::vector<float>* cells : {&sources_, &now_, &saved_})
            *cells = out_of_scale(std::move(*cells));
        scaled_ = false;
    }

    /// From a row's first source to behind its last.
    [[nodiscard]] Span source_span(int y) const {
        Span span{width_, 0};
        for (int x = 0; x < width_; ++x)
            if (sources_[index(x, y)] != 0) span = {std::min(span.begin, x), x + 1};
        return span;
    }

    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    }

    /// Piece number i of a whole; the last ones may be short or empty.
    static Span part(int i, int length, int whole) {
        return {std::min(whole, i * length), std::min(whole, (i + 1) * length)};
    }

    /// How many pieces of a length make a whole.
    static int tiles(int whole, int length) { return whole / length + (whole % length != 0 ? 1 : 0); }

    /// So many steps of the grid, cut into across × up tiles.
    void sweep(int steps, int across, int up) {
        const int width = tiles(width_, across);
        const int height = tiles(height_, up);
        const int row_length = tiles(width + 2 * steps, detail::lanes) * detail::lanes;
        const auto worthwhile = now_.size() * static_cast<std::size_t>(steps) / least_work + 1;
        const auto useful = static_cast<std::size_t>(std::min(threads_, across * up));
        const auto threads = static_cast<int>(std::min(useful, worthwhile));
        std::vector<Workspace> workspaces;  // from here, because no exception may leave a parallel region
        for (int i = 0; i < threads; ++i) workspaces.emplace_back(steps, row_length);
#pragma omp parallel num_threads(threads)
        {
            Workspace& workspace = workspaces[static_cast<std::size_t>(omp_get_thread_num())];
            workspace.clear();
#pragma omp for schedule(dynamic) collapse(2)
            for (int tile_y = 0; tile_y < up; ++tile_y)
                for (int tile_x = 0; tile_x < across; ++tile_x)
                    sweep_tile({part(tile_x, width, width_), part(tile_y, height, height_)}, steps,
                               workspace);
        }
        std::swap(now_, next_);
    }

    /// Row y after t steps stands in the workspace's row number y - t (modulo their count): where row y - 1
    /// after t - 1 steps stood, which nobody needs any more once this one is computed.
    void sweep_tile(const Tile& tile, int steps, Workspace& workspace) {
        const int left = tile.x.begin - steps;  // the column of the workspace's first cell
        const Span columns{std::max(0, left), std::min(width_, tile.x.end + steps)};
        const auto rows_after = [&](int t) {
            return Span{std::max(0, tile.y.begin - (steps - t)), std::min(height_, tile.y.end + (steps - t))};
        };
        const auto slots = static_cast<int>(workspace.rows.size());
        const auto before = [slots](int slot) { return slot > 0 ? slot - 1 : slots - 1; };

        const Span loaded = rows_after(0);
        int loading_slot = 0;
        for (int front = loaded.begin; front < tile.y.end + steps; ++front) {
            if (front < loaded.end) {
                float* row = workspace.rows[static_cast<std::size_t>(loading_slot)];
                std::copy_n(&now_[index(columns.begin, front)], columns.end - columns.begin,
                            row + columns.begin - left);
                complete(row, front, columns, left);
            }
            int slot = loading_slot;  // of row y + 1 after t - 1 steps
            for (int t = 1; t <= std::min(steps, front - loaded.begin); ++t) {
                const int y = front - t;
                const int row_slot = before(slot);
                const int top_slot = before(row_slot);
                const Span valid = rows_after(t);
                if (y >= valid.begin && y < valid.end) {
                    const float* row = workspace.rows[static_cast<std::size_t>(row_slot)];
                    float*& top_row = workspace.rows[static_cast<std::size_t>(top_slot)];
                    const float* top = y > 0 ? top_row : row;
                    const float* bottom =
                        y < height_ - 1 ? workspace.rows[static_cast<std::size_t>(slot)] : row;
                    step_row(workspace.spare, top, row, bottom, workspace.length);
                    if (t < steps) {
                        complete(workspace.spare, y, columns, left);
                        std::swap(top_row, workspace.spare);
                    } else {
                        std::copy_n(workspace.spare + tile.x.begin - left, tile.x.end - tile.x.begin,
                                    &next_[index(tile.x.begin, y)]);
                    }
                }
                slot = top_slot;
            }
            loading_slot = loading_slot + 1 < slots ? loading_slot + 1 : 0;
        }
    }

    void step_row(float* out, const float* top, const float* row, const float* bottom, int n) const {
        (scaled_ ? rows_.scaled : rows_.plain)(out, top, row, bottom, n, speed_);
    }

    /// Makes a row ready for its next step: its sources, and beside an edge of the grid the edge's cell once
    /// more.
    void complete(float* row, int y, const Span& columns, int left) const {
        const Span& sources = source_spans_[static_cast<std::size_t>(y)];
        const int begin = std::max(columns.begin, sources.begin);
        const int end = std::min(columns.end, sources.end);
        if (begin < end) rows_.write_sources(row + begin - left, &sources_[index(begin, y)], end - begin);
        if (columns.begin == 0) row[-left - 1] = row[-left];
        if (columns.end == width_) row[width_ - left] = row[width_ - left - 1];
    }

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

/// The CPU's rows of both rooms' tables.
inline std::vector<Kernel> cpu_kernels() {
    return {{"reference", "host", "plain serial loops, the oracle", DeviceKind::cpu,
             [](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                 return std::make_unique<Reference>(scene, options);
             }},
            {"blocked", "host", "all cores, SIMD, several steps in one sweep", DeviceKind::cpu,
             [](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                 return std::make_unique<Blocked>(scene, options);
             }}};
}

}  // namespace cudabook::heat
