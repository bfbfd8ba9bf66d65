// The tables of the oneAPI guide's chapter on thread mapping and occupancy, calculated and compared with the
// printed numbers.
#pragma once

#include <string>
#include <vector>

#include "common/program/figures.hpp"

namespace cudabook::occupancy {

struct ChapterTables {
    std::string text;           ///< with a newline at the end
    bool ok = true;             ///< whether every row is ok
    std::vector<Figures> rows;  ///< figures of a row: table, case, printed, calculated, note, ok
};

/// Calculates the chapter's tables. A row is ok if the calculator gives the printed value. If the printed
/// value is known to be wrong, the row is ok if the calculator gives the right value.
ChapterTables chapter_tables();

}  // namespace cudabook::occupancy
