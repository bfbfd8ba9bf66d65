// The halos of a part of a grid on a GPU, which are exchanged while the part is heated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "heat_notexture/border.hpp"
#include "heat_notexture/gpu/device_grid.cuh"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/kernels/copy_regions.cuh"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"

namespace cudabook::heat {

/// Exchanges the halos of a part. A round is at most as many steps as a halo is deep. After each round, the
/// neighbours need the results in the part's first and last rows and columns. A *strip* is a small grid at a
/// side of the part, at least three times as wide as a halo is deep. With strips, the needed results are
/// computed twice: first in the strips, and again in the whole part. The strips' results are sent while the
/// whole part does its steps. Without strips, the halos are exchanged after the steps. Errors: MachineError.
template <class View>
class PartHalos {
  public:
    /// `link` and `grid`, the part's grid, must outlive the PartHalos. steps: the depth of the halos.
    /// with_strips: whether there are strips, if the part is large enough.
    PartHalos(StreamLink& link, const Borders& borders, int steps, bool with_strips,
              const DeviceGrid<View>& grid, int device)
        : link_(link), steps_(steps), grid_(grid) {
        const auto width = static_cast<int>(grid.shape().width);
        const auto height = static_cast<int>(grid.shape().height);
        const auto pitch = static_cast<int>(grid.shape().pitch);
        // A strip has the halo, the edge, and the cells beyond the edge that become wrong. Its height is a
        // multiple of a warp's rows, and its width is at least that of a tile in registers.
        const int rows = (3 * steps + register_rows - 1) / register_rows * register_rows;
        const int columns = std::max(register_halo(3 * steps), register_columns);
        has_strips_ = with_strips && (borders.beside.empty() || width >= 2 * columns) &&
                      (borders.above_and_below.empty() || height >= 2 * rows);
        for (const Border& border : borders.beside) {
            add(beside_, border, {border.halo.x == 0 ? 0 : width - columns, 0, columns, height});
            if (has_strips_) beside_.back().strip.emplace(columns, height, device);
        }
        for (Border border : borders.above_and_below) {
            border.edge.width = border.halo.width = pitch;  // with the padding of the rows
            add(above_, border, {0, border.halo.y == 0 ? 0 : height - rows, pitch, rows});
            if (has_strips_) above_.back().strip.emplace(width, rows, device);
        }
        wait_for_default_stream();
    }

    [[nodiscard]] int steps() const { return steps_; }
    [[nodiscard]] bool has_strips() const { return has_strips_; }
    [[nodiscard]] bool in_graphs() const { return link_.in_graphs(); }

    /// Does one exchange, because NCCL connects the GPUs at the first exchange. Every worker must call this
    /// before the first round and outside a capture.
    void connect() {
        if (!link_.in_graphs() || std::exchange(connected_, true)) return;
        for (const std::vector<Neighbour>* const sides : {&beside_, &above_}) exchange(copies_, *sides, 0);
        copies_.synchronize();
    }

    /// Prepares the strips' sources. Returns whether the set of tiles with sources has changed in any strip.
    bool prepare_sources(const CudaKernel<View>& kernel, const Stream& stream) {
        bool differs = false;
        for_each_strip([&](Neighbour& side) {
            const Cells from{grid_.sources() + grid_.offset_of(side.around), grid_.shape().pitch};
            copy(stream, {copied({side.strip->sources(), side.strip->shape().pitch}, from, side.around)});
            differs = side.strip->prepare_sources(kernel, stream) || differs;
        });
        return differs;
    }

    /// Enqueues a round: `steps` steps of the part, and the exchange. enqueue_steps() enqueues the steps to
    /// the stream and, like round(), returns the Current of the part's grid afterwards. before: the Current
    /// before the round. ends_frame: whether these are a frame's last steps.
    template <class EnqueueSteps>
    Current round(const Heating<View>& heating, const Stream& stream, Current before, int steps,
                  bool ends_frame, EnqueueSteps enqueue_steps) {
        if (!has_strips_) {
            const Current last = enqueue_steps();
            for (std::vector<Neighbour>* const sides : {&beside_, &above_}) {
                exchange(stream, *sides, last.grid);
                fill_halos(stream, {sides}, last.grid);
            }
            return last;
        }
        stream.record(begun_);
        copies_.wait(begun_);
        std::vector<CopiedRegion> into_strips;
        for_each_strip([&](Neighbour& side) {
            into_strips.push_back(copied({side.strip->cells(0), side.strip->shape().pitch},
                                         at(grid_, before.grid, side.around), side.around));
        });
        copy(copies_, into_strips);
        copies_.record(copied_);
        for_each_strip([&](Neighbour& side) {
            const Current in_strip{0, before.has_sources};
            side.last = side.strip->enqueue(heating, copies_, in_strip, steps, ends_frame).grid;
        });
        // The part waits for the copy, because its launches write to the grid that is copied. So the part
        // and the strips become ready at the same time; then the strips start first, because their stream
        // has the highest priority.
        stream.wait(copied_);
        const Current last = enqueue_steps();
        exchange(copies_, beside_, last.grid);
        fill_corners();
        exchange(copies_, above_, last.grid);
        copies_.record(exchanged_);
        stream.wait(exchanged_);
        fill_halos(stream, {&beside_, &above_}, last.grid);
        return last;
    }

