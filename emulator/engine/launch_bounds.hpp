// The launch bounds of kernels.
#pragma once

namespace cudabook::emulation {

/// The most threads of a block, on every GPU.
inline constexpr int most_of_a_block = 1024;

/// Returns the most threads of a block that the kernel's __launch_bounds__ allow; most_of_a_block if it has
/// none. emulator/translator/ puts a bound into a section of the program. In kernels that it has not
/// translated, and in a program without a symbol table, __launch_bounds__ are ignored.
int most_threads_of(const void* kernel);

}  // namespace cudabook::emulation
