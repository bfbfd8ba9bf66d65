// The lessons about surfaces: when a texture sees the writes of a surface, and what a surface does outside
// its array.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::texture_unit {

/// The result of the coherency lesson: a block has fetched texels, it and another block have each written
/// half of them through a surface, and the first block has fetched them again.
struct Coherency {
    std::size_t texels = 0;
    /// The texels that were still old in the same launch: of those written by the block itself, and of those
    /// written by the other block (nullopt if the two blocks did not run at the same time). Neither number is
    /// defined by CUDA. An emulated GPU has no texture cache: both are 0.
    std::size_t old_of_own = 0;
    std::optional<std::size_t> old_of_other = {};
    std::size_t old_in_next_launch = 0;
    /// Whether the next launch fetched all texels as they were written, which CUDA guarantees.
    [[nodiscard]] bool right() const { return texels > 0 && old_in_next_launch == 0; }
};

/// Runs the lesson on a GPU, real or emulated. Errors: MachineError.
Coherency coherency(const Device& device);

/// The effect of a boundary mode outside an array of boundary_width × boundary_height texels, whose values
/// count from 1.
struct Boundary {
    std::string mode;
    std::vector<int> read;  ///< from (-1, -1) to (boundary_width, boundary_height), row-major
    /// The texels after 99 has been written to (boundary_width, 1).
    std::vector<int> texels_after_write;
    bool right = false;  ///< whether both agree with the mode's definition
};

inline constexpr int boundary_width = 4;
inline constexpr int boundary_height = 2;

/// The results of the modes zero and clamp, on a GPU, real or emulated. Errors: MachineError.
std::vector<Boundary> boundaries(const Device& device);

/// The mode trap: returns the error with which a write outside ends the kernel, or an empty string if there
/// was none. After it this process cannot use a real GPU any more, so this must be the process's last use of
/// it; an emulated GPU is reset. Errors: MachineError.
std::string trap(const Device& device);

}  // namespace cudabook::texture_unit
