// Counts what kernels ask of memory. Device code that is compiled with -fsanitize=thread calls a __tsan_...
// function before each access; here these are not ThreadSanitizer's but ours.
#include <link.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/emulation/block.hpp"
#include "common/emulation/counting/counter.hpp"
#include "common/emulation/counting/warp_log.hpp"
#include "common/emulation/device.hpp"
#include "common/emulation/program_file.hpp"
#include "common/emulation/warp_functions.hpp"
#include "common/program/counts.hpp"

namespace cudabook::emulation {

namespace {

// ----- Where what is stored

struct Range {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    [[nodiscard]] bool has(std::uint64_t address) const { return address - begin < size; }
};

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uint64_t>(memory); }

/// The thread_local variables of this program in this thread: shared memory, and a few of the emulation's.
Range thread_local_variables() {
    Range found;
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* to) {  // the first one is the program itself
            for (const auto& header : std::span(program->dlpi_phdr, program->dlpi_phnum))
                if (header.p_type == PT_TLS)
                    *static_cast<Range*>(to) = {address_of(program->dlpi_tls_data), header.p_memsz};
            return 1;
        },
        &found);
    return found;
}

enum class Space { global, shared, other };

// ----- What has been counted

struct Launched {
    const void* kernel;
    KernelCounts counts;
};
std::mutex mutex;
std::vector<Launched> launched;  ///< since take_counts()

