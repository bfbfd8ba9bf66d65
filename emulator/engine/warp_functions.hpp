// Exchanges within a warp and atomic operations, for device_functions.h and other headers of device code.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/identity.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/engine/block.hpp"

namespace cudabook::emulation {

template <class T, class... Types>
concept OneOf = (std::same_as<T, Types> || ...);

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;

/// Returns the bits of a value of 4 or 8 bytes as a 64-bit number.
template <class T>
std::uint64_t to_bits(T value) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<std::uint64_t>(value);
    else
        return std::bit_cast<std::uint32_t>(value);
}
template <class T>
T from_bits(std::uint64_t bits) {
    if constexpr (sizeof(T) == 8)
        return std::bit_cast<T>(bits);
    else
        return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
}

/// Calls use(lane) for each lane of the mask `lanes`, in ascending order.
template <class Use>
void for_each_lane(std::uint32_t lanes, Use use) {
    for (; lanes != 0; lanes &= lanes - 1) use(static_cast<unsigned>(std::countr_zero(lanes)));
}

inline void exchange_nothing(Exchange&) {}

/// These functions are for exchanges in which each lane gives the address of its value. to_given() returns
/// the address as a number. brought_by() returns the value of a lane.
template <class T>
std::uint64_t to_given(T& brought) {
    return reinterpret_cast<std::uint64_t>(&brought);
}
template <class T>
T& brought_by(unsigned lane, const Exchange& exchange) {
    return *reinterpret_cast<T*>(exchange.given[lane]);  // NOLINT(performance-no-int-to-ptr)
}

/// The lanes that take part in a vote, and the lanes among them whose predicate was not 0.
struct Votes {
    std::uint32_t lanes;
    std::uint32_t nonzero;
};

inline Votes ballot(std::uint32_t mask, bool predicate, const char* name) {
    const auto count = [](Exchange& exchange) {
        std::uint64_t nonzero = 0;
        for_each_lane(exchange.lanes, [&](unsigned lane) { nonzero |= exchange.given[lane] << lane; });
        exchange.taken.fill(std::uint64_t{exchange.lanes} << 32 | nonzero);
    };
    const std::uint64_t taken = await_warp(mask, predicate ? 1 : 0, 0, count, name);
    return {static_cast<std::uint32_t>(taken >> 32), static_cast<std::uint32_t>(taken)};
}

enum class Shuffle { to_lane, up, down, exclusive_or };

/// Returns the lane whose value `lane` gets by a shuffle. `operand` is the shuffle's argument: a lane, a
/// distance or a mask. The warp is divided into segments of `width` lanes. Source: PTX ISA, "shfl.sync".
template <Shuffle kind>
unsigned source_lane(unsigned lane, unsigned operand, unsigned width) {
    const unsigned segment = lane & ~(width - 1);
    const unsigned end = segment + width;
    operand &= 31;
    switch (kind) {
        case Shuffle::to_lane:
            return segment | (operand & (width - 1));
        case Shuffle::up:
            return lane >= segment + operand ? lane - operand : lane;
        case Shuffle::down:
            return lane + operand < end ? lane + operand : lane;
        default:
            return (lane ^ operand) < end ? lane ^ operand : lane;
    }
}

template <Shuffle kind, class T>
T shuffle(std::uint32_t mask, T value, unsigned operand, int width, const char* name) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    const auto exchange_values = [](Exchange& exchange) {
        for_each_lane(exchange.lanes, [&](unsigned lane) {
            const std::uint64_t argument = exchange.argument[lane];
            const unsigned from = source_lane<kind>(lane, static_cast<unsigned>(argument),
                                                    static_cast<unsigned>(argument >> 32));
            if ((exchange.ended >> from & 1) != 0)
                refuse(exchange.refused, "a shuffle from lane %u, which has ended", from);
            // If lane `from` takes no part, the value is undefined on a GPU. This is no error, because many
            // kernels do not use the value.
            exchange.taken[lane] =
                (exchange.lanes >> from & 1) != 0 ? exchange.given[from] : ~std::uint64_t{0};
        });
    };
    return from_bits<T>(await_warp(mask, to_bits(value), static_cast<std::uint64_t>(width) << 32 | operand,
                                   exchange_values, name));
}

