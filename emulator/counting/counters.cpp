// Counts the memory requests of kernels. Device code that is compiled with -fsanitize=thread calls a
// __tsan_... function before each access; these functions are defined here, not by ThreadSanitizer. For
// WebAssembly, web/kernels.py inserts the calls.
#ifndef __wasm__
#include <link.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/program/counts.hpp"
#include "emulator/counting/constants.hpp"
#include "emulator/counting/counter.hpp"
#include "emulator/counting/shared_joiner.hpp"
#include "emulator/counting/warp_log.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/warp_functions.hpp"
#include "emulator/predicting/predictor.hpp"
#include "emulator/predicting/work.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/textures/array.hpp"
#include "emulator/textures/texture_object.hpp"
#include "emulator/tracing/recording.hpp"

// The linker's names for the begin and end of the section of __constant__ variables. They are weak, because
// a program may have no such section.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
[[gnu::weak]] extern const char __start_cudabook_constant;
[[gnu::weak]] extern const char __stop_cudabook_constant;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,cert-dcl37-c,cert-dcl51-cpp)

namespace cudabook::emulation {

Range constants() {
    const auto begin = reinterpret_cast<std::uint64_t>(&__start_cudabook_constant);
    return {begin, reinterpret_cast<std::uint64_t>(&__stop_cudabook_constant) - begin};
}

namespace {

// ----- Ranges of memory

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uint64_t>(memory); }

/// Returns the range of this thread's thread_local variables of the program: shared memory, and a few
/// variables of the emulator.
Range thread_local_variables() {
#ifdef __wasm__
    std::uint64_t begin = ~std::uint64_t{0};
    std::uint64_t end = 0;
    for (const ThreadLocal& variable : thread_locals()) {
        begin = std::min(begin, address_of(variable.address));
        end = std::max(end, address_of(variable.address) + variable.bytes);
    }
    return {begin, end - begin};
#else
    Range found;
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* to) {  // the first object is the program itself
            for (const auto& header : std::span(program->dlpi_phdr, program->dlpi_phnum))
                if (header.p_type == PT_TLS)
                    *static_cast<Range*>(to) = {address_of(program->dlpi_tls_data), header.p_memsz};
            return 1;
        },
        &found);
    return found;
#endif
}

// ----- The counts

struct CountedKernel {
    const void* kernel;
    KernelCounts counts;
};
std::mutex mutex;
auto& launched = *new std::vector<CountedKernel>;  // never freed: it is printed after all destructors

KernelCounts& counts_of(const void* kernel) {
    const auto found = std::ranges::find(launched, kernel, &CountedKernel::kernel);
    if (found != launched.end()) return found->counts;
    return launched.emplace_back(CountedKernel{kernel, {short_name_of(kernel), 0, {}}}).counts;
}

// ----- The counter of an operating system's thread

/// The state that the functions for each access use.
struct Here {
    ThreadLog* log = nullptr;     ///< the running CUDA thread's log; null if none runs or it waits
    std::uint64_t stack_top = 0;  ///< the upper end of the running CUDA thread's stack
    bool tries_again = false;     ///< a weak compare-and-exchange has failed and is tried again
    Range shared{};               ///< shared memory, and a few variables of the emulator
    Range constants{};
    std::array<Range, 2> global{};  ///< the last ranges of device memory that were used
    std::array<Range, 2> host{};    ///< the last used ranges of host memory: accesses there are not logged
};
constinit thread_local Here here;

class BlockCounter final : public Counter {
  public:
    void begin_launch(const void* kernel, LaunchWork* work) override {
        kernel_ = kernel;
        work_ = work;
        if (work_ != nullptr) work_counter_.begin_launch(work_);
    }

