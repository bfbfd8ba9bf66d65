#include "occupancy/timeline/scheduler.hpp"

#include <algorithm>
#include <cstddef>

namespace cudabook::occupancy {

double Machine::full_us() const {
    double sum = 0;
    for (const std::vector<double>& of_multiprocessor : block_us) sum += of_multiprocessor.back();
    return sum / multiprocessors();
}

Machine alike(int multiprocessors, const std::vector<double>& block_us) {
    return {std::vector(static_cast<std::size_t>(multiprocessors), block_us)};
}

Timeline predict(const Machine& machine, int blocks) {
    const double together_us = 0.02 * machine.full_us();
    const std::size_t all = machine.block_us.size();
    const auto most = static_cast<std::size_t>(machine.most_blocks());
    std::vector<double> free_at(all);
    Timeline timeline;
    for (auto left = static_cast<std::size_t>(blocks); left > 0;) {
        const double now = *std::ranges::min_element(free_at);
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < all; ++i)
            if (free_at[i] <= now + together_us) free.push_back(i);
        const std::size_t next = std::min(left, free.size() * most);
        std::vector<std::size_t> held(all);
        for (std::size_t i = 0; i < next; ++i) ++held[free[i % free.size()]];
        for (std::size_t i = 0; i < next; ++i) {
            const std::size_t to = free[i % free.size()];
            const double begin = free_at[to];
            timeline.push_back({static_cast<int>(to), begin, begin + machine.block_us[to][held[to] - 1]});
        }
        for (const std::size_t i : free)
            if (held[i] > 0) free_at[i] += machine.block_us[i][held[i] - 1];
        left -= next;
    }
    return timeline;
}

}  // namespace cudabook::occupancy
