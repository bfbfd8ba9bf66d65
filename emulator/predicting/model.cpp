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

constexpr double integer_once = 1.19;
constexpr double integer_again = 0.269;
constexpr double integer_in_turns = 0.301;
constexpr double branch_once = 1.07;
constexpr double branch_again = 1.6;
constexpr double branch_in_turns = 0.23;
constexpr double of_access = 2.75;      ///< integers for the address of a load, store or atomic operation
constexpr double of_fetch = 0.133;      ///< the same of a fetch
constexpr double begin_and_end = 5.51;  ///< instructions of a warp that are in no basic block of the source

/// The integer instructions that the integer pipe executes, and multiplications and moves, which the fp32
/// pipe executes.
constexpr double in_integer_pipe = 0.879;
constexpr double in_fp32_pipe = 0.182;

// ----- How the parts of the time overlap, fitted likewise.

/// The time is the norm of this order of the bounds: the longest bound, and some more if others are nearly as
/// long. But of the pipes and the issue slots only the longest counts: the same instructions pass through
/// them.
constexpr double overlap = 2.7;

/// The clocks that pass at least between two instructions of a warp, on average.
constexpr double clocks_of_instruction = 0.865;

/// The sectors that memory could give while it gives one without the other of the same 64 bytes, beside it.
constexpr double lone_sector = 1.05;

/// What a chain of dependent instructions within a turn of a loop takes, for each clock of the chain in the
/// host's machine code: nvcc needs fewer instructions, for addresses above all.
constexpr double chain_share = 0.398;

constexpr double clocks_of_barrier = 60.2;

/// The clocks from the end of a block to the first instruction of the block that follows it.
constexpr double clocks_of_block = 179;

/// The clocks that a multiprocessor needs at least between the begins of two blocks.
constexpr double clocks_between_blocks = 145;

/// The clocks of an atomic operation of a warp on a sector that other warps wait for.
constexpr double clocks_of_atomic = 1.31;

/// The clocks of each address but one that a warp reads from constant memory at once (measured on an H200).
constexpr double clocks_of_constant = 2;

/// How many turns of a loop nvcc unrolls, and if it knows the number of turns.
constexpr double unrolled = 16;
constexpr double unrolled_counted = 24.8;

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
    Rounds all = work.rounds;
    all += work.rounds_unrolled * (1 / unrolled);
    return all += work.rounds_counted * (1 / unrolled_counted);
}

/// The clocks from the begin of a block to its end if no other block is in its way.
struct BlockClocks {
    double mean;
    double longest;  ///< the mean of the blocks, weighted by their clocks
};

