#include "heat_notexture/cpu/blocked_solver.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "common/program/fault.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::heat {

namespace {

constexpr int highest_tile = 2048;
constexpr std::size_t least_work = 65536;  // cells times steps that are worth the start of a thread

bool fits_scale(float t) { return t >= 0 && t <= largest_scaled_temperature; }

bool can_scale(const Scene& scene, float speed) {
    return speed >= least_scaled_speed && speed <= largest_scaled_speed &&
           std::ranges::all_of(scene.start, fits_scale) && std::ranges::all_of(scene.sources, fits_scale);
}

/// Returns how many pieces of this length make up a whole.
int pieces(int whole, int length) { return whole / length + (whole % length != 0 ? 1 : 0); }

}  // namespace

long bytes_of_own_cache() {
    constexpr long least = 1L << 18U;
#ifdef _SC_LEVEL2_CACHE_SIZE
    return std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), least);
#else
    return least;
#endif
}

long bytes_of_shared_cache() {
    // Not from sysconf(): on an AMD processor, glibc 2.36 returns the sum of these caches.
    std::ifstream size("/sys/devices/system/cpu/cpu0/cache/index3/size");
    long kibibytes = 0;
    size >> kibibytes;
    return std::max(kibibytes << 10U, 1L << 23U);
}

BlockedSolver::BlockedSolver(const Scene& scene, const SolverOptions& options, const BlockedTuning& tuning)
    : width_(scene.width),
      height_(scene.height),
      speed_(options.speed),
      threads_(tuning.threads > 0 ? tuning.threads : omp_get_max_threads()),
      rows_(*tuning.rows),
      blocks_(pieces(width_, rows_.block())),
      scaled_(tuning.scale_small && can_scale(scene, options.speed)),
      sources_(to_blocks(scene.sources_or_none())),
      now_(to_blocks(scene.start_or_cold())),
      next_(now_),
      // Cells that are read again before they leave the caches are better kept there.
      past_caches_(2 * now_.size() * sizeof(float) > static_cast<std::size_t>(tuning.shared_cache_bytes / 2)),
      updated_(sources_.size() / 8),
      source_spans_(static_cast<std::size_t>(height_)) {
#pragma omp parallel for num_threads(threads_) if (sources_.size() > least_work)
    for (int y = 0; y < height_; ++y) note_sources(y);
    // The workspace's rows, each a tile plus a block on either side, should fill 5/8 of the cache.
    const long bytes_of_blocks = long{Workspace::slots_for(most_steps)} * rows_.block() * long{sizeof(float)};
    const auto widest =
        static_cast<int>(std::clamp(tuning.cache_bytes * 5 / 8 / bytes_of_blocks, 4L, long{most_blocks}) - 2);
    across_ = pieces(blocks_, widest);
    up_ = std::min(height_, std::max(pieces(height_, highest_tile), pieces(threads_, across_)));
    // Reading and writing a tile costs as much as 2.7 of its steps, and each further step makes the tile a
    // row higher.
    const auto best = static_cast<int>(std::sqrt(2.7 * height_ / up_));
    at_once_ = std::clamp(best, 1, std::min(most_steps, rows_.block()));
    const int row_length = (pieces(blocks_, across_) + 2) * rows_.block();
    const auto worthwhile = now_.size() * static_cast<std::size_t>(at_once_) / least_work + 1;
    const auto useful = static_cast<std::size_t>(std::min(threads_, across_ * up_));
    for (std::size_t i = 0; i < std::min(useful, worthwhile); ++i)
        workspaces_.emplace_back(at_once_, row_length);
}

double BlockedSolver::advance(int steps) {
    return wall_ms([&] {
        for (int sweeps = pieces(steps, at_once_); sweeps > 0; --sweeps) {
            const int now = pieces(steps, sweeps);
            sweep(now);
            steps -= now;
        }
    });
}

double BlockedSolver::frame(int steps, Canvas canvas) {
    return advance(steps) + wall_ms([&] {
               for_each_row(now_, [&](int y, const float* cells) {
                   const auto row = static_cast<std::size_t>(width_);
                   rows_.draw(canvas.rgba + 4 * static_cast<std::size_t>(y) * row, cells, row);
               });
           });
}

std::vector<float> BlockedSolver::temperatures() const {
    std::vector<float> cells = from_blocks(now_);
    flip_bit_if_asked("blocked", std::span(cells));
    return cells;
}

void BlockedSolver::read(const Region& region, float* cells) const {
    const int skipped = region.x % rows_.block();
    std::vector<float> row(static_cast<std::size_t>(skipped + region.width));
    for (int y = region.y; y < region.y + region.height; ++y) {
        rows_.from_blocks(row.data(), &now_[place(y, region.x / rows_.block())], skipped + region.width);
        cells = std::transform(row.begin() + skipped, row.end(), cells,
                               [this](float t) { return from_scale(t); });
    }
}

