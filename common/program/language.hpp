// The language in which a program speaks to people: Chinese where the environment asks for it, else English.
// What programs read (reports, tables, lists) is English.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

/// Whether the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty names Chinese, of any country,
/// in UTF-8 or without naming an encoding.
bool chinese_is_wanted();

/// The Chinese of a text if it is wanted and the table (chinese.cpp) has it; else the text. What the text
/// inserts into its pattern is translated likewise, if it has a space: a word alone is a name. Of several
/// patterns the one with the most text of its own is taken, of equals the first; one of punctuation alone,
/// such as "{}: {}", only where what it inserts has Chinese.
std::string in_language_of_user(std::string_view english);

/// The columns that a text in UTF-8 takes on a terminal: two for a Chinese character.
std::size_t terminal_columns(std::string_view text);

}  // namespace cudabook
