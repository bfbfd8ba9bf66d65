// The built-in variables of a CUDA thread on the emulated GPU, and the functions by which it waits for other
// threads of its grid. Device code includes this file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include <driver_types.h>
#include <vector_types.h>

#include "emulator/checks/sanitizer.hpp"

// The built-in variables are const, so that the compiler need not read them again after a store or a barrier.
// In most builds threadIdx is not const, because a loop sets it for one thread after another (run_each() in
// launch.hpp). The builds in which each memory access is a call do not have this loop. There, a const
// threadIdx saves calls.
#if defined(CUDABOOK_COUNTED) || CUDABOOK_THREAD_SANITIZER || CUDABOOK_ADDRESS_SANITIZER
#define CUDABOOK_HAS_LOOPS_OF_KERNELS 0
extern constinit thread_local const uint3 threadIdx;
#else
#define CUDABOOK_HAS_LOOPS_OF_KERNELS 1
extern constinit thread_local uint3 threadIdx;
#endif
extern constinit thread_local const uint3 blockIdx;
extern constinit thread_local const dim3 blockDim;
extern constinit thread_local const dim3 gridDim;
inline constexpr int warpSize = 32;

namespace cudabook::emulation {

/// The same variables under other names, by which the engine sets them.
extern constinit thread_local uint3 thread_index asm("threadIdx");
extern constinit thread_local uint3 block_index asm("blockIdx");
extern constinit thread_local dim3 block_size asm("blockDim");
extern constinit thread_local dim3 grid_size asm("gridDim");

/// The result of a barrier, for the threads that waited at it.
struct Arrived {
    int threads;  ///< threads of the block that have not ended
    int nonzero;  ///< how many of these threads gave a value other than 0
};

/// A line of the source; `file` is null if the line is unknown.
struct CodeLine {
    const char* file = nullptr;
    int number = 0;
};

/// What a block does at the grid's barrier when all its threads have reached the block's barrier.
enum class GridStep : std::uint8_t { none, arrive, wait, arrive_and_wait };

/// Waits at the block's barrier until all threads of the block that have not ended have called this. `line`
/// is the barrier's line in the source. If `step` is not none, the block then arrives at the grid's barrier,
/// waits until all blocks have arrived there, or both; the launch must be cooperative.
Arrived await_block(bool value, CodeLine line = {}, GridStep step = GridStep::none);

/// Returns whether the running kernel's launch is cooperative.
bool is_cooperative();

/// The barrier of a cluster's threads. arrive_at_cluster() notes that this thread has arrived. If `releases`
/// is true, this thread's earlier work happens before the work that other threads do after await_cluster().
/// await_cluster() waits until all threads of the cluster that have not ended have arrived. If the launch has
/// no clusters, each block counts as a cluster.
void arrive_at_cluster(bool releases);
void await_cluster();

/// The size in blocks of the running block's cluster, and the block's rank in the cluster. If the launch has
/// no clusters, `size_given` is false, and the size is 1.
struct ClusterPlace {
    dim3 size;
    unsigned rank;
    bool size_given;
};
ClusterPlace cluster_place();

/// Returns the rank of the cluster's block whose shared memory contains the address. Fails the kernel if the
/// address is not in the shared memory of the cluster. `name` is the calling function's name, for the
/// message.
unsigned shared_rank(const void* address, const char* name);

/// Converts an address in shared memory to the corresponding address in the shared memory of the cluster's
/// block `rank`, and returns it. Fails the kernel if the cluster has no block `rank`. If the block has ended
/// before this call, accesses to the returned address fail.
void* map_shared_rank(const void* address, unsigned rank);

/// An mbarrier of all threads of the block. It is for block barriers with separate calls to arrive and to
/// wait.
inline constinit thread_local std::uint64_t block_barrier = 0;

/// The reason why a kernel fails, as a C string; empty if the kernel does not fail. This is no std::string,
/// because device code does not include <string>, which takes longer to compile than all headers of device
/// code.
using Refusal = std::array<char, 128>;

/// Writes the reason to `refusal`. `format` is a format as for printf().
[[gnu::format(printf, 2, 3)]] void refuse(Refusal& refusal, const char* format, ...);

/// The values that the lanes of a warp exchange. Lane i brings `given[i]` and `argument[i]`, and gets
/// `taken[i]`.
struct Exchange {
    std::uint32_t lanes = 0;  ///< the lanes that take part
    std::uint32_t ended = 0;  ///< the lanes of the mask that have ended
    std::array<std::uint64_t, 32> given{};
    std::array<std::uint64_t, 32> argument{};
    std::array<std::uint64_t, 32> taken{};
    Refusal refused{};
};

/// Makes the exchange: fills in `taken` for all lanes that take part. If the kernel must fail, fills in
/// `refused` instead.
using Exchanging = void (*)(Exchange&);

/// Waits until all lanes of `mask` have called this with the same `mask` and `exchange`. Does not wait for
/// lanes that have ended or that the block does not have. Then one thread calls `exchange` with the values
/// `given` and `argument` of all lanes. Returns the value in `taken` for this lane, which must be in the
/// mask. `name` is the CUDA function's name, for messages.
std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument, Exchanging exchange,
                         const char* name);