    bool begin_block(unsigned threads) override {
        threads_ = threads;
        running_ = none;
        here.log = nullptr;
        if (work_ != nullptr) {
            const std::uint64_t block =
                blockIdx.x + std::uint64_t{gridDim.x} * (blockIdx.y + std::uint64_t{gridDim.y} * blockIdx.z);
            if (!work_->counts(block)) return false;
            work_counter_.begin_block(block, (threads + 31) / 32);
        }
        for (unsigned warp = 0; warp < most_warps; ++warp) {
            for (unsigned lane = 0; lane < 32; ++lane) logs_[warp * 32 + lane].clear();
            if (lanes_of(warp) > 0) warps_[warp].begin(lanes_of(warp));
        }
        ended_.fill(0);
        waits_.fill(0);
        gone_on_.fill(0);
        if (!global_) {
            global_ = device_memory();
            planes_ = planes_in_memory();
            if (work_ != nullptr) pitched_planes_ = planes_of_textures();
            here.shared = thread_local_variables();
            here.constants = constants();
            here.global = {};
            here.host = {};
        }
        finish_recording();
        recording_ = begin_recording(kernel_);
        return true;
    }

    void begin_thread(unsigned thread) override {
        tops_[thread] = address_of(__builtin_frame_address(0));
        run(static_cast<int>(thread));
    }
    void end_thread() override {
        const int thread = stop(Waits::for_all);
        if (thread == none) return;
        const auto warp = static_cast<unsigned>(thread) / 32;
        ended_[warp] |= 1U << static_cast<unsigned>(thread) % 32;
        if (static_cast<unsigned>(std::popcount(ended_[warp])) == lanes_of(warp)) flush(warp);
    }

    int stop(Waits waits) override {
        const int thread = running_;
        running_ = none;
        here.log = nullptr;
        if (thread != none && waits == Waits::for_all) ++waits_[static_cast<unsigned>(thread)];
        return thread;
    }
    void go_on(int thread, Waits waits) override {
        if (thread == none) return;
        const auto number = static_cast<unsigned>(thread);
        if (waits == Waits::for_all && waits_[number] > gone_on_[number / 32]) {  // the first thread of its
                                                                                  // warp
            gone_on_[number / 32] = waits_[number];
            if (all_have_waited(number)) flush(number / 32);
        }
        run(thread);
    }

    void count_barrier() override { ++counts_.barriers; }

    void come_to(Synchronization where, const void* place) override {
        if (running_ == none || where == Synchronization::none) return;
        const Access access = where == Synchronization::barrier     ? Access::barrier
                              : where == Synchronization::shuffle   ? Access::shuffle
                              : where == Synchronization::condition ? Access::condition
                                                                    : Access::warp_barrier;
        if (where == Synchronization::tensor_core && work_ != nullptr) work_counter_.use_tensor_cores();
        // All lanes meet at a barrier, wherever the compiler has put it into the code. So the event holds the
        // barrier's place as its address, and all barriers have the same key.
        const bool is_barrier = where == Synchronization::barrier;
        add(Event(is_barrier ? address_of(place) : 0, 1, access,
                  is_barrier ? 1 : static_cast<std::uint32_t>(address_of(place))));
    }

    void end_launch() override {
        here.log = nullptr;
        finish_recording();
        running_ = none;
        global_.reset();
        if (work_ != nullptr) work_counter_.end_launch(counts_);
        const std::lock_guard lock(mutex);
        counts_of(kernel_).counts += std::exchange(counts_, {});
    }

    void add(const Event& event) {
        ThreadLog& log = *here.log;
        if (log.full()) make_room(log);
        log.add(event);
    }

    /// Returns whether an address is in device memory, and adds the range around the address to `here`. The
    /// caller has found the address in none of the ranges of `here`.
    bool is_global(std::uint64_t address) {
        const auto after = std::ranges::upper_bound(*global_, address, {}, &Range::begin);
        if (after != global_->begin() && std::prev(after)->has(address)) {
            here.global = {*std::prev(after), here.global[0]};
            return true;
        }
        // Memory between two ranges is the host's, except shared memory.
        std::uint64_t begin =
            after == global_->begin() ? 0 : std::prev(after)->begin + std::prev(after)->size;
        std::uint64_t end = after == global_->end() ? ~std::uint64_t{0} : after->begin;
        if (here.shared.begin > address)
            end = std::min(end, here.shared.begin);
        else
            begin = std::max(begin, here.shared.begin + here.shared.size);
        here.host = {Range{begin, end - begin}, here.host[0]};
        return false;
    }

  private:
    static constexpr int none = -1;
    static constexpr unsigned most_threads = 1024;
    static constexpr unsigned most_warps = most_threads / 32;

