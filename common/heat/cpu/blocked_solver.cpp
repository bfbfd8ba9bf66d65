#include "common/heat/cpu/blocked_solver.hpp"

#include <omp.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "common/heat/demo/draw_cells.hpp"
#include "common/program/fault.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::heat {

namespace {

constexpr int widest_tile = 1024;  // in cells
constexpr int highest_tile = 512;
constexpr std::size_t least_work = 65536;  // cells times steps that are worth the start of a thread
constexpr std::size_t margin = 16;         // cells before and after a row, so that rows begin on a cache line

bool fits_scale(float t) { return t >= 0 && t <= largest_scaled_temperature; }

bool can_scale(const Scene& scene, float speed) {
    return speed >= least_scaled_speed && speed <= largest_scaled_speed &&
           std::ranges::all_of(scene.start, fits_scale) && std::ranges::all_of(scene.sources, fits_scale);
}

/// How many pieces of a length make a whole.
int pieces(int whole, int length) { return whole / length + (whole % length != 0 ? 1 : 0); }

}  // namespace

/// The rows that a thread works on: 2 · steps + 1 that hold the cells between two steps, and one to write
/// to.
struct Blocked::Workspace {
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

    /// For the thread that works there: memory is near to the core that writes it first.
    void clear() { std::fill_n(memory.get(), size, 0.0F); }

    [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(length) + 2 * margin; }

    int length;
    std::size_t size;
    std::unique_ptr<float[]> memory;
    std::vector<float*> rows;
    float* spare;
};

Blocked::Blocked(const Scene& scene, const SolverOptions& options, int threads, const RowKernels& rows)
    : width_(scene.width),
      height_(scene.height),
      speed_(options.speed),
      threads_(threads > 0 ? threads : omp_get_max_threads()),
      rows_(rows),
      scaled_(can_scale(scene, options.speed)),
      sources_(in_scale(scene.sources_or_none())),
      now_(in_scale(scene.start_or_cold())),
      next_(now_) {
    for (int y = 0; y < height_; ++y) source_spans_.push_back(source_span(y));
}

double Blocked::advance(int steps) {
    return wall_ms([&] {
        const int across = pieces(width_, widest_tile);
        const int up =
            std::min(height_, std::max(pieces(height_, highest_tile), pieces(2 * threads_, across)));
        const int at_once = std::clamp(height_ / up / 4, 1, most_steps);
        for (int sweeps = pieces(steps, at_once); sweeps > 0; --sweeps) {
            const int now = pieces(steps, sweeps);
            sweep(now, across, up);
            steps -= now;
        }
    });
}

double Blocked::frame(int steps, Canvas canvas) {
    return advance(steps) + wall_ms([&] { draw_cells(canvas.rgba, now_, scaled_ ? 1 / scale : 1); });
}

std::vector<float> Blocked::temperatures() const {
    std::vector<float> cells = out_of_scale(now_);
    flip_bit_if_asked("blocked", std::span(cells));
    return cells;
}

std::vector<float> Blocked::saved() const { return out_of_scale(saved_); }

void Blocked::read(const Region& region, float* cells) const {
    for_each_cell(region, width_,
                  [&](std::size_t i) { *cells++ = scaled_ ? now_[i] * (1 / scale) : now_[i]; });
}

void Blocked::write(const Region& region, const float* cells) {
    const std::span<const float> all(
        cells, static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height));
    if (scaled_ && !std::ranges::all_of(all, fits_scale)) stop_scaling();
    for_each_cell(region, width_,
                  [&](std::size_t i) { now_[i] = scaled_ ? *cells * scale : *cells, ++cells; });
}

