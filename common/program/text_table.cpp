#include "common/program/text_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace cudabook {

std::string TextTable::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
        if (row.size() > 1)
            for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows_) {
        std::string line = row.front();
        if (row.size() > 1) {
            line.clear();
            for (std::size_t i = 0; i < row.size(); ++i)
                line += i < words_ ? fmt::format("{:<{}}  ", row[i], widths[i])
                                   : fmt::format("{:>{}}  ", row[i], widths[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace cudabook
