// The tokens of a preprocessed C++ source, and the place of each token in the original files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::translator {

/// An error in the source. Its text is for the user: "FILE:LINE: what is wrong".
class SourceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { word, number, text, sign };

/// A token. `begin` and `size` refer to the preprocessed text. A sign is one of the signs ->, ::, <=, >=
/// and ..., or another single character. So << and >> are two tokens each. Only the translator can tell
/// whether they belong to a launch or to template arguments.
struct Token {
    Kind kind;
    std::uint32_t file;  ///< index in Source::files
    std::uint32_t line;
    std::uint32_t begin;
    std::uint32_t size;
};

struct File {
    std::string name;
    bool is_system;  ///< the file is in a system folder
};

/// An inclusion of a file, from the line markers.
struct Inclusion {
    std::string included;
    std::uint32_t by;  ///< index in Source::files
    std::uint32_t line;
};

/// A tokenized preprocessed text. The Source refers to the text, which must outlive it.
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

    /// Returns an error for this token: its place and what is wrong.
    [[nodiscard]] SourceError error(std::size_t token, std::string_view what) const;
};

/// Tokenizes a preprocessed text. Comments and lines that begin with # give no tokens. The preprocessor's
/// line markers tell from which file the following lines come. Errors: SourceError for a string or a
/// comment that does not end.
Source tokenize(std::string_view text);

}  // namespace cudabook::translator
