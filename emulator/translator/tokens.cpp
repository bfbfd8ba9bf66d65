#include "emulator/translator/tokens.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace cudabook::translator {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool continues_word(char c) { return begins_word(c) || is_digit(c); }

std::string place(const File& file, std::uint32_t line) { return fmt::format("{}:{}", file.name, line); }

class Tokenizer {
  public:
    explicit Tokenizer(std::string_view text) {
        source_.text = text;
        file_ = number_of("<stdin>", false);
    }

    Source run() && {
        while (at_ < source_.text.size()) step();
        return std::move(source_);
    }

  private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.text.size() ? source_.text[at_ + ahead] : '\0';
    }

    [[nodiscard]] bool next_is(std::string_view expected) const {
        return source_.text.substr(at_, expected.size()) == expected;
    }

    void step() {
        const char c = peek();
        if (c == '\n') {
            ++line_;
            ++at_;
            at_line_start_ = true;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++at_;
        } else if (c == '#' && at_line_start_) {
            directive();
        } else if (next_is("//")) {
            skip_line();
        } else if (next_is("/*")) {
            skip_comment();
        } else {
            at_line_start_ = false;
            token(c);
        }
    }

    void token(char c) {
        const std::size_t begin = at_;
        const std::uint32_t line = line_;
        Kind kind = Kind::sign;
        if (begins_word(c)) {
            kind = Kind::word;
            while (continues_word(peek())) ++at_;
            const std::string_view word = source_.text.substr(begin, at_ - begin);
            if (peek() == '"' &&
                (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R")) {
                kind = Kind::text;
                skip_raw_string();
            } else if ((peek() == '"' || peek() == '\'') &&
                       (word == "L" || word == "u" || word == "U" || word == "u8")) {
                kind = Kind::text;
                skip_string();
            }
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            kind = Kind::number;
            skip_number();
        } else if (c == '"' || c == '\'') {
            kind = Kind::text;
            skip_string();
        } else {
            ++at_;
            for (const std::string_view sign : {"->", "::", "<=", ">=", "..."})
                if (source_.text.substr(begin, sign.size()) == sign) at_ = begin + sign.size();
        }
        source_.tokens.push_back(
            {kind, file_, line, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_ - begin)});
    }

    void skip_number() {
        while (true) {
            const char c = peek();
            const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
            if (exponent && (peek(1) == '+' || peek(1) == '-'))
                at_ += 2;
            else if (continues_word(c) || c == '.' || (c == '\'' && continues_word(peek(1))))
                ++at_;
            else
                return;
        }
    }

    void skip_string() {
        const char quote = peek();
        for (++at_; peek() != quote; ++at_) {
            if (peek() == '\\') ++at_;
            if (at_ >= source_.text.size() || peek() == '\n') fail("this string does not end");
        }
        ++at_;
    }

    void skip_raw_string() {
        const std::size_t open = source_.text.find('(', at_);
        if (open == std::string_view::npos) fail("this string does not end");
        const std::string end = fmt::format("){}\"", source_.text.substr(at_ + 1, open - at_ - 1));
        const std::size_t close = source_.text.find(end, open);
        if (close == std::string_view::npos) fail("this string does not end");
        skip_to(close + end.size());
    }

    void skip_comment() {
        const std::size_t end = source_.text.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("this comment does not end");
        skip_to(end + 2);
    }

    void skip_line() { at_ = std::min(source_.text.find('\n', at_), source_.text.size()); }

    void skip_to(std::size_t end) {
        line_ += static_cast<std::uint32_t>(
            std::count(source_.text.begin() + static_cast<std::ptrdiff_t>(at_),
                       source_.text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end;
    }

    /// Reads # LINE "FILE" FLAGS, or #line LINE "FILE". Skips other directives, such as #pragma.
    void directive() {
        const std::size_t begin = at_;
        skip_line();
        std::string_view words = source_.text.substr(begin + 1, at_ - begin - 1);
        const auto drop_space = [&] {
            words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        };
        drop_space();
        if (words.starts_with("line")) words.remove_prefix(4);
        drop_space();
        std::uint32_t line = 0;
        const auto [rest, error] = std::from_chars(words.data(), words.data() + words.size(), line);
        if (error != std::errc()) return;
        words.remove_prefix(static_cast<std::size_t>(rest - words.data()));
        drop_space();
        std::uint32_t file = file_;
        if (words.starts_with('"')) {
            std::string name;
            std::size_t i = 1;
            for (; i < words.size() && words[i] != '"'; ++i) {
                if (words[i] == '\\' && i + 1 < words.size()) ++i;
                name += words[i];
            }
            const std::string_view flags = words.substr(std::min(i + 1, words.size()));
            file = number_of(name, flags.find('3') != std::string_view::npos);
            if (flags.find('1') != std::string_view::npos) source_.inclusions.push_back({name, file_, line_});
        }
        file_ = file;
        line_ = line - 1;  // the line break that follows adds 1
    }

    std::uint32_t number_of(const std::string& name, bool is_system) {
        const auto [entry, is_new] =
            numbers_.try_emplace({name, is_system}, static_cast<std::uint32_t>(source_.files.size()));
        if (is_new) source_.files.push_back({name, is_system});
        return entry->second;
    }

    [[noreturn]] void fail(const char* what) const {
        throw SourceError(place(source_.files[file_], line_) + ": " + what);
    }

    Source source_;
    std::size_t at_ = 0;
    std::uint32_t file_ = 0;
    std::uint32_t line_ = 1;
    bool at_line_start_ = true;
    std::map<std::pair<std::string, bool>, std::uint32_t> numbers_;
};

}  // namespace

SourceError Source::error(std::size_t token, std::string_view what) const {
    return SourceError{fmt::format("{}: {}", place(file_of(token), tokens[token].line), what)};
}

Source tokenize(std::string_view text) { return Tokenizer(text).run(); }

}  // namespace cudabook::translator
