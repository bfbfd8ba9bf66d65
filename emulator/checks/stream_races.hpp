// Finds races between streams: two pieces of work use the same bytes of a GPU's memory, at least one of them
// writes there, and nothing puts one before the other. ThreadSanitizer does not find them, because here one
// piece of work is done after the other. Only programs that it checks are watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

/// What a report says of a piece of work.
struct WorkOfReport {
    std::uint32_t number;          ///< from 1 on
    std::string name;              ///< "a copy", "the launch of add"
    std::vector<void*> called_by;  ///< the functions that have enqueued the work, the innermost first
};

struct WatchedWork {
    std::shared_ptr<const WorkOfReport> self;
    std::vector<std::shared_ptr<const WorkOfReport>> beside;  ///< may be done at the same time
};

/// Returns where the calling function has been called from, for WorkOfReport.
std::vector<void*> callers_here();

/// The work that this operating system's thread does; null if nothing can be done beside it.
extern constinit thread_local const WatchedWork* watched_work;

/// While this object lives, this operating system's thread does the work.
class DoingWatched {
  public:
    explicit DoingWatched(const WatchedWork* work)
        : before_(std::exchange(watched_work, work != nullptr && work->beside.empty() ? nullptr : work)) {}
    ~DoingWatched() { watched_work = before_; }
    DoingWatched(const DoingWatched&) = delete;
    DoingWatched& operator=(const DoingWatched&) = delete;

  private:
    const WatchedWork* before_;
};

enum class AccessKind { read, write, atomic };

/// Notes an access of the work that is done here, and reports a race. `place` is the address behind the
/// access in the code.
void see_in_watched_work(AccessKind kind, const void* memory, std::size_t bytes, void* place);

#else

struct WatchedWork {};
constexpr const WatchedWork* watched_work = nullptr;
struct DoingWatched {
    explicit DoingWatched(const WatchedWork*) {}
};

#endif

}  // namespace cudabook::emulation
