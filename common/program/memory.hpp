// Checks for enough memory before allocating it: Linux grants more memory than there is, and kills the
// process that uses it.
#pragma once

#include <cstddef>
#include <string>

#include "common/program/errors.hpp"

namespace cudabook {

/// The bytes that this process can still use, according to Linux's files under `root`: the minimum of the
/// machine's available memory and the memory that the limits of this process's control groups leave, from its
/// own group (Slurm's, systemd's, a container's) to the topmost, of version 1 and 2. Returns the largest
/// std::size_t if the files do not say.
std::size_t available_memory(const std::string& root = "");

/// Throws OutOfMemory if fewer than `bytes` are available. `what` begins the message, such as "a grid of 5x5
/// cells".
void require_memory(std::size_t bytes, const std::string& what);

}  // namespace cudabook