void BlockedSolver::write(const Region& region, const float* cells) {
    const std::span<const float> all(
        cells, static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height));
    if (scaled_ && !std::ranges::all_of(all, fits_scale)) stop_scaling();
    const int skipped = region.x % rows_.block();
    const int length = pieces(skipped + region.width, rows_.block()) * rows_.block();
    std::vector<float> row(static_cast<std::size_t>(length));
    for (int y = region.y; y < region.y + region.height; ++y) {
        float* const blocks = &now_[place(y, region.x / rows_.block())];
        rows_.from_blocks(row.data(), blocks, length);
        std::transform(cells, cells + region.width, row.begin() + skipped,
                       [this](float t) { return to_scale(t); });
        cells += region.width;
        rows_.to_blocks(blocks, row.data(), length);
    }
}

void BlockedSolver::set_sources(const Region& region, const std::vector<float>& sources) {
    if (scaled_ && !std::ranges::all_of(sources, fits_scale)) stop_scaling();
    auto next = sources.begin();
    for (int y = region.y; y < region.y + region.height; ++y) {
        for (int x = region.x; x < region.x + region.width; ++x) {
            const std::size_t i = place(y, 0) + static_cast<std::size_t>(rows_.at(x));
            sources_[i] = to_scale(*next);
            if (*next++ != 0) now_[i] = sources_[i];
        }
        note_sources(y);
    }
}

RowsInBlocks BlockedSolver::to_blocks(const std::vector<float>& cells) const {
    RowsInBlocks rows(place(height_, 0));
#pragma omp parallel for num_threads(threads_) if (rows.size() > least_work)
    for (int y = 0; y < height_; ++y) {
        float* to = &rows[place(y, 0)];
        rows_.to_blocks(to, &cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_)], width_);
        std::transform(to, to + place(1, 0), to, [this](float t) { return to_scale(t); });
    }
    return rows;
}

std::vector<float> BlockedSolver::from_blocks(const RowsInBlocks& rows) const {
    std::vector<float> grid(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    for_each_row(rows, [&](int y, const float* cells) {
        std::copy_n(cells, width_, &grid[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_)]);
    });
    return grid;
}

/// Calls use(y, cells) for each row, on all cores. `cells` has the row's temperatures in order of x.
template <class Use>
void BlockedSolver::for_each_row(const RowsInBlocks& rows, Use use) const {
    const std::size_t length = place(1, 0);
    std::vector<float> buffers(length * static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) if (rows.size() > least_work)
    for (int y = 0; y < height_; ++y) {
        float* cells = &buffers[length * static_cast<std::size_t>(omp_get_thread_num())];
        rows_.from_blocks(cells, &rows[place(y, 0)], width_);
        std::transform(cells, cells + width_, cells, [this](float t) { return from_scale(t); });
        use(y, cells);
    }
}

void BlockedSolver::stop_scaling() {
    for (RowsInBlocks* cells : {&sources_, &now_})
        for (float& cell : *cells) cell = from_scale(cell);
    scaled_ = false;
}

/// Updates updated_ and source_spans_ for row y. The span of a row goes from the block of its first source up
/// to the block after its last source.
void BlockedSolver::note_sources(int y) {
    Span span{blocks_, 0};
    for (int i = 0; i < blocks_; ++i) {
        const std::size_t begin = place(y, i);
        const std::size_t end = place(y, i + 1);
        std::fill_n(&updated_[begin / 8], (end - begin) / 8, std::uint8_t{0xFF});
        for (std::size_t cell = begin; cell < end; ++cell) {
            if (sources_[cell] == 0) continue;
            updated_[cell / 8] &= static_cast<std::uint8_t>(~(1U << cell % 8));
            span = {std::min(span.begin, i), i + 1};
        }
    }
    source_spans_[static_cast<std::size_t>(y)] = span;
}

/// Returns the place where a block of row y begins.
std::size_t BlockedSolver::place(int y, int block) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(blocks_) +
            static_cast<std::size_t>(block)) *
           static_cast<std::size_t>(rows_.block());
}

/// Does `steps` steps, at most at_once_, in one sweep.
void BlockedSolver::sweep(int steps) {
    const int width = pieces(blocks_, across_);
    const int height = pieces(height_, up_);
    const float least = least_safe(steps);
    // Returns piece number i of a whole; the last pieces may be short or empty.
    const auto piece = [](int i, int length, int whole) {
        return Span{std::min(whole, i * length), std::min(whole, (i + 1) * length)};
    };
#pragma omp parallel num_threads(static_cast <int>(workspaces_.size()))
    {
        Workspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
        workspace.clear_once();
#pragma omp for schedule(dynamic) collapse(2)
        for (int tile_y = 0; tile_y < up_; ++tile_y)
            for (int tile_x = 0; tile_x < across_; ++tile_x)
                sweep_tile({piece(tile_x, width, blocks_), piece(tile_y, height, height_)}, steps, least,
                           workspace);
    }
    std::swap(now_, next_);
}

