// The tokens of a C++ source that has been preprocessed, and where each came from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::translator {

/// A line that the user reads: "FILE:LINE: what is wrong".
class SourceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { word, number, text, sign };

/// `begin` and `size` are in the preprocessed text. A sign is one character, or one of -> :: <= >= ... ; <
/// and > are always alone, so that template arguments and launches can be told apart later.
struct Token {
    Kind kind;
    std::uint32_t file;  ///< index in Source::files
    std::uint32_t line;
    std::uint32_t begin;
    std::uint32_t size;
};

struct File {
    std::string name;
    bool is_system;  ///< it came from a system's folder
};

/// What the line markers say when a file is included.
struct Inclusion {
    std::string included;
    std::uint32_t by;  ///< index in Source::files
    std::uint32_t line;
};

/// A preprocessed text, taken apart. It refers to the text.
struct Source {
    std::string_view text;
    std::vector<Token> tokens;
    std::vector<File> files;
    std::vector<Inclusion> inclusions;

    [[nodiscard]] std::string_view operator[](std::size_t token) const {
        return token < tokens.size() ? text.substr(tokens[token].begin, tokens[token].size)
                                     : std::string_view();
    }
    [[nodiscard]] bool is(std::size_t token, std::string_view expected) const {
        return token < tokens.size() && tokens[token].kind != Kind::text && (*this)[token] == expected;
    }
    [[nodiscard]] bool is_word(std::size_t token) const {
        return token < tokens.size() && tokens[token].kind == Kind::word;
    }
    [[nodiscard]] const File& file_of(std::size_t token) const { return files[tokens[token].file]; }

    /// The error of this token: its place and what is wrong there.
    [[nodiscard]] SourceError error(std::size_t token, std::string_view what) const;
};

/// Takes a preprocessed text apart. Lines that begin with # are no tokens: those of the preprocessor say
/// where the following lines came from. Comments are no tokens either. Errors: SourceError for a string or a
/// comment that does not end.
Source tokenize(std::string_view text);

}  // namespace cudabook::translator
