#include "common/program/language.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "common/program/chinese.hpp"

namespace cudabook {

namespace {

constexpr std::string_view placeholder = "{}";

/// Whether a locale such as zh_CN.UTF-8@pinyin is Chinese, and its encoding is UTF-8 or not named.
bool is_chinese(std::string_view locale) {
    if (locale.substr(0, locale.find_first_of("_-.@")) != "zh") return false;
    const std::size_t dot = locale.find('.');
    if (dot == std::string_view::npos) return true;
    std::string encoding;
    for (const char c : locale.substr(dot + 1, locale.find('@') - dot - 1))
        if (c != '-') encoding += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return encoding == "utf8";
}

/// The pieces of the pattern between its placeholders.
std::vector<std::string_view> pieces_of(std::string_view pattern) {
    std::vector<std::string_view> pieces;
    for (std::size_t end = 0; (end = pattern.find(placeholder)) != std::string_view::npos;) {
        pieces.push_back(pattern.substr(0, end));
        pattern.remove_prefix(end + placeholder.size());
    }
    pieces.push_back(pattern);
    return pieces;
}

/// The parts that the text inserts into the pattern, or nullopt if the text does not match the pattern.
std::optional<std::vector<std::string_view>> inserted(std::string_view text, std::string_view pattern) {
    const auto pieces = pieces_of(pattern);
    if (pieces.size() == 1)
        return text == pattern ? std::optional<std::vector<std::string_view>>(std::in_place) : std::nullopt;
    if (text.size() < pieces.front().size() + pieces.back().size() || !text.starts_with(pieces.front()) ||
        !text.ends_with(pieces.back()))
        return std::nullopt;
    text.remove_prefix(pieces.front().size());
    text.remove_suffix(pieces.back().size());
    std::vector<std::string_view> found;
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        const std::size_t end = text.find(pieces[i]);
        if (end == std::string_view::npos) return std::nullopt;
        found.push_back(text.substr(0, end));
        text.remove_prefix(end + pieces[i].size());
    }
    found.push_back(text);
    return found;
}

std::string insert(std::string_view chinese, const std::vector<std::string>& inserts) {
    std::string text;
    std::size_t next = 0;
    for (std::size_t i = 0; i < chinese.size(); ++i) {
        const bool next_one = chinese.substr(i).starts_with(placeholder);
        const bool numbered = !next_one && chinese[i] == '{' && i + 2 < chinese.size() &&
                              std::isdigit(static_cast<unsigned char>(chinese[i + 1])) != 0 &&
                              chinese[i + 2] == '}';
        if (next_one || numbered) {
            const std::size_t which = numbered ? static_cast<std::size_t>(chinese[i + 1] - '0') : next++;
            if (which < inserts.size()) text += inserts[which];
            i += numbered ? 2 : 1;
        } else {
            text += chinese[i];
        }
    }
    return text;
}

bool has_letter(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

struct Match {
    const Translation* row;
    std::vector<std::string_view> inserts;
    std::size_t own_text;  ///< the length in bytes of the English pattern without placeholders
};

/// The rows whose English pattern matches the text; rows with the most text of their own come first.
std::vector<Match> matches(std::string_view english) {
    std::vector<Match> found;
    for (const Translation& row : chinese_translations())
        if (auto inserts = inserted(english, row.english)) {
            const std::size_t own = row.english.size() - inserts->size() * placeholder.size();
            found.push_back({&row, *std::move(inserts), own});
        }
    std::ranges::stable_sort(found, std::greater(), &Match::own_text);
    return found;
}

std::string in_chinese(std::string_view english) {
    for (const auto& [row, texts, own] : matches(english)) {
        bool any_word = has_letter(row->english);
        std::vector<std::string> inserts;
        for (const std::string_view text : texts) {
            inserts.push_back(text.find(' ') == std::string_view::npos ? std::string(text)
                                                                       : in_chinese(text));
            any_word = any_word || inserts.back() != text;
        }
        if (any_word) return insert(row->chinese, inserts);
    }
    return std::string(english);
}

/// Removes the first character from the text and returns it. Bytes that are no UTF-8 count as characters.
std::uint32_t take_character(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t bytes = byte(0) < 0xc0 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    std::uint32_t character = bytes == 1 ? byte(0) : byte(0) & (0x7fU >> bytes);
    const std::size_t end = std::min(bytes, text.size());
    for (std::size_t i = 1; i < end; ++i) character = character << 6U | (byte(i) & 0x3fU);
    text.remove_prefix(end);
    return character;
}

}  // namespace

bool chinese_is_wanted() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* locale = std::getenv(name); locale != nullptr && *locale != '\0')
            return is_chinese(locale);
    return false;
}

std::string in_language_of_user(std::string_view english) {
    return chinese_is_wanted() ? in_chinese(english) : std::string(english);
}

std::size_t terminal_columns(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::uint32_t character = take_character(text);
        // Chinese, Japanese and Korean characters, their punctuation, and Latin characters of the same width.
        const bool wide =
            (character >= 0x2e80 && character < 0xa4d0) || (character >= 0xac00 && character < 0xd7a4) ||
            (character >= 0xf900 && character < 0xfb00) || (character >= 0xff01 && character < 0xff61) ||
            (character >= 0x20000 && character < 0x40000);
        columns += wide ? 2 : 1;
    }
    return columns;
}

}  // namespace cudabook
