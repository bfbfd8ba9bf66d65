// common/program/text_table.hpp
#include "common/program/text_table.hpp"

#include <gtest/gtest.h>

namespace cudabook {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
    TextTable table({"a", "heading"});
    EXPECT_TRUE(table.empty());
    table.add({"longer", "x"});
    table.add_line("a line across all columns");
    table.add({"", "y"});
    EXPECT_FALSE(table.empty());
    EXPECT_EQ(table.text(),
              "a       heading\n"
              "longer  x\n"
              "a line across all columns\n"
              "        y\n");
}

}  // namespace
}  // namespace cudabook