std::string without_namespaces(const std::string& name) {
    const std::size_t colon = name.substr(0, name.find('<')).rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

KernelCounts& counts_of(const void* kernel) {
    const auto found = std::ranges::find(launched, kernel, &Launched::kernel);
    if (found != launched.end()) return found->counts;
    return launched.emplace_back(Launched{kernel, {without_namespaces(name_of(kernel)), 0, {}}}).counts;
}

// ----- The counter of an operating system's thread

/// The log of the CUDA thread that runs; null: none, or it waits.
constinit thread_local ThreadLog* log_here = nullptr;
constinit thread_local std::uint64_t stack_top = 0;

/// Memory that no GPU has, where the threads have last been seen. What they do there is not logged.
constinit thread_local std::array<Range, 2> host_memory{};

class BlockCounter final : public Counter {
  public:
    void begin_block(unsigned threads) override {
        threads_ = threads;
        running_ = none;
        log_here = nullptr;
        for (unsigned warp = 0; warp < most_warps; ++warp) {
            for (unsigned lane = 0; lane < 32; ++lane) logs_[warp * 32 + lane].clear();
            ended_lanes_[warp] = 0;
        }
        ended_.reset();
        waits_.fill(0);
        if (!global_) {
            global_ = device_memory();
            shared_ = thread_local_variables();
            last_ = {};
            host_memory = {};
        }
    }

    void begin_thread(unsigned thread) override {
        tops_[thread] = address_of(__builtin_frame_address(0));
        run(static_cast<int>(thread));
    }
    void end_thread() override {
        const int thread = stop(Waits::for_all);
        if (thread == none) return;
        const auto warp = static_cast<unsigned>(thread) / 32;
        ended_.set(static_cast<unsigned>(thread));
        if (++ended_lanes_[warp] == lanes_of(warp)) flush(warp);
    }

    int stop(Waits waits) override {
        const int thread = running_;
        running_ = none;
        log_here = nullptr;
        if (thread != none && waits == Waits::for_all) ++waits_[static_cast<unsigned>(thread)];
        return thread;
    }
    void go_on(int thread, Waits waits) override {
        if (thread == none) return;
        const auto number = static_cast<unsigned>(thread);
        if (waits == Waits::for_all && is_first_to_go_on(number)) flush(number / 32);
        run(thread);
    }

    void count_barrier() override { ++counts_.barriers; }
    void count_shuffle() override { ++counts_.shuffles; }
    void count_fetch(const void* place, unsigned texels) override {
        add({texels, static_cast<std::uint32_t>(address_of(place)), 0, Access::fetch});
    }

    void end_launch(const void* kernel) override {
        log_here = nullptr;
        running_ = none;
        global_.reset();
        const std::lock_guard lock(mutex);
        counts_of(kernel).counts += std::exchange(counts_, {});
    }

    void add(const Event& event) {
        ThreadLog& log = *log_here;
        if (log.full()) make_room(log);
        log.add(event);
    }

  private:
    static constexpr int none = -1;
    static constexpr unsigned most_threads = 1024;
    static constexpr unsigned most_warps = most_threads / 32;

    /// So many events of a thread are kept; then others run, until they have done as much.
    static constexpr std::size_t most_events = std::size_t{1} << 18U;

    [[nodiscard]] unsigned lanes_of(unsigned warp) const {
        return warp * 32 >= threads_ ? 0 : std::min(threads_ - warp * 32, 32U);
    }

    /// Whether no lane of the thread's warp has done anything since all of them waited as often as this one,
    /// or ended before.
    [[nodiscard]] bool is_first_to_go_on(unsigned thread) const {
        const unsigned first = thread / 32 * 32;
        for (unsigned other = first; other < first + lanes_of(thread / 32); ++other)
            if (waits_[other] != waits_[thread] && !(ended_[other] && waits_[other] < waits_[thread]))
                return false;
        return true;
    }

    void run(int thread) {
        running_ = thread;
        log_here = &logs_[static_cast<std::size_t>(thread)];
        stack_top = tops_[static_cast<std::size_t>(thread)];
    }

    void make_room(ThreadLog& log) {
        const std::size_t size = log.size();
        if (size >= most_events) {
            yield();  // it stops, and the log is empty if all others of the warp have stopped too
            if (!log.full()) return;
        }
        // The buffers do not begin at the same place of the cache.
        constexpr std::size_t first_size = 1024 + 4;
        if (size == 0 && !spare_.empty()) {
            buffers_[index_of(log)] = std::move(spare_.back());
            spare_.pop_back();
        } else {
            std::vector<Event> larger(std::max(first_size, 2 * size));
            log.use(larger);
            buffers_[index_of(log)] = std::move(larger);
            return;
        }
        log.use(buffers_[index_of(log)]);
    }
    std::size_t index_of(const ThreadLog& log) const { return static_cast<std::size_t>(&log - logs_.data()); }

    /// Counts what the lanes of the warp have done, and forgets it.
    void flush(unsigned warp) {
        ThreadLog* const lanes = &logs_[std::size_t{warp} * 32];
        for_each_request(lanes, lanes_of(warp), [this](const Event& event, const Request& request) {
            count(event.access(), request);
        });
        for (unsigned lane = 0; lane < lanes_of(warp); ++lane) {
            std::vector<Event>& buffer = buffers_[warp * 32 + lane];
            if (!buffer.empty()) spare_.push_back(std::move(buffer));
            buffer.clear();
            lanes[lane].use_none();
        }
    }

    void count(Access access, const Request& request) {
        const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
        if (access == Access::fetch) {
            ++counts_.texture_requests;
            counts_.texture_fetches += lanes;
            for_each_lane(request.lanes, [&](unsigned lane) { counts_.texels += request.address[lane]; });
            return;
        }
        const auto [global, shared] = spaces_of(request);
        const auto traffic = [&](Traffic& load, Traffic& store, Traffic& atomic) -> Traffic& {
            return access == Access::load ? load : access == Access::store ? store : atomic;
        };
        if (global != 0) {
            const Request& of_global = part_of(request, global);
            Traffic& sum = traffic(counts_.global_load, counts_.global_store, counts_.global_atomic);
            add_request(sum, of_global);
            sum.parts += sectors_of(of_global);
        }
        if (shared != 0) {
            const Request& of_shared = part_of(request, shared);
            Traffic& sum = traffic(counts_.shared_load, counts_.shared_store, counts_.shared_atomic);
            add_request(sum, of_shared);
            const Wavefronts wavefronts = wavefronts_of(of_shared);
            sum.parts += wavefronts.all;
            sum.conflicts += wavefronts.conflicts;
        }
    }

    /// The request of those lanes alone.
    const Request& part_of(const Request& request, std::uint32_t lanes) {
        if (lanes == request.lanes) return request;
        part_ = request;
        part_.lanes = lanes;
        return part_;
    }

    static void add_request(Traffic& sum, const Request& request) {
        const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
        ++sum.requests;
        sum.accesses += lanes;
        sum.bytes += std::uint64_t{lanes} * request.bytes;
    }

    struct Spaces {
        std::uint32_t global = 0;  ///< lanes
        std::uint32_t shared = 0;
    };

    Spaces spaces_of(const Request& request) {
        std::uint64_t least = ~std::uint64_t{0};
        std::uint64_t most = 0;
        const auto look_at = [&](unsigned lane) {
            least = std::min(least, request.address[lane]);
            most = std::max(most, request.address[lane]);
        };
        if (request.lanes == ~0U)
            for (unsigned lane = 0; lane < 32; ++lane) look_at(lane);
        else
            for_each_lane(request.lanes, look_at);
        if (last_.has(least) && last_.has(most)) return {.global = request.lanes};
        if (shared_.has(least) && shared_.has(most)) return {.shared = request.lanes};
        Spaces spaces;
        for_each_lane(request.lanes, [&](unsigned lane) {
            const Space space = space_of(request.address[lane]);
            if (space == Space::global) spaces.global |= 1U << lane;
            if (space == Space::shared) spaces.shared |= 1U << lane;
        });
        return spaces;
    }

    Space space_of(std::uint64_t address) {
        if (shared_.has(address)) return Space::shared;
        const auto after = std::ranges::upper_bound(*global_, address, {}, &Range::begin);
        if (after != global_->begin() && std::prev(after)->has(address)) {
            last_ = *std::prev(after);
            return Space::global;
        }
        // What is between two ranges is the host's, but for shared memory.
        std::uint64_t begin =
            after == global_->begin() ? 0 : std::prev(after)->begin + std::prev(after)->size;
        std::uint64_t end = after == global_->end() ? ~std::uint64_t{0} : after->begin;
        if (shared_.begin > address)
            end = std::min(end, shared_.begin);
        else
            begin = std::max(begin, shared_.begin + shared_.size);
        host_memory = {Range{begin, end - begin}, host_memory[0]};
        return Space::other;
    }

    static std::vector<Range> device_memory() {
        std::vector<Range> ranges;
        for (const auto& [begin, size] : allocations_known_to_cuda()) ranges.push_back({begin, size});
        return ranges;
    }

    unsigned threads_ = 0;
    int running_ = none;
    std::array<ThreadLog, most_threads> logs_;
    std::array<std::vector<Event>, most_threads> buffers_;
    std::vector<std::vector<Event>> spare_;
    std::array<std::uint64_t, most_threads> tops_{};
    std::array<unsigned, most_threads> waits_{};  ///< how often each thread has waited, or ended
    std::bitset<most_threads> ended_;
    std::array<unsigned, most_warps> ended_lanes_{};
    Counts counts_;
    std::optional<std::vector<Range>> global_;  ///< in order; of the launch
    Request part_;
    Range last_;  ///< of them
    Range shared_;
};

BlockCounter& of_this_thread() {
    thread_local const auto counter = std::make_unique<BlockCounter>();
    return *counter;
}

std::vector<KernelCounts> take() {
    const std::lock_guard lock(mutex);
    std::vector<KernelCounts> taken;
    for (Launched& one : std::exchange(launched, {})) taken.push_back(std::move(one.counts));
    return taken;
}

const Counting hooks{.of_this_thread = []() -> Counter& { return of_this_thread(); },
                     .count_launch =
                         [](const void* kernel) {
                             const std::lock_guard lock(mutex);
                             ++counts_of(kernel).launches;
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

/// Called at each access. What lies on the thread's own stack, and the variables with the thread's place in
/// the grid, are not in the memory of a GPU.
inline void count_access(const void* memory, unsigned bytes, Access access, const void* place) {
    if (log_here == nullptr) return;
    const std::uint64_t address = address_of(memory);
    const std::uint64_t frame = address_of(__builtin_frame_address(0));
    if (address - frame < stack_top - frame || host_memory[0].has(address) || host_memory[1].has(address) ||
        is_in(threadIdx, address) || is_in(blockIdx, address) || is_in(blockDim, address) ||
        is_in(gridDim, address))
        return;
    const Event event(address, static_cast<std::uint32_t>(address_of(place)), bytes, access);
    if (!log_here->full())
        log_here->add(event);
    else
        of_this_thread().add(event);
}

/// A copy of 8 or 16 bytes, or one of more or of a number that is no power of 2: as many accesses to 4 bytes.
void count_range(const void* memory, std::size_t bytes, Access access, const void* place) {
    if ((bytes == 8 || bytes == 16) && address_of(memory) % bytes == 0)
        return count_access(memory, static_cast<unsigned>(bytes), access, place);
    for (std::size_t i = 0; i < bytes; i += 4)
        count_access(static_cast<const char*>(memory) + i, 4, access,
                     static_cast<const char*>(place) - i / 4);
}

}  // namespace

}  // namespace cudabook::emulation

// ----- What instrumented code calls

using namespace cudabook::emulation;

// NOLINTBEGIN(bugprone-macro-parentheses): types and parts of names
#define CUDABOOK_PLACE __builtin_return_address(0)
#define CUDABOOK_ACCESSES(bytes)                                    \
    extern "C" void __tsan_read##bytes(void* memory) {              \
        count_access(memory, bytes, Access::load, CUDABOOK_PLACE);  \
    }                                                               \
    extern "C" void __tsan_write##bytes(void* memory) {             \
        count_access(memory, bytes, Access::store, CUDABOOK_PLACE); \
    }
