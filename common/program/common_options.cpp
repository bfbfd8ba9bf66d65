#include "common/program/common_options.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "common/program/language.hpp"

namespace cudabook {

std::vector<std::string> CommonOptions::named_kernels() const {
    std::vector<std::string> names;
    for (std::size_t begin = 0; !kernel.empty() && begin <= kernel.size();) {
        const std::size_t end = std::min(kernel.find(',', begin), kernel.size());
        std::string name = kernel.substr(begin, end - begin);
        if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        begin = end + 1;
    }
    return names;
}

void note(const CommonOptions& options, std::string_view sample, std::string_view text) {
    if (!options.quiet) fmt::print(stderr, "{}: {}\n", sample, in_language_of_user(text));
}

}  // namespace cudabook
