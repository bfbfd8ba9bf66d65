// What a CUDA thread on the emulated GPU knows of itself, and how it waits for others of its block. Included
// by device code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <driver_types.h>
#include <vector_types.h>

// To a CUDA thread they are constants, which the compiler need not read again after a store or a barrier.
extern constinit thread_local const uint3 threadIdx;
extern constinit thread_local const uint3 blockIdx;
extern constinit thread_local const dim3 blockDim;
extern constinit thread_local const dim3 gridDim;
inline constexpr int warpSize = 32;

namespace cudabook::emulation {

/// The same variables, for the engine, which sets them.
extern constinit thread_local uint3 thread_index asm("threadIdx");
extern constinit thread_local uint3 block_index asm("blockIdx");
extern constinit thread_local dim3 block_size asm("blockDim");
extern constinit thread_local dim3 grid_size asm("gridDim");

/// What a barrier tells those that wait at it.
struct Arrived {
    int threads;  ///< of the block, that have not ended
    int nonzero;  ///< of them, those whose value was not 0
};

/// Of the source; no file: not known.
struct CodeLine {
    const char* file = nullptr;
    int number = 0;
};

/// Waits until all threads of the block that have not ended have called this. `line`: of the barrier.
Arrived await_block(bool value, CodeLine line = {});

/// What the lanes of a warp exchange. In `given` and `argument` stands what each lane brought, in `taken`
/// what it gets.
struct Exchange {
    std::uint32_t lanes = 0;  ///< that take part
    std::uint32_t ended = 0;  ///< that the mask names, but that have ended
    std::array<std::uint64_t, 32> given{};
    std::array<std::uint64_t, 32> argument{};
    std::array<std::uint64_t, 32> taken{};
    std::string refused;  ///< why the kernel fails; empty: it does not
};

/// Fills `taken` of all lanes that take part, or `refused`.
using Exchanging = void (*)(Exchange&);

/// Waits until all lanes of `mask`, but those that have ended or that the block does not have, have called
/// this with the same mask and function. Then `exchange` is called once; returns what this lane takes.
/// `name`: of the CUDA function, for messages. This lane must be in the mask.
std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument, Exchanging exchange,
                         const char* name);

/// Waits until no other lane of the warp can come to the same call by itself; returns those that have.
std::uint32_t lanes_here();

/// Waits until is_true(of) is true; other threads of the block run meanwhile. `name`: of what it waits for.
void await_condition(bool (*is_true)(const void* of), const void* of, const char* name);

/// Lets other threads of the block run.
void yield();

/// The same, for the engine.
void let_others_run();

/// What __threadfence() is for ThreadSanitizer (warp_functions.hpp), and whether this thread has called it.
void fence();
bool has_fenced();

/// A copy that this thread has asked for, and that is not made yet; ThreadSanitizer only. After `bytes` come
/// so many zeros.
struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    std::size_t zeros;
};
void copy_later(const Copy& copy);
void commit_copies();
/// All but those of the last `but` commits.
void make_copies(std::size_t but);
void make_all_copies();

/// The number of this thread in its block: x runs fastest. A lane is the rest by 32, a warp what is before
/// it.
inline unsigned thread_number() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// The multiprocessor that runs this block: each of the host's threads that a launch takes is one, and runs a
/// block at a time.
unsigned multiprocessor_number();

/// Ends the kernel with cudaErrorLaunchFailure, or this error; `why` goes into the error's text. As on a GPU
/// the threads stop where they are: no destructor runs of what is on their stacks.
[[noreturn]] void fail_kernel(std::string why);
[[noreturn]] void fail_kernel(cudaError_t error, std::string why);

/// Whether the caller is a CUDA thread, and not the host's code.
bool is_cuda_thread();

/// An assertion that is not true: of a CUDA thread it ends the kernel with cudaErrorAssert, of the host the
/// program.
[[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line,
                                 const char* function);

}  // namespace cudabook::emulation
