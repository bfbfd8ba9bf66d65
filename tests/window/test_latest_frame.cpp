// common/window/latest_frame.hpp: the newest frame wins, and the two threads never use the same frame.
#include "common/window/latest_frame.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

namespace cudabook {
namespace {

TEST(LatestFrame, NothingBeforeTheFirst) {
    LatestFrame frames;
    EXPECT_TRUE(frames.taken());
    EXPECT_EQ(frames.take(), std::nullopt);
}

TEST(LatestFrame, EachIsTakenOnce) {
    LatestFrame frames;
    const int painted = frames.to_paint();
    frames.publish();
    EXPECT_FALSE(frames.taken());
    EXPECT_EQ(frames.take(), painted);
    EXPECT_TRUE(frames.taken());
    EXPECT_EQ(frames.take(), std::nullopt);
}

TEST(LatestFrame, TheNewestWins) {
    LatestFrame frames;
    int painted = 0;
    for (int i = 0; i < 7; ++i) {
        painted = frames.to_paint();
        frames.publish();
    }
    EXPECT_EQ(frames.take(), painted);
}

TEST(LatestFrame, TheOneShownIsNotPainted) {
    LatestFrame frames;
    frames.publish();
    const std::optional<int> shown = frames.take();
    for (int i = 0; i < 7; ++i) {
        EXPECT_NE(frames.to_paint(), shown);
        EXPECT_TRUE(frames.to_paint() >= 0 && frames.to_paint() < 3);
        frames.publish();
    }
}

/// Frames of many equal numbers, so that a torn frame, or one older than the previous, is detected.
TEST(LatestFrame, BetweenTwoThreads) {
    constexpr int last = 20000;
    LatestFrame frames;
    std::array<std::vector<int>, 3> memory;
    memory.fill(std::vector<int>(64));
    std::thread painter([&] {
        for (int i = 1; i <= last; ++i) {
            for (int& number : memory[static_cast<std::size_t>(frames.to_paint())]) number = i;
            frames.publish();
        }
    });
    int wrong = 0;
    for (int newest = 0; newest < last;) {
        const auto frame = frames.take();
        if (!frame) continue;
        const std::vector<int>& numbers = memory[static_cast<std::size_t>(*frame)];
        if (numbers.front() <= newest) ++wrong;
        newest = numbers.front();
        for (const int number : numbers)
            if (number != newest) ++wrong;
    }
    painter.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace cudabook
