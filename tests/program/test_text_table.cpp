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

TEST(TextTable, NumbersAreAlignedRightAfterTheWords) {
    TextTable table({"name", "count", "share"}, 1);
    table.add({"a", "1", "12.5"});
    table.add({"longer", "1000000"});
    EXPECT_EQ(table.text(),
              "name      count  share\n"
              "a             1   12.5\n"
              "longer  1000000\n");
}

}  // namespace
}  // namespace cudabook