/// The lanes that take part, and the lanes among them whose value equals this lane's value.
struct Matches {
    std::uint32_t lanes;
    std::uint32_t same;
};

inline Matches match(std::uint32_t mask, std::uint64_t value, const char* name) {
    const auto compare = [](Exchange& exchange) {
        for_each_lane(exchange.lanes, [&](unsigned lane) {
            std::uint32_t same = 0;
            for_each_lane(exchange.lanes, [&](unsigned other) {
                if (exchange.given[other] == exchange.given[lane]) same |= 1U << other;
            });
            exchange.taken[lane] = std::uint64_t{exchange.lanes} << 32 | same;
        });
    };
    const std::uint64_t taken = await_warp(mask, value, 0, compare, name);
    return {static_cast<std::uint32_t>(taken >> 32), static_cast<std::uint32_t>(taken)};
}

/// Combines the values of all lanes by the operation, in ascending order of the lanes. The operation must
/// have no state, because only its type is used.
template <class T, class Operation>
T reduce(std::uint32_t mask, T value, Operation, const char* name) {
    const auto combine = [](Exchange& exchange) {
        T result = from_bits<T>(exchange.given[static_cast<unsigned>(std::countr_zero(exchange.lanes))]);
        for_each_lane(exchange.lanes & (exchange.lanes - 1), [&](unsigned lane) {
            result = Operation{}(result, from_bits<T>(exchange.given[lane]));
        });
        exchange.taken.fill(to_bits(result));
    };
    return from_bits<T>(await_warp(mask, to_bits(value), 0, combine, name));
}

// ----- Atomic operations: the types for which CUDA has them

template <class T>
concept UnsignedWord = std::same_as<T, unsigned>;
template <class T>
concept Word = OneOf<T, int, unsigned>;
template <class T>
concept Integer = OneOf<T, int, unsigned, long long, unsigned long long>;
template <class T>
concept Exchanged = OneOf<T, int, unsigned, unsigned long long, float>;
template <class T>
concept Summed = OneOf<T, int, unsigned, unsigned long long, float, double>;
template <class T>
concept Compared = OneOf<T, unsigned short, int, unsigned, unsigned long long>;

template <class T>
concept SixteenBytes = sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable_v<T>;

template <class T>
T wrapping_sum(T a, T b) {
    if constexpr (std::same_as<T, int>)
        return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
    else
        return a + b;
}
template <class T>
T wrapping_difference(T a, T b) {
    return static_cast<T>(static_cast<unsigned>(a) - static_cast<unsigned>(b));
}

// ----- Order by atomic operations, for ThreadSanitizer. Atomic operations are relaxed, so only fences order
// them. Suppose that a first thread calls a fence and then makes an atomic operation, and that a second
// thread later makes an atomic operation on the same memory. Then the first thread's work before its
// operation happens before the second thread's work after its operation. (The second thread needs no fence,
// because the last block in the guide's example of __threadfence() calls none.)

/// While this object lives, the running CUDA thread does an atomic operation on the `bytes` bytes at `at`.
/// `reads` tells whether the operation reads the old value.
class Atomic {
  public:
    CUDABOOK_IN_CALLER Atomic(const void* at, std::size_t bytes, bool reads) : at_(at) {
        see_atomic(at, bytes, reads);
        if (!reads) mark_written(at, bytes);  // update() loads the value even if it only overwrites it
        if (thread_sanitizer && has_fenced()) release(at);
    }
    CUDABOOK_IN_CALLER ~Atomic() {
        if (thread_sanitizer) acquire(at_);
    }
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

  private:
    const void* at_;
};

