// The text of a window's panel: what runs and how fast, and the list of keys.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cudabook {

/// The content of the panel; ASCII.
struct Panel {
    std::string title;
    std::vector<std::string> lines;
    std::optional<double> share;  ///< the length of the bar, 0 to 1; none: no bar
    std::string share_label;
    std::string note;                                       ///< below the bar
    std::vector<std::pair<std::string, std::string>> keys;  ///< each key and what it does

    friend bool operator==(const Panel& one, const Panel& other) {
        return std::tie(one.title, one.lines, one.share, one.share_label, one.note, one.keys) ==
               std::tie(other.title, other.lines, other.share, other.share_label, other.note, other.keys);
    }
};

}  // namespace cudabook
