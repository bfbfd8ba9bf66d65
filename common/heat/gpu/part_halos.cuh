// The halos of a part of a grid on a GPU, which are exchanged while the part is heated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/stream.cuh"
#include "common/heat/border.hpp"
#include "common/heat/gpu/device_grid.cuh"
#include "common/workers/gpu/stream_link.cuh"

namespace cudabook::heat {

/// A round is as many steps as a halo is deep, at most. What the neighbours need of it, the part's first and
/// last rows and columns, is computed twice: first in *strips*, small grids of three times the halo's depth,
/// which are sent while the part as a whole does the same steps. A part that is too small for strips
/// exchanges its halos after the steps. Errors: MachineError.
template <class View>
class PartHalos {
  public:
    /// `link` and `grid`, the part's, must outlive it. steps: the depth of the halos.
    PartHalos(StreamLink& link, const Borders& borders, int steps, const DeviceGrid<View>& grid, int device)
        : link_(link), steps_(steps), grid_(grid) {
        const auto width = static_cast<int>(grid.shape().width);
        const auto height = static_cast<int>(grid.shape().height);
        const auto pitch = static_cast<int>(grid.shape().pitch);
        const int depth = 3 * steps;  // a halo, the edge, and what becomes wrong beyond it
        has_strips_ =
            (borders.beside.empty() || width >= 2 * depth) && (borders.above.empty() || height >= 2 * depth);
        for (const Border& border : borders.beside) {
            add(beside_, border, {border.halo.x == 0 ? 0 : width - depth, 0, depth, height});
            if (has_strips_) beside_.back().strip.emplace(depth, height, device);
        }
        for (Border border : borders.above) {
            border.edge.width = border.halo.width = pitch;  // with what stands between two rows
            add(above_, border, {0, border.halo.y == 0 ? 0 : height - depth, pitch, depth});
            if (has_strips_) above_.back().strip.emplace(width, depth, device);
        }
        wait_for_default_stream();
    }

    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] bool in_graphs() const { return link_.in_graphs(); }

    /// All workers call it before the first round, outside a capture: NCCL connects at the first exchange.
    void connect() {
        if (!link_.in_graphs() || std::exchange(connected_, true)) return;
        for (const std::vector<Neighbour>* const sides : {&beside_, &above_}) exchange(copies_, *sides, 0);
        copies_.synchronize();
    }

    void prepare_sources(const Stream& stream) {
        for_each_strip([&](Neighbour& side) {
            copy(stream, {side.strip->sources(), side.strip->shape().pitch},
                 {grid_.sources() + grid_.offset_of(side.around), grid_.shape().pitch}, side.around);
            side.strip->prepare_sources(stream);
        });
    }

    /// Enqueues a round of the part, whose temperatures are in grid number `first`: `steps` steps, which
    /// enqueue_steps() enqueues to the stream, and the exchange. Returns what enqueue_steps() does: the
    /// number of the grid that then holds the temperatures.
    template <class EnqueueSteps>
    std::size_t round(const Heating<View>& heating, const Stream& stream, std::size_t first, int steps,
                      EnqueueSteps enqueue_steps) {
        if (!has_strips_) {
            const std::size_t last = enqueue_steps();
            for (std::vector<Neighbour>* const sides : {&beside_, &above_}) {
                exchange(stream, *sides, last);
                fill_halos(stream, *sides, last);
            }
            return last;
        }
        stream.record(begun_);
        copies_.wait(begun_);
        for_each_strip([&](Neighbour& side) {
            copy(copies_, {side.strip->cells(0), side.strip->shape().pitch}, at(grid_, first, side.around),
                 side.around);
        });
        copies_.record(copied_);
        for_each_strip([&](Neighbour& side) { side.last = side.strip->enqueue(heating, copies_, 0, steps); });
        // The second launch of the part writes temperatures to the grid that is copied. The first may write
        // sources to it, as each strip does for itself.
        if (grid_.launches_of(heating, steps) > 1) stream.wait(copied_);
        const std::size_t last = enqueue_steps();
        exchange(copies_, beside_, last);
        for (const Neighbour& above : above_)
            for (const Neighbour& beside : beside_) fill_corner(above, beside);
        exchange(copies_, above_, last);
        copies_.record(exchanged_);
        stream.wait(exchanged_);
        fill_halos(stream, beside_, last);
        fill_halos(stream, above_, last);
        return last;
    }