/// Makes an exchange between `size` consecutive threads of a block. `given` has one value for each thread,
/// which is 0 if the thread does not take part. If the kernel must fail, fills in `refused`.
using PartExchanging = void (*)(const std::uint64_t* given, unsigned size, Refusal& refused);

/// Waits until all threads from number `first` to `first` + `size` - 1 that have not ended have called this
/// with the same `exchange`. Then one thread calls `exchange`. `size` must be a power of 2 and at least 64,
/// `first` must be a multiple of `size`, and `given` must not be 0. `name` is the CUDA function's name, for
/// messages.
void await_part(unsigned first, unsigned size, std::uint64_t given, PartExchanging exchange,
                const char* name);

/// Waits until each lane of the warp has reached this call, has ended or waits for something else. Returns
/// the mask of the lanes that have reached this call.
std::uint32_t lanes_here();

/// Waits until is_true(of) is true; other threads of the block run meanwhile. `name` names the condition in
/// messages.
void await_condition(bool (*is_true)(const void* of), const void* of, const char* name);

/// Lets other threads of the block run.
void yield();

/// Does what yield() does, but does not stop the counting of accesses. The counter itself calls this.
void let_others_run();

/// fence() notes a __threadfence() for ThreadSanitizer (warp_functions.hpp). has_fenced() returns whether
/// this thread has called fence().
void fence();
bool has_fenced();

/// An asynchronous copy that this thread has begun and that is not made yet. Only builds with ThreadSanitizer
/// delay copies. The copy writes `bytes` bytes from `from`, and then `zeros` zero bytes.
struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    std::size_t zeros;
};
void copy_later(const Copy& copy);
void commit_copies();
/// Makes all copies except the copies of the last `but` commits.
void make_copies(std::size_t but);
void make_all_copies();

/// The number of this thread in its block; x varies fastest. The number mod 32 is the lane, the number div
/// 32 the warp.
inline unsigned thread_number() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// Returns the number of the multiprocessor that runs this block. Each host thread of a launch counts as a
/// multiprocessor, and runs one block at a time.
unsigned multiprocessor_number();

/// Ends the kernel with `error` or, without `error`, with cudaErrorLaunchFailure. The error's text contains
/// `why`. The two functions with `...` are for device code; their `why` is a format as for printf(). As on a
/// GPU, the threads stop where they are: no destructors run for the objects on their stacks.
[[noreturn]] void fail_kernel(std::string why);
[[noreturn]] void fail_kernel(cudaError_t error, std::string why);
[[noreturn, gnu::format(printf, 1, 2)]] void fail_kernel(const char* why, ...);
[[noreturn, gnu::format(printf, 2, 3)]] void fail_kernel(cudaError_t error, const char* why, ...);

/// The kind of memory that an address belongs to, for the running CUDA thread. `cluster` is the shared
/// memory of another block of the cluster, `local` the thread's own stack.
enum class AddressSpace { global, shared, cluster, local };
AddressSpace address_space_of(const void* address);

/// Returns whether the caller is a CUDA thread, not host code.
bool is_cuda_thread();

/// Reports an assertion that failed. In a CUDA thread, ends the kernel with cudaErrorAssert. In host code,
/// ends the program.
[[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line,
                                 const char* function);

}  // namespace cudabook::emulation