    /// For a surface access, the texture unit takes this many lanes at a time, whatever the size of the
    /// elements (measured on an H200: results/access_patterns-counters-nvidia-h200.csv).
    static constexpr unsigned lanes_of_surface = 8;

    /// When a thread's log has this many events, other threads run, and the warp's complete requests are
    /// counted. If this frees nothing in the thread's log, the log grows. In WebAssembly the log always
    /// grows, so that no access can wait: Asyncify would have to prepare each access for that.
    static constexpr std::size_t most_events = std::size_t{1} << 10U;

    [[nodiscard]] unsigned lanes_of(unsigned warp) const {
        return warp * 32 >= threads_ ? 0 : std::min(threads_ - warp * 32, 32U);
    }

    [[nodiscard]] bool has_ended(unsigned thread) const {
        return (ended_[thread / 32] >> thread % 32 & 1U) != 0;
    }

    /// Returns whether each lane of the thread's warp has waited (Waits::for_all) as often as this thread,
    /// or has ended before.
    [[nodiscard]] bool all_have_waited(unsigned thread) const {
        const unsigned first = thread / 32 * 32;
        for (unsigned other = first; other < first + lanes_of(thread / 32); ++other)
            if (waits_[other] != waits_[thread] && !(has_ended(other) && waits_[other] < waits_[thread]))
                return false;
        return true;
    }

    void run(int thread) {
        running_ = thread;
        here.log = &logs_[static_cast<std::size_t>(thread)];
        here.stack_top = tops_[static_cast<std::size_t>(thread)];
    }

    void make_room(ThreadLog& log) {
#ifndef __wasm__
        if (log.size() >= most_events) {
            const int thread = stop(Waits::for_all);
            let_others_run();
            go_on(thread, Waits::for_all);
            if (log.full()) flush(static_cast<unsigned>(thread) / 32);
            if (!log.full()) return;
        }
#endif
        // This size is no power of 2, so the buffers do not all begin in the same set of the cache.
        constexpr std::size_t first_size = most_events + 4;
        if (log.size() == 0 && !spare_.empty()) {
            buffers_[index_of(log)] = std::move(spare_.back());
            spare_.pop_back();
        } else {
            std::vector<Event> larger(std::max(first_size, 2 * log.size()));
            log.use(larger);
            buffers_[index_of(log)] = std::move(larger);
            return;
        }
        log.use(buffers_[index_of(log)]);
    }
    std::size_t index_of(const ThreadLog& log) const { return static_cast<std::size_t>(&log - logs_.data()); }

    /// Counts the requests of the warp that are complete, and removes them from the logs.
    void flush(unsigned warp) {
        if (recording_ != nullptr && recording_->has(warp)) warp_recording_ = &recording_->warps[warp];
        const std::size_t steps = warp_recording_ == nullptr ? 0 : warp_recording_->steps.size();
        count_warp(warp);
        if (warp_recording_ != nullptr) warp_recording_->put_in_order(steps);
        warp_recording_ = nullptr;
        ThreadLog* const lanes = &logs_[std::size_t{warp} * 32];
        for (unsigned lane = 0; lane < lanes_of(warp); ++lane) {
            if (lanes[lane].size() > 0) continue;
            std::vector<Event>& buffer = buffers_[warp * 32 + lane];
            if (!buffer.empty()) spare_.push_back(std::move(buffer));
            buffer.clear();
            lanes[lane].use_none();
        }
    }

    void count_warp(unsigned warp) {
        struct {
            BlockCounter& counter;
            unsigned warp;
            void request(const Event& event, const Request& request) {
                counter.count(event.access(), request);
                if (counter.work_ != nullptr) counter.count_work(warp, event.access(), request);
            }
            void enter(std::uint32_t place, std::uint64_t times) {
                if (counter.work_ != nullptr) counter.work_counter_.enter(warp, place, times);
            }
        } const use{*this, warp};
        warps_[warp].put_together(&logs_[std::size_t{warp} * 32], ended_[warp], use);
        joiner_.end([this](Access access, const Request& request) { count_shared(access, request); });
    }

