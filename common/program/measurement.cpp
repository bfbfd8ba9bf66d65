#include "common/program/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "common/program/interrupt.hpp"

namespace cudabook {

Measurement summarise(std::vector<double> ms) {
    if (ms.empty()) return {};
    std::ranges::sort(ms);
    const std::size_t middle = ms.size() / 2;
    const double median = ms.size() % 2 == 1 ? ms[middle] : (ms[middle - 1] + ms[middle]) / 2;
    return {median, ms.front(), ms.back(), static_cast<int>(ms.size())};
}

double steady_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::vector<bool> quickest_within(double budget_ms, const std::vector<double>& ms) {
    std::vector<std::size_t> by_duration(ms.size());
    std::iota(by_duration.begin(), by_duration.end(), 0);
    std::ranges::stable_sort(by_duration, {}, [&](std::size_t i) { return ms[i]; });
    std::vector<bool> fits(ms.size());
    double total = 0;
    for (const std::size_t i : by_duration) fits[i] = (total += ms[i]) <= budget_ms;
    return fits;
}

std::vector<Measurement> measure_in_turn(const std::vector<Work>& works, const TimeBudget& budget,
                                         const OnShareDone& on_share_done) {
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

std::vector<Measurement> measure_in_turn(const std::vector<Work>& works) {
    return measure_in_turn(works, TimeBudget(3000 * static_cast<double>(works.size())));
}

Measurement measure(const Work& work) { return measure_in_turn({work}).front(); }
Measurement measure(const Work& work, const TimeBudget& budget, const OnShareDone& on_share_done) {
    return measure_in_turn({work}, budget, on_share_done).front();
}

}  // namespace cudabook
