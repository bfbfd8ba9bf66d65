#include "common/program/text_table.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace cudabook {

std::string TextTable::text() const {
    std::vector<std::size_t> widths;
    for (const std::string& heading : headings_) widths.push_back(heading.size());
    for (const auto& row : rows_)
        if (row.size() > 1)
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    const auto aligned = [&widths](const std::vector<std::string>& row) {
        if (row.size() == 1) return row.front() + '\n';
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
        return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    };
    std::string text = aligned(headings_);
    for (const auto& row : rows_) text += aligned(row);
    return text;
}

}  // namespace cudabook
