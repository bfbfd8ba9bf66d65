// Repeated measurement: the median to quote, and the least and the most beside it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "common/interrupt.hpp"

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
    int shared_bytes = 0;  ///< of one block, statically
};

/// Median, min and max of durations in ms; all 0 if there are none.
inline Measurement summarise(std::vector<double> ms) {
    if (ms.empty()) return {};
    std::ranges::sort(ms);
    const std::size_t middle = ms.size() / 2;
    const double median = ms.size() % 2 == 1 ? ms[middle] : (ms[middle - 1] + ms[middle]) / 2;
    return {median, ms.front(), ms.back(), static_cast<int>(ms.size())};
}

/// Runs `work`, which returns its duration in ms: twice to warm up, then until it was run 5 times and for
/// half a second, at most 1000 times. An interrupt ends it after the run in progress.
template <class Work>
Measurement measure(Work work) {
    constexpr std::size_t least = 5;
    constexpr std::size_t most = 1000;
    constexpr double enough_ms = 500;
    for (int i = 0; i < 2 && !interrupted(); ++i) work();
    std::vector<double> ms;
    for (double total = 0; ms.size() < most && (ms.size() < least || total < enough_ms); total += ms.back()) {
        if (interrupted() && !ms.empty()) break;
        ms.push_back(work());
    }
    return summarise(std::move(ms));
}

/// Wall-clock time of `work` in ms.
template <class Work>
double wall_ms(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace cudabook
