#include "emulator/predicting/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

namespace cudabook::emulation {

namespace {

// ----- What nvcc makes of the instructions of the host's compiler. Fitted once, to the measurements of an
// H200 in results/ (docs/predict.md).

constexpr double integer_once = 0.945;
constexpr double integer_again = 0.5;
constexpr double integer_in_turns = 0.5;
constexpr double branch_once = 1.07;
constexpr double branch_again = 0.6;
constexpr double branch_in_turns = 0.3;
constexpr double of_access = 0.409;     ///< integers for the address of a load, store or atomic operation
constexpr double of_fetch = 0.205;      ///< the same of a fetch
constexpr double begin_and_end = 5.49;  ///< instructions of a warp that are in no basic block of the source

/// The integer instructions that the integer pipe executes, and multiplications and moves, which the fp32
/// pipe executes.
constexpr double in_integer_pipe = 0.991;
constexpr double in_fp32_pipe = 0.269;

// ----- How the parts of the time overlap, fitted likewise.

/// The time is the norm of this order of the bounds: the longest bound, and some more if others are nearly as
/// long. But of the pipes and the issue slots only the longest counts: the same instructions pass through
/// them.
constexpr double overlap = 2.03;

/// The clocks that pass at least between two instructions of a warp, on average.
constexpr double clocks_of_instruction = 1.3;

/// The sectors that memory could give while it gives one without the other of the same 64 bytes, beside it.
constexpr double lone_sector = 1.16;

constexpr double clocks_of_barrier = 19;

/// The clocks from the end of a block to the first instruction of the block that follows it.
constexpr double clocks_of_block = 498;

/// How many turns of a loop nvcc unrolls.
constexpr double unrolled = 8;

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
    const Counts& c = work.counts;
    const double global_accesses =
        number(c.global_load.requests + c.global_store.requests + c.global_atomic.requests);
    const double fetches = number(c.texture_requests + c.surface_load.requests + c.surface_store.requests);
    sum.integer += of_access * global_accesses + of_fetch * fetches;
    const double branches =
        branch_once * i.once.branch + branch_again * i.again.branch + branch_in_turns * i.in_turns.branch;
    const double accesses =
        global_accesses + fetches +
        number(c.shared_load.requests + c.shared_store.requests + c.shared_atomic.requests + c.shuffles);
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
constexpr std::string_view by_tail = "tail";
constexpr std::string_view by_launch = "launch";

/// How a launch's blocks are spread over the multiprocessors.
struct Spread {
    double share;  ///< that of one multiprocessor in the work of all blocks
    double waves;  ///< of blocks, one after the other
};

/// Returns the spread if the blocks could be divided, so that the last wave is not shorter than the others.
/// But each has at least one block to itself.
Spread even_spread(const LaunchShape& shape, const GpuRates& rates) {
    const double blocks = number(shape.blocks);
    return {1 / std::min<double>(blocks, rates.multiprocessors),
            std::max(1.0, blocks / rates.multiprocessors / shape.blocks_of_multiprocessor)};
}

/// Returns the spread with whole blocks. Only a few waves are rounded up: in many, a multiprocessor that is
/// late has fewer blocks.
Spread real_spread(const LaunchShape& shape, const GpuRates& rates) {
    constexpr double few = 4;
    const double blocks = number(shape.blocks);
    const double waves = even_spread(shape, rates).waves;
    return {std::ceil(blocks / rates.multiprocessors) / blocks, waves < few ? std::ceil(waves) : waves};
}

PredictedTime time_with(const Spread& spread, const Work& work, const LaunchShape& shape,
                        const GpuRates& rates) {
    const GpuInstructions instructions = on_gpu(work, shape);
    const CacheTraffic& traffic = work.traffic;
    const Counts& c = work.counts;
    const double clocks_of_ms = rates.clock_ghz * 1e6;
    const double share = spread.share / clocks_of_ms;
    const double of_blocks =
        number(c.shared_load.parts + c.shared_store.parts + c.shared_atomic.parts + c.shuffles);
    const double l2_sectors = traffic.l2_loads + traffic.l2_stores + traffic.l2_atomics;
    PredictedTime time;
    const auto add = [&](std::string_view resource, double ms) {
        time.bounds.push_back({std::string(resource), ms});
    };
    add(by_memory, 32 * (traffic.memory_loads + lone_sector * traffic.lone_loads + traffic.memory_stores) /
                       (rates.memory_gb_per_s * 1e6));
    add(by_l2, std::max(32 * l2_sectors / (rates.l2_gb_per_s * 1e6),
                        std::max(traffic.l2_lines / rates.l2_lines,
                                 work.requests.store_lines / rates.l2_store_lines) *
                            share));
    add(by_l1, (of_blocks + work.requests.load_clocks + work.requests.store_clocks) * share);
    add(by_texture, work.requests.fetch_clocks * share);
    add(by_issue, instructions.all / 4 * share);
    add(by_fp32, (instructions.fp32 + in_fp32_pipe * instructions.integer) / rates.fp32_warps * share);
    add(by_fp64, instructions.fp64 / rates.fp64_warps * share);
    add(by_integer, in_integer_pipe * instructions.integer / rates.integer_warps * share);
    add(by_special, instructions.special / rates.special_warps * share);
    add(by_latency, clocks_of_warp(work, instructions, rates) * spread.waves / clocks_of_ms);
    const auto longest = [&](std::initializer_list<std::string_view> resources) {
        double ms = 0;
        for (const Bound& bound : time.bounds)
            if (std::ranges::find(resources, bound.resource) != resources.end()) ms = std::max(ms, bound.ms);
        return ms;
    };
    double sum = 0;
    for (const double ms :
         {longest({by_memory}), longest({by_l2}), longest({by_l1}), longest({by_texture}),
          longest({by_issue, by_fp32, by_fp64, by_integer, by_special}), longest({by_latency})})
        sum += std::pow(ms, overlap);
    add(by_launch, rates.launch_us / 1000);
    time.ms = rates.launch_us / 1000 + std::pow(sum, 1 / overlap);
    return time;
}

}  // namespace

PredictedTime predict(const Work& work, const LaunchShape& shape, const GpuRates& rates) {
    if (work.uses_tensor_cores) return {};
    PredictedTime time = time_with(even_spread(shape, rates), work, shape, rates);
    const double real_ms = time_with(real_spread(shape, rates), work, shape, rates).ms;
    time.bounds.push_back({std::string(by_tail), real_ms - time.ms});
    time.ms = real_ms;
    std::erase_if(time.bounds, [](const Bound& bound) { return bound.ms <= 0; });
    std::ranges::stable_sort(time.bounds, std::greater(), &Bound::ms);
    return time;
}

std::string reason_of(const PredictedTime& time, const Work& work, const LaunchShape& shape,
                      const GpuRates& rates) {
    if (time.bounds.empty())
        return "not predicted: it uses tensor cores, whose rates the model does not know";
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
        reason += fmt::format(": {:.3g} sectors (of {:.3g} lines of 128 bytes) for each request of a warp",
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
        if (number(shared.parts) > work.requests.load_clocks + work.requests.store_clocks)
            reason += fmt::format(
                ": {:.3g} wavefronts of shared memory for each request; without bank "
                "conflicts it would be {:.3g}",
                per(number(shared.parts), number(shared.requests)),
                per(number(shared.parts - shared.conflicts), number(shared.requests)));
        else
            reason += fmt::format(
                ": each load of a warp takes {:.3g} clocks, and touches {:.3g} lines of 128 bytes",
                per(work.requests.load_clocks, number(c.global_load.requests)),
                per(work.requests.load_lines, number(c.global_load.requests)));
    } else if (limit == by_texture) {
        reason += fmt::format(
            ": {:.3g} fetches for each thread, and {:.3g} clocks for the fetch of a warp",
            per(number(c.texture_fetches), 32 * work.warps),
            per(work.requests.fetch_clocks, number(c.texture_requests + c.surface_load.requests)));
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
    } else if (limit == by_tail) {
        reason += fmt::format(
            ": {} blocks for {} multiprocessors that hold {} each; the last ones run while other "
            "multiprocessors have none",
            shape.blocks, rates.multiprocessors, shape.blocks_of_multiprocessor);
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
            {"load_lines", work.requests.load_lines},
            {"store_lines", work.requests.store_lines},
            {"load_clocks", work.requests.load_clocks},
            {"store_clocks", work.requests.store_clocks},
            {"fetch_clocks", work.requests.fetch_clocks},
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
            {"memory_lone_sectors", t.lone_loads},
            {"memory_store_sectors", t.memory_stores}};
}

}  // namespace cudabook::emulation