    /// Calls add() for the block's counts and, if the request is recorded, for the recording's counts.
    template <class Add>
    void count_and_record(Access access, const Request& request, unsigned parts, unsigned more, Add add) {
        add(counts_);
        if (warp_recording_ == nullptr || !may_record()) return;
        warp_recording_->add(access, request, parts, more);
        add(recording_->counts);
    }

    void finish_recording() {
        if (recording_ != nullptr) end_recording(*recording_);
        recording_ = nullptr;
    }

    void count(Access access, const Request& request) {
        switch (access) {
            case Access::global_load:
            case Access::global_store:
                if (const PlaneInMemory* plane = plane_of(request))
                    return count_surface(access, request, *plane);
                return count_global(access, request);
            case Access::global_atomic:
                return count_global(access, request);
            case Access::fetch:
            case Access::fetch_from_plane:
                return count_fetches(access, request);
            case Access::fetch_near: {
                Request unknown = request;
                unknown.address.fill(0);
                return count_fetches(Access::fetch_from_plane, unknown);
            }
            case Access::constant_load:
                return count_constants(request);
            case Access::shuffle:
            case Access::barrier:
            case Access::warp_barrier:
            case Access::condition:
                joiner_.end([this](Access kind, const Request& joined) { count_shared(kind, joined); });
                return count_and_record(access, request, 0, 0, [&](Counts& to) {
                    if (access == Access::shuffle) ++to.shuffles;
                });
            default:
                joiner_.add(access, request,
                            [this](Access kind, const Request& joined) { count_shared(kind, joined); });
        }
    }

    void count_global(Access access, const Request& request) {
        const unsigned sectors = sectors_of(request);
        const auto traffic = access == Access::global_load    ? &Counts::global_load
                             : access == Access::global_store ? &Counts::global_store
                                                              : &Counts::global_atomic;
        count_and_record(access, request, sectors, 0,
                         [&](Counts& to) { add_request(to.*traffic, request, sectors); });
    }

    /// Returns the array that a request is in, or null. Kernels reach arrays only through surfaces.
    [[nodiscard]] const PlaneInMemory* plane_of(const Request& request) const {
        for (const PlaneInMemory& plane : planes_)
            if (request.first - plane.begin < plane.bytes) return &plane;
        return nullptr;
    }

    /// Adds the request to the work of the launch, for the prediction of its time.
    void count_work(unsigned warp, Access access, const Request& request) {
        const bool is_fetch = access == Access::fetch_from_plane || access == Access::fetch_near;
        const bool is_access = access == Access::global_load || access == Access::global_store;
        const PlaneInMemory* plane = nullptr;
        if (is_fetch || is_access) plane = plane_with_all(request, planes_, is_fetch);
        if (is_fetch && plane == nullptr) plane = plane_with_all(request, pitched_planes_, false);
        if (plane == nullptr) return work_counter_.count(warp, access, request);
        work_counter_.count(warp,
                            is_fetch                        ? Access::fetch_from_plane
                            : access == Access::global_load ? Access::surface_load
                                                            : Access::surface_store,
                            request, *plane);
    }

    /// Returns the plane that has the addresses of all lanes, or null. `in_tiles`: they are made by
    /// address_in_tiles(), so that the last tiles may end behind the array.
    static const PlaneInMemory* plane_with_all(const Request& request,
                                               const std::vector<PlaneInMemory>& planes, bool in_tiles) {
        for (const PlaneInMemory& plane : planes) {
            const std::uint64_t begin = in_tiles ? plane.begin / 32 * 32 : plane.begin;
            const std::uint64_t bytes =
                in_tiles ? (plane.row_bytes + 15) / 16 * 32 * ((plane.bytes / plane.row_bytes + 1) / 2)
                         : plane.bytes;
            bool has_all = true;
            for_each_lane(request.lanes,
                          [&](unsigned lane) { has_all &= request.address[lane] - begin < bytes; });
            if (has_all) return &plane;
        }
        return nullptr;
    }

    /// Returns the request with addresses as in the tiles of an array.
    static Request in_tiles(const Request& request, const PlaneInMemory& plane) {
        Request moved = request;
        for_each_lane(request.lanes, [&](unsigned lane) {
            const std::uint64_t offset = request.address[lane] - plane.begin;
            moved.address[lane] = address_in_tiles(plane.begin, plane.row_bytes, offset / plane.row_bytes,
                                                   offset % plane.row_bytes);
        });
        return moved;
    }

