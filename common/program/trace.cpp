#include "common/program/trace.hpp"

#include <charconv>

#include <fmt/format.h>

#include "common/program/errors.hpp"

namespace cudabook {

std::array<unsigned, 3> parse_block(std::string_view text, std::string_view option) {
    std::array<unsigned, 3> block{};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (unsigned& index : block) {
        const auto [next, error] = std::from_chars(at, end, index);
        if (error != std::errc()) break;
        if (next == end) return block;
        if (*next != ',') break;
        at = next + 1;
    }
    throw UsageError(fmt::format("{} '{}': a block is X, X,Y or X,Y,Z", option, text));
}

}  // namespace cudabook
