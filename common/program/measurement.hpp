// Repeated measurement: median, minimum and maximum.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cudabook {

/// Durations of repeated runs of the same work, in ms.
struct Measurement {
    double median = 0;
    double min = 0;
    double max = 0;
    int repetitions = 0;
};

/// How a kernel uses a multiprocessor.
struct Occupancy {
    double percent = 0;    ///< resident threads, in percent of the multiprocessor's maximum
    int registers = 0;     ///< per thread
    int shared_bytes = 0;  ///< per block
    std::string limit;     ///< what limits it: one or more of threads, registers, shared memory, blocks
    int blocks = 0;        ///< resident blocks on a multiprocessor
};

/// Median, min and max of durations in ms; all 0 if there are none.
Measurement summarise(std::vector<double> ms);

/// Work to measure: runs once and returns its duration in ms.
using Work = std::function<double()>;

/// A clock in ms.
using Clock = std::function<double()>;

/// std::chrono::steady_clock in ms.
double steady_ms();

/// A time limit in ms. The limit can be divided into shares. The time that one share does not use is left for
/// the later shares.
class TimeBudget {
  public:
    explicit TimeBudget(double ms, Clock clock = steady_ms) : clock_(std::move(clock)), end_(clock_() + ms) {}

    /// The remaining time, at least 0.
    [[nodiscard]] double left_ms() const { return std::max(0.0, end_ - clock_()); }

    /// Returns the budget for the next part of the work, if `parts` parts remain: an equal share of the
    /// remaining time.
    [[nodiscard]] TimeBudget share(std::size_t parts) const {
        return TimeBudget(left_ms() / static_cast<double>(std::max<std::size_t>(parts, 1)), clock_);
    }

  private:
    Clock clock_;
    double end_;
};

/// The time limit of a benchmark if the command line gives no size. With this limit the benchmark ends within
/// a minute, including the parts that cannot be cut short.
inline constexpr double benchmark_ms = 50'000;

/// Selects durations, from the shortest to the longest, as long as their sum is at most `budget_ms`. Returns
/// for each duration whether it was selected. All durations are estimates in ms.
std::vector<bool> quickest_within(double budget_ms, const std::vector<double>& ms);

/// Called from time to time with the share of the work that is done, 0 to 1.
using OnShareDone = std::function<void(double)>;

/// Measures all works in rounds. Each round runs each work once, so that a machine that warms up or slows
/// down affects all works alike. Two warm-up rounds, which are not counted, come first. Then at least 5 and
/// at most 1000 rounds run, until the durations add up to a tenth of a second per work. The first round
/// always runs. A later round runs only if the remaining budget is longer than the previous round was. If the
/// budget allows only one or two rounds, none is a warm-up round; of three or four rounds, one is. After an
/// interrupt, the measurement ends as soon as each work has run once.
std::vector<Measurement> measure_in_turn(const std::vector<Work>& works, const TimeBudget& budget,
                                         const OnShareDone& on_share_done = nullptr);

/// Like measure_in_turn() above, with a budget of three seconds for each work.
std::vector<Measurement> measure_in_turn(const std::vector<Work>& works);

/// Like measure_in_turn(), for a single work.
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
