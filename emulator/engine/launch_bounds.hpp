// The launch bounds of kernels.
#pragma once

namespace cudabook::emulation {

/// The most threads of a block, on every GPU.
inline constexpr int most_of_a_block = 1024;

/// Returns the most threads of a block that the kernel's __launch_bounds__ allow, or most_of_a_block if the
/// kernel has none. emulator/translator/ puts the bounds into a section of the program. The __launch_bounds__
/// of kernels that it has not translated, and of programs without a symbol table, are ignored.
int most_threads_of(const void* kernel);

}  // namespace cudabook::emulation