    void count_surface(Access access, const Request& request, const PlaneInMemory& plane) {
        const Request moved = in_tiles(request, plane);
        const FetchParts parts = parts_of_groups(moved, lanes_of_surface);
        const bool loads = access == Access::global_load;
        const auto traffic = loads ? &Counts::surface_load : &Counts::surface_store;
        count_and_record(loads ? Access::surface_load : Access::surface_store, moved, parts.sectors,
                         parts.tag_requests,
                         [&](Counts& to) { add_request(to.*traffic, request, parts.sectors); });
    }

    void count_constants(const Request& request) {
        const unsigned addresses = addresses_of(request);
        count_and_record(Access::constant_load, request, addresses, 0,
                         [&](Counts& to) { add_request(to.constant_load, request, addresses); });
    }

    void count_shared(Access access, const Request& request) {
        const Wavefronts wavefronts = wavefronts_of(request);
        const auto traffic = access == Access::shared_load    ? &Counts::shared_load
                             : access == Access::shared_store ? &Counts::shared_store
                                                              : &Counts::shared_atomic;
        count_and_record(access, request, wavefronts.all, wavefronts.conflicts, [&](Counts& to) {
            add_request(to.*traffic, request, wavefronts.all);
            (to.*traffic).conflicts += wavefronts.conflicts;
        });
    }

    void count_fetches(Access access, const Request& request) {
        const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
        Request texels = request;
        texels.bytes = bytes_of_fetch(request.bytes);
        const std::uint64_t count = std::uint64_t{lanes} * texels_of_fetch(request.bytes);
        const FetchParts parts = parts_of_fetch(texels, access == Access::fetch_from_plane);
        count_and_record(access, request, parts.sectors, parts.tag_requests, [&](Counts& to) {
            ++to.texture_requests;
            to.texture_fetches += lanes;
            to.texels += count;
            to.texture_bytes += count * texels.bytes;
            to.texture_tag_requests += parts.tag_requests;
            to.texture_sectors += parts.sectors;
        });
    }

    static void add_request(Traffic& sum, const Request& request, unsigned parts) {
        const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
        ++sum.requests;
        sum.accesses += lanes;
        sum.bytes += std::uint64_t{lanes} * request.bytes;
        sum.parts += parts;
    }

    /// Returns the ranges of device memory, without __constant__ variables.
    static std::vector<Range> device_memory() {
        std::vector<Range> ranges;
        for (const auto& [begin, size] : allocations_known_to_cuda())
            if (!constants().has(begin)) ranges.push_back({begin, size});
        for (const ProgramVariable& variable : program_variables())
            if (!constants().has(variable.begin)) ranges.push_back({variable.begin, variable.bytes});
        std::ranges::sort(ranges, {}, &Range::begin);
        // Some memory is in both lists.
        ranges.erase(std::unique(ranges.begin(), ranges.end(),
                                 [](const Range& a, const Range& b) { return a.begin == b.begin; }),
                     ranges.end());
        return ranges;
    }

    const void* kernel_ = nullptr;
    unsigned threads_ = 0;
    int running_ = none;
    std::array<ThreadLog, most_threads> logs_;
    std::array<std::vector<Event>, most_threads> buffers_;
    std::vector<std::vector<Event>> spare_;
    std::array<std::uint64_t, most_threads> tops_{};
    std::array<unsigned, most_threads> waits_{};  ///< how often each thread has waited, or ended
    std::array<unsigned, most_warps> gone_on_{};  ///< by warp: the most waits that a lane has passed
    std::array<Warp, most_warps> warps_;
    std::array<std::uint32_t, most_warps> ended_{};  ///< a bit for each lane
    Counts counts_;
    std::optional<std::vector<Range>> global_;   ///< device memory in this launch, by address
    std::vector<PlaneInMemory> planes_;          ///< the two-dimensional CUDA arrays, at the launch
    std::vector<PlaneInMemory> pitched_planes_;  ///< linear memory with a pitch, from which textures fetch
    SharedJoiner joiner_;
    std::shared_ptr<LaunchRecording> recording_;  ///< the recording of this block, if it is traced
    LaunchWork* work_ = nullptr;                  ///< set if the launch's time is predicted
    WorkCounter work_counter_;
    WarpRecording* warp_recording_ = nullptr;  ///< the recording of the warp that is being counted, if any
};

