// The functions of device code, except for floats, textures and surfaces: barriers, votes, shuffles,
// atomics, clocks, integers. Sources: CUDA C++ Programming Guide, "C++ Language Extensions"; CUDA Math API,
// "Integer Intrinsics" and "Type Casting Intrinsics".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <simd_functions.h>
#include <vector_types.h>

#include "emulator/engine/block.hpp"
#include "emulator/engine/clock.hpp"
#include "emulator/engine/warp_functions.hpp"

// ----- Barriers of a block. The last argument is the line of the call.

inline void __syncthreads(cudabook::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    cudabook::emulation::await_block(false, line);
}
inline int __syncthreads_count(int predicate,
                               cudabook::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    return cudabook::emulation::await_block(predicate != 0, line).nonzero;
}
inline int __syncthreads_and(int predicate,
                             cudabook::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    const cudabook::emulation::Arrived arrived = cudabook::emulation::await_block(predicate != 0, line);
    return arrived.nonzero == arrived.threads ? 1 : 0;
}
inline int __syncthreads_or(int predicate,
                            cudabook::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    return cudabook::emulation::await_block(predicate != 0, line).nonzero != 0 ? 1 : 0;
}

// ----- Warps. The kernel fails unless each lane of the mask calls the same function or has ended.

inline void __syncwarp(unsigned mask = ~0U) {
    cudabook::emulation::await_warp(mask, 0, 0, cudabook::emulation::exchange_nothing, "__syncwarp");
}

/// Returns the mask of all lanes that can come to this place. On a GPU, the mask depends on how threads are
/// scheduled.
[[gnu::always_inline]] inline unsigned __activemask() { return cudabook::emulation::lanes_here(); }

inline unsigned __ballot_sync(unsigned mask, int predicate) {
    return cudabook::emulation::ballot(mask, predicate != 0, "__ballot_sync").nonzero;
}
inline int __any_sync(unsigned mask, int predicate) {
    return cudabook::emulation::ballot(mask, predicate != 0, "__any_sync").nonzero != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    const cudabook::emulation::Votes votes = cudabook::emulation::ballot(mask, predicate != 0, "__all_sync");
    return votes.nonzero == votes.lanes ? 1 : 0;
}

// `width` is 2, 4, 8, 16 or 32. A lane that reads from a lane outside its segment, not in `mask` or not in
// the block gets its own value. If it reads from a lane that has ended, the kernel fails. CUDA defines only
// the first of these cases.

template <cudabook::emulation::Arithmetic T>
auto __shfl_sync(unsigned mask, T value, int lane, int width = warpSize) {
    return cudabook::emulation::shuffle<cudabook::emulation::Shuffle::to_lane>(
        mask, +value, static_cast<unsigned>(lane), width, "__shfl_sync");
}
template <cudabook::emulation::Arithmetic T>
auto __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return cudabook::emulation::shuffle<cudabook::emulation::Shuffle::up>(mask, +value, delta, width,
                                                                          "__shfl_up_sync");
}
template <cudabook::emulation::Arithmetic T>
auto __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
    return cudabook::emulation::shuffle<cudabook::emulation::Shuffle::down>(mask, +value, delta, width,
                                                                            "__shfl_down_sync");
}
template <cudabook::emulation::Arithmetic T>
auto __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
    return cudabook::emulation::shuffle<cudabook::emulation::Shuffle::exclusive_or>(
        mask, +value, static_cast<unsigned>(lane_mask), width, "__shfl_xor_sync");
}

/// Returns the lanes of `mask` whose value has the same bits.
template <cudabook::emulation::Arithmetic T>
unsigned __match_any_sync(unsigned mask, T value) {
    return cudabook::emulation::match(mask, cudabook::emulation::to_bits(+value), "__match_any_sync").same;
}
/// Returns `mask` and sets `all` to 1 if the values of all its lanes have the same bits. Otherwise returns 0
/// and sets `all` to 0.
template <cudabook::emulation::Arithmetic T>
unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const cudabook::emulation::Matches matches =
        cudabook::emulation::match(mask, cudabook::emulation::to_bits(+value), "__match_all_sync");
    *all = matches.same == matches.lanes ? 1 : 0;
    return *all != 0 ? matches.lanes : 0;
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return a + b; }, "__reduce_add_sync");
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return b < a ? b : a; }, "__reduce_min_sync");
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return a < b ? b : a; }, "__reduce_max_sync");
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return a & b; }, "__reduce_and_sync");
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return a | b; }, "__reduce_or_sync");
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return cudabook::emulation::reduce<unsigned>(
        mask, value, [](unsigned a, unsigned b) { return a ^ b; }, "__reduce_xor_sync");
}
inline int __reduce_add_sync(unsigned mask, int value) {
    return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned>(value)));
}
inline int __reduce_min_sync(unsigned mask, int value) {
    return cudabook::emulation::reduce<int>(
        mask, value, [](int a, int b) { return b < a ? b : a; }, "__reduce_min_sync");
}
inline int __reduce_max_sync(unsigned mask, int value) {
    return cudabook::emulation::reduce<int>(
        mask, value, [](int a, int b) { return a < b ? b : a; }, "__reduce_max_sync");
}

