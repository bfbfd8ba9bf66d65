// Text in columns.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cudabook {

/// Rows of cells, and lines that run across all columns.
class TextTable {
  public:
    /// `words`: the number of columns, from the left, that hold words. Words are aligned left. The other
    /// columns hold numbers, which are aligned right.
    explicit TextTable(std::vector<std::string> headings,
                       std::size_t words = std::numeric_limits<std::size_t>::max())
        : words_(words), rows_{std::move(headings)} {}

    /// Adds a row of two cells or more. Missing cells at the end of the row are empty.
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void add_line(std::string line) { rows_.push_back({std::move(line)}); }
    [[nodiscard]] bool empty() const { return rows_.size() == 1; }

    /// The table as text, with a newline after each row.
    [[nodiscard]] std::string text() const;

  private:
    std::size_t words_;
    std::vector<std::vector<std::string>> rows_;  ///< row 0 has the headings; a row of one cell is a line
};

}  // namespace cudabook
