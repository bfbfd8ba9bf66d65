// Repeated measurement: the median to quote, and the least and the most beside it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
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

/// Runs all works in turn, so that a machine that warms up or slows down does so for each of them alike:
/// twice to warm up, then until each was run 5 times and all of them for half a second each on average, at
/// most 1000 times. An interrupt ends it as soon as each was run once.
inline std::vector<Measurement> measure_in_turn(const std::vector<Work>& works) {
    constexpr std::size_t least = 5;
    constexpr std::size_t most = 1000;
    const double enough_ms = 500 * static_cast<double>(works.size());
    for (int i = 0; i < 2; ++i)
        for (const Work& work : works)
            if (!interrupted()) work();
    std::vector<std::vector<double>> ms(works.size());
    double total = 0;
    for (std::size_t round = 0; round < most && (round < least || total < enough_ms); ++round) {
        for (std::size_t i = 0; i < works.size(); ++i) {
            if (interrupted() && round > 0) break;
            ms[i].push_back(works[i]());
            total += ms[i].back();
        }
        if (interrupted()) break;
    }
    std::vector<Measurement> measurements;
    for (std::vector<double>& of_work : ms) measurements.push_back(summarise(std::move(of_work)));
    return measurements;
}

/// The same for one work alone.
inline Measurement measure(const Work& work) { return measure_in_turn({work}).front(); }

/// Wall-clock time of `work` in ms.
template <class Function>
double wall_ms(Function work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace cudabook
