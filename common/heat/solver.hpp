// What a kernel of the heat rooms looks like to the rest: plain C++, for the CPU and the GPU alike.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/heat/scene.hpp"
#include "common/program/device.hpp"
#include "common/program/measurement.hpp"
#include "common/window/canvas.hpp"

namespace cudabook::heat {

/// A rectangle of cells; (x, y) is its first, at the lower left.
struct Region {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    bool operator==(const Region&) const = default;
};

/// A grid that is heated. One step first writes the sources into the grid (where the source is not 0), then
/// gives each cell its new temperature, in float32 rounded to nearest with subnormals kept:
///     sum = ((top + bottom) + left) + right,   new = fma(speed, fma(-4, old, sum), old)
/// where a neighbour outside the grid is the cell itself. Errors of every call: MachineError.
class Solver {
  public:
    virtual ~Solver() = default;

    /// Does so many steps, however many of them a kernel does at once; the time they took in ms.
    virtual double advance(int steps) = 0;

    /// advance(steps), then draws every cell's colour (4 bytes a cell, row-major) to the canvas: host memory,
    /// or, on a GPU, memory of this device. The time of both in ms. A canvas may be another at each frame,
    /// but is best one of a few.
    virtual double frame(int steps, Canvas canvas) = 0;

    /// The temperatures, row-major.
    [[nodiscard]] virtual std::vector<float> temperatures() const = 0;

    /// Takes over the sources of the cells in `changed`, a part of the grid, from `sources`, which are the
    /// whole grid's. Those that are not 0 are written into the temperatures at once.
    virtual void set_sources(const std::vector<float>& sources, const Region& changed) = 0;

    /// Keeps a copy of the temperatures where they are, in place of an older one.
    virtual void save() = 0;

    /// The temperatures at the last save(); there must have been one.
    [[nodiscard]] virtual std::vector<float> saved() const = 0;

    /// What the kernel takes of a multiprocessor; nothing on a CPU.
    [[nodiscard]] virtual std::optional<Occupancy> occupancy() const { return std::nullopt; }

  protected:
    Solver() = default;
    Solver(const Solver&) = default;
    Solver& operator=(const Solver&) = default;
};

/// How the work reaches a GPU: the steps of a frame as one graph and the frame through page-locked memory,
/// or, to measure against, every launch by itself and the frame through pageable memory, as in the book's
/// text.
enum class Launch { graph, as_in_text };

struct SolverOptions {
    float speed = 0.25F;  ///< the share of the difference to each neighbour that flows in one step
    int device = 0;       ///< CUDA's number of the GPU
    Launch launch = Launch::graph;
};

/// A row of a room's table.
struct Kernel {
    std::string name;
    std::string memory;  ///< the path that the lesson is about
    std::string what;    ///< one line
    DeviceKind device = DeviceKind::cpu;
    std::function<std::unique_ptr<Solver>(const Scene&, const SolverOptions&)> make;
    bool many_steps = false;  ///< does several for each time that it reads a cell and writes it
};

/// What gpu.cu gives to a room: the devices, its kernels from the plainest up, and which of them is the
/// default.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    std::string fastest;

    /// Measures the bandwidth of a device's memory, read and written: the ceiling of kernels that do one
    /// step.
    double (*copy_gb_per_s)(int device) = nullptr;

    /// Lets a device's frames come into a window's texture (see canvas.hpp); empty where that cannot be.
    std::function<std::unique_ptr<DeviceFrames>(int device, unsigned gl_texture, int width, int height)>
        make_device_frames;

    /// Measures what the arithmetic of a device could step in G cells/s: the ceiling of kernels that do many
    /// steps on the chip.
    double (*step_arithmetic_gcells_per_s)(int device) = nullptr;
};

}  // namespace cudabook::heat