BlockCounter& of_this_thread() {
    thread_local const auto counter = std::make_unique<BlockCounter>();
    return *counter;
}

std::vector<KernelCounts> take() {
    finish_all();
    const std::lock_guard lock(mutex);
    std::vector<KernelCounts> taken;
    for (CountedKernel& one : std::exchange(launched, {})) {
        one.counts.is_counted = shows_counts();
        one.counts.all_ran = all_run();
        one.counts.predictions = take_predictions(one.kernel);
        taken.push_back(std::move(one.counts));
    }
    return taken;
}

/// Takes the event by value, so that the caller can keep it in registers.
[[gnu::noinline]] void make_room_for(Event event) { of_this_thread().add(event); }

[[gnu::always_inline]] inline void log_event(const Event& event) {
    if (!here.log->full())
        here.log->add(event);
    else
        make_room_for(event);
}

/// Does for a fetch what count_access() does for an access to memory.
void count_fetch(const void* place, const Fetch& fetch) {
    if (here.log == nullptr) return;
    log_event(Event(fetch.address, packed_fetch(fetch.bytes, fetch.texels),
                    fetch.is_near         ? Access::fetch_near
                    : fetch.one_dimension ? Access::fetch
                                          : Access::fetch_from_plane,
                    static_cast<std::uint32_t>(address_of(place))));
}

const Counting hooks{.of_this_thread = []() -> Counter& { return of_this_thread(); },
                     .count_fetch = count_fetch,
                     .begin_launch =
                         [](const CountedLaunch& launch) {
                             {
                                 const std::lock_guard lock(mutex);
                                 ++counts_of(launch.kernel).launches;
                             }
                             return begin_prediction(launch);
                         },
                     .runs = runs,
                     .end_launch =
                         [](LaunchWork* work) {
                             if (work != nullptr) end_prediction(*work);
                         }};

[[maybe_unused]] const bool is_set = [] {
    counting = &hooks;
    counted_so_far = take;
    return true;
}();

template <class Variable>
bool is_in(const Variable& variable, std::uint64_t address) {
    return address - address_of(&variable) < sizeof variable;
}

[[gnu::always_inline]] inline void log_access(std::uint64_t address, const void* place, unsigned bytes,
                                              unsigned access) {
    const auto at = static_cast<std::uint32_t>(address_of(place));
    const auto kind = static_cast<Access>(access);
    log_event(Event(address, bytes, kind, is_shared(kind) ? ~at : at));
}

/// Called at each access. Does not count accesses to the thread's own stack and to the variables with its
/// place in the grid, which are not in a GPU's memory. `access` is the kind if the memory is global memory.
[[gnu::always_inline]] inline void count_access(const void* memory, unsigned bytes, Access access,
                                                const void* place) {
    if (here.log == nullptr) return;
    const std::uint64_t address = address_of(memory);
    const auto kind = static_cast<unsigned>(access);
    if (here.global[0].has(address) || here.global[1].has(address))
        return log_access(address, place, bytes, kind);
    if (here.shared.has(address)) {
        if (is_in(threadIdx, address) || is_in(blockIdx, address) || is_in(blockDim, address) ||
            is_in(gridDim, address))
            return;
        return log_access(address, place, bytes, kind + 3);
    }
    if (here.constants.has(address))
        return log_access(address, place, bytes, static_cast<unsigned>(Access::constant_load));
    if (here.host[0].has(address) || here.host[1].has(address)) return;
    const std::uint64_t frame = address_of(__builtin_frame_address(0));
    if (address - frame < here.stack_top - frame) return;
    if (of_this_thread().is_global(address)) log_access(address, place, bytes, kind);
}

