// The Chinese translations of the programs' messages: the table of common/program/language.hpp.
#pragma once

#include <span>
#include <string_view>

namespace cudabook {

/// A pattern and its Chinese translation. Each `{}` in the English pattern stands for any inserted text. In
/// the Chinese pattern, `{}` stands for the next inserted text, `{0}` for the first inserted text, `{1}` for
/// the second, and so on.
struct Translation {
    std::string_view english;
    std::string_view chinese;
};

std::span<const Translation> chinese_translations();

}  // namespace cudabook