/// A batch is computed as a whole if some of its rows are needed. Its other rows, and the cells that the tile
/// no longer needs, are computed from arbitrary values, and no needed cell depends on them.
void BlockedSolver::sweep_tile(const Tile& tile, int steps, float least, Workspace& workspace) {
    if (tile.x.begin == tile.x.end || tile.y.begin == tile.y.end) return;
    workspace.begin_tile();
    const Span columns{std::max(0, tile.x.begin - 1), std::min(blocks_, tile.x.end + 1)};
    const auto rows_after = [&](int t) {
        return Span{std::max(0, tile.y.begin - (steps - t)), std::min(height_, tile.y.end + (steps - t))};
    };
    const Span loaded = rows_after(0);
    const int width = width_ - columns.begin * rows_.block();  // up to the grid's edge
    const std::ptrdiff_t last = rows_.at(width - 1);
    const std::ptrdiff_t behind = rows_.at(width);
    const bool at_left = columns.begin == 0;
    const bool at_right = columns.end == blocks_;
    // Makes a row ready for its next step: repeats its cells beyond the edges of the grid.
    const auto complete = [&](float* cells, int y, int slot) {
        if (at_left) cells[-1] = cells[0];
        if (at_right) cells[behind] = cells[last];
        if (y == 0) workspace.copy_row(slot, slot - 1);
        if (y == height_ - 1) workspace.copy_row(slot, slot + 1);
    };
    const std::ptrdiff_t tile_begin = std::ptrdiff_t{tile.x.begin - columns.begin} * rows_.block();
    Batch batch{};
    batch.blocks = columns.end - columns.begin;
    batch.speed = speed_;
    for (int front = loaded.begin; front - steps < tile.y.end; front += batch_rows) {
        RowMasks small{};
        for (int y = front; y < std::min(front + batch_rows, loaded.end); ++y) {
            const std::size_t from = place(y, columns.begin);
            small[static_cast<std::size_t>(y - front)] =
                rows_.load(workspace.row(y - front), &now_[from], &sources_[from],
                           sourced_blocks({y, y + 1}, columns), batch.blocks, least, steps);
            complete(workspace.row(y - front), y, y - front);
        }
        for (int t = 1; t <= steps; ++t) {
            workspace.step_small(t - 1, small);
            const Span valid = rows_after(t);
            const int first = front - t;
            const Span now{std::max(first, valid.begin), std::min(first + batch_rows, valid.end)};
            if (now.begin >= now.end) continue;
            const int slot = -2 * t;  // the slot of the first row
            std::copy_n(workspace.rows(slot), batch_rows + 2, batch.rows);
            batch.small = std::reduce(small.begin(), small.end(), BlockMask{0}, std::bit_or{});
            // Sources are written before a step, so the last step changes the cells of sources too.
            batch.sourced = t < steps ? sourced_blocks(now, columns) : 0;
            if (batch.sourced != 0)
                for (int i = 0; i < batch_rows; ++i)
                    batch.updated[i] =
                        &updated_[place(std::clamp(first + i, now.begin, now.end - 1), columns.begin) / 8];
            rows_.step(batch);
            for (int y = now.begin; y < now.end; ++y) {
                if (t < steps)
                    complete(batch.rows[y - first], y, slot + y - first);
                else
                    put_row(&next_[place(y, tile.x.begin)], batch.rows[y - first] + tile_begin,
                            tile.x.end - tile.x.begin);
            }
        }
        workspace.next(batch_rows);
    }
    if (past_caches_) std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Copies a row of a swept tile into the next grid.
void BlockedSolver::put_row(float* to, const float* row, int blocks) const {
    if (past_caches_)
        rows_.store_past_caches(to, row, blocks);
    else
        std::copy_n(row, std::ptrdiff_t{blocks} * rows_.block(), to);
}

/// Returns a limit: if every positive cell is at least this limit, no result in `steps` steps is subnormal
/// and needs extra rounding. A positive cell keeps at least the share 1 - 4 · speed in a step, because
/// rounding is monotonic. If this share or the cell is 0, the new value is `speed` times the sum of the
/// neighbours. Rounding makes this product 0, or takes at most a third of it, hence the factor 1/2.
float BlockedSolver::least_safe(int steps) const {
    if (!scaled_) return std::numeric_limits<float>::denorm_min();
    const float left = 1 - 4 * speed_;
    const float least_share = (left > 0 ? std::min(left, speed_) : speed_) / 2;
    return least_normal * std::pow(least_share, static_cast<float>(-steps));
}

/// Returns the blocks of `columns` from the first source of these rows to the last.
BlockMask BlockedSolver::sourced_blocks(const Span& rows, const Span& columns) const {
    Span sourced{columns.end, columns.begin};
    for (int y = rows.begin; y < rows.end; ++y) {
        const Span& row = source_spans_[static_cast<std::size_t>(y)];
        sourced = {std::min(sourced.begin, row.begin), std::max(sourced.end, row.end)};
    }
    const int begin = std::max(sourced.begin - columns.begin, 0);
    const int end = std::min(sourced.end - columns.begin, columns.end - columns.begin);
    if (begin >= end) return 0;
    return ~BlockMask{} >> (most_blocks - (end - begin)) << begin;
}

}  // namespace cudabook::heat
