// Instrumented code calls functions at every memory access of a kernel. These functions tell ThreadSanitizer
// of the access, find reads of shared memory that no thread has written, and order a thread after earlier
// barriers only when it uses memory other than shared memory. They do nothing without ThreadSanitizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

/// The state of this operating system's thread. Shared memory begins at `shared`.
struct Accesses {
    std::uintptr_t shared = 0;
    std::size_t shared_bytes = 0;
    unsigned char* written = nullptr;  ///< for each byte of shared memory, whether this block has written it
    std::size_t touched_begin = SIZE_MAX;  ///< offset of the first byte used since the last barrier
    std::size_t touched_end = 0;
    std::uintptr_t stack = 0;  ///< the running CUDA thread's stack; no other thread uses it
    std::size_t stack_bytes = 0;
    bool order_first = false;    ///< call order_this_thread() before a use of memory that is not shared
    bool is_of_cluster = false;  ///< other blocks may use this shared memory, and this block theirs
    const void* held = nullptr;  ///< the word of the held read, of which ThreadSanitizer is not told yet
    std::size_t held_bytes = 0;
    void* held_place = nullptr;
};
extern constinit thread_local Accesses accesses;

/// Orders all further work of the running CUDA thread after the work that barriers have put before it.
void order_this_thread();

/// Notes the word that the running CUDA thread changes atomically. has_changed_atomically() returns whether
/// the word is the last one that this thread has changed atomically.
void note_atomic(const void* memory);
bool has_changed_atomically(const void* memory);

/// Tells ThreadSanitizer of the held read, before the thread that made it does anything else.
void tell_held_read();

/// The next access is an atomicCAS, which writes only if the word still has its old value. So the read of the
/// same word just before it, which begins the loop around atomicCAS in CUDA's guide, takes part in no race:
/// it is dropped.
void drop_held_read(const void* memory, std::size_t bytes);

/// Returns whether drop_held_read() has dropped a read at this place: for one thread at least, the read
/// begins a loop around atomicCAS.
bool is_read_before_cas(const void* place);

/// Reports an access for which the compiler makes no call to ThreadSanitizer.
void see_read(const void* memory, std::size_t bytes);
void see_write(const void* memory, std::size_t bytes);
/// Notes an atomic operation before it is done, as a write and, if `reads` is true, also as a read. The
/// compiler's call for the operation itself tells ThreadSanitizer.
void see_atomic(const void* memory, std::size_t bytes, bool reads);
/// Notes that a block of a cluster ends: its shared memory may not be used any more.
void see_end(const void* memory, std::size_t bytes);
/// Returns whether a report's place is the place that see_end() notes.
bool is_end(const void* place);

/// Notes an atomic operation that is atomic only among the block's threads. Reports it if another block of
/// the launch has changed the word in the same way.
void see_atomic_in_block(const void* memory);
/// Forgets what see_atomic_in_block() has noted. Called when a launch begins.
void forget_atomics_in_blocks();

/// Returns the state of the cluster's block whose shared memory contains the address, and the offset in it;
/// null if there is none.
Accesses* owner_of(std::uintptr_t address, std::size_t& offset);

#else

inline void order_this_thread() {}
inline void tell_held_read() {}
inline void drop_held_read(const void*, std::size_t) {}
inline void see_read(const void*, std::size_t) {}
inline void see_write(const void*, std::size_t) {}
inline void see_atomic(const void*, std::size_t, bool) {}
inline void see_atomic_in_block(const void*) {}
inline void forget_atomics_in_blocks() {}

#endif

/// std::memcpy with accesses that ThreadSanitizer sees.
inline void copy_memory(void* to, const void* from, std::size_t bytes) {
    see_read(from, bytes);
    see_write(to, bytes);
    std::memcpy(to, from, bytes);
}

}  // namespace cudabook::emulation
