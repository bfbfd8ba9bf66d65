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
        const std::uint64_t offset = request.address[lane] - plane.begin;
        places.place[lane] = {offset / plane.row_bytes, offset % plane.row_bytes};
    });
    return places;
}

/// The same for addresses by address_in_tiles().
PlacesInPlane places_in_tiles(const Request& request, const PlaneInMemory& plane) {
    PlacesInPlane places{.lanes = request.lanes};
    const std::size_t across = (plane.row_bytes + 15) / 16;
    for_each_lane(request.lanes, [&](unsigned lane) {
        const std::uint64_t offset = request.address[lane] - plane.begin / 32 * 32;
        const std::uint64_t tile = offset / 32;
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
    more.requests = requests * times;
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

bool LaunchWork::counts_traffic_of(std::uint64_t wave) const { return !is_sampled_ || wave == waves_ / 2; }

void LaunchWork::add(const Work& work, const EntriesByPlace& entries, std::vector<LineAccess>& accesses) {
    const std::lock_guard lock(mutex_);
    work_.blocks += work.blocks;
    work_.warps += work.warps;
    work_.counts += work.counts;
    work_.rounds += work.rounds;
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

/// Returns the innermost loops that index an array of the thread's own.
std::vector<Loop> unrolled_loops(const EnteredBlocks& blocks, MachineCode& code) {
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
        if (!code.is_in_file(in_file(place))) continue;  // the code of a shared library
        blocks.emplace_back(in_file(place), entries);
        blocks.back().second.loop_end = 0;
        if (entries.loop_end != 0 && code.is_in_file(in_file(entries.loop_end)))
            blocks.back().second.loop_end = in_file(entries.loop_end);
        first = std::min(first, blocks.back().first);
        last = std::max(last, blocks.back().first);
    }
    if (!blocks.empty() && !(code.has(first) && code.has(last))) code.read(first, last);
    const std::vector<Loop> unrolled = unrolled_loops(blocks, code);
    for (const auto& [place, entries] : blocks) {
        const CodeBlock& block = code.block_at(place);
        Instructions again = block.instructions;
        if (std::ranges::any_of(unrolled, [place = place](const Loop& loop) { return loop.has(place); }))
            again.integer = again.branch = 0;
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
    if (place <= path.place) {
        end_round(path, is_loop ? entries.rounds_in_turns : work_.rounds);
        entries.loop_end = std::max(entries.loop_end, path.place);
    }
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
            sum.store_lines += add_lines(path.turn, Kind::store, request, request.bytes);
            sum.store_clocks += clocks_of_access(request);
            return;
        case Access::global_atomic:
            path.has_loads = true;
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
