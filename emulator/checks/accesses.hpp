// What every access of a kernel to memory goes through on its way to ThreadSanitizer: the functions that
// instrumented code calls. They find reads of shared memory that no thread has written, and they put a thread
// in order only when it leaves shared memory. Without ThreadSanitizer nothing is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

/// Of this thread of the operating system. The bytes from `shared` on are shared memory.
struct Accesses {
    std::uintptr_t shared = 0;
    std::size_t shared_bytes = 0;
    unsigned char* written = nullptr;  ///< for each byte of shared memory whether this block has written it
    std::size_t touched_begin = SIZE_MAX;  ///< of shared memory, since a barrier, counted from its first byte
    std::size_t touched_end = 0;
    std::uintptr_t stack = 0;  ///< of the CUDA thread that runs; it is seen by nobody else
    std::size_t stack_bytes = 0;
    bool order_first = false;    ///< before it leaves shared memory: order_this_thread()
    const void* held = nullptr;  ///< what is read of a word, ThreadSanitizer not having been told yet
    std::size_t held_bytes = 0;
    void* held_place = nullptr;
};
extern constinit thread_local Accesses accesses;

/// Has what the CUDA thread that runs does from now on come after what barriers have put before it.
void order_this_thread();

/// The read that is held is told: before the thread that made it does anything else.
void tell_held_read();

/// The next access is an atomicCAS, which writes only if the word still is what it was. So the read of the
/// same word just before it, with which CUDA's guide begins a loop around atomicCAS, takes part in no race.
void drop_held_read(const void* memory, std::size_t bytes);

/// An access that the compiler does not show to ThreadSanitizer.
void see_read(const void* memory, std::size_t bytes);
void see_write(const void* memory, std::size_t bytes);
/// The same before an atomic operation, of which ThreadSanitizer is told: a write, and a read too or not.
void see_atomic(const void* memory, std::size_t bytes, bool reads);

#else

inline void order_this_thread() {}
inline void tell_held_read() {}
inline void drop_held_read(const void*, std::size_t) {}
inline void see_read(const void*, std::size_t) {}
inline void see_write(const void*, std::size_t) {}
inline void see_atomic(const void*, std::size_t, bool) {}

#endif

/// What std::memcpy does, and is seen.
inline void copy_memory(void* to, const void* from, std::size_t bytes) {
    see_read(from, bytes);
    see_write(to, bytes);
    std::memcpy(to, from, bytes);
}

}  // namespace cudabook::emulation
