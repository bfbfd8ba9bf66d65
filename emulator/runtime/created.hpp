// The objects of a kind, such as streams, that the program has created and has not destroyed.
#pragma once

#include <mutex>
#include <set>

namespace cudabook::emulation {

template <class Handle>
class Created {
  public:
    /// Returns the list of the objects of this kind. The list lasts until the process ends.
    static Created& all() {
        static auto* const the = new Created;
        return *the;
    }

    void insert(Handle handle) {
        const std::lock_guard lock(mutex_);
        handles_.insert(handle);
    }

    void erase(Handle handle) {
        const std::lock_guard lock(mutex_);
        handles_.erase(handle);
    }

    bool contains(Handle handle) {
        const std::lock_guard lock(mutex_);
        return handles_.contains(handle);
    }

  private:
    std::mutex mutex_;
    std::set<Handle> handles_;
};

}  // namespace cudabook::emulation
