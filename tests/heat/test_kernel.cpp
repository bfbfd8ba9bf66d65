// heat_notexture/kernel.hpp: a table's kernels, each with its counterpart.
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

Names with_counterparts(const Names& textures, const Names& global) {
    Names names;
    for (const Kernel& kernel : heat::with_counterparts(kernels(textures), kernels(global)))
        names.push_back(kernel.name);
    return names;
}

TEST(HeatKernelTable, CounterpartsFollowTheirKernels) {
    EXPECT_EQ(with_counterparts({"a", "b"}, {"A", "B"}), (Names{"a", "A_global", "b", "B_global"}));
    EXPECT_EQ(with_counterparts({"a"}, {"A", "B", "C"}), (Names{"a", "A_global", "B_global", "C_global"}));
    EXPECT_EQ(with_counterparts({"a", "b", "c"}, {"A"}), (Names{"a", "A_global", "b", "c"}));
    EXPECT_EQ(with_counterparts({}, {}), Names{});
}

}  // namespace
}  // namespace cudabook::heat