// ----- Memory

inline void __threadfence() {
    if (cudabook::emulation::thread_sanitizer)
        cudabook::emulation::fence();  // ThreadSanitizer does not support __atomic_thread_fence
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() {
    if (cudabook::emulation::thread_sanitizer)
        cudabook::emulation::fence();
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() { __threadfence(); }

// Loads and stores with a hint for the caches.
template <class T>
T __ldg(const T* from) {
    return *from;
}
template <class T>
T __ldca(const T* from) {
    return *from;
}
template <class T>
T __ldcg(const T* from) {
    return *from;
}
template <class T>
T __ldcs(const T* from) {
    return *from;
}
template <class T>
T __ldlu(const T* from) {
    return *from;
}
template <class T>
T __ldcv(const T* from) {
    return *static_cast<const volatile T*>(from);
}
template <class T>
void __stwb(T* to, std::type_identity_t<T> value) {
    *to = value;
}
template <class T>
void __stcg(T* to, std::type_identity_t<T> value) {
    *to = value;
}
template <class T>
void __stcs(T* to, std::type_identity_t<T> value) {
    *to = value;
}
template <class T>
void __stwt(T* to, std::type_identity_t<T> value) {
    *to = value;
}

// All memory is in one address space. Constant memory counts as global.
inline unsigned __isGlobal(const void* address) {
    return cudabook::emulation::address_space_of(address) == cudabook::emulation::AddressSpace::global;
}
inline unsigned __isShared(const void* address) {
    return cudabook::emulation::address_space_of(address) == cudabook::emulation::AddressSpace::shared;
}
inline unsigned __isLocal(const void* address) {
    return cudabook::emulation::address_space_of(address) == cudabook::emulation::AddressSpace::local;
}
/// Returns whether the address is in the shared memory of any block of the cluster.
inline unsigned __isClusterShared(const void* address) {
    const auto space = cudabook::emulation::address_space_of(address);
    return space == cudabook::emulation::AddressSpace::shared ||
           space == cudabook::emulation::AddressSpace::cluster;
}
#define CUDABOOK_ADDRESSES(space)                                       \
    inline std::size_t __cvta_generic_to_##space(const void* address) { \
        return reinterpret_cast<std::size_t>(address);                  \
    }                                                                   \
    inline void* __cvta_##space##_to_generic(std::size_t address) { return reinterpret_cast<void*>(address); }
CUDABOOK_ADDRESSES(global)
CUDABOOK_ADDRESSES(shared)
CUDABOOK_ADDRESSES(local)
CUDABOOK_ADDRESSES(constant)
CUDABOOK_ADDRESSES(grid_constant)
#undef CUDABOOK_ADDRESSES

// ----- Atomic operations, relaxed, on global and shared memory. Each returns the old value. All but
// atomicExch compute with it, so it must have been written. A GPU flushes subnormal sums of floats in
// global memory to 0; here they are kept. The operations with _block and _system do the same as the others,
// because the blocks of one launch run in several host threads. --check=race reports words that several
// blocks change by operations with _block.

#define CUDABOOK_ATOMIC(name, Concept, reads, operation)                                          \
    template <cudabook::emulation::Concept T>                                                     \
    CUDABOOK_IN_CALLER T name(T* address, std::type_identity_t<T> value) {                        \
        return cudabook::emulation::update<reads>(address, [value](T old) { return operation; }); \
    }                                                                                             \
    template <cudabook::emulation::Concept T>                                                     \
    CUDABOOK_IN_CALLER T name##_block(T* address, std::type_identity_t<T> value) {                \
        cudabook::emulation::see_atomic_in_block(address);                                        \
        return name(address, value);                                                              \
    }                                                                                             \
    template <cudabook::emulation::Concept T>                                                     \
    CUDABOOK_IN_CALLER T name##_system(T* address, std::type_identity_t<T> value) {               \
        return name(address, value);                                                              \
    }

