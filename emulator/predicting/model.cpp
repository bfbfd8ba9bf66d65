#include "emulator/predicting/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace cudabook::emulation {

namespace {

// ----- What nvcc makes of the instructions of the host's compiler. Fitted once, to the measurements of an
// H200 in results/ (docs/predict.md).

constexpr double integer_once = 0.87;
constexpr double integer_again = 0.22;
constexpr double integer_in_turns = 0.45;
constexpr double branch_once = 0.58;
constexpr double branch_again = 0.17;
constexpr double branch_in_turns = 0.18;
constexpr double begin_and_end = 7;  ///< instructions of a warp that are in no basic block of the source

// ----- How the parts of the time overlap, fitted likewise.

/// The time is the norm of this order of the bounds: the longest bound, and some more if others are nearly as
/// long.
constexpr double overlap = 4.4;

/// The clocks that pass at least between two instructions of a warp, on average.
constexpr double clocks_of_instruction = 1.3;

constexpr double clocks_of_barrier = 32;

/// The clocks from the end of a block to the first instruction of the block that follows it.
constexpr double clocks_of_block = 770;

/// How many turns of a loop nvcc unrolls.
constexpr double unrolled = 4.9;

double number(std::uint64_t count) { return static_cast<double>(count); }

/// The instructions of all warps on the GPU.
struct GpuInstructions {
    double fp32 = 0;
    double fp64 = 0;
    double integer = 0;
    double special = 0;
    double all = 0;  ///< also those of memory, and what controls the flow
};

GpuInstructions on_gpu(const Work& work, const LaunchShape& shape) {
    const InstructionsByEntry& i = work.instructions;
    Instructions every = i.once;
    every += i.again;
    every += i.in_turns;
    GpuInstructions sum;
    sum.fp32 = every.fp32;
    sum.fp64 = every.fp64;
    sum.special = every.special + every.conversion;
    sum.integer = integer_once * i.once.integer + integer_again * i.again.integer +
                  integer_in_turns * i.in_turns.integer;
    const double branches =
        branch_once * i.once.branch + branch_again * i.again.branch + branch_in_turns * i.in_turns.branch;
    const Counts& c = work.counts;
    const double accesses =
        number(c.global_load.requests + c.global_store.requests + c.global_atomic.requests +
               c.surface_load.requests + c.surface_store.requests + c.shared_load.requests +
               c.shared_store.requests + c.shared_atomic.requests + c.texture_requests + c.shuffles);
    const double barriers = number(c.barriers) * std::ceil(shape.threads / 32.0);
    sum.all = sum.fp32 + sum.fp64 + sum.special + sum.integer + branches + accesses + barriers +
              begin_and_end * work.warps;
    return sum;
}

Rounds rounds_of(const Work& work) {
    Rounds all = work.rounds_in_turns * (1 / unrolled);
    return all += work.rounds;
}

/// Returns the clocks that a warp needs if no other warp is in its way.
double clocks_of_warp(const Work& work, const GpuInstructions& instructions, const GpuRates& rates) {
    const Rounds all = rounds_of(work);
    const double rounds = all.loads + all.fetches;
    // A round waits for the slowest of its lines.
    const double in_l2 = rounds == 0 ? 0 : std::min(1.0, work.traffic.l2_lines / rounds);
    const double in_memory = rounds == 0 ? 0 : std::min(1.0, work.traffic.memory_loads / 4 / rounds);
    const double waits =
        rounds * (rates.l1_latency + in_l2 * rates.l2_latency + in_memory * rates.memory_latency) +
        all.fetches * rates.fetch_latency + all.shared * rates.shared_latency;
    return (waits + clocks_of_instruction * instructions.all) / work.warps +
           clocks_of_barrier * number(work.counts.barriers) / work.blocks + clocks_of_block;
}

/// Returns the number of waves of blocks, rounded up if it is small: then the last wave takes as long as the
/// others, even if it has few blocks.
double waves_of(const LaunchShape& shape, const GpuRates& rates) {
    const double waves =
        number(shape.blocks) / (static_cast<double>(rates.multiprocessors) * shape.blocks_of_multiprocessor);
    constexpr double few = 4;
    return waves < few ? std::ceil(waves) : waves;
}

/// Returns the largest number of blocks of a multiprocessor, divided by the average number.
double imbalance(const LaunchShape& shape, const GpuRates& rates) {
    const double average = number(shape.blocks) / rates.multiprocessors;
    return std::ceil(average) / average;
}

constexpr std::string_view by_memory = "device memory";
constexpr std::string_view by_l2 = "L2 cache";
constexpr std::string_view by_l1 = "L1 and shared memory";
constexpr std::string_view by_texture = "texture unit";
constexpr std::string_view by_issue = "issue slots";
constexpr std::string_view by_fp32 = "fp32 pipe";
constexpr std::string_view by_fp64 = "fp64 pipe";
constexpr std::string_view by_integer = "integer pipe";
constexpr std::string_view by_special = "special functions";
constexpr std::string_view by_latency = "latency";
constexpr std::string_view by_launch = "launch";

}  // namespace

