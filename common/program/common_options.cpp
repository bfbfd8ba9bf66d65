#include "common/program/common_options.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace cudabook {

void note(const CommonOptions& options, std::string_view sample, std::string_view text) {
    if (!options.quiet) fmt::print(stderr, "{}: {}\n", sample, text);
}

}  // namespace cudabook
