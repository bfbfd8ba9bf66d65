// Tells ThreadSanitizer of the CUDA threads, so that it treats each CUDA thread as a thread. The functions do
// nothing without ThreadSanitizer.
#pragma once

#include <cstddef>

#include <vector_types.h>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

struct IdentityUser;

/// The thread to which ThreadSanitizer attributes the accesses of the running code. Two accesses to the same
/// memory can be a race only if they have different identities and are not ordered.
class Identity {
  public:
    /// The identity of the calling operating system's thread.
    Identity();
    /// A new identity, for the CUDA threads that run on one stack, one after another.
    struct New {};
    explicit Identity(New);
    ~Identity();
    Identity(const Identity&) = delete;
    Identity& operator=(const Identity&) = delete;

    /// From now on, the calling operating system's thread has this identity.
    void take();

    /// Takes the identity for a new CUDA thread. Work that was released at the address `launch` happens
    /// before the new thread's work.
    void take_for(const uint3& block, const uint3& thread, const void* launch);

    /// If the identity was taken for threads of this launch, releases their work at the address `launch`.
    /// Their work then happens before all work after an acquire at `launch`.
    void release_to(const void* launch);

  private:
    static IdentityUser& new_user();

    void* handle_;
    IdentityUser* user_ = nullptr;
};

/// All work before a release at an address happens before all work after a later acquire at the same address.
void release(const void* at);
void acquire(const void* at);

/// Makes ThreadSanitizer forget all accesses to this memory, because the memory gets another user.
void forget_uses(void* memory, std::size_t bytes);

/// ThreadSanitizer ignores all accesses while this object lives.
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
    Ignored() {}  // NOLINT(modernize-use-equals-default): without it, a variable of this type would be
                  // "unused"
};

#endif

}  // namespace cudabook::emulation
