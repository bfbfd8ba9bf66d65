// Makes the page: puts the recording as JSON into page.html. Replaces addresses by addresses that are the
// same in each run of a program: each memory begins behind the memories that were used before.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include "common/program/figures.hpp"
#include "common/program/version.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/tracing/page_template.hpp"
#include "emulator/tracing/recording.hpp"
#include "emulator/tracing/source_lines.hpp"

namespace cudabook::emulation {

namespace {

using nlohmann::json;

// ----- Places in the code

/// The different places in the code from which the steps come.
class Places {
  public:
    unsigned number_of(std::uint32_t place) {
        return numbers_.try_emplace(place, static_cast<unsigned>(numbers_.size())).first->second;
    }

    /// Adds "files" and "places". Errors: MachineError.
    void add_to(json& page) const {
        const auto begin = static_cast<std::uint32_t>(program_begin());
        std::vector<std::uint64_t> addresses(numbers_.size());
        for (const auto& [place, number] : numbers_)
            addresses[number] = std::uint32_t{place - begin} - 1;  // in the call that returns to this place
        json files = json::array();
        std::map<std::string, std::size_t> number_of_file;
        json places = json::array();
        for (const std::vector<SourceLine>& lines : source_lines(addresses)) {
            json& place = places.emplace_back(json::array());
            for (const SourceLine& line : lines) {
                const auto [file, is_new] = number_of_file.try_emplace(line.file, files.size());
                if (is_new) files.push_back(json_of_file(line.file));
                place.push_back({file->second, line.line});
            }
        }
        page["files"] = std::move(files);
        page["places"] = std::move(places);
    }

  private:
    static json json_of_file(const std::string& file) {
        const std::vector<std::string> lines = text_of(file);
        return {{"path", shown_name(file)}, {"lines", lines.empty() ? json() : json(lines)}};
    }

    std::map<std::uint32_t, unsigned> numbers_;
};

// ----- Addresses

/// Gives new addresses to each memory that steps use.
class Layout {
  public:
    /// Memories get new addresses from `first` on. Each new begin is a multiple of `alignment` bytes, a
    /// power of 2, plus the old begin modulo 512 or modulo `alignment`, whichever is less.
    Layout(std::uint64_t first, std::uint64_t alignment) : next_(first), alignment_(alignment) {}

    /// Returns the new address for an address in one of these memories, or 0 if it is in none.
    std::uint64_t moved(std::uint64_t address, const std::vector<Memory>& memories, bool in_tiles) {
        const Memory* const memory = memory_of(address, memories, in_tiles);
        if (memory == nullptr) return 0;
        const std::uint64_t begin = next_ + memory->begin % std::min<std::uint64_t>(alignment_, 512);
        const auto [place, is_new] = places_.try_emplace({memory->begin, memory->bytes}, begin);
        if (is_new) {
            next_ = (begin + padded_bytes(*memory) + alignment_ - 1) / alignment_ * alignment_;
            used_.emplace_back(*memory, place->second);
        }
        return place->second + (address - memory->begin);
    }

    [[nodiscard]] json memories() const {
        json all = json::array();
        for (const auto& [memory, begin] : used_) {
            const bool is_array = memory.row_bytes > 0;
            json& one =
                all.emplace_back(json{{"name", memory.name}, {"begin", begin}, {"bytes", memory.bytes}});
            one["kind"] = memory.is_constant ? "constant" : is_array ? "array" : "global";
            if (!is_array) continue;
            one["row_bytes"] = memory.row_bytes;
            one["texel_bytes"] = memory.texel_bytes;
        }
        return all;
    }

  private:
    /// Returns the bytes of a memory; for an array, with the part of the last tiles that has no texels.
    static std::uint64_t padded_bytes(const Memory& memory) {
        if (memory.row_bytes == 0) return memory.bytes;
        return (memory.row_bytes + 15) / 16 * 16 * ((memory.bytes / memory.row_bytes + 1) / 2 * 2);
    }

    /// Returns the memory that contains an address, or null. If in_tiles is true, an address in an array is
    /// one that address_in_tiles() has made.
    static const Memory* memory_of(std::uint64_t address, const std::vector<Memory>& memories,
                                   bool in_tiles) {
        for (const Memory& memory : memories)
            if (in_tiles && memory.row_bytes > 0 && address - memory.begin < padded_bytes(memory))
                return &memory;
        const auto after = std::ranges::upper_bound(memories, address, {}, &Memory::begin);
        if (after == memories.begin()) return nullptr;
        const Memory& memory = *std::prev(after);
        return address - memory.begin < memory.bytes ? &memory : nullptr;
    }

