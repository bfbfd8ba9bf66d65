// The memory that a thread of BlockedSolver works in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "heat_notexture/cpu/row_kernels.hpp"

namespace cudabook::heat {

using RowMasks = std::array<BlockMask, batch_rows>;

/// The rows that a thread works on, in a ring buffer of slots. Rows are counted from the next row to be
/// loaded, which is row 0. Row y after t steps is in slot y - t. There it replaces row y - 1 after t - 1
/// steps, which no later row depends on.
class Workspace {
  public:
    static constexpr int slots_for(int steps) { return 2 * steps + batch_rows + 2; }

    /// Allocates the memory for sweeps of `steps` steps over rows of `row_length` cells.
    Workspace(int steps, int row_length)
        : slots_(slots_for(steps)),
          stride_(static_cast<std::size_t>(row_length) + 2 * margin),
          size_(static_cast<std::size_t>(slots_) * stride_ + margin),
          memory_(std::make_unique_for_overwrite<float[]>(size_)),
          small_(static_cast<std::size_t>(steps)) {
        void* begin = memory_.get();
        std::size_t space = size_ * sizeof(float);
        float* const first =
            static_cast<float*>(std::align(64, (size_ - margin) * sizeof(float), begin, space)) + margin;
        for (int i = 0; i < slots_ + batch_rows + 1; ++i)
            rows_.push_back(first + static_cast<std::size_t>(i % slots_) * stride_);
    }

    /// Fills the memory with zeros at the first call. Must be called by the thread that will use the
    /// workspace, because the operating system places memory near the core that first writes to it.
    void clear_once() {
        if (!std::exchange(cleared_, true)) std::fill_n(memory_.get(), size_, 0.0F);
    }

    /// Clears the masks of small cells, so that the first rows of a new tile do not get masks of the previous
    /// tile.
    void begin_tile() { std::ranges::fill(small_, RowMasks{}); }

    [[nodiscard]] float* row(int slot) { return *rows(slot); }
    /// Returns the rows of the batch whose first row is in this slot.
    [[nodiscard]] float* const* rows(int slot) const { return &rows_[place(slot)]; }

    /// Updates the masks of Batch::small for one step. On entry, `small` has the masks of a batch of rows
    /// after `steps` steps. On return, `small` has the masks after `steps` + 1 steps of the rows that are one
    /// row further back. A new mask is the union of the old masks of the row, the row above and the row
    /// below. Two of the old masks are from the previous batch.
    void step_small(int steps, RowMasks& small) {
        const RowMasks before = std::exchange(small_[static_cast<std::size_t>(steps)], small);
        std::array<BlockMask, batch_rows + 2> rows{before[batch_rows - 2], before[batch_rows - 1]};
        std::ranges::copy(small, rows.begin() + 2);
        for (std::size_t i = 0; i < small.size(); ++i) small[i] = rows[i] | rows[i + 1] | rows[i + 2];
    }

    void copy_row(int from, int to) { std::copy_n(row(from), stride_ - 2 * margin, row(to)); }

    void next(int rows) { base_ = (base_ + rows) % slots_; }

  private:
    static constexpr std::size_t margin = 16;  ///< cells before and after a row; rows begin on a cache line

    [[nodiscard]] std::size_t place(int slot) const {
        const int from_base = base_ + slot;
        return static_cast<std::size_t>(from_base < 0        ? from_base + slots_
                                        : from_base < slots_ ? from_base
                                                             : from_base - slots_);
    }

    int slots_;
    std::size_t stride_;
    std::size_t size_;
    std::unique_ptr<float[]> memory_;
    std::vector<float*> rows_;  ///< the row of each slot; the first slots are repeated at the end
    std::vector<RowMasks> small_;
    int base_ = 0;
    bool cleared_ = false;
};

}  // namespace cudabook::heat
