// What ThreadSanitizer is told of the CUDA threads, each of which is a thread to it. Without ThreadSanitizer
// nothing is here.
#pragma once

#include <cstddef>

#include <vector_types.h>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

struct IdentityUser;

/// Who the code that runs is for ThreadSanitizer. Two accesses to the same memory race, unless they are of
/// one identity or ordered.
class Identity {
  public:
    /// That of the calling thread of the operating system.
    Identity();
    /// A new one, for the CUDA threads that run on one stack, one after another.
    struct New {};
    explicit Identity(New);
    ~Identity();
    Identity(const Identity&) = delete;
    Identity& operator=(const Identity&) = delete;

    /// What this thread of the operating system runs from now on is of this identity.
    void take();

    /// The same, for another CUDA thread. What was released at `launch` comes before it.
    void take_for(const uint3& block, const uint3& thread, const void* launch);

    /// If it was taken for a thread of this launch: what that did comes before what acquires `launch`.
    void release_to(const void* launch);

  private:
    static IdentityUser& new_user();

    void* handle_;
    IdentityUser* user_ = nullptr;
};

/// Whatever was released at an address comes before what is done after acquiring there.
void release(const void* at);
void acquire(const void* at);

/// Forgets who used this memory: it is given to someone else.
void forget_uses(void* memory, std::size_t bytes);

/// While it lives, no access counts.
class Ignored {
  public:
    Ignored();
    ~Ignored();
    Ignored(const Ignored&) = delete;
    Ignored& operator=(const Ignored&) = delete;
};

#else

class Identity {
  public:
    struct New {};
    Identity() = default;
    explicit Identity(New) {}
    void take() {}
    void take_for(const uint3&, const uint3&, const void*) {}
    void release_to(const void*) {}
};
inline void release(const void*) {}
inline void acquire(const void*) {}
inline void forget_uses(void*, std::size_t) {}
struct Ignored {
    Ignored() {}  // NOLINT(modernize-use-equals-default): so that a variable of it is not unused
};

#endif

}  // namespace cudabook::emulation
