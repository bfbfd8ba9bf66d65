#include "emulator/tracing/recording.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "emulator/counting/constants.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/objects/shared_memory_source.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/textures/array.hpp"

namespace cudabook::emulation {

namespace {

struct Recorder {
    std::mutex mutex;
    std::atomic<bool> is_on = false;
    std::optional<TraceOptions> options;
    std::size_t limit = 0;
    std::atomic<std::size_t> requests = 0;
    std::atomic<bool> cut = false;
    std::size_t kept_requests = 0;                          ///< the value of `requests` at the last end of a
                                                            ///< run
    bool was_cut = false;                                   ///< the value of `cut` at that time
    std::set<std::array<unsigned, 3>> grids;                ///< the grids that were launched
    std::deque<std::shared_ptr<LaunchRecording>> launches;  ///< since the last end of a run
    std::shared_ptr<const std::vector<Memory>> memories;    ///< at the last launch
    std::vector<RunRecording> runs;
};
/// Returns the recorder. It is never freed, because the page may be made after all destructors have run.
Recorder& the_recorder() {
    static auto& recorder = *new Recorder;
    return recorder;
}

std::array<unsigned, 3> array_of(const dim3& size) { return {size.x, size.y, size.z}; }

/// Returns the memory that CUDA knows, and the program's variables, some of which are in that memory.
std::vector<Memory> memories() {
    std::vector<Memory> all;
    for (const ProgramVariable& variable : program_variables())
        all.push_back({.begin = variable.begin,
                       .bytes = variable.bytes,
                       .name = variable_name(variable.name),
                       .is_constant = constants().has(variable.begin)});
    for (const auto& [begin, size] : allocations_known_to_cuda())
        all.push_back({.begin = begin, .bytes = size, .name = {}});
    std::ranges::stable_sort(all, {}, &Memory::begin);
    // Some memory is in both lists.
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Memory& a, const Memory& b) { return a.begin == b.begin; }),
              all.end());
    for (const PlaneInMemory& plane : planes_in_memory()) {
        const auto found = std::ranges::lower_bound(all, plane.begin, {}, &Memory::begin);
        if (found == all.end() || found->begin != plane.begin) continue;
        found->row_bytes = plane.row_bytes;
        found->texel_bytes = plane.texel_bytes;
    }
    return all;
}

/// Returns the __shared__ variables of this thread.
std::vector<Memory> shared_variables() {
    std::vector<Memory> all;
    for (const ThreadLocal& variable : thread_locals())
        if (is_shared_variable(variable.name))
            all.push_back({.begin = reinterpret_cast<std::uint64_t>(variable.address),
                           .bytes = variable.bytes,
                           .name = variable_name(variable.name)});
    std::ranges::stable_sort(all, {}, &Memory::begin);
    return all;
}

void begin(const TraceOptions& options) {
    the_recorder().options = options;
    the_recorder().limit = options.limit;
    the_recorder().is_on = true;
}

void end_run(const std::string& name) {
    finish_all();
    Recorder& recorder = the_recorder();
    const std::lock_guard lock(recorder.mutex);
    if (recorder.launches.empty()) return;
    RunRecording run{name, {}};
    for (const auto& launch : recorder.launches)
        if (launch->has_ended) run.launches.push_back(launch);
    if (!run.launches.empty()) recorder.runs.push_back(std::move(run));
    std::erase_if(recorder.launches, [](const auto& launch) { return launch->has_ended; });
    recorder.kept_requests = recorder.requests;
    recorder.was_cut = recorder.cut;
}

void forget() {
    finish_all();
    Recorder& recorder = the_recorder();
    const std::lock_guard lock(recorder.mutex);
    recorder.launches.clear();
    recorder.requests = recorder.kept_requests;
    recorder.cut = recorder.was_cut;
}

std::string page(const std::string& program) {
    end_run(program);
    Recorder& recorder = the_recorder();
    const std::lock_guard lock(recorder.mutex);
    const TraceOptions options = *std::exchange(recorder.options, std::nullopt);
    if (!recorder.runs.empty()) return page_of(program, options, recorder.cut, recorder.runs);
    if (recorder.grids.empty()) return "";
    std::string grids;
    for (const auto& grid : recorder.grids)
        grids += fmt::format("{}{}", grids.empty() ? "" : ", ", fmt::join(grid, "x"));
    throw UsageError(fmt::format("{} {}: no grid has that block; the grids have {} blocks",
                                 options.block_option, fmt::join(options.block, ","), grids));
}

[[maybe_unused]] const bool traces = [] {
    tracing = &trace_hooks;
    return true;
}();

}  // namespace

constinit const Tracing trace_hooks{.begin = begin, .end_run = end_run, .forget = forget, .page = page};

void WarpRecording::add(Access access, const Request& request, unsigned parts, unsigned more) {
    std::uint32_t place = is_shared(access) ? ~request.place : request.place;
    if (access == Access::barrier)
        place = static_cast<std::uint32_t>(
            request.address[static_cast<unsigned>(std::countr_zero(request.lanes))]);
    steps.push_back({.access = access,
                     .bytes = static_cast<std::uint8_t>(request.bytes),
                     .parts = static_cast<std::uint16_t>(parts),
                     .more = static_cast<std::uint16_t>(more),
                     .place = place,
                     .lanes = request.lanes,
                     .number = request.number,
                     .first_lane = addresses.size()});
    for_each_lane(request.lanes, [&](unsigned lane) { addresses.push_back(request.address[lane]); });
}

void WarpRecording::put_in_order(std::size_t first) {
    std::stable_sort(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.end(),
                     [](const Step& a, const Step& b) { return a.number < b.number; });
}

bool may_record() {
    Recorder& recorder = the_recorder();
    if (recorder.requests.fetch_add(1) < recorder.limit) return true;
    recorder.cut = true;
    return false;
}

std::shared_ptr<LaunchRecording> begin_recording(const void* kernel) {
    Recorder& recorder = the_recorder();
    if (!recorder.is_on) return nullptr;
    const uint3 block = block_index;
    const std::lock_guard lock(recorder.mutex);
    if (!recorder.options) return nullptr;
    const auto& [x, y, z] = recorder.options->block;
    const bool is_first = block.x == 0 && block.y == 0 && block.z == 0;
    const bool is_traced = block.x == x && block.y == y && block.z == z;
    const std::array<unsigned, 3> grid = array_of(grid_size);
    if (is_first) recorder.grids.insert(grid);
    if (!is_traced) return nullptr;
    // A launch takes as much room in the page as this many requests.
    constexpr std::size_t as_many_as = 10;
    if (recorder.requests.fetch_add(as_many_as) >= recorder.limit) {
        recorder.cut = true;
        return nullptr;
    }
    const std::array<unsigned, 3> threads = array_of(block_size);
    const unsigned warps = (threads[0] * threads[1] * threads[2] + 31) / 32;
    std::vector<Memory> now = memories();
    if (recorder.memories == nullptr || *recorder.memories != now)
        recorder.memories = std::make_shared<const std::vector<Memory>>(std::move(now));
    recorder.launches.push_back(std::make_shared<LaunchRecording>(
        LaunchRecording{.kernel = short_name_of(kernel),
                        .grid = grid,
                        .threads = threads,
                        .warps = std::vector<WarpRecording>(std::min(warps, recorder.options->warps)),
                        .memories = recorder.memories,
                        .shared = shared_variables()}));
    return recorder.launches.back();
}

void end_recording(LaunchRecording& recording) {
    const std::lock_guard lock(the_recorder().mutex);
    recording.has_ended = true;
}

}  // namespace cudabook::emulation
