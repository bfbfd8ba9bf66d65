#include "occupancy/calculator/xe_lp.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace cudabook::occupancy {

namespace {

std::optional<Held> calculate(const KernelResources& shape) {
    const int threads = (shape.threads + shape.lanes - 1) / shape.lanes;
    struct Limit {
        const char* name;
        int groups;
    };
    const int by_threads = shape.threads > XeLp::most_work_items ? 0 : XeLp::threads_of_core / threads;
    const int by_shared = shape.shared_bytes == 0
                              ? std::numeric_limits<int>::max()
                              : static_cast<int>(XeLp::most_shared_bytes / shape.shared_bytes);
    const std::array<Limit, 2> limits{{{"threads", by_threads}, {"shared memory", by_shared}}};
    Held held{.blocks = std::min(by_threads, by_shared), .warps = 0, .most_warps = XeLp::threads_of_core};
    held.warps = held.blocks * threads;
    for (const Limit& limit : limits)
        if (limit.groups == held.blocks) held.limit.append(held.limit.empty() ? "" : ", ").append(limit.name);
    return held;
}

/// A group on a core.
struct Group {
    int number = 0;
    int waiting = 0;  ///< threads that have not started
    int there = 0;
    /// The end times of the running threads, and the number of threads that end at each time. There are at
    /// most two times, because a group starts in at most two parts.
    std::vector<std::pair<double, int>> ends = {};
};

class Core {
  public:
    explicit Core(bool barrier) : barrier_(barrier) {}

    [[nodiscard]] int resident() const {
        int threads = 0;
        for (const Group& group : groups_) threads += group.there;
        return threads;
    }
    [[nodiscard]] int free() const { return XeLp::threads_of_core - resident(); }

    /// Starts threads that wait for contexts.
    void start(double now) {
        for (Group& group : groups_) {
            const int start = std::min(group.waiting, free());
            if (start == 0) continue;
            group.waiting -= start;
            group.there += start;
            if (!barrier_) group.ends.emplace_back(now + 1, start);
            if (barrier_ && group.waiting == 0) group.ends.emplace_back(now + 1, group.there);
        }
    }
    void take(int number, int threads, double now) {
        groups_.push_back({.number = number, .waiting = threads});
        start(now);
    }

    [[nodiscard]] std::optional<double> next_end() const {
        std::optional<double> next;
        for (const Group& group : groups_)
            for (const auto& [at, threads] : group.ends)
                if (!next || at < *next) next = at;
        return next;
    }
    /// Ends the threads whose end time is `now`, but only of the first group that has such threads.
    void end_group(double now) {
        for (auto group = groups_.begin(); group != groups_.end(); ++group) {
            const auto ending = std::ranges::find(group->ends, now, &std::pair<double, int>::first);
            if (ending == group->ends.end()) continue;
            group->there -= ending->second;
            group->ends.erase(ending);
            if (group->there == 0 && group->waiting == 0) groups_.erase(group);
            return;
        }
    }

  private:
    bool barrier_;
    std::vector<Group> groups_;
};

}  // namespace

CalculatedGpu xe_lp() {
    return {.name = "xe-lp",
            .product = "Intel Iris Xe (Xe-LP, Tiger Lake)",
            .multiprocessors = XeLp::cores,
            .most_threads = XeLp::most_work_items,
            .most_shared_bytes = XeLp::most_shared_bytes,
            .has_registers = false,
            .calculate = calculate};
}

std::vector<Phase> xe_lp_phases(int groups, int threads, bool barrier) {
    const int all = groups * threads;
    const int filled =
        barrier ? (all + XeLp::threads_of_core - 1) / XeLp::threads_of_core : all / XeLp::threads_of_core;
    std::vector<Core> cores(static_cast<std::size_t>(std::clamp(filled, 1, XeLp::cores)), Core(barrier));

    int next_group = 0;
    const auto hand_out = [&](double now) {
        for (Core& core : cores) {
            core.start(now);
            while (next_group < groups && core.free() > 0) core.take(next_group++, threads, now);
        }
    };
    const auto resident = [&] {
        int sum = 0;
        for (const Core& core : cores) sum += core.resident();
        return sum;
    };

    std::vector<Phase> phases;
    double now = 0;
    hand_out(now);
    while (true) {
        std::optional<double> next;
        for (const Core& core : cores)
            if (const auto end = core.next_end(); end && (!next || *end < *next)) next = end;
        if (!next) break;
        phases.push_back({now, *next, resident()});
        now = *next;
        // The threads that end at this time are removed group by group. Then the free contexts are given
        // out.
        while (true) {
            Core* fewest = nullptr;
            for (Core& core : cores)
                if (core.next_end() == now && (fewest == nullptr || core.resident() < fewest->resident()))
                    fewest = &core;
            if (fewest == nullptr) break;
            fewest->end_group(now);
            phases.push_back({now, now, resident()});
        }
        hand_out(now);
    }
    return phases;
}

}  // namespace cudabook::occupancy