  private:
    /// A side of the part with a neighbour, and the messages to it and from it.
    struct Neighbour {
        Border border;
        DeviceArray<float> outgoing;
        DeviceArray<float> incoming;
        Region around;  ///< the strip's place in the part
        std::optional<DeviceGrid<View>> strip;
        std::size_t last;  ///< which of its grids holds its temperatures
    };

    static void add(std::vector<Neighbour>& neighbours, const Border& border, const Region& around) {
        const auto cells =
            static_cast<std::size_t>(border.edge.width) * static_cast<std::size_t>(border.edge.height);
        neighbours.push_back(
            {border, DeviceArray<float>(cells), DeviceArray<float>(cells), around, std::nullopt, 0});
    }

    /// The first cell of a region, and the number of cells from one row to the next.
    struct Cells {
        float* first;
        std::size_t pitch;
    };
    static Cells at(const DeviceGrid<View>& grid, std::size_t which, const Region& region) {
        return {grid.cells(which) + grid.offset_of(region), grid.shape().pitch};
    }
    /// A message's: one row after the other.
    static Cells packed(const DeviceArray<float>& message, const Region& region) {
        return {message.data(), static_cast<std::size_t>(region.width)};
    }
    static void copy(const Stream& stream, Cells to, Cells from, const Region& size) {
        CUDA_CHECK(
            cudaMemcpy2DAsync(to.first, to.pitch * sizeof(float), from.first, from.pitch * sizeof(float),
                              static_cast<std::size_t>(size.width) * sizeof(float),
                              static_cast<std::size_t>(size.height), cudaMemcpyDeviceToDevice, stream.get()));
    }

    template <class Visit>
    void for_each_strip(Visit visit) {
        for (std::vector<Neighbour>* const sides : {&beside_, &above_})
            for (Neighbour& side : *sides)
                if (side.strip) visit(side);
    }

    /// Where the cells that a neighbour needs are, after the steps: in the strip, or in the part's grid
    /// number `last`.
    [[nodiscard]] Cells edge_of(const Neighbour& side, std::size_t last) const {
        Region edge = side.border.edge;
        if (!side.strip) return at(grid_, last, edge);
        edge.x -= side.around.x;
        edge.y -= side.around.y;
        return at(*side.strip, side.last, edge);
    }

    void exchange(const Stream& stream, const std::vector<Neighbour>& sides, std::size_t last) {
        std::vector<DeviceMessage> outgoing;
        std::vector<DeviceMessage> incoming;
        for (const Neighbour& side : sides) {
            const Region& edge = side.border.edge;
            copy(stream, packed(side.outgoing, edge), edge_of(side, last), edge);
            outgoing.push_back({side.border.worker, side.outgoing.data(), side.outgoing.size()});
            incoming.push_back({side.border.worker, side.incoming.data(), side.incoming.size()});
        }
        if (!sides.empty()) link_.exchange(stream, outgoing, incoming);
    }

    /// The rows for the neighbour above or below hold what has come from the one at the left or right.
    void fill_corner(const Neighbour& above, const Neighbour& beside) const {
        const Region& edge = above.border.edge;
        const Region& halo = beside.border.halo;
        const Region corner{halo.x, edge.y, halo.width, edge.height};
        Cells from = packed(beside.incoming, halo);
        from.first += static_cast<std::size_t>(edge.y - halo.y) * from.pitch;
        copy(copies_, at(*above.strip, above.last, {corner.x, edge.y - above.around.y, 0, 0}), from, corner);
    }

    void fill_halos(const Stream& stream, const std::vector<Neighbour>& sides, std::size_t last) const {
        for (const Neighbour& side : sides)
            copy(stream, at(grid_, last, side.border.halo), packed(side.incoming, side.border.halo),
                 side.border.halo);
    }

    StreamLink& link_;
    int steps_;
    const DeviceGrid<View>& grid_;
    bool has_strips_ = false;
    bool connected_ = false;
    std::vector<Neighbour> beside_;
    std::vector<Neighbour> above_;
    Stream copies_{Priority::highest, cudaStreamNonBlocking};  ///< the strips' and the exchange's
    Event begun_;
    Event copied_;
    Event exchanged_;
};

}  // namespace cudabook::heat
