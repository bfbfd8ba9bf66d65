// Text in columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cudabook {

/// Rows of cells, aligned left, and lines that run across all columns.
class TextTable {
  public:
    explicit TextTable(std::vector<std::string> headings) : headings_(std::move(headings)) {}

    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void add_line(std::string line) { rows_.push_back({std::move(line)}); }
    [[nodiscard]] bool empty() const { return rows_.empty(); }

    /// The table as text, with a newline after each row.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::string> headings_;
    std::vector<std::vector<std::string>> rows_;  ///< a row of one cell is a line
};

}  // namespace cudabook