  private:
    /// A side of the part that has a neighbour, and the messages to and from this neighbour.
    struct Neighbour {
        Border border;
        DeviceArray<float> outgoing;
        DeviceArray<float> incoming;
        Region around;  ///< the region of the part that the strip covers
        std::optional<DeviceGrid<View>> strip;
        std::size_t last;  ///< the number of the strip's grid that holds the temperatures
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
    /// Returns the cells of a message, where one row follows directly after the other.
    static Cells packed(const DeviceArray<float>& message, const Region& region) {
        return {message.data(), static_cast<std::size_t>(region.width)};
    }
    static CopiedRegion copied(Cells to, Cells from, const Region& size) {
        return {to.first,
                from.first,
                to.pitch,
                from.pitch,
                static_cast<unsigned>(size.width),
                static_cast<unsigned>(size.height)};
    }
    /// Copies the regions, at most most_copied_regions of them.
    static void copy(const Stream& stream, const std::vector<CopiedRegion>& regions) {
        if (regions.empty()) return;
        CopiedRegions copied{};
        std::ranges::copy(regions, copied.region);
        unsigned most_cells = 0;
        for (const CopiedRegion& region : regions)
            most_cells = std::max(most_cells, region.width * region.height);
        constexpr unsigned threads = 256;
        const dim3 blocks(std::min((most_cells + threads - 1) / threads, 1024U),
                          static_cast<unsigned>(regions.size()));
        launch<copy_regions_kernel>(blocks, threads, stream, copied);
    }

    template <class Visit>
    void for_each_strip(Visit visit) {
        for (std::vector<Neighbour>* const sides : {&beside_, &above_})
            for (Neighbour& side : *sides)
                if (side.strip) visit(side);
    }

    /// Returns the cells that a neighbour needs after the steps. They are in the strip or, if there is no
    /// strip, in the part's grid number `last`.
    [[nodiscard]] Cells edge_of(const Neighbour& side, std::size_t last) const {
        Region edge = side.border.edge;
        if (!side.strip) return at(grid_, last, edge);
        edge.x -= side.around.x;
        edge.y -= side.around.y;
        return at(*side.strip, side.last, edge);
    }

    void exchange(const Stream& stream, const std::vector<Neighbour>& sides, std::size_t last) {
        std::vector<CopiedRegion> packing;
        std::vector<DeviceMessage> outgoing;
        std::vector<DeviceMessage> incoming;
        for (const Neighbour& side : sides) {
            const Region& edge = side.border.edge;
            packing.push_back(copied(packed(side.outgoing, edge), edge_of(side, last), edge));
            outgoing.push_back({side.border.worker, side.outgoing.data(), side.outgoing.size()});
            incoming.push_back({side.border.worker, side.incoming.data(), side.incoming.size()});
        }
        copy(stream, packing);
        if (!sides.empty()) link_.exchange(stream, outgoing, incoming);
    }

    /// Copies the corners, which the neighbours at the left and right have sent, into the rows for the
    /// neighbours above and below.
    void fill_corners() const {
        std::vector<CopiedRegion> corners;
        for (const Neighbour& above : above_)
            for (const Neighbour& beside : beside_) {
                const Region& edge = above.border.edge;
                const Region& halo = beside.border.halo;
                const Region corner{halo.x, edge.y, halo.width, edge.height};
                Cells from = packed(beside.incoming, halo);
                from.first += static_cast<std::size_t>(edge.y - halo.y) * from.pitch;
                const Cells to = at(*above.strip, above.last, {corner.x, edge.y - above.around.y, 0, 0});
                corners.push_back(copied(to, from, corner));
            }
        copy(copies_, corners);
    }

    void fill_halos(const Stream& stream, std::initializer_list<const std::vector<Neighbour>*> all,
                    std::size_t last) const {
        std::vector<CopiedRegion> halos;
        for (const std::vector<Neighbour>* const sides : all)
            for (const Neighbour& side : *sides) {
                const Region& halo = side.border.halo;
                halos.push_back(copied(at(grid_, last, halo), packed(side.incoming, halo), halo));
            }
        copy(stream, halos);
    }

    StreamLink& link_;
    int steps_;
    const DeviceGrid<View>& grid_;
    bool has_strips_ = false;
    bool connected_ = false;
    std::vector<Neighbour> beside_;
    std::vector<Neighbour> above_;
    Stream copies_{Priority::highest, cudaStreamNonBlocking};  ///< for the strips and the exchange
    Event begun_;
    Event copied_;
    Event exchanged_;
};

}  // namespace cudabook::heat