/// The number of atomic operations of the block that runs here.
inline constinit thread_local unsigned atomic_operations = 0;

/// Lets other threads run at every 256th call, because a thread may wait for another thread in a loop of
/// atomic operations.
__attribute__((no_sanitize("thread"))) inline void count_atomic_operation() {
    if (++atomic_operations % 256 == 0) yield();
}

/// These functions use the compiler's built-in atomic operations, because <atomic> takes long to compile.
/// replace_relaxed() compares the value at the address with `old`. If they are equal, it writes `replacement`
/// and returns true; otherwise it sets `old` to the value and returns false. A weak replacement may fail even
/// if they are equal, so the caller repeats it until it succeeds. All attempts together count as one
/// operation (emulator/counting/counters.cpp).
template <class T>
CUDABOOK_IN_CALLER T load_relaxed(T* address) {
    T value;
    __atomic_load(address, &value, __ATOMIC_RELAXED);
    return value;
}
template <bool weak, class T>
CUDABOOK_IN_CALLER bool replace_relaxed(T* address, T& old, T& replacement) {
    return __atomic_compare_exchange(address, &old, &replacement, weak, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/// Replaces the value by operation(value) and returns the old value. `reads` tells whether the operation
/// reads the value.
template <bool reads, class T, class Operation>
CUDABOOK_IN_CALLER T update(T* address, Operation operation) {
    count_atomic_operation();
    const Atomic order(address, sizeof *address, reads);
    T old = load_relaxed(address);
    for (;;) {
        T replacement = operation(old);
        if (replace_relaxed<true>(address, old, replacement)) return old;
    }
}

template <class T>
CUDABOOK_IN_CALLER T compare_and_swap(T* address, T compare, T replacement) {
    drop_held_read(address, sizeof *address);
    count_atomic_operation();
    const Atomic order(address, sizeof *address, true);
    if constexpr (address_sanitizer) load_relaxed(address);  // the sanitizer sees no read in the next line
    replace_relaxed<false>(address, compare, replacement);
    return compare;
}

/// Writes the 16 bytes of `replacement` if the old bytes are equal to the bytes of `compare`. Returns the old
/// bytes. (It does not call __atomic_compare_exchange, which would need another library.)
__extension__ using Bits128 = unsigned __int128;
#if defined(__x86_64__)
__attribute__((target("cx16")))
#endif
inline Bits128
compare_and_swap_bits(Bits128* address, Bits128 compare, Bits128 replacement) {
    return __sync_val_compare_and_swap(address, compare, replacement);
}

/// Fails the kernel if the address is not in global memory. `name` is the calling function's name, for the
/// message.
inline void need_global_memory(const void* address, const char* name) {
    if (address_space_of(address) != AddressSpace::global) fail_kernel("%s needs global memory", name);
}

template <SixteenBytes T>
CUDABOOK_IN_CALLER T compare_and_swap_16_bytes(T* address, T compare, T replacement) {
    drop_held_read(address, sizeof *address);
    count_atomic_operation();
    const Atomic order(address, sizeof *address, true);
    return std::bit_cast<T>(compare_and_swap_bits(reinterpret_cast<Bits128*>(address),
                                                  std::bit_cast<Bits128>(compare),
                                                  std::bit_cast<Bits128>(replacement)));
}

template <SixteenBytes T>
CUDABOOK_IN_CALLER T exchange_16_bytes(T* address, T replacement) {
    count_atomic_operation();
    const Atomic order(address, sizeof *address, false);
    auto* const halves = reinterpret_cast<std::uint64_t*>(address);
    Bits128 old = Bits128{load_relaxed(halves + 1)} << 64 | load_relaxed(halves);
    for (;;) {
        const Bits128 found = compare_and_swap_bits(reinterpret_cast<Bits128*>(address), old,
                                                    std::bit_cast<Bits128>(replacement));
        if (found == old) return std::bit_cast<T>(old);
        old = found;
    }
}

}  // namespace cudabook::emulation
