// What a CUDA thread on the emulated GPU knows of itself, and how it waits for other threads of its grid.
// Device code includes this file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>

#include <driver_types.h>
#include <vector_types.h>

#include "emulator/checks/sanitizer.hpp"

// To a CUDA thread these are constants, which the compiler need not read again after a store or a barrier.
// But threadIdx is a variable where a loop sets it for one thread after another (launch.hpp). In builds in
// which each access is a call, there is no such loop, and a constant saves calls.
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

/// The same variables under other names, for the engine, which sets them.
extern constinit thread_local uint3 thread_index asm("threadIdx");
extern constinit thread_local uint3 block_index asm("blockIdx");
extern constinit thread_local dim3 block_size asm("blockDim");
extern constinit thread_local dim3 grid_size asm("gridDim");

/// The result of a barrier, for the threads that waited at it.
struct Arrived {
    int threads;  ///< threads of the block that have not ended
    int nonzero;  ///< of these threads, how many gave a value other than 0
};

/// A line of the source; `file` is null if the line is unknown.
struct CodeLine {
    const char* file = nullptr;
    int number = 0;
};

/// What a block does at the grid's barrier while all threads of the block wait.
enum class GridStep : std::uint8_t { none, arrive, wait, arrive_and_wait };

/// Waits until all threads of the block that have not ended have called this. `line` is the barrier's line.
/// If `step` is not none, the block then arrives at the grid's barrier, waits until all blocks have arrived
/// there, or both; the launch must be cooperative.
Arrived await_block(bool value, CodeLine line = {}, GridStep step = GridStep::none);

/// Returns whether this is a cooperative launch.
bool is_cooperative();

/// The barrier of a cluster's threads. arrive_at_cluster(): this thread arrives; if `releases`, its work
/// happens before the work that follows await_cluster() in other threads. await_cluster(): waits until all
/// threads of the cluster that have not ended have arrived. Without clusters, the barrier is the block's.
void arrive_at_cluster(bool releases);
void await_cluster();

/// The size of the cluster in blocks, and the rank in the cluster of the block that runs here. If the
/// launch has no clusters, `size_given` is false, and the size is 1.
struct ClusterPlace {
    dim3 size;
    unsigned rank;
    bool size_given;
};
ClusterPlace cluster_place();

/// Returns the rank of the cluster's block whose shared memory contains the address. The kernel fails if
/// there is no such block; `name` is the calling function's name, for the message.
unsigned shared_rank(const void* address, const char* name);

/// Returns the address in the block `rank` of the cluster that corresponds to an address in shared memory.
/// The kernel fails if there is no such block; an access fails if the block has ended before the call.
void* map_shared_rank(const void* address, unsigned rank);

/// An mbarrier of all threads of the block, for a block barrier with separate calls to arrive and to wait.
inline constinit thread_local std::uint64_t block_barrier = 0;

/// Why a kernel fails; empty if it does not fail. It is no std::string, because <string> takes longer to
/// compile than the headers of device code, which do not include it.
using Refusal = std::array<char, 128>;

/// Fills in the refusal, as printf() does.
[[gnu::format(printf, 2, 3)]] void refuse(Refusal& refusal, const char* format, ...);

/// The values that the lanes of a warp exchange. `given` and `argument` hold the values that each lane
/// brings, and `taken` the value that it gets.
struct Exchange {
    std::uint32_t lanes = 0;  ///< the lanes that take part
    std::uint32_t ended = 0;  ///< the lanes of the mask that have ended
    std::array<std::uint64_t, 32> given{};
    std::array<std::uint64_t, 32> argument{};
    std::array<std::uint64_t, 32> taken{};
    Refusal refused{};
};

/// Fills in `taken` for all lanes that take part, or fills in `refused`.
using Exchanging = void (*)(Exchange&);

/// Waits until all lanes of `mask` have called this with the same `mask` and `exchange`, except lanes that
/// have ended or that the block does not have. Then one thread calls `exchange`. Returns the value that
/// this lane takes. `name` is the CUDA function's name, for messages. This lane must be in the mask.
std::uint64_t await_warp(std::uint32_t mask, std::uint64_t given, std::uint64_t argument, Exchanging exchange,
                         const char* name);

/// Makes an exchange between `size` threads of a block, or fills in `refused`. `given` has a value for each
/// of the threads, 0 for threads that do not take part.
using PartExchanging = void (*)(const std::uint64_t* given, unsigned size, Refusal& refused);

/// Waits until all threads from number `first` to `first` + `size` - 1 that have not ended have called this
/// with the same `exchange`. Then one thread calls `exchange`. `size` is a power of 2 of at least 64, and
/// `first` a multiple of `size`. `given` is not 0. `name` is the CUDA function's name, for messages.
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

/// Does what yield() does, for calls from the engine.
void let_others_run();

/// fence() notes a __threadfence() for ThreadSanitizer (warp_functions.hpp). has_fenced() returns whether
/// this thread has called fence().
void fence();
bool has_fenced();

/// A copy that this thread has asked for and that is not made yet; only for ThreadSanitizer. After the
/// `bytes` bytes, the copy writes `zeros` zero bytes.
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

/// Ends the kernel with cudaErrorLaunchFailure, or with `error`. The error's text contains `why`; in device
/// code, `why` is a format as for printf(). As on a GPU, the threads stop where they are: no destructors
/// run for the objects on their stacks.
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

/// Reports an assertion that failed. In a CUDA thread, it ends the kernel with cudaErrorAssert; on the
/// host, it ends the program.
[[noreturn]] void fail_assertion(const char* assertion, const char* file, unsigned line,
                                 const char* function);

}  // namespace cudabook::emulation