void Blocked::set_sources(const Region& region, const std::vector<float>& sources) {
    if (scaled_ && !std::ranges::all_of(sources, fits_scale)) stop_scaling();
    auto next = sources.begin();
    for_each_cell(region, width_, [&](std::size_t i) {
        sources_[i] = scaled_ ? *next * scale : *next;
        if (*next++ != 0) now_[i] = sources_[i];
    });
    for (int y = region.y; y < region.y + region.height; ++y)
        source_spans_[static_cast<std::size_t>(y)] = source_span(y);
}

std::vector<float> Blocked::in_scale(std::vector<float> cells) const {
    if (scaled_)
        for (float& cell : cells) cell *= scale;
    return cells;
}

std::vector<float> Blocked::out_of_scale(std::vector<float> cells) const {
    if (scaled_)
        for (float& cell : cells) cell *= 1 / scale;
    return cells;
}

void Blocked::stop_scaling() {
    for (std::vector<float>* cells : {&sources_, &now_, &saved_}) *cells = out_of_scale(std::move(*cells));
    scaled_ = false;
}

/// From a row's first source to behind its last.
Blocked::Span Blocked::source_span(int y) const {
    Span span{width_, 0};
    for (int x = 0; x < width_; ++x)
        if (sources_[index(x, y)] != 0) span = {std::min(span.begin, x), x + 1};
    return span;
}

std::size_t Blocked::index(int x, int y) const {
    return static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
}

/// That many steps of the grid, cut into across × up tiles.
void Blocked::sweep(int steps, int across, int up) {
    const int width = pieces(width_, across);
    const int height = pieces(height_, up);
    const int row_length = pieces(width + 2 * steps, row_lanes) * row_lanes;
    const auto worthwhile = now_.size() * static_cast<std::size_t>(steps) / least_work + 1;
    const auto useful = static_cast<std::size_t>(std::min(threads_, across * up));
    const auto threads = static_cast<int>(std::min(useful, worthwhile));
    // Piece number i of a whole; the last ones may be short or empty.
    const auto piece = [](int i, int length, int whole) {
        return Span{std::min(whole, i * length), std::min(whole, (i + 1) * length)};
    };
    std::vector<Workspace> workspaces;  // made here, because no exception may leave a parallel region
    for (int i = 0; i < threads; ++i) workspaces.emplace_back(steps, row_length);
#pragma omp parallel num_threads(threads)
    {
        Workspace& workspace = workspaces[static_cast<std::size_t>(omp_get_thread_num())];
        workspace.clear();
#pragma omp for schedule(dynamic) collapse(2)
        for (int tile_y = 0; tile_y < up; ++tile_y)
            for (int tile_x = 0; tile_x < across; ++tile_x)
                sweep_tile({piece(tile_x, width, width_), piece(tile_y, height, height_)}, steps, workspace);
    }
    std::swap(now_, next_);
}

/// Row y after t steps stands in the workspace's row number y - t (modulo their count). There stood row y - 1
/// after t - 1 steps, which is not needed any more once this one is computed.
void Blocked::sweep_tile(const Tile& tile, int steps, Workspace& workspace) {
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
                const float* bottom = y < height_ - 1 ? workspace.rows[static_cast<std::size_t>(slot)] : row;
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

void Blocked::step_row(float* out, const float* top, const float* row, const float* bottom, int n) const {
    (scaled_ ? rows_.scaled : rows_.plain)(out, top, row, bottom, n, speed_);
}

/// Makes a row ready for its next step: writes its sources, and beyond an edge of the grid repeats the edge's
/// cell.
void Blocked::complete(float* row, int y, const Span& columns, int left) const {
    const Span& sources = source_spans_[static_cast<std::size_t>(y)];
    const int begin = std::max(columns.begin, sources.begin);
    const int end = std::min(columns.end, sources.end);
    if (begin < end) rows_.write_sources(row + begin - left, &sources_[index(begin, y)], end - begin);
    if (columns.begin == 0) row[-left - 1] = row[-left];
    if (columns.end == width_) row[width_ - left] = row[width_ - left - 1];
}

}  // namespace cudabook::heat
