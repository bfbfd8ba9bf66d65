// common/program/figures.hpp: the kinds of figures, and their order.
#include "common/program/figures.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cudabook {
namespace {

template <class Kind>
bool holds(const Figure& figure) {
    return std::holds_alternative<Kind>(figure.value);
}

TEST(Figures, AFigureKeepsItsValue) {
    EXPECT_TRUE(holds<std::nullptr_t>({}));
    EXPECT_TRUE(holds<std::nullptr_t>(nullptr));
    EXPECT_TRUE(holds<bool>(true));
    EXPECT_TRUE(holds<std::int64_t>(5));
    EXPECT_TRUE(holds<std::int64_t>(std::size_t{5}));
    EXPECT_TRUE(holds<double>(5.0));
    EXPECT_TRUE(holds<double>(5.0F));
    EXPECT_TRUE(holds<std::string>("five"));
    EXPECT_TRUE(holds<std::string>(std::string("five")));
    EXPECT_TRUE(holds<std::string>(std::string_view("five")));
    EXPECT_EQ(std::get<std::int64_t>(Figure(std::numeric_limits<std::int64_t>::max()).value),
              std::numeric_limits<std::int64_t>::max());
}

TEST(Figures, KeepTheirOrderAndAreReplacedInPlace) {
    Figures figures{{"ms", 1.5}, {"frames", 10}};
    figures["checksum"] = "f7cb8b0a";
    figures["ms"] = 2.5;
    std::vector<std::string> names;
    for (const auto& [name, figure] : figures) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"ms", "frames", "checksum"}));
    EXPECT_EQ(figures, (Figures{{"ms", 2.5}, {"frames", 10}, {"checksum", "f7cb8b0a"}}));
}

TEST(Figures, AreErasedByName) {
    Figures figures{{"ms", 1.5}, {"frames", 10}};
    figures.erase("ms");
    figures.erase("seconds");
    EXPECT_EQ(figures, (Figures{{"frames", 10}}));
}

TEST(Figures, AreFoundByName) {
    const Figures figures{{"ms", 1.5}};
    ASSERT_NE(figures.find("ms"), nullptr);
    EXPECT_EQ(*figures.find("ms"), Figure(1.5));
    EXPECT_EQ(figures.find("frames"), nullptr);
}

}  // namespace
}  // namespace cudabook
