// Checks for enough memory before an allocation, because Linux grants more memory than there is, and later
// kills a process that uses too much.
#pragma once

#include <cstddef>
#include <string>

#include "common/program/errors.hpp"

namespace cudabook {

/// Returns how many bytes of memory this process can still use: the machine's available memory or, if less,
/// the memory that the limits of the process's control groups (cgroups, version 1 and 2) leave. The limits of
/// the process's own group (from Slurm, systemd or a container) and of all its ancestors apply. Reads Linux's
/// files under `root`. Returns the largest std::size_t if the files do not say.
std::size_t available_memory(const std::string& root = "");

/// Throws OutOfMemory if fewer than `bytes` are available. `what` begins the message, such as "a grid of 5x5
/// cells".
void require_memory(std::size_t bytes, const std::string& what);

}  // namespace cudabook