    std::uint64_t next_;
    std::uint64_t alignment_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> places_;
    std::vector<std::pair<Memory, std::uint64_t>> used_;
};

/// Returns the addresses as runs of three numbers each: the first address, the distance between two
/// addresses, and the number of addresses.
json runs_of(const std::vector<std::uint64_t>& addresses) {
    json runs = json::array();
    for (std::size_t i = 0; i < addresses.size();) {
        std::size_t end = i + 1;
        const std::uint64_t step = end < addresses.size() ? addresses[end] - addresses[i] : 0;
        while (end < addresses.size() && addresses[end] - addresses[end - 1] == step) ++end;
        runs.insert(runs.end(), {addresses[i], static_cast<std::int64_t>(step), end - i});
        i = end;
    }
    return runs;
}

// ----- Launches

json json_of(const Step& step, const std::vector<std::uint64_t>& addresses, unsigned place) {
    const bool is_fetch = step.access == Access::fetch || step.access == Access::fetch_from_plane;
    json one{static_cast<int>(step.access),
             place,
             static_cast<std::int32_t>(step.lanes),
             is_fetch ? bytes_of_fetch(step.bytes) : step.bytes,
             step.parts,
             step.more,
             runs_of(addresses)};
    if (is_fetch && texels_of_fetch(step.bytes) > 1) one.push_back(texels_of_fetch(step.bytes));
    return one;
}

bool has_no_address(Access access) { return access >= Access::shuffle; }
bool is_surface(Access access) { return access == Access::surface_load || access == Access::surface_store; }

json steps_of(const WarpRecording& warp, const LaunchRecording& launch, Layout& global, Layout& shared,
              Places& places) {
    json steps = json::array();
    std::vector<std::uint64_t> addresses;
    for (const Step& step : warp.steps) {
        addresses.clear();
        const auto lanes =
            has_no_address(step.access) ? 0 : static_cast<std::size_t>(std::popcount(step.lanes));
        for (std::size_t i = step.first_lane; i < step.first_lane + lanes; ++i) {
            const std::uint64_t address = warp.addresses[i];
            addresses.push_back(
                is_shared(step.access)
                    ? shared.moved(address, launch.shared, false)
                    : global.moved(address, *launch.memories,
                                   step.access == Access::fetch_from_plane || is_surface(step.access)));
        }
        steps.push_back(json_of(step, addresses, places.number_of(step.place)));
    }
    return steps;
}

json json_of(const LaunchRecording& launch, std::size_t number, Layout& global, Places& places) {
    Layout shared(0, 128);
    json warps = json::array();
    for (const WarpRecording& warp : launch.warps)
        warps.push_back(steps_of(warp, launch, global, shared, places));
    Counts counts = launch.counts;
    for (const WarpRecording& warp : launch.warps)
        counts.barriers = std::max(counts.barriers, static_cast<std::uint64_t>(std::ranges::count(
                                                        warp.steps, Access::barrier, &Step::access)));
    json counters = json::object();
    for (const auto& [name, value] : figures_of({launch.kernel, 1, counts}))
        if (const auto* count = std::get_if<std::int64_t>(&value.value);
            count != nullptr && *count != 0 && name != "launches")
            counters[name] = *count;
    return {{"kernel", launch.kernel},
            {"number", number},
            {"grid", launch.grid},
            {"threads", launch.threads},
            {"shared", shared.memories()},
            {"warps", std::move(warps)},
            {"counters", std::move(counters)}};
}

json json_of(const RunRecording& run, Places& places) {
    Layout global(4096, 4096);
    json launches = json::array();
    for (const auto& launch : run.launches)
        launches.push_back(json_of(*launch, launches.size() + 1, global, places));
    return {{"name", run.name}, {"memories", global.memories()}, {"launches", std::move(launches)}};
}

}  // namespace

std::string page_of(const std::string& program, const TraceOptions& options, bool cut,
                    const std::vector<RunRecording>& runs) {
    Places places;
    json trace{{"program", program},
               {"version", version},
               {"block", options.block},
               {"limit", options.limit},
               {"cut", cut}};
    trace["runs"] = json::array();
    for (const RunRecording& run : runs) trace["runs"].push_back(json_of(run, places));
    places.add_to(trace);

    // In a script of an HTML page, "<" could begin a tag.
    std::string text = trace.dump(-1, ' ', false, json::error_handler_t::replace);
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at))
        text.replace(at, 1, "\\u003c");
    constexpr std::string_view place = "@TRACE@";
    std::string page(page_template);
    return page.replace(page.find(place), place.size(), text);
}

}  // namespace cudabook::emulation
