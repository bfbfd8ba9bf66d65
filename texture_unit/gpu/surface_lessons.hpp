// The lessons about surfaces: when a texture sees the writes of a surface, and what a surface does outside
// its array.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"

namespace cudabook::texture_unit {

/// The result of the coherency lesson. In the lesson, a first block fetches texels. Then the first block and
/// a second block each write half of the texels through a surface. Then the first block fetches all texels
/// again.
struct Coherency {
    std::size_t texels = 0;
    /// How many texels still had their old value when the first block fetched them again in the same launch.
    /// `old_of_own` counts texels that the first block wrote. `old_of_other` counts texels that the second
    /// block wrote, and is nullopt if the two blocks did not run at the same time. CUDA defines neither
    /// number. An emulated GPU has no texture cache, so both numbers are 0.
    std::size_t old_of_own = 0;
    std::optional<std::size_t> old_of_other = {};
    std::size_t old_in_next_launch = 0;
    /// Returns true if the next launch fetched the new value of every texel, which CUDA guarantees.
    [[nodiscard]] bool right() const { return texels > 0 && old_in_next_launch == 0; }
};

/// Runs the lesson on a GPU, real or emulated. Errors: MachineError.
Coherency coherency(const Device& device);

/// The effect of a boundary mode outside an array. The array has boundary_width × boundary_height texels with
/// the values 1, 2, 3 and so on.
struct Boundary {
    std::string mode;
    std::vector<int> read;  ///< read from (-1, -1) to (boundary_width, boundary_height), row-major
    /// The texels of the array after 99 has been written to (boundary_width, 1), which is outside.
    std::vector<int> texels_after_write;
    bool right = false;  ///< whether `read` and `texels_after_write` agree with the mode's definition
};

inline constexpr int boundary_width = 4;
inline constexpr int boundary_height = 2;

/// Returns the results of the modes zero and clamp, on a GPU, real or emulated. Errors: MachineError.
std::vector<Boundary> boundaries(const Device& device);

/// Tries the mode trap. Returns the error with which a write outside the array ends the kernel, or an empty
/// string if there was no error. After the error, this process cannot use a real GPU any more, so this call
/// must be the last that uses the GPU. An emulated GPU is reset. Errors: MachineError.
std::string trap(const Device& device);

}  // namespace cudabook::texture_unit
