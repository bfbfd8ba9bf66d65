#include "emulator/checks/identity.hpp"

#if CUDABOOK_THREAD_SANITIZER

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sanitizer/tsan_interface.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/watchdog.hpp"

// Functions that libtsan exports without declaring them in a header.
extern "C" {
int __tsan_get_report_data(void* report, const char** description, int* count, int* stacks, int* accesses,
                           int* locations, int* mutexes, int* threads, int* unique_threads, void** trace,
                           unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* bytes,
                          int* is_write, int* is_atomic, void** trace, unsigned long trace_size);
int __tsan_get_report_thread(void* report, unsigned long index, int* thread, unsigned long* system_thread,
                             int* is_running, const char** name, int* parent, void** trace,
                             unsigned long trace_size);
void __tsan_java_init(unsigned long heap, unsigned long bytes);
void __tsan_java_alloc(unsigned long address, unsigned long bytes);
void __tsan_java_free(unsigned long address, unsigned long bytes);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
void __tsan_on_report(void* report);
}
namespace __tsan {  // NOLINT(bugprone-reserved-identifier)
class ReportDesc;
bool OnReport(const ReportDesc* report, bool is_suppressed);
}  // namespace __tsan

namespace cudabook::emulation {

/// The CUDA thread for which an identity was last taken.
struct IdentityUser {
    std::size_t number = 0;
    uint3 block{};
    uint3 thread{};
    const void* launch = nullptr;
    std::size_t threads = 0;  ///< the number of this launch's CUDA threads that have had the identity
};

namespace {

constexpr std::string_view name_begins = "CUDA thread ";
std::mutex users_mutex;

/// The most identities of CUDA threads. ThreadSanitizer ends the process if there are more than 8128
/// threads; the rest is for the host's threads.
constexpr int most_living = 8000;
std::atomic<int> living{0};

void* new_fiber() {
    if (++living <= most_living) return __tsan_create_fiber(0);
    --living;
    throw std::runtime_error(fmt::format(
        "ThreadSanitizer supports at most {} CUDA threads for all host threads together", most_living));
}

std::deque<IdentityUser>& users() {
    static auto* const all = new std::deque<IdentityUser>();  // never freed: reports need it until the
                                                              // process ends
    return *all;
}

}  // namespace

Identity::Identity() : handle_(__tsan_get_current_fiber()) {}

Identity::Identity(New) : handle_(new_fiber()), user_(&new_user()) {
    __tsan_set_fiber_name(handle_, fmt::format("{}{}", name_begins, user_->number).c_str());
}

Identity::~Identity() {
    if (user_ == nullptr) return;
    __tsan_destroy_fiber(handle_);
    --living;
}

IdentityUser& Identity::new_user() {
    const std::lock_guard lock(users_mutex);
    IdentityUser& user = users().emplace_back();
    user.number = users().size() - 1;
    return user;
}

void Identity::take() { __tsan_switch_to_fiber(handle_, __tsan_switch_to_fiber_no_sync); }

void Identity::take_for(const uint3& block, const uint3& thread, const void* launch) {
    take();
    user_->block = block;
    user_->thread = thread;
    ++user_->threads;
    if (user_->launch == launch) return;
    user_->threads = 1;
    user_->launch = launch;
    acquire(launch);
}

void Identity::release_to(const void* launch) {
    if (user_->launch != launch) return;
    user_->launch = nullptr;
    take();
    release(launch);
}

void release(const void* at) {
    tell_held_read();
    __tsan_release(const_cast<void*>(at));
}
void acquire(const void* at) { __tsan_acquire(const_cast<void*>(at)); }

namespace {

// The size of the Java heap. The libtsan of g++ 11 accepts only addresses in the heap, so the heap is all
// addresses. Later versions accept any address, but search the heap byte by byte for the memory of a race,
// so for them the heap is one word that nobody uses.
#if __GNUC__ < 12
constexpr unsigned long heap_bytes = (1UL << 47U) - 16;
#else
constexpr unsigned long heap_bytes = 8;
#endif

}  // namespace

// Uses libtsan's functions for a Java heap, the only functions that make ThreadSanitizer forget accesses.
void forget_uses(void* memory, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) / 8 * 8;
    const std::size_t size = (reinterpret_cast<std::uintptr_t>(memory) + bytes - begin + 7) / 8 * 8;
    if (bytes == 0) return;
    [[maybe_unused]] static const bool once = (__tsan_java_init(8, heap_bytes), true);
    __tsan_java_free(begin, size);
    __tsan_java_alloc(begin, size);
}

