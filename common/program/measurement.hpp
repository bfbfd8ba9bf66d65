// Repeated measurement: the median to quote, and the least and the most beside it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "common/program/interrupt.hpp"

namespace cudabook {

/// Durations of one piece of work over several repetitions, in ms.
struct Measurement {
    double median = 0;
    double min = 0;
    double max = 0;
    int repetitions = 0;
};

/// What a kernel takes of a multiprocessor.
struct Occupancy {
    double percent = 0;    ///< resident threads of those that could be
    int registers = 0;     ///< of one thread
    int shared_bytes = 0;  ///< of one block
    std::string limit;     ///< what ends, one or several of: threads, registers, shared memory, blocks
};

/// Median, min and max of durations in ms; all 0 if there are none.
inline Measurement summarise(std::vector<double> ms) {
    if (ms.empty()) return {};
    std::ranges::sort(ms);
    const std::size_t middle = ms.size() / 2;
    const double median = ms.size() % 2 == 1 ? ms[middle] : (ms[middle - 1] + ms[middle]) / 2;
    return {median, ms.front(), ms.back(), static_cast<int>(ms.size())};
}

/// Something to measure: runs once and returns its duration in ms.
using Work = std::function<double()>;

/// A clock in ms.
using Clock = std::function<double()>;

/// Ms since some moment, in real time.
inline double steady_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Time that a piece of work may take, in ms of a clock. It is handed on in shares: what one does not use is
/// there for those after it.
class TimeBudget {
  public:
    explicit TimeBudget(double ms, Clock clock = steady_ms) : clock_(std::move(clock)), end_(clock_() + ms) {}

    /// What is left, at least 0.
    [[nodiscard]] double left_ms() const { return std::max(0.0, end_ - clock_()); }

    /// An equal share of that, for the next of so many parts that are still to come.
    [[nodiscard]] TimeBudget share(std::size_t parts) const {
        return TimeBudget(left_ms() / static_cast<double>(std::max<std::size_t>(parts, 1)), clock_);
    }

  private:
    Clock clock_;
    double end_;
};

/// What a benchmark may take where the command line names no size: with what cannot be cut short it ends
/// within a minute.
inline constexpr double benchmark_ms = 50'000;

/// Of works that take about so many ms, whether each is among the quickest that fit into `budget_ms`
/// together.
inline std::vector<bool> quickest_within(double budget_ms, const std::vector<double>& ms) {
    std::vector<std::size_t> by_duration(ms.size());
    std::iota(by_duration.begin(), by_duration.end(), 0);
    std::ranges::stable_sort(by_duration, {}, [&](std::size_t i) { return ms[i]; });
    std::vector<bool> fits(ms.size());
    double total = 0;
    for (const std::size_t i : by_duration) fits[i] = (total += ms[i]) <= budget_ms;
    return fits;
}

/// Is told, from time to time, which share of the work is done: 0 to 1.
using OnShareDone = std::function<void(double)>;

/// Runs all works in turn, so that a machine that warms up or slows down does so for each of them alike: two
/// rounds to warm up, then until each was run 5 times and all of them for a tenth of a second each on
/// average, at most 1000 times. It begins no round that, going by the one before, would not end within the
/// budget, so that slow works are run less often, but each at least once; fewer than five rounds have fewer
/// to warm up. An interrupt ends it as soon as each was run once.
inline std::vector<Measurement> measure_in_turn(const std::vector<Work>& works, const TimeBudget& budget,
                                                const OnShareDone& on_share_done = nullptr) {
    constexpr std::size_t warm_up = 2;
    constexpr std::size_t least = warm_up + 5;
    constexpr std::size_t most = warm_up + 1000;
    const double enough_ms = 100 * static_cast<double>(works.size());
    const double budget_ms = budget.left_ms();
    std::vector<std::vector<double>> ms(works.size());
    double total = 0;
    bool more = !works.empty();
    for (std::size_t round = 1; more; ++round) {
        const double left = budget.left_ms();
        for (std::size_t i = 0; i < works.size() && (round == 1 || !interrupted()); ++i) {
            ms[i].push_back(works[i]());
            if (round > warm_up) total += ms[i].back();
            if (!on_share_done) continue;
            const auto rounds = static_cast<double>(round - 1) +
                                static_cast<double>(i + 1) / static_cast<double>(works.size());
            const double of_rounds = rounds / static_cast<double>(least);
            const double of_most = rounds / static_cast<double>(most);
            const double of_budget = budget_ms == 0 ? 1 : 1 - budget.left_ms() / budget_ms;
            on_share_done(
                std::clamp(std::max({std::min(of_rounds, total / enough_ms), of_most, of_budget}), 0.0, 1.0));
        }
        const double after = budget.left_ms();
        more = !interrupted() && round < most && (round < least || total < enough_ms) && after > left - after;
    }
    std::vector<Measurement> measurements;
    for (std::vector<double>& of_work : ms) {
        const auto cold = static_cast<std::ptrdiff_t>(std::min(warm_up, (of_work.size() - 1) / 2));
        of_work.erase(of_work.begin(), of_work.begin() + cold);
        measurements.push_back(summarise(std::move(of_work)));
    }
    return measurements;
}

/// The same with three seconds for each work.
inline std::vector<Measurement> measure_in_turn(const std::vector<Work>& works) {
    return measure_in_turn(works, TimeBudget(3000 * static_cast<double>(works.size())));
}

/// The same for one work alone.
inline Measurement measure(const Work& work) { return measure_in_turn({work}).front(); }
inline Measurement measure(const Work& work, const TimeBudget& budget,
                           const OnShareDone& on_share_done = nullptr) {
    return measure_in_turn({work}, budget, on_share_done).front();
}

/// Wall-clock time of `work` in ms.
template <class Function>
double wall_ms(Function work) {
    const double start = steady_ms();
    work();
    return steady_ms() - start;
}

}  // namespace cudabook
