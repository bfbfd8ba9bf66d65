// What the programs say to people, in Chinese: the table of common/program/language.hpp.
#pragma once

#include <span>
#include <string_view>

namespace cudabook {

/// A text and its Chinese. `{}` in the English stands for anything that is inserted; in the Chinese `{}`
/// inserts the next of these, and `{0}`, `{1}` and so on the one of that number.
struct Translation {
    std::string_view english;
    std::string_view chinese;
};

std::span<const Translation> chinese_translations();

}  // namespace cudabook