/// Counts a copy's reads or writes. An aligned copy of 1, 2, 4, 8 or 16 bytes is one access; any other copy
/// consists of accesses to 4 bytes.
void count_range(const void* memory, std::size_t bytes, Access access, const void* place) {
    if (bytes <= 16 && std::has_single_bit(bytes) && address_of(memory) % bytes == 0)
        return count_access(memory, static_cast<unsigned>(bytes), access, place);
    for (std::size_t i = 0; i < bytes; i += 4)
        count_access(static_cast<const char*>(memory) + i, 4, access, place);
}

}  // namespace

}  // namespace cudabook::emulation

// ----- The functions that instrumented code calls

using namespace cudabook::emulation;

#ifdef __wasm__

namespace {

const void* pointer(std::uintptr_t place) { return reinterpret_cast<const void*>(place); }

}  // namespace

extern "C" void cudabook_load(const void* memory, unsigned bytes, std::uintptr_t place) {
    count_access(memory, bytes, Access::global_load, pointer(place));
}
extern "C" void cudabook_store(const void* memory, unsigned bytes, std::uintptr_t place) {
    count_access(memory, bytes, Access::global_store, pointer(place));
}
extern "C" void cudabook_atomic(const void* memory, unsigned bytes, std::uintptr_t place) {
    count_access(memory, bytes, Access::global_atomic, pointer(place));
}
extern "C" void cudabook_load_range(const void* memory, std::size_t bytes, std::uintptr_t place) {
    count_range(memory, bytes, Access::global_load, pointer(place));
}
extern "C" void cudabook_store_range(const void* memory, std::size_t bytes, std::uintptr_t place) {
    count_range(memory, bytes, Access::global_store, pointer(place));
}
// Copies whose size is known when the program runs. A copy of more than 16 bytes is a bulk copy, and no
// access of a thread.
extern "C" void cudabook_load_copy(const void* memory, std::size_t bytes, std::uintptr_t place) {
    if (bytes <= 16) count_range(memory, bytes, Access::global_load, pointer(place));
}
extern "C" void cudabook_store_copy(const void* memory, std::size_t bytes, std::uintptr_t place) {
    if (bytes <= 16) count_range(memory, bytes, Access::global_store, pointer(place));
}
extern "C" void cudabook_block(std::uintptr_t place) {
    if (here.log == nullptr) return;
    const Event block = Event::block(static_cast<std::uint32_t>(place), 0);
    if (!here.log->comes_again(block)) log_event(block);
}

#else

// NOLINTBEGIN(bugprone-macro-parentheses): types and parts of names
#define CUDABOOK_PLACE __builtin_return_address(0)
#define CUDABOOK_ACCESSES(bytes)                                           \
    extern "C" void __tsan_read##bytes(void* memory) {                     \
        count_access(memory, bytes, Access::global_load, CUDABOOK_PLACE);  \
    }                                                                      \
    extern "C" void __tsan_write##bytes(void* memory) {                    \
        count_access(memory, bytes, Access::global_store, CUDABOOK_PLACE); \
    }
#define CUDABOOK_UNALIGNED_ACCESSES(bytes)                                 \
    extern "C" void __tsan_unaligned_read##bytes(void* memory) {           \
        count_access(memory, bytes, Access::global_load, CUDABOOK_PLACE);  \
    }                                                                      \
    extern "C" void __tsan_unaligned_write##bytes(void* memory) {          \
        count_access(memory, bytes, Access::global_store, CUDABOOK_PLACE); \
    }
CUDABOOK_ACCESSES(1)
CUDABOOK_ACCESSES(2)
CUDABOOK_ACCESSES(4)
CUDABOOK_ACCESSES(8)
CUDABOOK_ACCESSES(16)
CUDABOOK_UNALIGNED_ACCESSES(2)
CUDABOOK_UNALIGNED_ACCESSES(4)
CUDABOOK_UNALIGNED_ACCESSES(8)
CUDABOOK_UNALIGNED_ACCESSES(16)

extern "C" void __tsan_read_range(void* memory, std::size_t bytes) {
    count_range(memory, bytes, Access::global_load, CUDABOOK_PLACE);
}
extern "C" void __tsan_write_range(void* memory, std::size_t bytes) {
    count_range(memory, bytes, Access::global_store, CUDABOOK_PLACE);
}
/// Called at the beginning of each basic block.
extern "C" void __sanitizer_cov_trace_pc() {
    if (here.log == nullptr || here.tries_again) return;
    const Event block = Event::block(static_cast<std::uint32_t>(address_of(CUDABOOK_PLACE)), 0);
    if (!here.log->comes_again(block)) log_event(block);
}

extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void* /*caller*/) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_vptr_update(void** /*at*/, void* /*value*/) {}
extern "C" void __tsan_vptr_read(void** /*at*/) {}

// With -fsanitize=thread, atomic operations are function calls too. CUDA's atomic operations are made of a
// load and a compare-and-exchange that is tried again until it succeeds
// (emulator/engine/warp_functions.hpp). Such an operation counts once, and so do the blocks of its loop.
#define CUDABOOK_UPDATE(bits, Word, name)                                                             \
    extern "C" Word __tsan_atomic##bits##_##name(volatile void* memory, Word value, int) {            \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::global_atomic, CUDABOOK_PLACE); \
        return __atomic_##name(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST);         \
    }
#define CUDABOOK_EXCHANGE(bits, Word, strength, weak)                                                        \
    extern "C" bool __tsan_atomic##bits##_compare_exchange_##strength(volatile void* memory, void* expected, \
                                                                      Word value, int, int) {                \
        const bool done =                                                                                    \
            __atomic_compare_exchange_n(static_cast<volatile Word*>(memory), static_cast<Word*>(expected),   \
                                        value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
        here.tries_again = (weak) && !done;                                                                  \
        if (!here.tries_again)                                                                               \
            count_access(const_cast<void*>(memory), sizeof(Word), Access::global_atomic, CUDABOOK_PLACE);    \
        return done;                                                                                         \
    }
#define CUDABOOK_ATOMICS(bits, Word)                                                                  \
    extern "C" Word __tsan_atomic##bits##_load(const volatile void* memory, int) {                    \
        return __atomic_load_n(static_cast<const volatile Word*>(memory), __ATOMIC_SEQ_CST);          \
    }                                                                                                 \
    extern "C" void __tsan_atomic##bits##_store(volatile void* memory, Word value, int) {             \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::global_store, CUDABOOK_PLACE);  \
        __atomic_store_n(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST);               \
    }                                                                                                 \
    extern "C" Word __tsan_atomic##bits##_exchange(volatile void* memory, Word value, int) {          \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::global_atomic, CUDABOOK_PLACE); \
        return __atomic_exchange_n(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST);     \
    }                                                                                                 \
    CUDABOOK_UPDATE(bits, Word, fetch_add)                                                            \
    CUDABOOK_UPDATE(bits, Word, fetch_sub)                                                            \
    CUDABOOK_UPDATE(bits, Word, fetch_and)                                                            \
    CUDABOOK_UPDATE(bits, Word, fetch_or)                                                             \
    CUDABOOK_UPDATE(bits, Word, fetch_xor)                                                            \
    CUDABOOK_UPDATE(bits, Word, fetch_nand)                                                           \
    CUDABOOK_EXCHANGE(bits, Word, strong, false)                                                      \
    CUDABOOK_EXCHANGE(bits, Word, weak, true)
CUDABOOK_ATOMICS(8, unsigned char)
CUDABOOK_ATOMICS(16, unsigned short)
CUDABOOK_ATOMICS(32, unsigned int)
CUDABOOK_ATOMICS(64, unsigned long)
// NOLINTEND(bugprone-macro-parentheses)
// The only atomic operation on 16 bytes is compare_and_swap_bits().
extern "C"
#ifdef __x86_64__
    __attribute__((target("cx16")))
#endif
    bool
    __tsan_atomic128_compare_exchange_strong(volatile void* memory, void* expected, Bits128 value, int, int) {
    using Word = Bits128;
    count_access(const_cast<void*>(memory), sizeof(Word), Access::global_atomic, CUDABOOK_PLACE);
    Word& compare = *static_cast<Word*>(expected);
    const Word found = __sync_val_compare_and_swap(static_cast<volatile Word*>(memory), compare, value);
    const bool done = found == compare;
    compare = found;
    return done;
}
extern "C" void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
extern "C" void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

#endif
