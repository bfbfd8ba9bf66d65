// The lessons about surfaces: when a texture sees what a surface has written, and what a surface does outside
// its array.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::texture_unit {

/// Texels that a block has fetched, that it and another block have written through a surface, each one half,
/// and that the first block has fetched again.
struct Coherency {
    std::size_t texels = 0;
    /// That were still old in the same launch, of those that the block itself has written, and of those that
    /// the other block has written; none where the two did not run at the same time. Neither number is
    /// defined. An emulated GPU has no texture cache: 0.
    std::size_t old_of_own = 0;
    std::optional<std::size_t> old_of_other = {};
    std::size_t old_in_next_launch = 0;
    /// The next launch fetched all texels as they were written, which CUDA guarantees.
    [[nodiscard]] bool right() const { return texels > 0 && old_in_next_launch == 0; }
};

/// On a GPU, real or emulated. Errors: MachineError.
Coherency coherency(const Device& device);

/// What a boundary mode does outside an array of boundary_width × boundary_height texels, which count from 1.
struct Boundary {
    std::string mode;
    std::vector<int> read;  ///< from (-1, -1) to (boundary_width, boundary_height), row-major
    /// The texels after 99 has been written to (boundary_width, 1).
    std::vector<int> texels_after_write;
    bool right = false;  ///< both are as the mode's definition says
};

inline constexpr int boundary_width = 4;
inline constexpr int boundary_height = 2;

/// The modes zero and clamp, on a GPU, real or emulated. Errors: MachineError.
std::vector<Boundary> boundaries(const Device& device);

/// The mode trap: the error that a write outside ends the kernel with; empty if there was none. After it a
/// real GPU cannot be used any more by this process, so it is the last that a process does with one; an
/// emulated GPU is reset. Errors: MachineError.
std::string trap(const Device& device);

}  // namespace cudabook::texture_unit
