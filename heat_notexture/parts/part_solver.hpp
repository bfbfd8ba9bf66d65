// One worker's part of a grid that several heat together.
#pragma once

#include <memory>
#include <vector>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/worker.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// The worker's part of the book's room, and a halo around it, heated by a kernel as if it were a grid of its
/// own. With each step the halo's outermost cells become wrong, because the grid does not end there; so after
/// as many steps as the halo is deep, it is replaced by what the neighbours have computed. Every worker of
/// the partition that has a part makes one and calls the same functions; each may have a kernel and a device
/// of its own. Errors: MachineError.
class PartSolver {
  public:
    /// depth: of the halo, at most partition.deepest_halo(); the same for all workers. link: what connects
    /// the GPUs of all workers, or null on all of them; it must outlive this.
    PartSolver(Worker& worker, const Partition& partition, int depth, const Kernel& kernel,
               const SolverOptions& options, DeviceLink* link = nullptr);

    /// Does that many steps; returns the time that they took in ms.
    double advance(int steps);

    /// Copies the temperatures of a region of the worker's part, in the grid's coordinates, to `cells`,
    /// row-major.
    void read(const Region& region, float* cells) const { solver_->read(local(region), cells); }

    /// Replaces them. After the last write(), on all workers, comes exchange_halos().
    void write(const Region& region, const float* cells) { solver_->write(local(region), cells); }

    /// Every halo becomes what the neighbours have there.
    void exchange_halos();

    [[nodiscard]] const Region& part() const { return part_; }

  private:
    [[nodiscard]] Region local(Region region) const;
    void exchange(const std::vector<Border>& borders);

    Worker& worker_;
    int depth_;
    Region part_;
    Region with_halo_;
    std::unique_ptr<Solver> solver_;
    Borders borders_;
    bool on_device_;  ///< the solver exchanges its halos itself
};

}  // namespace cudabook::heat
