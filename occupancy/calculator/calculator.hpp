// How many blocks of a kernel a multiprocessor holds, and the curves of that over the kernel's needs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudabook::occupancy {

/// What a block of a kernel needs.
struct Shape {
    int threads = 256;   ///< of a block; work-items of a group
    int registers = 32;  ///< of a thread
    std::size_t shared_bytes = 0;
    int lanes = 32;  ///< that run together: a warp's threads, or a sub-group's work-items
};

/// What a multiprocessor holds of it. 0 blocks: this launch is not possible.
struct Held {
    int blocks = 0;
    int warps = 0;           ///< on Xe-LP: threads, each of which runs a sub-group
    int most_warps = 0;      ///< that any kernel could have
    std::string limit = {};  ///< one or more of threads, registers, shared memory, blocks

    [[nodiscard]] double percent() const { return 100.0 * warps / most_warps; }
};

/// Empty: the GPU is newer than the toolkit, whose calculator does not know it.
using Calculate = std::function<std::optional<Held>(const Shape&)>;

/// A GPU for the calculator: an NVIDIA GPU, or Xe-LP.
struct CalculatedGpu {
    std::string name;  ///< as in --gpu
    std::string product;
    int multiprocessors = 0;
    int most_threads = 1024;  ///< of a block
    std::size_t most_shared_bytes = 0;
    bool has_registers = true;  ///< that limit the occupancy; if not, a choice of lanes
    Calculate calculate;
};

struct CurvePoint {
    std::size_t at = 0;
    double percent = 0;
};

/// The occupancy over one of a kernel's needs, the others as they are.
struct Curve {
    std::string over;     ///< threads, registers, shared bytes or lanes
    std::size_t now = 0;  ///< the kernel's own
    std::vector<CurvePoint> points;
};

/// Over the block's size, the registers of a thread (on Xe-LP the lanes) and the block's shared memory, each
/// from the least to the most that the GPU allows. The GPU must be known to the calculator.
std::vector<Curve> curves(const CalculatedGpu& gpu, const Shape& shape);

/// The answer for a kernel as lines of text.
std::string answer_text(const CalculatedGpu& gpu, const Shape& shape, const Held& held);

/// The curves as tables: of each the points where it changes.
std::string curves_text(const std::vector<Curve>& curves);

}  // namespace cudabook::occupancy
