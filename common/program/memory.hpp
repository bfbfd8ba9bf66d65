// How much memory there is before it is asked for: the kernel promises more than it has, and ends who takes
// it.
#pragma once

#include <cstddef>
#include <string>

#include "common/program/errors.hpp"

namespace cudabook {

/// The bytes that this process can still use, as far as Linux says in the files under `root`; without an
/// answer, the largest number.
std::size_t available_memory(const std::string& root = "");

/// Throws OutOfMemory if `bytes` are more than there are. `what` begins the sentence, such as "a grid of 5x5
/// cells".
void require_memory(std::size_t bytes, const std::string& what);

}  // namespace cudabook