#define CUDABOOK_UNALIGNED_ACCESSES(bytes)                          \
    extern "C" void __tsan_unaligned_read##bytes(void* memory) {    \
        count_access(memory, bytes, Access::load, CUDABOOK_PLACE);  \
    }                                                               \
    extern "C" void __tsan_unaligned_write##bytes(void* memory) {   \
        count_access(memory, bytes, Access::store, CUDABOOK_PLACE); \
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
    count_range(memory, bytes, Access::load, CUDABOOK_PLACE);
}
extern "C" void __tsan_write_range(void* memory, std::size_t bytes) {
    count_range(memory, bytes, Access::store, CUDABOOK_PLACE);
}
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void* /*caller*/) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_vptr_update(void** /*at*/, void* /*value*/) {}
extern "C" void __tsan_vptr_read(void** /*at*/) {}

// ThreadSanitizer has atomic operations done by functions too. An operation of CUDA is a load and an exchange
// that is tried again until it succeeds (common/emulation/warp_functions.hpp); it counts once.
#define CUDABOOK_UPDATE(bits, Word, name)                                                      \
    extern "C" Word __tsan_atomic##bits##_##name(volatile void* memory, Word value, int) {     \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::atomic, CUDABOOK_PLACE); \
        return __atomic_##name(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST);  \
    }
