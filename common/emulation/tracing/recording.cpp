#include "common/emulation/tracing/recording.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "common/emulation/counting/constants.hpp"
#include "common/emulation/engine/block.hpp"
#include "common/emulation/engine/program_file.hpp"
#include "common/emulation/engine/warp_functions.hpp"
#include "common/emulation/runtime/device.hpp"
#include "common/emulation/textures/array.hpp"
#include "common/program/errors.hpp"

namespace cudabook::emulation {

namespace {

struct Recorder {
    std::mutex mutex;
    std::optional<TraceOptions> options;
    std::atomic<std::size_t> requests = 0;
    std::atomic<bool> cut = false;
    std::size_t kept_requests = 0;            ///< those of `runs`
    bool was_cut = false;                     ///< then
    std::set<std::array<unsigned, 3>> grids;  ///< that were launched
    std::deque<LaunchRecording>
        launches;  ///< since the last end of a run; a deque, because blocks still record
    std::vector<RunRecording> runs;
};
/// Lasts, because the page may be made when the program has ended.
Recorder& the_recorder() {
    static auto& recorder = *new Recorder;
    return recorder;
}

std::array<unsigned, 3> array_of(const dim3& size) { return {size.x, size.y, size.z}; }

/// CUDA's memory, and the variables of the program that are in it.
std::vector<Memory> memories() {
    std::vector<Memory> all;
    for (const auto& [begin, size] : allocations_known_to_cuda())
        all.push_back({.begin = begin,
                       .bytes = size,
                       .name = variable_at(begin),
                       .is_constant = constants().has(begin)});
    for (const PlaneInMemory& plane : planes_in_memory())
        for (Memory& memory : all)
            if (memory.begin == plane.begin) {
                memory.row_bytes = plane.row_bytes;
                memory.texel_bytes = plane.texel_bytes;
            }
    return all;
}

/// thread_local variables of this thread, among which shared memory is.
std::vector<Memory> shared_variables() {
    std::vector<Memory> all;
    for (const ThreadLocal& variable : thread_locals())
        all.push_back({.begin = reinterpret_cast<std::uint64_t>(variable.address),
                       .bytes = variable.bytes,
                       .name = variable_name(variable.name)});
    std::ranges::stable_sort(all, {}, &Memory::begin);
    return all;
}

void begin(const TraceOptions& options) { the_recorder().options = options; }

void end_run(const std::string& name) {
    Recorder& recorder = the_recorder();
    const std::lock_guard lock(recorder.mutex);
    if (recorder.launches.empty()) return;
    RunRecording& run = recorder.runs.emplace_back(RunRecording{name, {}});
    std::ranges::move(recorder.launches, std::back_inserter(run.launches));
    recorder.launches.clear();
    recorder.kept_requests = recorder.requests;
    recorder.was_cut = recorder.cut;
}

void forget() {
    Recorder& recorder = the_recorder();
    const std::lock_guard lock(recorder.mutex);
    recorder.launches.clear();
    recorder.requests = recorder.kept_requests;
    recorder.cut = recorder.was_cut;
}

std::string page(const std::string& program) {
    Recorder& recorder = the_recorder();
    end_run(program);
    const auto [x, y, z] = recorder.options->block;
    if (recorder.runs.empty()) {
        std::string grids;
        for (const auto& grid : recorder.grids)
            grids += fmt::format("{}{}", grids.empty() ? "" : ", ", fmt::join(grid, "x"));
        throw UsageError(fmt::format("--trace-block {},{},{}: no grid has that block; their blocks are {}", x,
                                     y, z, grids.empty() ? "none" : grids));
    }
    return page_of(program, *recorder.options, recorder.cut, recorder.runs);
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
    if (recorder.requests < recorder.options->limit) return true;
    recorder.cut = true;
    return false;
}

void has_recorded(std::size_t requests) { the_recorder().requests += requests; }

LaunchRecording* begin_recording(const void* kernel) {
    Recorder& recorder = the_recorder();
    if (!recorder.options) return nullptr;
    const uint3 block = block_index;
    const auto& [x, y, z] = recorder.options->block;
    const bool is_first = block.x == 0 && block.y == 0 && block.z == 0;
    const bool is_traced = block.x == x && block.y == y && block.z == z;
    if (!is_first && !is_traced) return nullptr;
    const std::lock_guard lock(recorder.mutex);
    const std::array<unsigned, 3> grid = array_of(grid_size);
    recorder.grids.insert(grid);
    if (!is_traced || !may_record()) return nullptr;
    const std::array<unsigned, 3> threads = array_of(block_size);
    const unsigned warps = (threads[0] * threads[1] * threads[2] + 31) / 32;
    return &recorder.launches.emplace_back(
        LaunchRecording{.kernel = short_name_of(kernel),
                        .grid = grid,
                        .threads = threads,
                        .warps = std::vector<WarpRecording>(std::min(warps, recorder.options->warps)),
                        .memories = memories(),
                        .shared = shared_variables()});
}

}  // namespace cudabook::emulation