CUDABOOK_ATOMIC(atomicAdd, Summed, true, cudabook::emulation::wrapping_sum(old, value))
CUDABOOK_ATOMIC(atomicSub, Word, true, cudabook::emulation::wrapping_difference(old, value))
CUDABOOK_ATOMIC(atomicExch, Exchanged, false, (static_cast<void>(old), value))
CUDABOOK_ATOMIC(atomicMin, Integer, true, value < old ? value : old)
CUDABOOK_ATOMIC(atomicMax, Integer, true, old < value ? value : old)
CUDABOOK_ATOMIC(atomicAnd, Integer, true, old& value)
CUDABOOK_ATOMIC(atomicOr, Integer, true, old | value)
CUDABOOK_ATOMIC(atomicXor, Integer, true, old ^ value)
CUDABOOK_ATOMIC(atomicInc, UnsignedWord, true, old >= value ? 0 : old + 1)
CUDABOOK_ATOMIC(atomicDec, UnsignedWord, true, old == 0 || old > value ? value : old - 1)
#undef CUDABOOK_ATOMIC

template <cudabook::emulation::Compared T>
CUDABOOK_IN_CALLER T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    return cudabook::emulation::compare_and_swap(address, compare, value);
}
template <cudabook::emulation::Compared T>
CUDABOOK_IN_CALLER T atomicCAS_block(T* address, std::type_identity_t<T> compare,
                                     std::type_identity_t<T> value) {
    cudabook::emulation::see_atomic_in_block(address);
    return atomicCAS(address, compare, value);
}
template <cudabook::emulation::Compared T>
CUDABOOK_IN_CALLER T atomicCAS_system(T* address, std::type_identity_t<T> compare,
                                      std::type_identity_t<T> value) {
    return atomicCAS(address, compare, value);
}

// Atomic operations on values of 16 bytes, aligned to 16 bytes, of any trivially copyable type.
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicExch(T* address, std::type_identity_t<T> value) {
    return cudabook::emulation::exchange_16_bytes(address, value);
}
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicExch_block(T* address, std::type_identity_t<T> value) {
    return atomicExch(address, value);
}
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicExch_system(T* address, std::type_identity_t<T> value) {
    return atomicExch(address, value);
}
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
    return cudabook::emulation::compare_and_swap_16_bytes(address, compare, value);
}
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicCAS_block(T* address, std::type_identity_t<T> compare,
                                     std::type_identity_t<T> value) {
    return atomicCAS(address, compare, value);
}
template <cudabook::emulation::SixteenBytes T>
CUDABOOK_IN_CALLER T atomicCAS_system(T* address, std::type_identity_t<T> compare,
                                      std::type_identity_t<T> value) {
    return atomicCAS(address, compare, value);
}

// Atomic additions to vectors in global memory. Each element is added atomically, but not the whole vector.
// With a vector in shared memory, the kernel fails.
CUDABOOK_IN_CALLER float2 atomicAdd(float2* address, float2 value) {
    cudabook::emulation::need_global_memory(address, "atomicAdd() of float2");
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
CUDABOOK_IN_CALLER float4 atomicAdd(float4* address, float4 value) {
    cudabook::emulation::need_global_memory(address, "atomicAdd() of float4");
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
            atomicAdd(&address->w, value.w)};
}
CUDABOOK_IN_CALLER float2 atomicAdd_block(float2* address, float2 value) { return atomicAdd(address, value); }
CUDABOOK_IN_CALLER float4 atomicAdd_block(float4* address, float4 value) { return atomicAdd(address, value); }
CUDABOOK_IN_CALLER float2 atomicAdd_system(float2* address, float2 value) {
    return atomicAdd(address, value);
}
CUDABOOK_IN_CALLER float4 atomicAdd_system(float4* address, float4 value) {
    return atomicAdd(address, value);
}

// ----- Time. (clock() is the C library's: the processor time of the process.)

/// The host's clock in cycles of the emulated GPU. Other threads of the block run before this returns.
inline long long clock64() {
    cudabook::emulation::yield();
    return cudabook::emulation::clock_cycles();
}

