// The language of a program's messages to people: Chinese if the environment asks for it, else English.
// Output for programs (reports, tables, lists) is English.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudabook {

/// Whether the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty names Chinese, of any country,
/// in UTF-8 or without naming an encoding.
bool chinese_is_wanted();

/// The Chinese translation of a text if Chinese is wanted and the table (chinese.cpp) has a pattern for the
/// text; else the text. Each part that the text inserts into the pattern is translated likewise if it has a
/// space; a single word is a name. If several patterns match, the pattern with the most text of its own is
/// used; among equals, the first. A pattern of punctuation alone, such as "{}: {}", is used only if an
/// inserted part has a translation.
std::string in_language_of_user(std::string_view english);

/// The columns that a text in UTF-8 takes on a terminal: two for a Chinese character.
std::size_t terminal_columns(std::string_view text);

}  // namespace cudabook