PredictedTime predict(const Work& work, const LaunchShape& shape, const GpuRates& rates) {
    const GpuInstructions instructions = on_gpu(work, shape);
    const CacheTraffic& traffic = work.traffic;
    const Counts& c = work.counts;
    const double clocks_of_ms = rates.clock_ghz * 1e6;
    // Of what a multiprocessor does in its own time, the one with the most blocks has this share.
    const double share = imbalance(shape, rates) / rates.multiprocessors / clocks_of_ms;
    const double of_blocks =
        number(c.shared_load.parts + c.shared_store.parts + c.shared_atomic.parts + c.shuffles);
    const double l2_sectors = traffic.l2_loads + traffic.l2_stores + traffic.l2_atomics;
    PredictedTime time;
    const auto add = [&](std::string_view resource, double ms) {
        time.bounds.push_back({std::string(resource), ms});
    };
    add(by_memory, 32 * (traffic.memory_loads + traffic.memory_stores) / (rates.memory_gb_per_s * 1e6));
    add(by_l2,
        std::max(
            32 * l2_sectors / (rates.l2_gb_per_s * 1e6),
            std::max(traffic.l2_lines / rates.l2_lines, work.lines.stores / rates.l2_store_lines) * share));
    add(by_l1, (of_blocks + work.lines.loads + work.lines.stores) * share);
    add(by_texture, work.lines.fetches * share);
    add(by_issue, instructions.all / 4 * share);
    add(by_fp32, instructions.fp32 / rates.fp32_warps * share);
    add(by_fp64, instructions.fp64 / rates.fp64_warps * share);
    add(by_integer, instructions.integer / rates.integer_warps * share);
    add(by_special, instructions.special / rates.special_warps * share);
    add(by_latency, clocks_of_warp(work, instructions, rates) * waves_of(shape, rates) / clocks_of_ms);
    double sum = 0;
    for (const Bound& bound : time.bounds) sum += std::pow(bound.ms, overlap);
    add(by_launch, rates.launch_us / 1000);
    time.ms = rates.launch_us / 1000 + std::pow(sum, 1 / overlap);
    std::erase_if(time.bounds, [](const Bound& bound) { return bound.ms == 0; });
    std::ranges::stable_sort(time.bounds, std::greater(), &Bound::ms);
    return time;
}

std::string reason_of(const PredictedTime& time, const Work& work, const LaunchShape& shape,
                      const GpuRates& rates) {
    const std::string& limit = time.bounds.front().resource;
    const Counts& c = work.counts;
    const auto per = [](double part, double whole) { return whole == 0 ? 0 : part / whole; };
    std::string reason = fmt::format("limited by {}", limit);
    if (limit == by_memory) {
        const double asked = number(c.global_load.bytes + c.global_store.bytes + c.texture_bytes +
                                    c.surface_load.bytes + c.surface_store.bytes);
        const double moved = 32 * (work.traffic.memory_loads + work.traffic.memory_stores);
        reason += fmt::format(": {:.3g} MB are moved, {:.3g} bytes for each byte that the threads access",
                              moved / 1e6, per(moved, asked));
    } else if (limit == by_l2) {
        const double requests = number(c.global_load.requests + c.texture_requests + c.surface_load.requests);
        reason += fmt::format(": {:.3g} sectors in {:.3g} lines for each request of a warp",
                              per(work.traffic.l2_loads, requests), per(work.traffic.l2_lines, requests));
        if (c.global_load.requests > 0)
            reason += fmt::format("; without gaps, loads need {:.3g} sectors",
                                  per(number(c.global_load.bytes) / 32, number(c.global_load.requests)));
    } else if (limit == by_l1) {
        const Traffic shared = [&] {
            Traffic all = c.shared_load;
            all += c.shared_store;
            all += c.shared_atomic;
            return all;
        }();
        if (number(shared.parts) > work.lines.loads + work.lines.stores)
            reason += fmt::format(
                ": {:.3g} wavefronts of shared memory for each request; without bank "
                "conflicts it would be {:.3g}",
                per(number(shared.parts), number(shared.requests)),
                per(number(shared.parts - shared.conflicts), number(shared.requests)));
        else
            reason +=
                fmt::format(": each load of a warp touches {:.3g} lines of 128 bytes",
                            per(work.lines.loads, number(c.global_load.requests + c.surface_load.requests)));
    } else if (limit == by_texture) {
        reason += fmt::format(": {:.3g} fetches for each thread, and {:.3g} clocks for the fetch of a warp",
                              per(number(c.texture_fetches), 32 * work.warps),
                              per(work.lines.fetches, number(c.texture_requests)));
    } else if (limit == by_issue || limit == by_integer || limit == by_fp32 || limit == by_fp64 ||
               limit == by_special) {
        const GpuInstructions all = on_gpu(work, shape);
        reason += fmt::format(
            ": about {:.3g} instructions for each thread, {:.0f} % of them of integers, "
            "{:.0f} % of floats",
            all.all / work.warps, 100 * all.integer / all.all, 100 * (all.fp32 + all.fp64) / all.all);
    } else if (limit == by_latency) {
        const Rounds rounds = rounds_of(work);
        const unsigned warps = (shape.threads + 31) / 32;
        const double resident = std::min(number(shape.blocks) / rates.multiprocessors,
                                         static_cast<double>(shape.blocks_of_multiprocessor));
        reason += fmt::format(
            ": {:.3g} of {} warps are on a multiprocessor, and each waits {:.3g} times for memory",
            std::max(1.0, resident) * warps, rates.warps_of_multiprocessor,
            (rounds.loads + rounds.fetches + rounds.shared) / work.warps);
        if (shape.blocks < rates.multiprocessors)
            reason += fmt::format("; {} of {} multiprocessors have no block",
                                  rates.multiprocessors - shape.blocks, rates.multiprocessors);
    } else {
        reason += ": the kernel does less than a launch costs";
    }
    if (c.global_atomic.requests > work.warps)
        reason += "; what atomic operations on one address wait for each other is not predicted";
    return reason;
}

