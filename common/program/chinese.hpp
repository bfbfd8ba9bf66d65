// The Chinese translations of the programs' messages: the table of common/program/language.hpp.
#pragma once

#include <span>
#include <string_view>

namespace cudabook {

/// A text and its Chinese translation. `{}` in the English text stands for any inserted text. In the Chinese
/// text, `{}` inserts the next of the inserted texts, and `{0}`, `{1}` and so on insert the text of that
/// number.
struct Translation {
    std::string_view english;
    std::string_view chinese;
};

std::span<const Translation> chinese_translations();

}  // namespace cudabook
