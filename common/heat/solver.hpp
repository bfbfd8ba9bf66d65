// What a kernel of the heat rooms looks like to the rest: plain C++, for the CPU and the GPU alike.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/device.hpp"
#include "common/heat/scene.hpp"
#include "common/measurement.hpp"

namespace cudabook::heat {

/// A grid that is heated. One step first writes the sources into the grid (where the source is not 0), then
/// gives each cell its new temperature, in float32 rounded to nearest with subnormals kept:
///     sum = ((top + bottom) + left) + right,   new = fma(speed, fma(-4, old, sum), old)
/// where a neighbour outside the grid is the cell itself. Errors of every call: MachineError.
class Solver {
  public:
    virtual ~Solver() = default;

    /// Does so many steps, however many of them a kernel does at once; the time they took in ms.
    virtual double advance(int steps) = 0;

    /// advance(steps), then draws every cell's colour to rgba (4 bytes a cell, row-major, host memory that
    /// stays where it is from frame to frame); the time of both in ms.
    virtual double frame(int steps, unsigned char* rgba) = 0;

    /// The temperatures, row-major.
    [[nodiscard]] virtual std::vector<float> temperatures() const = 0;

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
};

/// What gpu.cu gives to a room: the devices, its kernels from the plainest up, and which of them is the
/// default.
struct GpuSide {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    std::string fastest;
    double (*copy_gb_per_s)(int device) = nullptr;  ///< measures the ceiling of the benchmark
};

}  // namespace cudabook::heat