Figures inputs_of(const Work& work, const LaunchShape& shape) {
    const Counts& c = work.counts;
    const CacheTraffic& t = work.traffic;
    const InstructionsByEntry& i = work.instructions;
    Instructions all = i.once;
    all += i.again;
    all += i.in_turns;
    return {{"blocks", shape.blocks},
            {"threads", shape.threads},
            {"shared_bytes", shape.shared_bytes},
            {"blocks_of_multiprocessor", shape.blocks_of_multiprocessor},
            {"warps", work.warps},
            {"fp32", all.fp32},
            {"fp64", all.fp64},
            {"special", all.special},
            {"conversion", all.conversion},
            {"integer_once", i.once.integer},
            {"integer_again", i.again.integer},
            {"integer_in_turns", i.in_turns.integer},
            {"branch_once", i.once.branch},
            {"branch_again", i.again.branch},
            {"branch_in_turns", i.in_turns.branch},
            {"load_lines", work.lines.loads},
            {"store_lines", work.lines.stores},
            {"fetch_lines", work.lines.fetches},
            {"global_load_requests", c.global_load.requests},
            {"global_load_sectors", c.global_load.parts},
            {"global_load_bytes", c.global_load.bytes},
            {"global_store_requests", c.global_store.requests},
            {"global_store_sectors", c.global_store.parts},
            {"global_atomic_requests", c.global_atomic.requests},
            {"surface_requests", c.surface_load.requests + c.surface_store.requests},
            {"surface_bytes", c.surface_load.bytes + c.surface_store.bytes},
            {"surface_sectors", c.surface_load.parts + c.surface_store.parts},
            {"shared_requests", c.shared_load.requests + c.shared_store.requests + c.shared_atomic.requests},
            {"shared_wavefronts", c.shared_load.parts + c.shared_store.parts + c.shared_atomic.parts},
            {"constant_requests", c.constant_load.requests},
            {"constant_addresses", c.constant_load.parts},
            {"texture_requests", c.texture_requests},
            {"texture_tag_requests", c.texture_tag_requests},
            {"texture_sectors", c.texture_sectors},
            {"texels", c.texels},
            {"texture_bytes", c.texture_bytes},
            {"barriers", c.barriers},
            {"shuffles", c.shuffles},
            {"load_rounds", work.rounds.loads},
            {"fetch_rounds", work.rounds.fetches},
            {"shared_rounds", work.rounds.shared},
            {"load_rounds_in_turns", work.rounds_in_turns.loads},
            {"fetch_rounds_in_turns", work.rounds_in_turns.fetches},
            {"shared_rounds_in_turns", work.rounds_in_turns.shared},
            {"l1_load_sectors", t.l1_loads},
            {"l2_load_sectors", t.l2_loads},
            {"l2_lines", t.l2_lines},
            {"l2_store_sectors", t.l2_stores},
            {"l2_atomic_sectors", t.l2_atomics},
            {"memory_load_sectors", t.memory_loads},
            {"memory_store_sectors", t.memory_stores}};
}

}  // namespace cudabook::emulation
