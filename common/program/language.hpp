// The language of a program's messages to people: Chinese if the environment asks for it, else English.
// Output for programs (reports, tables, lists) is English.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

/// Returns true if the user's environment asks for Chinese. The first of the variables LC_ALL, LC_MESSAGES
/// and LANG that is set and not empty decides. This variable must name Chinese, of any country, in UTF-8 or
/// without an encoding.
bool chinese_is_wanted();

/// Translates a text if Chinese is wanted and a pattern in the table of translations (chinese.cpp) matches
/// the text; otherwise returns the text unchanged. If several patterns match, uses the pattern with the most
/// text outside `{}`; if this is a tie, the first of these patterns in the table. The text that stands where
/// the pattern has `{}` is the inserted text. An inserted text that contains a space is translated in the
/// same way. An inserted text without a space is a name and is not translated. A pattern without letters,
/// such as "{}: {}", is used only if an inserted text has a translation.
std::string in_language_of_user(std::string_view english);

/// The width of a UTF-8 text on a terminal, in columns. A Chinese character takes two columns.
std::size_t terminal_columns(std::string_view text);

}  // namespace cudabook
