// The number of blocks of a kernel that a multiprocessor holds, and its curves over the kernel's needs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudabook::occupancy {

/// The resources that a block of a kernel needs.
struct KernelResources {
    int threads = 256;   ///< of a block; work-items of a group
    int registers = 32;  ///< of a thread
    std::size_t shared_bytes = 0;
    int lanes = 32;  ///< threads of a warp, or work-items of a sub-group
};

/// The blocks and warps of a kernel that a multiprocessor holds. If there are 0 blocks, the launch is not
/// possible.
struct Held {
    int blocks = 0;
    int warps = 0;           ///< on Xe-LP: threads, each running a sub-group
    int most_warps = 0;      ///< the most for any kernel
    std::string limit = {};  ///< the limiting resources: threads, registers, shared memory or blocks

    [[nodiscard]] double percent() const { return 100.0 * warps / most_warps; }
};

/// Calculates the occupancy. Returns nullopt if the GPU is newer than the toolkit, whose calculator does not
/// know it.
using Calculate = std::function<std::optional<Held>(const KernelResources&)>;

/// A GPU for the calculator: an NVIDIA GPU, or Xe-LP.
struct CalculatedGpu {
    std::string name;  ///< as in --gpu
    std::string product;
    int multiprocessors = 0;
    int most_threads = 1024;  ///< of a block
    std::size_t most_shared_bytes = 0;
    bool has_registers = true;  ///< registers limit the occupancy; otherwise, the lanes can be chosen
    Calculate calculate;
};

struct CurvePoint {
    std::size_t at = 0;
    double percent = 0;
};

/// The occupancy over one of a kernel's needs, while the other needs stay the same.
struct Curve {
    std::string over;     ///< threads, registers, shared bytes or lanes
    std::size_t now = 0;  ///< the kernel's own value
    std::vector<CurvePoint> points;
};

/// The curves over the block's size, the registers of a thread (on Xe-LP the lanes) and the block's shared
/// memory, each from the least to the most that the GPU allows. The calculator must know the GPU.
std::vector<Curve> curves(const CalculatedGpu& gpu, const KernelResources& shape);

/// The answer for a kernel as lines of text.
std::string answer_text(const CalculatedGpu& gpu, const KernelResources& shape, const Held& held);

/// The curves as tables, with one row for each range of equal occupancy.
std::string curves_text(const std::vector<Curve>& curves);

}  // namespace cudabook::occupancy
