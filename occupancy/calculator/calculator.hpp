// The number of blocks of a kernel that a multiprocessor holds, and curves of the occupancy over the
// resources that the kernel needs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudabook::occupancy {

/// The resources that a block of a kernel needs.
struct KernelResources {
    int threads = 256;   ///< the threads of a block, or the work-items of a group
    int registers = 32;  ///< the registers of a thread
    std::size_t shared_bytes = 0;
    int lanes = 32;  ///< threads of a warp, or work-items of a sub-group
};

/// The blocks and warps of a kernel that a multiprocessor holds. If `blocks` is 0, the launch is not
/// possible.
struct Held {
    int blocks = 0;
    int warps = 0;           ///< the warps; on Xe-LP the threads, which run a sub-group each
    int most_warps = 0;      ///< the most warps that a multiprocessor holds of any kernel
    std::string limit = {};  ///< the limiting resources: threads, registers, shared memory or blocks

    [[nodiscard]] double percent() const { return 100.0 * warps / most_warps; }
};

/// Calculates the occupancy. Returns nullopt if the toolkit's calculator does not know the GPU, because the
/// GPU is newer than the toolkit.
using Calculate = std::function<std::optional<Held>(const KernelResources&)>;

/// A GPU for the calculator: an NVIDIA GPU, or Xe-LP.
struct CalculatedGpu {
    std::string name;  ///< the value of --gpu that selects this GPU
    std::string product;
    int multiprocessors = 0;
    int most_threads = 1024;  ///< the most threads of a block
    std::size_t most_shared_bytes = 0;
    bool has_registers = true;  ///< whether registers limit the occupancy; if not, the lanes can be chosen
    Calculate calculate;
};

struct CurvePoint {
    std::size_t at = 0;
    double percent = 0;
};

/// The occupancy of a kernel over its need of one resource, while its other needs stay the same.
struct Curve {
    std::string over;     ///< the resource: threads, registers, shared bytes or lanes
    std::size_t now = 0;  ///< the kernel's own need of the resource
    std::vector<CurvePoint> points;
};

/// Returns three curves: over the threads of a block, over the registers of a thread (on Xe-LP over the
/// lanes), and over the shared memory of a block. Each curve goes from the least value to the largest value
/// that the GPU allows. The calculator must know the GPU.
std::vector<Curve> curves(const CalculatedGpu& gpu, const KernelResources& shape);

/// Returns the calculator's answer for a kernel as lines of text.
std::string answer_text(const CalculatedGpu& gpu, const KernelResources& shape, const Held& held);

/// Returns the curves as tables, with one row for each range of equal occupancy.
std::string curves_text(const std::vector<Curve>& curves);

}  // namespace cudabook::occupancy
