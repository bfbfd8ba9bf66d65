// The interface of a grid that is heated: plain C++, for the CPU and the GPU alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/program/measurement.hpp"
#include "common/window/canvas.hpp"
#include "heat_notexture/region.hpp"
#include "heat_notexture/scene.hpp"

namespace cudabook::heat {

/// A grid that is heated. One step first writes the sources into the grid (where the source is not 0), then
/// gives each cell its new temperature, in float32 rounded to nearest with subnormals kept:
///     sum = ((top + bottom) + left) + right,   new = fma(speed, fma(-4, old, sum), old)
/// where a neighbour outside the grid is the cell itself. Errors of every call: MachineError.
class Solver {
  public:
    virtual ~Solver() = default;

    /// Does `steps` steps, in any number of launches. Returns their time in ms.
    virtual double advance(int steps) = 0;

    /// Does advance(steps), then draws the colour of every cell (4 bytes a cell, row-major) to the canvas.
    /// The canvas is host memory or, for a GPU's solver, memory of the same GPU. Returns the time of the
    /// steps and the drawing in ms. Each frame may have another canvas, but it is fastest to use a few
    /// canvases again and again.
    virtual double frame(int steps, Canvas canvas) = 0;

    /// The temperatures, row-major.
    [[nodiscard]] virtual std::vector<float> temperatures() const = 0;

    /// Copies the region.width · region.height temperatures of a region to `cells`, row-major.
    virtual void read(const Region& region, float* cells) const = 0;

    /// Replaces the temperatures of a region by `cells`, row-major.
    virtual void write(const Region& region, const float* cells) = 0;

    /// Replaces the sources of a region by `sources`, row-major. Sources that are not 0 are written into the
    /// temperatures at once.
    virtual void set_sources(const Region& region, const std::vector<float>& sources) = 0;

    /// The kernel's occupancy of a multiprocessor; nullopt on a CPU.
    [[nodiscard]] virtual std::optional<Occupancy> occupancy() const { return std::nullopt; }

  protected:
    Solver() = default;
    Solver(const Solver&) = default;
    Solver& operator=(const Solver&) = default;
};

/// How a GPU gets its work. graph: the steps of a frame are one graph, and the picture is copied to
/// page-locked memory. as_in_text: the steps are single launches, and the picture is copied to pageable
/// memory, as in the book's text; for comparison.
enum class Launch { graph, as_in_text };

struct SolverOptions {
    float speed = 0.25F;  ///< the share of the difference to each neighbour that flows in one step
    int device = 0;       ///< CUDA's number of the GPU
    Launch launch = Launch::graph;
    std::string kernel = {};  ///< the kernel's name, if it differs from the name in its table
};

}  // namespace cudabook::heat
