// The checksums of results/checksums.csv.
#pragma once

#include <string>

namespace cudabook::test {

/// Returns the checksum that a kernel of a program gives with these options, such as "heat" with
/// "--headless --frames 1". `kernel` is "all" for the kernels that have no checksum of their own. Errors:
/// std::out_of_range if the table does not have the checksum.
std::string published_checksum(const std::string& program, const std::string& options,
                               const std::string& kernel = "all");

}  // namespace cudabook::test
