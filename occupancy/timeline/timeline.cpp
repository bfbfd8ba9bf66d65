#include "occupancy/timeline/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include <fmt/format.h>

namespace cudabook::occupancy {

namespace {

/// The changes of the number of resident blocks: at equal times they cancel.
std::map<double, int> changes(const Timeline& timeline) {
    std::map<double, int> found;
    for (const BlockTime& block : timeline) {
        ++found[block.begin_us];
        --found[block.end_us];
    }
    return found;
}

}  // namespace

double end_of(const Timeline& timeline) {
    double end = 0;
    for (const BlockTime& block : timeline) end = std::max(end, block.end_us);
    return end;
}

std::vector<Step> resident_blocks(const Timeline& timeline) {
    std::vector<Step> steps;
    int resident = 0;
    for (const auto& [at, change] : changes(timeline))
        if (change != 0) steps.push_back({at, resident += change});
    return steps;
}

double error_percent(const Timeline& predicted, const Timeline& seen) {
    struct Change {
        int predicted = 0;
        int seen = 0;
    };
    std::map<double, Change> both;
    for (const auto& [at, change] : changes(predicted)) both[at].predicted += change;
    for (const auto& [at, change] : changes(seen)) both[at].seen += change;
    double wrong = 0;
    double whole = 0;
    double last = 0;
    int of_predicted = 0;
    int of_seen = 0;
    for (const auto& [at, change] : both) {
        wrong += std::abs(of_predicted - of_seen) * (at - last);
        whole += of_seen * (at - last);
        of_predicted += change.predicted;
        of_seen += change.seen;
        last = at;
    }
    return whole > 0 ? 100 * wrong / whole : 0;
}

std::string why_impossible(const Timeline& timeline, int blocks, int multiprocessors, int most) {
    if (timeline.size() != static_cast<std::size_t>(blocks))
        return fmt::format("{} of {} blocks have run", timeline.size(), blocks);
    std::map<int, Timeline> of_multiprocessor;
    int number = 0;
    for (const BlockTime& block : timeline) {
        if (block.begin_us < 0 || block.end_us < block.begin_us)
            return fmt::format("block {} has run from {:.3f} to {:.3f} us", number, block.begin_us,
                               block.end_us);
        if (block.multiprocessor < 0 || block.multiprocessor >= multiprocessors)
            return fmt::format("block {} has run on multiprocessor {} of {}", number, block.multiprocessor,
                               multiprocessors);
        of_multiprocessor[block.multiprocessor].push_back(block);
        ++number;
    }
    for (const auto& [multiprocessor, its] : of_multiprocessor)
        for (const Step& step : resident_blocks(its))
            if (step.blocks > most)
                return fmt::format("multiprocessor {} had {} blocks at {:.3f} us, and holds {}",
                                   multiprocessor, step.blocks, step.at_us, most);
    return {};
}

Waves waves(int blocks, int capacity) { return {capacity, blocks / capacity, blocks % capacity}; }

}  // namespace cudabook::occupancy
