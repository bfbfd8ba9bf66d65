#include "occupancy/timeline/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include <fmt/format.h>

namespace cudabook::occupancy {

namespace {

/// The changes over time of the number of resident blocks or warps. Changes at the same time cancel.
std::map<double, int> changes(const Timeline& timeline) {
    std::map<double, int> found;
    for (const Span& span : timeline) {
        ++found[span.begin_us];
        --found[span.end_us];
    }
    return found;
}

}  // namespace

Timeline blocks_of(const Timeline& warps, int warps_of_block) {
    Timeline blocks;
    const auto of_block = static_cast<std::size_t>(warps_of_block);
    for (std::size_t warp = 0; warp < warps.size(); ++warp) {
        if (warp % of_block == 0) blocks.push_back(warps[warp]);
        blocks.back().begin_us = std::min(blocks.back().begin_us, warps[warp].begin_us);
        blocks.back().end_us = std::max(blocks.back().end_us, warps[warp].end_us);
    }
    return blocks;
}

Timeline warps_of(const Timeline& blocks, int warps_of_block) {
    Timeline warps;
    for (const Span& block : blocks)
        warps.insert(warps.end(), static_cast<std::size_t>(warps_of_block), block);
    return warps;
}

double end_of(const Timeline& timeline) {
    double end = 0;
    for (const Span& span : timeline) end = std::max(end, span.end_us);
    return end;
}

std::vector<Step> resident(const Timeline& timeline) {
    std::vector<Step> steps;
    int now = 0;
    for (const auto& [at, change] : changes(timeline))
        if (change != 0) steps.push_back({at, now += change});
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

std::string why_impossible(const Timeline& warps, const Bounds& bounds) {
    const auto of_block = static_cast<std::size_t>(bounds.warps_of_block);
    if (warps.size() != static_cast<std::size_t>(bounds.blocks) * of_block)
        return fmt::format("{} of {} warps have run", warps.size(), bounds.blocks * bounds.warps_of_block);
    std::map<int, Timeline> of_multiprocessor;
    for (std::size_t number = 0; number < warps.size(); ++number) {
        const Span& warp = warps[number];
        const std::size_t block = number / of_block;
        if (warp.begin_us < 0 || warp.end_us < warp.begin_us)
            return fmt::format("a warp of block {} has run from {:.3f} to {:.3f} us", block, warp.begin_us,
                               warp.end_us);
        if (warp.multiprocessor < 0 || warp.multiprocessor >= bounds.multiprocessors)
            return fmt::format("block {} has run on multiprocessor {} of {}", block, warp.multiprocessor,
                               bounds.multiprocessors);
        if (warp.multiprocessor != warps[block * of_block].multiprocessor)
            return fmt::format("block {} has run on more than one multiprocessor", block);
        of_multiprocessor[warp.multiprocessor].push_back(warp);
    }
    for (const auto& [multiprocessor, its] : of_multiprocessor)
        for (const Step& step : resident(its))
            if (step.resident > bounds.most_warps)
                return fmt::format("multiprocessor {} had {} warps at {:.3f} us, and holds {}",
                                   multiprocessor, step.resident, step.at_us, bounds.most_warps);
    return {};
}

Waves waves(int blocks, int capacity) { return {capacity, blocks / capacity, blocks % capacity}; }

}  // namespace cudabook::occupancy
