// common/measurement.hpp: medians, how often measure() repeats, and what ends it early.
#include "common/measurement.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

namespace cudabook {
namespace {

void expect_equal(const Measurement& measured, double median, double min, double max, int repetitions) {
    EXPECT_EQ(measured.median, median);
    EXPECT_EQ(measured.min, min);
    EXPECT_EQ(measured.max, max);
    EXPECT_EQ(measured.repetitions, repetitions);
}

TEST(Summarise, OddNumber) { expect_equal(summarise({9, 1, 5}), 5, 1, 9, 3); }

TEST(Summarise, EvenNumber) { expect_equal(summarise({8, 1, 4, 2}), 3, 1, 8, 4); }

TEST(Summarise, TwoAreAveraged) { expect_equal(summarise({3, 4}), 3.5, 3, 4, 2); }

TEST(Summarise, One) { expect_equal(summarise({2.5}), 2.5, 2.5, 2.5, 1); }

TEST(Summarise, None) { expect_equal(summarise({}), 0, 0, 0, 0); }

TEST(Summarise, OutlierDoesNotMoveTheMedian) { expect_equal(summarise({1, 1, 1, 1, 1000}), 1, 1, 1000, 5); }

class Measure : public testing::Test {
  protected:
    void TearDown() override { clear_interrupt(); }

    /// Measures work that says it took so long each time, and that is interrupted in one of its runs.
    Measurement measure_work(double ms, int interrupted_run = 0) {
        return measure([=, this] {
            if (++runs_ == interrupted_run) std::raise(SIGINT);
            return ms;
        });
    }

    const InterruptGuard guard_;
    int runs_ = 0;
};

TEST_F(Measure, QuickWorkIsRepeatedAThousandTimes) {
    expect_equal(measure_work(0.001), 0.001, 0.001, 0.001, 1000);
    EXPECT_EQ(runs_, 1002);  // two to warm up
}

TEST_F(Measure, MediumWorkIsRepeatedForHalfASecond) {
    EXPECT_EQ(measure_work(50).repetitions, 10);
    EXPECT_EQ(runs_, 12);
}

TEST_F(Measure, WorksAreRunInTurn) {
    std::string order;
    const auto measured = measure_in_turn({[&] {
                                               order += 'a';
                                               return 400.0;
                                           },
                                           [&] {
                                               order += 'b';
                                               return 1.0;
                                           }});
    EXPECT_EQ(order, "ababababababab") << "twice to warm up, and 5 times, until 2 x 500 ms are over";
    ASSERT_EQ(measured.size(), 2U);
    expect_equal(measured[0], 400, 400, 400, 5);
    expect_equal(measured[1], 1, 1, 1, 5);
}

TEST_F(Measure, NoWork) { EXPECT_TRUE(measure_in_turn({}).empty()); }

TEST_F(Measure, SlowWorkIsRepeatedFiveTimes) {
    EXPECT_EQ(measure_work(10000).repetitions, 5);
    EXPECT_EQ(runs_, 7);
}

TEST_F(Measure, WarmUpDoesNotCount) {
    const Measurement measured = measure([this] { return ++runs_ <= 2 ? 1e6 : 100.0 + runs_; });
    expect_equal(measured, 105, 103, 107, 5);
}

TEST_F(Measure, InterruptEndsItAfterTheRunInProgress) {
    EXPECT_EQ(measure_work(0.001, 6).repetitions, 4);
    EXPECT_EQ(runs_, 6);
}

TEST_F(Measure, InterruptInTheWarmUpLeavesOneRun) {
    EXPECT_EQ(measure_work(0.001, 1).repetitions, 1);
    EXPECT_EQ(runs_, 2);
}

TEST_F(Measure, InterruptBeforeLeavesOneRun) {
    std::raise(SIGINT);
    EXPECT_EQ(measure_work(0.001).repetitions, 1);
    EXPECT_EQ(runs_, 1);
}

TEST(WallMs, CountsMilliseconds) {
    const double ms = wall_ms([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
    EXPECT_GE(ms, 20);
    EXPECT_LT(ms, 20000);
}

TEST(WallMs, RunsTheWorkOnce) {
    int runs = 0;
    EXPECT_GE(wall_ms([&] { ++runs; }), 0);
    EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace cudabook
