#include "emulator/predicting/work.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/engine/program_file.hpp"
#include "emulator/engine/warp_functions.hpp"

namespace cudabook::emulation {

namespace {

/// The integer instructions of a loop's turn that unrolling removes.
constexpr double unrolled_integers = 3;

/// A launch of more waves is sampled: two waves in a row, at two places, and the first of the two only fills
/// the caches.
constexpr std::uint64_t most_waves = 4;

/// The most accesses that the model of the caches is fed with, for each launch.
constexpr std::size_t most_accesses = std::size_t{1} << 18U;

/// At least one line of 1024 is followed. A few lines with most of the accesses, such as counters, would
/// otherwise be dropped at last.
constexpr unsigned most_halvings = 10;

/// The lines of 128 bytes that some lanes of a request touch.
class TouchedLines {
  public:
    struct Line {
        std::uint64_t line;
        std::uint8_t sectors;  ///< a bit for each
    };

    TouchedLines(const Request& request, std::uint32_t lanes, unsigned bytes) {
        for_each_lane(lanes, [&](unsigned lane) {
            const std::uint64_t address = request.address[lane];
            if (address == 0) return;  // unknown
            add(address / 32);
            if ((address + bytes - 1) / 32 != address / 32) add((address + bytes - 1) / 32);
        });
    }
    [[nodiscard]] unsigned size() const { return count_; }
    [[nodiscard]] const Line* begin() const { return lines_.data(); }
    [[nodiscard]] const Line* end() const { return lines_.data() + count_; }

  private:
    void add(std::uint64_t sector) {
        const auto bit = static_cast<std::uint8_t>(1U << sector % 4);
        for (unsigned i = count_; i > 0; --i)
            if (lines_[i - 1].line == sector / 4) {
                lines_[i - 1].sectors |= bit;
                return;
            }
        lines_[count_++] = {sector / 4, bit};
    }

