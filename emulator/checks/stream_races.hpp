// Finds races between streams: two pieces of work use the same bytes of a GPU's memory, at least one of them
// writes the bytes, and nothing orders the two. Also finds races between a stream and the host: the host uses
// the bytes before the work is done. ThreadSanitizer finds neither, because the emulated GPU does one piece
// of work after the other. Only programs that ThreadSanitizer checks are watched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checks/sanitizer.hpp"
#include "emulator/checks/source_line.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

/// What a report says about a piece of work.
struct WorkOfReport {
    std::uint32_t number;    ///< from 1 on
    std::uint32_t enqueued;  ///< when the work was enqueued: time_of_new_work()
    std::string name;        ///< for example "a copy" or "the launch of add"
    Callers enqueued_by;
};

std::uint32_t time_of_new_work();

struct WatchedWork {
    std::shared_ptr<const WorkOfReport> self;
    std::vector<std::shared_ptr<const WorkOfReport>> beside;  ///< work that a GPU may do at the same time
};

/// The work that this operating system's thread does. Null if the thread does no work, or if the work cannot
/// race: a GPU could do no other work at the same time, and the host has used no memory since the work was
/// enqueued.
extern constinit thread_local const WatchedWork* watched_work;

/// The number of the work that was enqueued last, or 0 if all work is done.
extern constinit std::atomic<std::uint32_t> last_pending;
inline void note_last_pending(std::uint64_t number) { last_pending = static_cast<std::uint32_t>(number); }

/// While this object lives, this operating system's thread does `work`, and watched_work is set.
class DoingWatched {
  public:
    explicit DoingWatched(const WatchedWork* work);
    ~DoingWatched() { watched_work = before_; }
    DoingWatched(const DoingWatched&) = delete;
    DoingWatched& operator=(const DoingWatched&) = delete;

  private:
    const WatchedWork* before_;
};

enum class AccessKind { read, write, atomic };

/// Notes an access by watched_work, and reports the access if it is in a race. `place` is the address in the
/// code just behind the access.
void see_in_watched_work(AccessKind kind, const void* memory, std::size_t bytes, void* place);

/// Notes an access by a thread of the host while work is pending. Does nothing if the thread itself is
/// doing work of a stream.
void see_on_host(AccessKind kind, const void* memory, std::size_t bytes, void* place);

#else

struct WatchedWork {};
constexpr const WatchedWork* watched_work = nullptr;
inline void note_last_pending(std::uint64_t) {}
struct DoingWatched {
    explicit DoingWatched(const WatchedWork*) {}
};

#endif

}  // namespace cudabook::emulation
