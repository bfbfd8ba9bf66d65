// heat_notexture/rounds.hpp: the rounds add up to the steps, for any number of steps.
#include "heat_notexture/rounds.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace cudabook::heat {
namespace {

TEST(Rounds, AreTheFewestAndOfAboutTheSameLength) {
    constexpr int largest = std::numeric_limits<int>::max();
    for (const int steps : {0, 1, 15, 16, 17, 90, 1'000'003, largest - 1, largest})
        for (const int most : {16, 15'000, largest - 1, largest}) {
            if (steps / most > 1'000'000) continue;  // it would take long
            SCOPED_TRACE(testing::Message() << steps << " steps, at most " << most);
            std::int64_t sum = 0;
            int rounds = 0;
            int longest = 0;
            int shortest = most;
            for_each_round(steps, most, [&](int now) {
                sum += now;
                ++rounds;
                longest = now > longest ? now : longest;
                shortest = now < shortest ? now : shortest;
            });
            EXPECT_EQ(sum, steps);
            EXPECT_EQ(rounds, rounds_of(steps, most));
            EXPECT_EQ(rounds, (std::int64_t{steps} + most - 1) / most);
            EXPECT_LE(longest, most);
            EXPECT_LE(rounds > 0 ? longest - shortest : 0, 1);
        }
}

}  // namespace
}  // namespace cudabook::heat
