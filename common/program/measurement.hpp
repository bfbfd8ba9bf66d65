// Repeated measurement: the median to quote, and the least and the most beside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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
    std::string limit;  ///< what allows no more: one or several of threads, registers, shared memory, blocks
};

/// Median, min and max of durations in ms; all 0 if there are none.
Measurement summarise(std::vector<double> ms);

/// Something to measure: runs once and returns its duration in ms.
using Work = std::function<double()>;

/// A clock in ms.
using Clock = std::function<double()>;

/// Ms since some moment, in real time.
double steady_ms();

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
std::vector<bool> quickest_within(double budget_ms, const std::vector<double>& ms);

/// Is told, from time to time, which share of the work is done: 0 to 1.
using OnShareDone = std::function<void(double)>;

/// Runs all works in turn, so that a machine that warms up or slows down does so for each of them alike: two
/// rounds to warm up, then until each was run 5 times and all of them for a tenth of a second each on
/// average, at most 1000 times. It begins no round that, going by the one before, would not end within the
/// budget, so that slow works are run less often, but each at least once; fewer than five rounds have fewer
/// to warm up. An interrupt ends it as soon as each was run once.
std::vector<Measurement> measure_in_turn(const std::vector<Work>& works, const TimeBudget& budget,
                                         const OnShareDone& on_share_done = nullptr);

/// The same with three seconds for each work.
std::vector<Measurement> measure_in_turn(const std::vector<Work>& works);

/// The same for one work alone.
Measurement measure(const Work& work);
Measurement measure(const Work& work, const TimeBudget& budget, const OnShareDone& on_share_done = nullptr);

/// Wall-clock time of `work` in ms.
template <class Function>
double wall_ms(Function work) {
    const double start = steady_ms();
    work();
    return steady_ms() - start;
}

}  // namespace cudabook
