// The text of a window's panel: what runs and how fast, a table, the list of keys, and labels on the picture.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cudabook {

/// Text on the picture, centred at (x, y), in cells from the lower left corner of the grid: 0.5 is the middle
/// of the first cell.
struct Label {
    double x = 0;
    double y = 0;
    std::string text;

    friend bool operator==(const Label& one, const Label& other) {
        return std::tie(one.x, one.y, one.text) == std::tie(other.x, other.y, other.text);
    }
};

/// The content of a window's panel, in ASCII.
struct Panel {
    std::string title;
    std::vector<std::string> lines;
    std::optional<double> share;  ///< the length of the bar, 0 to 1; nullopt for no bar
    std::string share_label;
    std::string note;                                       ///< below the bar
    std::vector<std::pair<std::string, std::string>> keys;  ///< each key and what it does
    std::vector<std::vector<std::string>> table{};          ///< rows of equal length, below the lines
    std::vector<Label> labels{};                            ///< shown and hidden with the panel

    friend bool operator==(const Panel& one, const Panel& other) {
        return std::tie(one.title, one.lines, one.share, one.share_label, one.note, one.keys, one.table,
                        one.labels) == std::tie(other.title, other.lines, other.share, other.share_label,
                                                other.note, other.keys, other.table, other.labels);
    }
};

}  // namespace cudabook
