// heat_notexture/kernel.hpp: two tables in turn.
#include "heat_notexture/kernel.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cudabook::heat {
namespace {

using Names = std::vector<std::string>;

std::vector<Kernel> kernels(const Names& names) {
    std::vector<Kernel> kernels(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) kernels[i].name = names[i];
    return kernels;
}

Names names_in_turn(const Names& one, const Names& other) {
    Names names;
    for (const Kernel& kernel : in_turn(kernels(one), kernels(other))) names.push_back(kernel.name);
    return names;
}

TEST(HeatKernelTable, TwoTablesInTurn) {
    EXPECT_EQ(names_in_turn({"a", "b"}, {"A", "B"}), (Names{"a", "A", "b", "B"}));
    EXPECT_EQ(names_in_turn({"a"}, {"A", "B", "C"}), (Names{"a", "A", "B", "C"}));
    EXPECT_EQ(names_in_turn({"a", "b", "c"}, {"A"}), (Names{"a", "A", "b", "c"}));
    EXPECT_EQ(names_in_turn({}, {}), Names{});
}

}  // namespace
}  // namespace cudabook::heat