#define CUDABOOK_EXCHANGE(bits, Word, strength, weak)                                                        \
    extern "C" bool __tsan_atomic##bits##_compare_exchange_##strength(volatile void* memory, void* expected, \
                                                                      Word value, int, int) {                \
        const bool done =                                                                                    \
            __atomic_compare_exchange_n(static_cast<volatile Word*>(memory), static_cast<Word*>(expected),   \
                                        value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                    \
        if (done || !(weak))                                                                                 \
            count_access(const_cast<void*>(memory), sizeof(Word), Access::atomic, CUDABOOK_PLACE);           \
        return done;                                                                                         \
    }
#define CUDABOOK_ATOMICS(bits, Word)                                                              \
    extern "C" Word __tsan_atomic##bits##_load(const volatile void* memory, int) {                \
        return __atomic_load_n(static_cast<const volatile Word*>(memory), __ATOMIC_SEQ_CST);      \
    }                                                                                             \
    extern "C" void __tsan_atomic##bits##_store(volatile void* memory, Word value, int) {         \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::store, CUDABOOK_PLACE);     \
        __atomic_store_n(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST);           \
    }                                                                                             \
    extern "C" Word __tsan_atomic##bits##_exchange(volatile void* memory, Word value, int) {      \
        count_access(const_cast<void*>(memory), sizeof(Word), Access::atomic, CUDABOOK_PLACE);    \
        return __atomic_exchange_n(static_cast<volatile Word*>(memory), value, __ATOMIC_SEQ_CST); \
    }                                                                                             \
    CUDABOOK_UPDATE(bits, Word, fetch_add)                                                        \
    CUDABOOK_UPDATE(bits, Word, fetch_sub)                                                        \
    CUDABOOK_UPDATE(bits, Word, fetch_and)                                                        \
    CUDABOOK_UPDATE(bits, Word, fetch_or)                                                         \
    CUDABOOK_UPDATE(bits, Word, fetch_xor)                                                        \
    CUDABOOK_UPDATE(bits, Word, fetch_nand)                                                       \
    CUDABOOK_EXCHANGE(bits, Word, strong, false)                                                  \
    CUDABOOK_EXCHANGE(bits, Word, weak, true)
CUDABOOK_ATOMICS(8, unsigned char)
CUDABOOK_ATOMICS(16, unsigned short)
CUDABOOK_ATOMICS(32, unsigned int)
CUDABOOK_ATOMICS(64, unsigned long)
// NOLINTEND(bugprone-macro-parentheses)
extern "C" void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
extern "C" void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
