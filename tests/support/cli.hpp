// Helpers for tests of the command line: words, lines, and error messages.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/process.hpp"

namespace cudabook::test {

/// A program's arguments.
using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

inline std::string shown(const Words& arguments) { return fmt::format("{}", fmt::join(arguments, " ")); }

inline std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// Expects this exit status, and a single line on stderr that begins with the program's name and contains all
/// of these words.
inline void expect_error(const std::string& program, const Ending& ending, int status, const Words& words,
                         const std::string& what) {
    EXPECT_EQ(ending.signal, 0) << what;
    EXPECT_EQ(ending.status, status) << what << '\n' << ending.err;
    const auto lines = lines_of(ending.err);
    ASSERT_EQ(lines.size(), 1U) << what << '\n' << ending.err;
    EXPECT_EQ(lines[0].find(program + ": "), 0U) << lines[0];
    for (const std::string& word : words)
        EXPECT_NE(lines[0].find(word), std::string::npos) << "'" << word << "' in: " << lines[0];
}

}  // namespace cudabook::test
