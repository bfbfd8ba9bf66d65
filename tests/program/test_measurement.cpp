// common/program/measurement.hpp: medians, the number of repetitions, and what ends a measurement early.
#include "common/program/measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/program/interrupt.hpp"

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

    /// Measures work that reports the same duration each time, and is interrupted in one of its runs.
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
    EXPECT_EQ(runs_, 1002);  // two of them warm-up
}

TEST_F(Measure, MediumWorkIsRepeatedForATenthOfASecond) {
    EXPECT_EQ(measure_work(10).repetitions, 10);
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
    EXPECT_EQ(order, "ababababababab") << "2 warm-up rounds, then 5 rounds until 2 x 100 ms are over";
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

TEST_F(Measure, InterruptEndsItAfterTheCurrentRun) {
    EXPECT_EQ(measure_work(0.001, 6).repetitions, 4);
    EXPECT_EQ(runs_, 6);
}

TEST_F(Measure, InterruptInTheWarmUpLeavesOneRun) {
    EXPECT_EQ(measure_work(0.001, 1).repetitions, 1);
    EXPECT_EQ(runs_, 1);
}

TEST_F(Measure, InterruptBeforeLeavesOneRun) {
    std::raise(SIGINT);
    EXPECT_EQ(measure_work(0.001).repetitions, 1);
    EXPECT_EQ(runs_, 1);
}

/// With a fake clock that only the works advance.
class MeasureInBudget : public Measure {
  protected:
    Work work(double ms) {
        return [=, this] {
            ++runs_;
            now_ += ms;
            return ms;
        };
    }
    TimeBudget budget(double ms) {
        return TimeBudget(ms, [this] { return now_; });
    }

    double now_ = 1e6;
};

TEST_F(MeasureInBudget, SharesOfWhatIsLeft) {
    const TimeBudget whole = budget(1000);
    EXPECT_EQ(whole.left_ms(), 1000);
    const TimeBudget first = whole.share(4);
    EXPECT_EQ(first.left_ms(), 250);
    now_ += 100;  // less than its share, so there is more for the others
    EXPECT_EQ(first.left_ms(), 150);
    EXPECT_EQ(whole.share(3).left_ms(), 300);
    EXPECT_EQ(whole.share(3).share(2).left_ms(), 150);
    now_ += 1000;
    EXPECT_EQ(whole.left_ms(), 0);
    EXPECT_EQ(whole.share(2).left_ms(), 0);
    EXPECT_EQ(whole.share(0).left_ms(), 0);
}

TEST_F(MeasureInBudget, EnoughTime) {
    EXPECT_EQ(measure(work(10), budget(10'000)).repetitions, 10);
    EXPECT_EQ(now_ - 1e6, 120);
}

TEST_F(MeasureInBudget, SlowWorksRunFewerRoundsAndAtLeastOne) {
    // The runs, including warm-up, and the repetitions that count.
    const std::pair<double, std::pair<int, int>> expected[] = {
        {1000, {7, 5}}, {1700, {5, 3}}, {2000, {4, 3}}, {2100, {4, 3}},
        {3000, {3, 2}}, {4900, {2, 2}}, {5000, {1, 1}}, {90'000, {1, 1}}};
    for (const auto& [ms, counts] : expected) {
        runs_ = 0;
        EXPECT_EQ(measure(work(ms), budget(10'000)).repetitions, counts.second) << ms;
        EXPECT_EQ(runs_, counts.first) << ms;
    }
}

TEST_F(MeasureInBudget, IsKept) {
    for (const double ms : {0.01, 1.0, 30.0, 400.0, 2500.0, 9999.0}) {
        const double begin = now_;
        measure_in_turn({work(ms), work(ms / 10), work(ms / 100)}, budget(10'000));
        EXPECT_LE(now_ - begin, std::max(10'000.0, 1.12 * ms)) << ms;
    }
}

TEST_F(MeasureInBudget, NoTimeLeavesOneRun) {
    const auto measured = measure_in_turn({work(5), work(7)}, budget(0));
    ASSERT_EQ(measured.size(), 2U);
    expect_equal(measured[0], 5, 5, 5, 1);
    expect_equal(measured[1], 7, 7, 7, 1);
}

TEST_F(MeasureInBudget, WithoutABudgetThreeSecondsForEachWork) {
    // This uses the real clock, which these works do not advance, so nothing is left out.
    EXPECT_EQ(measure(work(5000)).repetitions, 5);
}

TEST_F(MeasureInBudget, ReportsProgress) {
    for (const double ms : {0.001, 20.0, 3000.0}) {
        std::vector<double> shares;
        measure_in_turn({work(ms), work(ms)}, budget(10'000), [&](double share) { shares.push_back(share); });
        ASSERT_GE(shares.size(), 2U);
        EXPECT_TRUE(std::ranges::is_sorted(shares)) << ms;
        EXPECT_GT(shares.front(), 0) << ms;
        EXPECT_GT(shares.back(), 0.5) << ms;
        EXPECT_LE(shares.back(), 1) << ms;
    }
}

TEST(QuickestWithin, LeavesTheSlowestOut) {
    using Fits = std::vector<bool>;
    EXPECT_EQ(quickest_within(100, {10, 20, 30}), (Fits{true, true, true}));
    EXPECT_EQ(quickest_within(60, {10, 20, 30}), (Fits{true, true, true}));
    EXPECT_EQ(quickest_within(59, {30, 10, 20}), (Fits{false, true, true}));
    EXPECT_EQ(quickest_within(15, {30, 10, 20, 0}), (Fits{false, true, false, true}));
    EXPECT_EQ(quickest_within(0, {0, 1}), (Fits{true, false}));
    EXPECT_EQ(quickest_within(0, {}), Fits{});
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
