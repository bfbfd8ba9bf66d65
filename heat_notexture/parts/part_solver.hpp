// One worker's part of a grid that several workers heat together.
#pragma once

#include <memory>
#include <vector>

#include "heat_notexture/kernel.hpp"
#include "heat_notexture/parts/partition.hpp"
#include "heat_notexture/parts/workers/device_link.hpp"
#include "heat_notexture/parts/workers/worker.hpp"
#include "heat_notexture/solver.hpp"

namespace cudabook::heat {

/// This worker's part of the book's room and a halo around it, which a kernel heats like a whole grid. With
/// each step, the outermost cells of the halo become wrong, because the cells beyond them are missing. So
/// after as many steps as the halo is deep, the neighbours' results replace the halo. Every worker that has a
/// part creates a PartSolver and calls the same functions. The workers' kernels and devices may differ.
/// Errors: MachineError.
class PartSolver {
  public:
    /// depth: the depth of the halo, at most partition.deepest_halo(), and the same for all workers. link:
    /// the connection between the GPUs of all workers, or null on all workers; must outlive the PartSolver.
    PartSolver(Worker& worker, const Partition& partition, int depth, const Kernel& kernel,
               const SolverOptions& options, DeviceLink* link = nullptr);

    /// Does `steps` steps. Returns their time in ms.
    double advance(int steps);

    /// Copies the temperatures of a region of the worker's part, in the grid's coordinates, to `cells`,
    /// row-major.
    void read(const Region& region, float* cells) const { solver_->read(local(region), cells); }

    /// Replaces the temperatures of a region of the worker's part, in the grid's coordinates, by `cells`,
    /// row-major. After the last write(), all workers must call exchange_halos().
    void write(const Region& region, const float* cells) { solver_->write(local(region), cells); }

    /// Replaces the cells of the halo by the neighbours' cells.
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
    bool on_device_;  ///< whether the solver itself exchanges the halo, over the link
};

}  // namespace cudabook::heat