inline void __nanosleep(unsigned) { cudabook::emulation::yield(); }

// ----- Clusters of thread blocks. Without clusters, each block is a cluster.

inline unsigned __clusterDimIsSpecified() { return cudabook::emulation::cluster_place().size_given ? 1 : 0; }
inline dim3 __clusterDim() { return cudabook::emulation::cluster_place().size; }
inline unsigned __clusterSizeInBlocks() {
    const dim3 size = __clusterDim();
    return size.x * size.y * size.z;
}
inline unsigned __clusterRelativeBlockRank() { return cudabook::emulation::cluster_place().rank; }
inline dim3 __clusterRelativeBlockIdx() {
    const dim3 size = __clusterDim();
    return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
}
inline dim3 __clusterIdx() {
    const dim3 size = __clusterDim();
    return {blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z};
}
inline dim3 __clusterGridDimInClusters() {
    const dim3 size = __clusterDim();
    return {gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z};
}

/// The barrier of the cluster. A relaxed arrival does not order the thread's earlier work.
inline void __cluster_barrier_arrive() { cudabook::emulation::arrive_at_cluster(true); }
inline void __cluster_barrier_arrive_relaxed() { cudabook::emulation::arrive_at_cluster(false); }
inline void __cluster_barrier_wait() { cudabook::emulation::await_cluster(); }
inline void __threadfence_cluster() { __threadfence(); }

inline unsigned __cluster_query_shared_rank(const void* address) {
    return cudabook::emulation::shared_rank(address, "__cluster_query_shared_rank()");
}
inline void* __cluster_map_shared_rank(const void* address, unsigned rank) {
    return cudabook::emulation::map_shared_rank(address, rank);
}

// ----- Launches, and how they end

// These do nothing, because a launch begins when the launch before it has ended.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}

// A condition that the compiler may assume to be true.
#ifndef __clang__  // clang has this function
__attribute__((always_inline)) inline void __builtin_assume(bool condition) {
    if (!condition) __builtin_unreachable();
}
#endif

[[noreturn]] inline void __trap() { cudabook::emulation::fail_kernel("__trap() was called"); }
inline void __brkpt() {}

// ----- Integers

inline int __popc(unsigned value) { return std::popcount(value); }
inline int __popcll(unsigned long long value) { return std::popcount(value); }
inline int __clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
inline int __clzll(long long value) { return std::countl_zero(static_cast<unsigned long long>(value)); }
inline int __ffs(int value) { return value == 0 ? 0 : std::countr_zero(static_cast<unsigned>(value)) + 1; }
inline int __ffsll(long long value) {
    return value == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(value)) + 1;
}
inline unsigned long long __brevll(unsigned long long value) {
    value = (value >> 1 & 0x5555555555555555) | (value & 0x5555555555555555) << 1;
    value = (value >> 2 & 0x3333333333333333) | (value & 0x3333333333333333) << 2;
    value = (value >> 4 & 0x0f0f0f0f0f0f0f0f) | (value & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(value);
}
inline unsigned __brev(unsigned value) { return static_cast<unsigned>(__brevll(value) >> 32); }

/// Returns four of the eight bytes of y:x. The lower three bits of each nibble of the selector are the number
/// of a byte. The fourth bit is ignored, as by an H200.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned number = selector >> 4 * i & 7;
        result |= (static_cast<unsigned>(bytes >> 8 * number) & 0xff) << 8 * i;
    }
    return result;
}

// Returns 32 bits of high:low, shifted by shift mod 32 or, for names with c, by at most 32.
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline int __mulhi(int x, int y) { return static_cast<int>(std::int64_t{x} * y >> 32); }
inline unsigned __umulhi(unsigned x, unsigned y) { return static_cast<unsigned>(std::uint64_t{x} * y >> 32); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    __extension__ using Product = unsigned __int128;
    return static_cast<unsigned long long>(static_cast<Product>(x) * y >> 64);
}
inline long long __mul64hi(long long x, long long y) {
    __extension__ using Product = __int128;
    return static_cast<long long>(static_cast<Product>(x) * y >> 64);
}
/// Returns the low 32 bits of the product of the low 24 bits.
inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
inline int __mul24(int x, int y) {
    const auto low = [](int value) { return static_cast<int>(static_cast<unsigned>(value) << 8) >> 8; };
    return static_cast<int>(static_cast<unsigned>(low(x)) * static_cast<unsigned>(low(y)));
}
/// |x - y| + z
inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return (x > y ? x - y : y - x) + z; }
inline unsigned __sad(int x, int y, unsigned z) {
    const auto bits = [](int value) { return static_cast<unsigned>(value); };
    return (x > y ? bits(x) - bits(y) : bits(y) - bits(x)) + z;
}
// Returns the mean, rounded down or, for names with r, up.
inline int __hadd(int x, int y) { return static_cast<int>((std::int64_t{x} + y) >> 1); }
inline int __rhadd(int x, int y) { return static_cast<int>((std::int64_t{x} + y + 1) >> 1); }
inline unsigned __uhadd(unsigned x, unsigned y) { return static_cast<unsigned>((std::uint64_t{x} + y) >> 1); }
inline unsigned __urhadd(unsigned x, unsigned y) {
    return static_cast<unsigned>((std::uint64_t{x} + y + 1) >> 1);
}

