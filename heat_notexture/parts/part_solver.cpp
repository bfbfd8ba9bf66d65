#include "heat_notexture/parts/part_solver.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/program/measurement.hpp"
#include "heat_notexture/gpu_solver.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/rounds.hpp"

namespace cudabook::heat {

namespace {

Side opposite(Side side) {
    switch (side) {
        case Side::left:
            return Side::right;
        case Side::right:
            return Side::left;
        case Side::bottom:
            return Side::top;
        default:
            return Side::bottom;
    }
}

std::size_t cells_of(const Region& region) {
    return static_cast<std::size_t>(region.width) * static_cast<std::size_t>(region.height);
}

/// Returns whether the solver runs on a GPU and exchanges its halos over the link from now on.
bool exchanges_on_gpu(Solver& solver, DeviceLink* link, const Borders& borders, int depth) {
    auto* const gpu = dynamic_cast<GpuSolver*>(&solver);
    return gpu != nullptr && link != nullptr && gpu->exchange_by(*link, borders, depth);
}

}  // namespace

PartSolver::PartSolver(Worker& worker, const Partition& partition, int depth, const Kernel& kernel,
                       const SolverOptions& options, DeviceLink* link)
    : worker_(worker),
      depth_(depth),
      part_(partition.part(worker.index())),
      with_halo_(partition.with_halo(worker.index(), depth)),
      solver_(kernel.make({with_halo_.width, with_halo_.height, {}, {}}, options)),
      borders_(partition.borders(worker.index(), depth)),
      on_device_(exchanges_on_gpu(*solver_, link, borders_, depth)) {
    // In bands, because a part may be larger than host memory.
    for_each_band(with_halo_, [&](const Region& band, std::span<float>) {
        const Scene scene = book_scene(partition.width(), partition.height(), band);
        if (std::ranges::any_of(scene.sources, [](float source) { return source != 0; }))
            solver_->set_sources(local(band), scene.sources);
        solver_->write(local(band), scene.start.data());
    });
}

double PartSolver::advance(int steps) {
    if (borders_.beside.empty() && borders_.above_and_below.empty()) return solver_->advance(steps);
    if (on_device_) {
        double ms = 0;
        worker_.wait_for("its GPU and those of the other processes", [&] { ms = solver_->advance(steps); });
        return ms;
    }
    return wall_ms([&] {
        for_each_round(steps, depth_, [this](int now) {
            solver_->advance(now);
            exchange_halos();
        });
    });
}

void PartSolver::exchange_halos() {
    exchange(borders_.beside);
    exchange(borders_.above_and_below);
}

/// Returns the region in the solver's coordinates.
Region PartSolver::local(Region region) const {
    region.x -= with_halo_.x;
    region.y -= with_halo_.y;
    return region;
}

void PartSolver::exchange(const std::vector<Border>& borders) {
    std::vector<std::vector<float>> outgoing_cells;
    std::vector<std::vector<float>> incoming_cells;
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (const Border& border : borders) {
        outgoing_cells.emplace_back(cells_of(border.edge));
        incoming_cells.emplace_back(cells_of(border.halo));
        solver_->read(border.edge, outgoing_cells.back().data());
        // The tag of a message is the side at which the message arrives.
        outgoing.push_back({border.worker, static_cast<int>(opposite(border.side)),
                            std::as_bytes(std::span(outgoing_cells.back()))});
        incoming.push_back({border.worker, static_cast<int>(border.side),
                            std::as_writable_bytes(std::span(incoming_cells.back()))});
    }
    worker_.exchange(outgoing, incoming);
    for (std::size_t i = 0; i < borders.size(); ++i)
        solver_->write(borders[i].halo, incoming_cells[i].data());
}

}  // namespace cudabook::heat
