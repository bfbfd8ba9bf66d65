// The tables of the oneAPI guide's chapter on thread mapping and occupancy, calculated and compared with what
// is printed there.
#pragma once

#include <string>
#include <vector>

#include "common/program/figures.hpp"

namespace cudabook::occupancy {

struct ChapterTables {
    std::string text;           ///< with a newline at the end
    bool ok = true;             ///< every row is
    std::vector<Figures> rows;  ///< table, case, printed, calculated, note, ok
};

/// A row is ok if the calculator gives what is printed or, where that is a slip of the pen, what should be.
ChapterTables chapter_tables();

}  // namespace cudabook::occupancy