/// Returns `sum` plus the four products of the bytes of a and b.
inline int __dp4a(int a, int b, int sum) {
    auto result = static_cast<unsigned>(sum);
    for (int i = 0; i < 32; i += 8)
        result += static_cast<unsigned>(static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i));
    return static_cast<int>(result);
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 32; i += 8) sum += (a >> i & 0xff) * (b >> i & 0xff);
    return sum;
}
inline int __dp4a(char4 a, char4 b, int sum) {
    return __dp4a(std::bit_cast<int>(a), std::bit_cast<int>(b), sum);
}
inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum) {
    return __dp4a(std::bit_cast<unsigned>(a), std::bit_cast<unsigned>(b), sum);
}

/// Returns `sum` plus the two products of the halfwords of a and the two lower or, for names with hi, upper
/// bytes of b.
inline int __dp2a_lo(int a, int b, int sum) {
    auto result = static_cast<unsigned>(sum);
    for (int i = 0; i < 2; ++i)
        result +=
            static_cast<unsigned>(static_cast<short>(a >> 16 * i) * static_cast<signed char>(b >> 8 * i));
    return static_cast<int>(result);
}
inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum) {
    for (int i = 0; i < 2; ++i) sum += (a >> 16 * i & 0xffff) * (b >> 8 * i & 0xff);
    return sum;
}
inline int __dp2a_hi(int a, int b, int sum) { return __dp2a_lo(a, b >> 16, sum); }
inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum) { return __dp2a_lo(a, b >> 16, sum); }
inline int __dp2a_lo(short2 a, char4 b, int sum) {
    return __dp2a_lo(std::bit_cast<int>(a), std::bit_cast<int>(b), sum);
}
inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned sum) {
    return __dp2a_lo(std::bit_cast<unsigned>(a), std::bit_cast<unsigned>(b), sum);
}
inline int __dp2a_hi(short2 a, char4 b, int sum) {
    return __dp2a_hi(std::bit_cast<int>(a), std::bit_cast<int>(b), sum);
}
inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned sum) {
    return __dp2a_hi(std::bit_cast<unsigned>(a), std::bit_cast<unsigned>(b), sum);
}

/// Returns the number of the offset-th bit of `mask` that is set, counted from bit `base` on: upwards, or
/// downwards if the offset is negative. Offset 0 asks for bit `base` itself. Returns ~0 if there is no such
/// bit.
inline unsigned __fns(unsigned mask, unsigned base, int offset) {
    const int step = offset < 0 ? -1 : 1;
    int left = offset == 0 ? 1 : offset * step;
    for (int bit = static_cast<int>(base & 31); bit >= 0 && bit < 32; bit += step) {
        if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned>(bit);
        if (offset == 0) break;
    }
    return ~0U;
}

inline unsigned short __nv_bswap16(unsigned short value) { return __builtin_bswap16(value); }
inline unsigned __nv_bswap32(unsigned value) { return __builtin_bswap32(value); }
inline unsigned long long __nv_bswap64(unsigned long long value) { return __builtin_bswap64(value); }

// ----- Bits reinterpreted as another type

inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline int __float_as_int(float value) { return std::bit_cast<int>(value); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline float __int_as_float(int bits) { return std::bit_cast<float>(bits); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }
inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
inline int __double2hiint(double value) { return static_cast<int>(__double_as_longlong(value) >> 32); }
inline int __double2loint(double value) { return static_cast<int>(__double_as_longlong(value)); }
inline double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(
        static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low)));
}