namespace {

/// Returns the block and thread of the CUDA thread that ThreadSanitizer knows by this name, or an empty
/// string if the name is no CUDA thread's. `is_running`: the thread makes the access that is reported. If it
/// does not, and the identity has had several users, the access may be an earlier user's: then only threads
/// of the running block are named.
std::string text_of(std::string_view name, bool is_running) {
    if (!name.starts_with(name_begins)) return {};
    const std::lock_guard lock(users_mutex);
    const std::size_t number = std::strtoul(name.data() + name_begins.size(), nullptr, 10);
    if (number >= users().size()) return {};
    const auto& [_, block, thread, launch, threads] = users()[number];
    const bool is_here = block.x == block_index.x && block.y == block_index.y && block.z == block_index.z;
    if (!is_running && threads > 1 && !is_here) return "a thread of another block";
    return fmt::format("block ({}, {}, {}), thread ({}, {}, {})", block.x, block.y, block.z, thread.x,
                       thread.y, thread.z);
}

struct AccessOfReport {
    int thread;  ///< its number in the report
    void* address;
    void* place;
    int bytes;
    bool is_write;
    bool is_atomic;
};

/// Returns the accesses that the report is about, the running thread's access first. Sets `threads` to the
/// number of threads in the report.
std::vector<AccessOfReport> accesses_of(void* report, int& threads) {
    int count = 0;
    int unused = 0;
    const char* text = nullptr;
    std::array<void*, 1> trace{};
    __tsan_get_report_data(report, &text, &unused, &unused, &count, &unused, &unused, &threads, &unused,
                           trace.data(), trace.size());
    std::vector<AccessOfReport> accesses;
    for (int i = 0; i < count; ++i) {
        AccessOfReport access{};
        int is_write = 0;
        int is_atomic = 0;
        __tsan_get_report_mop(report, static_cast<unsigned long>(i), &access.thread, &access.address,
                              &access.bytes, &is_write, &is_atomic, trace.data(), trace.size());
        access.place = trace[0];
        access.is_write = is_write != 0;
        access.is_atomic = is_atomic != 0;
        accesses.push_back(access);
    }
    return accesses;
}

/// Returns a text for each access of a CUDA thread in the report.
std::vector<std::string> texts_of_accesses(void* report) {
    int threads = 0;
    std::vector<std::string> found;
    bool is_running = true;
    for (const AccessOfReport& access : accesses_of(report, threads)) {
        if (is_end(access.place)) found.emplace_back("the block that owns this shared memory ends");
        for (int i = 0; i < threads; ++i) {
            int number = 0;
            int unused = 0;
            unsigned long system_thread = 0;
            const char* name = nullptr;
            std::array<void*, 1> trace{};
            __tsan_get_report_thread(report, static_cast<unsigned long>(i), &number, &system_thread, &unused,
                                     &name, &unused, trace.data(), trace.size());
            if (number != access.thread || name == nullptr) continue;
            if (const std::string who = text_of(name, is_running); !who.empty())
                found.push_back(fmt::format("{} {} {} bytes{}", who, access.is_write ? "writes" : "reads",
                                            access.bytes, access.is_atomic ? " atomically" : ""));
        }
        is_running = false;
    }
    return found;
}

/// Returns whether the report is about an atomic write and the plain read that begins the loop around
/// atomicCAS in CUDA's guide. (A read there is no race either if the thread then calls no atomicCAS.)
bool is_of_cas_loop(const std::vector<AccessOfReport>& accesses) {
    const auto begins_loop = [](const AccessOfReport& access) {
        return !access.is_write && !access.is_atomic && is_read_before_cas(access.place);
    };
    return accesses.size() == 2 && std::ranges::any_of(accesses, begins_loop) &&
           std::ranges::any_of(accesses, &AccessOfReport::is_atomic);
}

/// Returns whether the other access is atomic, and the running thread's access is a plain store to the word
/// that this thread has last changed atomically. In an example of CUDA's guide, the last block sets the
/// counter of blocks to 0 in this way.
bool is_reset_of_counter(const std::vector<AccessOfReport>& accesses) {
    return accesses.size() == 2 && accesses[0].is_write && !accesses[0].is_atomic && accesses[1].is_atomic &&
           has_changed_atomically(accesses[0].address);
}

}  // namespace

Ignored::Ignored() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__), AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
Ignored::~Ignored() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__), AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

}  // namespace cudabook::emulation

// The functions that ThreadSanitizer calls.

/// Returns true if the report is to be suppressed, as reports without CUDA threads are: the host's code is
/// compiled without ThreadSanitizer, which therefore does not see how that code orders its threads.
namespace __tsan {  // NOLINT(bugprone-reserved-identifier)
bool OnReport(const ReportDesc* report, bool is_suppressed) {
    using namespace cudabook::emulation;
    auto* const data = const_cast<ReportDesc*>(report);
    int threads = 0;
    const std::vector<AccessOfReport> accesses = accesses_of(data, threads);
    return is_suppressed || texts_of_accesses(data).empty() || is_of_cas_loop(accesses) ||
           is_reset_of_counter(accesses);
}
}  // namespace __tsan

void __tsan_on_report(void* report) {
    using namespace cudabook::emulation;
    print_line(fmt::format("data race in {}: {}", running_kernel(),
                           fmt::join(texts_of_accesses(report), "; before it ")));
}

#endif
