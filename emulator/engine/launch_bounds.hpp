// The launch bounds of kernels.
#pragma once

namespace cudabook::emulation {

/// The largest number of threads in a block, on every GPU.
inline constexpr int most_of_a_block = 1024;

/// Returns the largest number of threads in a block that the kernel's __launch_bounds__ allow, or
/// most_of_a_block if the kernel has no bounds. emulator/translator/ writes the bounds to a section of the
/// program. Bounds are ignored if the translator has not translated the kernel, or if the program has no
/// symbol table.
int most_threads_of(const void* kernel);

}  // namespace cudabook::emulation
