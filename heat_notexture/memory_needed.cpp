#include "heat_notexture/memory_needed.hpp"

#include <fmt/format.h>

#include "common/program/memory.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"

namespace cudabook::heat {

// Counts grids of floats, but not the pixels of a frame. The scene has two, and the present sources
// are one. A solver has four on the CPU, or seven on an emulated GPU, whose memory is host memory. The
// comparison has three of its solver and two of the scene from which it starts. With a window, three
// frames are on their way to the window.
std::size_t bytes_needed(const Options& options, DeviceKind device, Display display) {
    const auto cells = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
    const std::size_t grids = 3U + (device == DeviceKind::emulated ? 7U : 0U) +
                              (options.no_verify ? 0U : 2U) + (display == Display::window ? 3U : 0U);
    const std::size_t in_blocks = (device == DeviceKind::cpu ? 4U : 0U) + (options.no_verify ? 0U : 3U);
    return 4 * (cells * grids + cells_in_blocks(options.width, options.height) * in_blocks);
}

void require_memory_for(const Options& options, DeviceKind device, Display display) {
    require_memory(bytes_needed(options, device, display),
                   fmt::format("a grid of {}x{} cells", options.width, options.height));
}

}  // namespace cudabook::heat