BlockClocks clocks_of_blocks(const Work& work, const GpuInstructions& instructions, const GpuRates& rates) {
    const Rounds all = rounds_of(work);
    const double rounds = all.loads + all.fetches;
    const Counts& c = work.counts;
    // A round waits for the slowest of its requests.
    const double requests = number(c.global_load.requests + c.global_atomic.requests + c.texture_requests +
                                   c.surface_load.requests);
    const double asked = work.traffic.l1_loads + work.traffic.l2_atomics;
    const auto waiting = [&](double sectors) {
        return rounds == 0 || asked == 0 ? 0 : std::min(1.0, requests / rounds * sectors / asked);
    };
    const double in_l2 = waiting(work.traffic.l2_loads + work.traffic.l2_atomics);
    const double in_memory = waiting(work.traffic.memory_loads);
    const double waits =
        rounds * (rates.l1_latency + in_l2 * rates.l2_latency + in_memory * rates.memory_latency) +
        all.fetches * rates.fetch_latency + all.shared * rates.shared_latency;
    const double chains = chain_share * work.chains.all +
                          std::max(work.chains.between_turns, chain_share * work.chains.in_turns / unrolled);
    const double clocks = waits + std::max(chains, clocks_of_instruction * instructions.all);
    const double others = clocks_of_barrier * number(c.barriers) / work.blocks + clocks_of_block;
    if (work.steps == 0) return {others, others};
    // A block takes as long as its longest warp.
    return {clocks / work.steps * work.longest_steps / work.blocks + others,
            clocks / work.steps * work.squared_longest_steps / work.longest_steps + others};
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
constexpr std::string_view by_constants = "constant memory";
constexpr std::string_view by_atomics = "atomic operations";
constexpr std::string_view by_blocks = "block launch rate";
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
    add(by_constants, clocks_of_constant * number(c.constant_load.parts - c.constant_load.requests) * share);
    add(by_atomics, clocks_of_atomic * work.hottest_atomics / clocks_of_ms);
    add(by_blocks, clocks_between_blocks * number(shape.blocks) * share);
    const BlockClocks block = clocks_of_blocks(work, instructions, rates);
    add(by_latency, (block.mean * (spread.waves - 1) + block.longest) / clocks_of_ms);
    const auto longest = [&](std::initializer_list<std::string_view> resources) {
        double ms = 0;
        for (const Bound& bound : time.bounds)
            if (std::ranges::find(resources, bound.resource) != resources.end()) ms = std::max(ms, bound.ms);
        return ms;
    };
    double sum = 0;
    for (const double ms :
         {longest({by_memory}), longest({by_l2}), longest({by_l1}), longest({by_texture}),
          longest({by_issue, by_fp32, by_fp64, by_integer, by_special}), longest({by_constants}),
          longest({by_atomics}), longest({by_blocks}), longest({by_latency})})
        sum += std::pow(ms, overlap);
    add(by_launch, rates.launch_us / 1000);
    time.ms = rates.launch_us / 1000 + std::pow(sum, 1 / overlap);
    return time;
}

}  // namespace

PredictedTime predict(const Work& work, const LaunchShape& shape, const GpuRates& rates) {
    if (work.uses_tensor_cores || work.calls_printf_or_heap) return {};
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
    if (work.calls_printf_or_heap)
        return "not predicted: it calls printf(), malloc() or free(), whose times the model does not know";
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
        if (number(shared.parts) <= work.requests.load_clocks + work.requests.store_clocks)
            reason += fmt::format(
                ": each load of a warp takes {:.3g} clocks, and touches {:.3g} lines of 128 bytes",
                per(work.requests.load_clocks, number(c.global_load.requests)),
                per(work.requests.load_lines, number(c.global_load.requests)));
        else if (shared.conflicts == 0)
            reason += fmt::format(
                ": each thread makes {:.3g} requests to shared memory, of {:.3g} wavefronts each, without "
                "bank conflicts",
                per(number(shared.requests), work.warps), per(number(shared.parts), number(shared.requests)));
        else
            reason += fmt::format(
                ": {:.3g} wavefronts of shared memory for each request; without bank "
                "conflicts it would be {:.3g}",
                per(number(shared.parts), number(shared.requests)),
                per(number(shared.parts - shared.conflicts), number(shared.requests)));
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
    } else if (limit == by_constants) {
        reason += fmt::format(
            ": a warp reads {:.3g} different addresses at once; with one address it would not wait",
            per(number(c.constant_load.parts), number(c.constant_load.requests)));
    } else if (limit == by_atomics) {
        reason += fmt::format(": {:.3g} times a warp changes one place, and one waits for the other",
                              work.hottest_atomics);
    } else if (limit == by_blocks) {
        reason += fmt::format(": {} blocks of {} threads end nearly as quickly as they can begin",
                              shape.blocks, shape.threads);
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
            {"chains", work.chains.all},
            {"chains_in_turns", work.chains.in_turns},
            {"chains_between_turns", work.chains.between_turns},
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
            {"load_rounds_unrolled", work.rounds_unrolled.loads},
            {"fetch_rounds_unrolled", work.rounds_unrolled.fetches},
            {"shared_rounds_unrolled", work.rounds_unrolled.shared},
            {"load_rounds_counted", work.rounds_counted.loads},
            {"fetch_rounds_counted", work.rounds_counted.fetches},
            {"shared_rounds_counted", work.rounds_counted.shared},
            {"hottest_atomics", work.hottest_atomics},
            {"steps", work.steps},
            {"longest_steps", work.longest_steps},
            {"squared_longest_steps", work.squared_longest_steps},
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