    std::array<Line, 64> lines_;
    unsigned count_ = 0;
};

}  // namespace

Rounds& Rounds::operator+=(const Rounds& more) {
    loads += more.loads;
    fetches += more.fetches;
    shared += more.shared;
    return *this;
}

Rounds operator*(const Rounds& one, double times) {
    return {one.loads * times, one.fetches * times, one.shared * times};
}

Work Work::times(double times) const {
    Work more = *this;
    more.blocks *= times;
    more.warps *= times;
    more.counts = counts.times(times);
    more.instructions = {instructions.once * times, instructions.again * times,
                         instructions.in_turns * times};
    more.lines = {lines.loads * times, lines.stores * times, lines.fetches * times};
    more.rounds = rounds * times;
    more.rounds_in_turns = rounds_in_turns * times;
    more.traffic = traffic * times;
    return more;
}

LaunchWork::LaunchWork(const LaunchShape& shape, unsigned multiprocessors, Counted counted)
    : shape_(shape),
      blocks_at_once_(std::uint64_t{shape.blocks_of_multiprocessor} * multiprocessors),
      waves_((shape.blocks + blocks_at_once_ - 1) / blocks_at_once_),
      counts_any_(counted != Counted::none),
      is_sampled_(counted == Counted::some && waves_ > most_waves) {}

bool LaunchWork::counts_wave(std::uint64_t wave) const {
    return counts_traffic_of(wave) || counts_traffic_of(wave + 1);
}

bool LaunchWork::counts_traffic_of(std::uint64_t wave) const {
    const std::uint64_t third = waves_ / 3;
    return !is_sampled_ || wave == third + 1 || wave == 2 * third + 1;
}

void LaunchWork::add(const Work& work, const EntriesByPlace& entries, std::vector<LineAccess>& accesses) {
    const std::lock_guard lock(mutex_);
    work_.blocks += work.blocks;
    work_.warps += work.warps;
    work_.counts += work.counts;
    work_.rounds += work.rounds;
    work_.lines.loads += work.lines.loads;
    work_.lines.stores += work.lines.stores;
    work_.lines.fetches += work.lines.fetches;
    for (const auto& [place, more] : entries) {
        Entries& sum = entries_[place];
        sum.once += more.once;
        sum.again += more.again;
        sum.in_turns += more.in_turns;
        sum.rounds_in_turns += more.rounds_in_turns;
    }
    accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
    accesses.clear();
    while (accesses_.size() > most_accesses && followed_.halvings() < most_halvings) {
        followed_.halve();
        std::erase_if(accesses_, [&](const LineAccess& access) { return !followed_.has(access.line); });
    }
}

Work LaunchWork::finish(MachineCode& code, Caches& caches, double l1_bytes, bool is_first) {
    const std::uint64_t begin = program_begin();
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    std::vector<std::pair<std::uint64_t, Entries>> blocks;
    for (const auto& [place, entries] : entries_) {
        // A place is the lower half of an address. The code of shared libraries is not in the program's file.
        const std::uint64_t in_file = (place - static_cast<std::uint32_t>(begin)) & 0xffff'ffffU;
        if (!code.is_in_file(in_file)) continue;
        blocks.emplace_back(in_file, entries);
        first = std::min(first, blocks.back().first);
        last = std::max(last, blocks.back().first);
    }
    if (!blocks.empty() && !(code.has(first) && code.has(last))) code.read(first, last);
    for (const auto& [place, entries] : blocks) {
        const CodeBlock& block = code.block_at(place);
        Instructions again = block.instructions;
        if (block.indexes_own_array) again.integer = again.branch = 0;
        Instructions turn = again;
        turn.integer = std::max(0.0, turn.integer - unrolled_integers);
        work_.instructions.once += block.instructions * entries.once;
        work_.instructions.again += again * entries.again;
        work_.instructions.in_turns += turn * entries.in_turns;
        // A dependent load waits for the load before it, in each turn of a loop too.
        (block.has_dependent_load ? work_.rounds : work_.rounds_in_turns) += entries.rounds_in_turns;
        if (block.has_dependent_load) work_.rounds.loads += entries.once + entries.again;
    }

    const Caches::Residency residency{shape_.blocks, blocks_at_once_, l1_bytes};
    const auto counts = [this](std::uint64_t wave) { return counts_traffic_of(wave); };
    if (is_first) caches.run(accesses_, followed_, residency, counts);
    work_.traffic = caches.run(std::move(accesses_), followed_, residency, counts);
    const auto all = static_cast<double>(shape_.blocks);
    Work whole = work_.times(all / work_.blocks);
    double in_traffic = 0;  // blocks
    for (std::uint64_t wave = 0; wave < waves_; ++wave)
        if (counts_traffic_of(wave))
            in_traffic +=
                static_cast<double>(std::min(blocks_at_once_, shape_.blocks - wave * blocks_at_once_));
    whole.traffic = work_.traffic * (all / in_traffic);
    return whole;
}

void WorkCounter::begin_launch(LaunchWork* launch) {
    launch_ = launch;
    work_ = {};
    entries_.clear();
    accesses_.clear();
    paths_.fill({});
}

void WorkCounter::begin_block(std::uint64_t block, unsigned warps) {
    for (Path& path : paths_) end_round(path, work_.rounds);
    block_ = block;
    paths_.fill({});
    ++work_.blocks;
    work_.warps += warps;
}

void WorkCounter::end_round(Path& path, Rounds& rounds) {
    rounds.loads += path.has_loads ? 1 : 0;
    rounds.fetches += path.has_fetches ? 1 : 0;
    rounds.shared += path.has_shared ? 1 : 0;
    path.has_loads = path.has_fetches = path.has_shared = false;
}

void WorkCounter::enter(unsigned warp, std::uint32_t place, std::uint64_t times) {
    Path& path = paths_[warp];
    const bool is_loop = path.place == place;
    LaunchWork::Entries& entries = entries_[place];
    if (place <= path.place) end_round(path, is_loop ? entries.rounds_in_turns : work_.rounds);
    path.place = place;
    entries.in_turns += static_cast<double>(is_loop ? times : times - 1);
    if (is_loop) return;
    const std::uint32_t bit = 1U << warp;
    if (entries.block != block_) entries.warps = 0;
    entries.block = block_;
    ++((entries.warps & bit) == 0 ? entries.once : entries.again);
    entries.warps |= bit;
}

void WorkCounter::count(unsigned warp, Access access, const Request& request, bool is_pitched) {
    using Kind = LineAccess::Kind;
    Path& path = paths_[warp];
    ++path.turn;
    const auto lines = [&](Kind kind) { return add_lines(path.turn, kind, request, request.bytes); };
    switch (access) {
        case Access::global_load:
            path.has_loads = true;
            work_.lines.loads += lines(Kind::load);
            return;
        case Access::global_store:
        case Access::surface_store:
            work_.lines.stores += lines(Kind::store);
            return;
        case Access::global_atomic:
            path.has_loads = true;
            work_.lines.stores += lines(Kind::atomic);
            return;
        case Access::surface_load:
            // Of elements of 8 bytes and more, a clock serves 4 lanes (the ceilings surface_..._bytes in
            // results/nvidia-h200/access_patterns.json).
            path.has_fetches = true;
            return add_fetch(path.turn, request, request.bytes, request.bytes <= 4 ? 8 : 4, false);
        case Access::fetch:
        case Access::fetch_from_plane:
        case Access::fetch_near: {
            path.has_fetches = true;
            const unsigned bytes = bytes_of_fetch(request.bytes);
            const unsigned lanes = access == Access::fetch && bytes < 16 ? 8 : 4;
            return add_fetch(path.turn, request, bytes, lanes, is_pitched);
        }
        case Access::shared_load:
        case Access::shared_atomic:
            path.has_shared = true;
            return;
        case Access::barrier:
            return end_round(path, work_.rounds);
        default:
            return;
    }
}

void WorkCounter::add_fetch(std::uint32_t turn, const Request& request, unsigned bytes, unsigned at_a_time,
                            bool is_pitched) {
    for (unsigned first = 0; first < 32; first += at_a_time) {
        const std::uint32_t group = request.lanes & ((1U << at_a_time) - 1) << first;
        if (group != 0) work_.lines.fetches += std::max(1U, TouchedLines(request, group, bytes).size());
    }
    add_lines(turn, is_pitched ? LineAccess::Kind::pitched_fetch : LineAccess::Kind::load, request, bytes);
}

unsigned WorkCounter::add_lines(std::uint32_t turn, LineAccess::Kind kind, const Request& request,
                                unsigned bytes) {
    const TouchedLines lines(request, request.lanes, bytes);
    for (const auto& [line, sectors] : lines)
        if (launch_->followed().has(line)) accesses_.push_back({line, block_, turn, sectors, kind});
    if (accesses_.size() > most_accesses) launch_->add({}, {}, accesses_);
    return lines.size();
}

void WorkCounter::end_launch(const Counts& counts) {
    for (Path& path : paths_) end_round(path, work_.rounds);
    work_.counts = counts;
    launch_->add(work_, entries_, accesses_);
    launch_ = nullptr;
}

}  // namespace cudabook::emulation
