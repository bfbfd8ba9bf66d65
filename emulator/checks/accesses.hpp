// Instrumented code calls functions at every memory access of a kernel. These functions tell ThreadSanitizer
// of the access, and report reads of shared memory that no thread has written. At an access to other memory
// than shared memory, they also order the thread after the barriers that it has passed. They do nothing
// without ThreadSanitizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "emulator/checks/sanitizer.hpp"

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER

/// What the functions store for each operating system's thread. Shared memory begins at `shared`.
struct Accesses {
    std::uintptr_t shared = 0;
    std::size_t shared_bytes = 0;
    unsigned char* written = nullptr;  ///< for each byte of shared memory, whether this block has written it
    std::size_t touched_begin = SIZE_MAX;  ///< offset of the first byte used since the last barrier
    std::size_t touched_end = 0;
    std::uintptr_t stack = 0;  ///< the running CUDA thread's stack; no other thread uses it
    std::size_t stack_bytes = 0;
    bool order_first = false;    ///< call order_this_thread() before a use of memory that is not shared
    bool is_of_cluster = false;  ///< the blocks of the cluster may use each other's shared memory
    const void* held = nullptr;  ///< the word of the held read (tell_held_read()), or null
    std::size_t held_bytes = 0;
    void* held_place = nullptr;
};
extern constinit thread_local Accesses accesses;

/// Orders the further work of the running CUDA thread after the work that other threads did before the
/// barriers that this thread has passed.
void order_this_thread();

/// Notes the word that the running CUDA thread changes atomically. has_changed_atomically() returns whether
/// the word is the last one that this thread has changed atomically.
void note_atomic(const void* memory);
bool has_changed_atomically(const void* memory);

/// Tells ThreadSanitizer of the held read, if there is one. A thread's read of a word is held at first, and
/// ThreadSanitizer is told of it when the thread does something else.
void tell_held_read();

/// Drops the held read if it is of this word, so that ThreadSanitizer is never told of it. Call this before
/// an atomicCAS on the word. In CUDA's guide, a loop around atomicCAS begins with a plain read of the word.
/// This read takes part in no race, because atomicCAS writes only if the word still has the value that was
/// read.
void drop_held_read(const void* memory, std::size_t bytes);

/// Returns whether drop_held_read() has dropped a read at this place in the code, for at least one thread. If
/// so, the read begins a loop around atomicCAS.
bool is_read_before_cas(const void* place);

/// These functions tell ThreadSanitizer of an access for which the compiler makes no call.
void see_read(const void* memory, std::size_t bytes);
void see_write(const void* memory, std::size_t bytes);
/// Notes an atomic operation before it is done, as a write and, if `reads` is true, also as a read. Does not
/// tell ThreadSanitizer, because the compiler's call for the operation does so.
void see_atomic(const void* memory, std::size_t bytes, bool reads);
/// Notes that the block to which this shared memory belongs ends. Other blocks of the cluster may not use the
/// memory any more.
void see_end(const void* memory, std::size_t bytes);
/// Returns whether a place in a report stands for the end of a block, which see_end() has noted.
bool is_end(const void* place);

/// Notes an operation that is atomic only among the block's threads. Reports a race if another block of the
/// launch has also changed the word by an operation that is atomic only in its block.
void see_atomic_in_block(const void* memory);
/// Forgets what see_atomic_in_block() has noted. Called when a launch begins.
void forget_atomics_in_blocks();

/// Finds the block of the cluster whose shared memory contains the address. Returns the block's state, and
/// sets `offset` to the address's offset in the shared memory. Returns null if there is none.
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
