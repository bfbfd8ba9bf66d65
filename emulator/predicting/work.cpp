#include "emulator/predicting/work.hpp"

#include <algorithm>
#include <utility>

#include "emulator/engine/program_file.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/predicting/clocks.hpp"

namespace cudabook::emulation {

namespace {

/// The integer instructions of a loop's turn that unrolling removes.
constexpr double unrolled_integers = 3;

/// A launch of more waves is sampled: two waves in a row, and the first of the two only fills the caches.
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

PlacesInPlane places_in_rows(const Request& request, const PlaneInMemory& plane) {
    PlacesInPlane places{.lanes = request.lanes};
    for_each_lane(request.lanes, [&](unsigned lane) {
        const auto offset = static_cast<std::size_t>(request.address[lane] - plane.begin);
        places.place[lane] = {offset / plane.row_bytes, offset % plane.row_bytes};
    });
    return places;
}

/// The same for addresses by address_in_tiles().
PlacesInPlane places_in_tiles(const Request& request, const PlaneInMemory& plane) {
    PlacesInPlane places{.lanes = request.lanes};
    const std::size_t across = (plane.row_bytes + 15) / 16;
    for_each_lane(request.lanes, [&](unsigned lane) {
        const auto offset = static_cast<std::size_t>(request.address[lane] - plane.begin / 32 * 32);
        const std::size_t tile = offset / 32;
        places.place[lane] = {tile / across * 2 + offset % 32 / 16, tile % across * 16 + offset % 16};
    });
    return places;
}

}  // namespace

Rounds& Rounds::operator+=(const Rounds& more) {
    loads += more.loads;
    fetches += more.fetches;
    shared += more.shared;
    return *this;
}

Requests& Requests::operator+=(const Requests& more) {
    load_lines += more.load_lines;
    store_lines += more.store_lines;
    load_clocks += more.load_clocks;
    store_clocks += more.store_clocks;
    fetch_clocks += more.fetch_clocks;
    return *this;
}

ChainClocks operator*(const ChainClocks& one, double times) {
    return {one.all * times, one.in_turns * times, one.between_turns * times};
}

Requests operator*(const Requests& one, double times) {
    return {one.load_lines * times, one.store_lines * times, one.load_clocks * times,
            one.store_clocks * times, one.fetch_clocks * times};
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
    more.chains = chains * times;
    more.requests = requests * times;
    more.rounds = rounds * times;
    more.rounds_unrolled = rounds_unrolled * times;
    more.rounds_counted = rounds_counted * times;
    more.steps *= times;
    more.longest_steps *= times;
    more.squared_longest_steps *= times;
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

bool LaunchWork::counts_traffic_of(std::uint64_t wave) const { return !is_sampled_ || wave == waves_ / 2; }

void LaunchWork::add(const Work& work, const EntriesByPlace& entries, const AtomicsBySector& atomics,
                     std::vector<LineAccess>& accesses) {
    const std::lock_guard lock(mutex_);
    work_.blocks += work.blocks;
    work_.warps += work.warps;
    work_.counts += work.counts;
    work_.rounds += work.rounds;
    work_.steps += work.steps;
    work_.longest_steps += work.longest_steps;
    work_.squared_longest_steps += work.squared_longest_steps;
    work_.requests += work.requests;
    work_.uses_tensor_cores |= work.uses_tensor_cores;
    for (const auto& [place, more] : entries) {
        Entries& sum = entries_[place];
        sum.once += more.once;
        sum.again += more.again;
        sum.in_turns += more.in_turns;
        sum.rounds_in_turns += more.rounds_in_turns;
        sum.loop_end = std::max(sum.loop_end, more.loop_end);
    }
    for (const auto& [sector, more] : atomics) {
        Atomics& sum = atomics_[sector];
        sum.is_of_several_blocks |= more.is_of_several_blocks || (sum.count > 0 && sum.block != more.block);
        sum.count += more.count;
        sum.block = more.block;
    }
    accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
    accesses.clear();
    while (accesses_.size() > most_accesses && followed_.halvings() < most_halvings) {
        followed_.halve();
        std::erase_if(accesses_, [&](const LineAccess& access) { return !followed_.has(access.line); });
    }
}

namespace {

using EnteredBlocks = std::vector<std::pair<std::uint64_t, LaunchWork::Entries>>;

/// The blocks between these two places of the program's file.
struct Loop {
    std::uint64_t first;
    std::uint64_t last;
    [[nodiscard]] bool has(std::uint64_t place) const { return first <= place && place <= last; }
};

/// Returns whether no other loop begins behind the begin of this one and before its end.
bool is_innermost(const Loop& loop, const EnteredBlocks& blocks) {
    return std::ranges::none_of(blocks, [&](const auto& block) {
        return block.first != loop.first && loop.has(block.first) && block.second.loop_end != 0;
    });
}

/// Returns the innermost loops that index an array of the thread's own.
std::vector<Loop> loops_over_own_arrays(const EnteredBlocks& blocks, MachineCode& code) {
    std::vector<Loop> unrolled;
    for (const auto& [place, entries] : blocks) {
        if (!code.block_at(place).indexes_own_array) continue;
        Loop innermost{place, place};
        std::uint64_t least = ~std::uint64_t{0};
        for (const auto& [first, head] : blocks)
            if (Loop loop{first, head.loop_end}; loop.has(place) && loop.last - loop.first < least) {
                innermost = loop;
                least = loop.last - loop.first;
            }
        unrolled.push_back(innermost);
    }
    return unrolled;
}

}  // namespace

Work LaunchWork::finish(MachineCode& code, Caches& caches, double l1_bytes, bool is_first) {
    const std::uint64_t begin = program_begin();
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    EnteredBlocks blocks;
    // A place is the lower half of an address.
    const auto in_file = [begin](std::uint32_t place) { return place - static_cast<std::uint32_t>(begin); };
    for (const auto& [place, entries] : entries_) {
        if (!MachineCode::is_in_file(in_file(place))) continue;  // the code of a shared library
        blocks.emplace_back(in_file(place), entries);
        blocks.back().second.loop_end = 0;
        if (entries.loop_end != 0 && MachineCode::is_in_file(in_file(entries.loop_end)))
            blocks.back().second.loop_end = in_file(entries.loop_end);
        first = std::min(first, blocks.back().first);
        last = std::max(last, blocks.back().first);
    }
    if (!blocks.empty() && !(code.has(first) && code.has(last))) code.read(first, last);
    for (auto& [place, entries] : blocks)  // a call is no loop
        if (entries.loop_end != 0 && !code.are_in_one_function(place, entries.loop_end)) entries.loop_end = 0;
    const std::vector<Loop> over_own_arrays = loops_over_own_arrays(blocks, code);
    for (const auto& [place, entries] : blocks) {
        const CodeBlock& block = code.block_at(place);
        Instructions again = block.instructions;
        // Such a loop is unrolled as a whole: its turns wait neither for memory nor for each other.
        const bool is_over_own_array = std::ranges::any_of(
            over_own_arrays, [place = place](const Loop& loop) { return loop.has(place); });
        if (is_over_own_array) again.integer = again.branch = 0;
        work_.calls_printf_or_heap |= block.calls_printf_or_heap;
        // How the last block of the loop that begins here goes on to the next turn.
        LoopCounter counter = LoopCounter::none;
        if (entries.loop_end != 0 && is_innermost({place, entries.loop_end}, blocks))
            counter = code.block_at(entries.loop_end).counter;
        const bool is_unrolled = counter != LoopCounter::none && !block.has_dependent_load;
        Instructions turn = again;
        if (is_unrolled) turn.integer = std::max(0.0, turn.integer - unrolled_integers);
        work_.chains.all += block.chain * entries.once;
        if (!is_over_own_array) {
            work_.chains.all += block.chain * (entries.again + (is_unrolled ? 0 : entries.in_turns));
            work_.chains.in_turns += is_unrolled ? block.chain * entries.in_turns : 0;
            work_.chains.between_turns += is_unrolled ? block.chain_of_turn * entries.in_turns : 0;
        }
        work_.instructions.once += block.instructions * entries.once;
        work_.instructions.again += again * entries.again;
        (is_unrolled ? work_.instructions.in_turns : work_.instructions.again) += turn * entries.in_turns;
        // A dependent load waits for the load before it, in each turn of a loop too.
        if (!is_over_own_array || block.has_dependent_load)
            (!is_unrolled                        ? work_.rounds
             : counter == LoopCounter::to_number ? work_.rounds_counted
                                                 : work_.rounds_unrolled) += entries.rounds_in_turns;
        if (block.has_dependent_load) work_.rounds.loads += entries.once + entries.again;
    }

    Caches::Residency residency{shape_.blocks, blocks_at_once_, l1_bytes};
    const auto counts = [this](std::uint64_t wave) { return counts_traffic_of(wave); };
    if (is_first) {
        caches.run(accesses_, followed_, residency, counts);
        residency.bytes_of_wave = caches.bytes_of_wave();
    }
    work_.traffic = caches.run(std::move(accesses_), followed_, residency, counts);
    const auto all = static_cast<double>(shape_.blocks);
    Work whole = work_.times(all / work_.blocks);
    for (const auto& [sector, atomics] : atomics_) {
        const double share = atomics.is_of_several_blocks ? all / work_.blocks : 1;
        whole.hottest_atomics = std::max(whole.hottest_atomics, share * static_cast<double>(atomics.count));
    }
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
    atomics_.clear();
    accesses_.clear();
    paths_.fill({});
}

void WorkCounter::begin_block(std::uint64_t block, unsigned warps) {
    end_paths();
    block_ = block;
    paths_.fill({});
    ++work_.blocks;
    work_.warps += warps;
}

void WorkCounter::end_round(Path& path, Rounds& rounds) {
    rounds.loads += path.has_loads ? 1 : 0;
    rounds.fetches += path.has_fetches ? 1 : 0;
    rounds.shared += path.has_shared ? 1 : 0;
    path.has_loads = path.has_fetches = path.has_shared = path.has_stores = false;
}

void WorkCounter::end_paths() {
    double longest = 0;
    for (Path& path : paths_) {
        end_round(path, work_.rounds);
        const double steps = path.steps + path.turn;
        work_.steps += steps;
        longest = std::max(longest, steps);
    }
    work_.longest_steps += longest;
    work_.squared_longest_steps += longest * longest;
}

void WorkCounter::enter(unsigned warp, std::uint32_t place, std::uint64_t times) {
    Path& path = paths_[warp];
    const bool is_loop = path.place == place;
    path.steps += static_cast<double>(times);
    LaunchWork::Entries& entries = entries_[place];
    if (place <= path.place) {
        end_round(path, path.has_stores ? work_.rounds : entries.rounds_in_turns);
        entries.loop_end = std::max(entries.loop_end, path.place);
    }
    if (times > 1) entries.loop_end = std::max(entries.loop_end, place);
    path.place = place;
    entries.in_turns += static_cast<double>(is_loop ? times : times - 1);
    if (is_loop) return;
    const std::uint32_t bit = 1U << warp;
    if (entries.block != block_) entries.warps = 0;
    entries.block = block_;
    ++((entries.warps & bit) == 0 ? entries.once : entries.again);
    entries.warps |= bit;
}

void WorkCounter::count(unsigned warp, Access access, const Request& request) {
    using Kind = LineAccess::Kind;
    Path& path = paths_[warp];
    ++path.turn;
    Requests& sum = work_.requests;
    switch (access) {
        case Access::global_load:
            path.has_loads = true;
            sum.load_lines += add_lines(path.turn, Kind::load, request, request.bytes);
            sum.load_clocks += clocks_of_access(request);
            return;
        case Access::global_store:
            path.has_stores = true;
            sum.store_lines += add_lines(path.turn, Kind::store, request, request.bytes);
            sum.store_clocks += clocks_of_access(request);
            return;
        case Access::global_atomic:
            path.has_loads = path.has_stores = true;
            add_atomics(request);
            sum.store_lines += add_lines(path.turn, Kind::atomic, request, request.bytes);
            sum.store_clocks += clocks_of_access(request);
            return;
        case Access::fetch:
        case Access::fetch_from_plane:
        case Access::fetch_near: {
            path.has_fetches = true;
            const unsigned bytes = bytes_of_fetch(request.bytes);
            sum.fetch_clocks += access == Access::fetch
                                    ? clocks_of_linear_fetch(request, bytes)
                                    : clocks_near(request, texels_of_fetch(request.bytes));
            add_lines(path.turn, Kind::load, request, bytes);
            return;
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

void WorkCounter::count(unsigned warp, Access access, const Request& request, const PlaneInMemory& plane) {
    using Kind = LineAccess::Kind;
    Path& path = paths_[warp];
    ++path.turn;
    Requests& sum = work_.requests;
    const bool is_fetch = access == Access::fetch_from_plane;
    const bool in_tiles = is_fetch && plane.is_array;
    const PlacesInPlane places = in_tiles ? places_in_tiles(request, plane) : places_in_rows(request, plane);
    Request in_lines = request;
    if (plane.is_array)
        for_each_lane(request.lanes, [&](unsigned lane) {
            in_lines.address[lane] = address_in_lines(plane.begin, plane.row_bytes, places.place[lane]);
        });
    if (access == Access::surface_store) {
        sum.store_lines += add_lines(path.turn, Kind::store, in_lines, request.bytes);
        sum.store_clocks += clocks_of_surface(places, request.bytes);
        return;
    }
    path.has_fetches = true;
    const unsigned bytes = is_fetch ? bytes_of_fetch(request.bytes) : request.bytes;
    sum.fetch_clocks +=
        is_fetch ? clocks_of_plane_fetch(places, bytes, texels_of_fetch(request.bytes), plane.is_array)
                 : clocks_of_surface(places, bytes);
    add_lines(path.turn, plane.is_array ? Kind::load : Kind::pitched_fetch, in_lines, bytes);
}

void WorkCounter::add_atomics(const Request& request) {
    for (const auto& [line, sectors] : TouchedLines(request, request.lanes, request.bytes))
        for (unsigned sector = 0; sector < 4; ++sector)
            if ((sectors >> sector & 1U) != 0) {
                LaunchWork::Atomics& sum = atomics_[4 * line + sector];
                sum.is_of_several_blocks |= sum.count > 0 && sum.block != block_;
                ++sum.count;
                sum.block = block_;
            }
    if (atomics_.size() <= most_sectors_) return;
    std::erase_if(atomics_, [](const auto& one) { return one.second.count == 1; });  // the hottest has more
    most_sectors_ = std::max(most_sectors_, 2 * atomics_.size());
}

unsigned WorkCounter::add_lines(std::uint32_t turn, LineAccess::Kind kind, const Request& request,
                                unsigned bytes) {
    const TouchedLines lines(request, request.lanes, bytes);
    for (const auto& [line, sectors] : lines)
        if (launch_->followed().has(line)) accesses_.push_back({line, block_, turn, sectors, kind});
    if (accesses_.size() > most_accesses) launch_->add({}, {}, {}, accesses_);
    return lines.size();
}

void WorkCounter::end_launch(const Counts& counts) {
    end_paths();
    work_.counts = counts;
    launch_->add(work_, entries_, atomics_, accesses_);
    launch_ = nullptr;
}

}  // namespace cudabook::emulation
