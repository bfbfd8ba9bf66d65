// cuda::memcpy_async for barriers and pipelines. Source: CUDA C++ documentation, "libcu++":
// "cuda::memcpy_async".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "emulator/checks/accesses.hpp"
#include "emulator/engine/block.hpp"

namespace cuda {

/// A number of bytes at an address. Both the number and the address are multiples of `alignment`.
template <::std::size_t alignment>
struct aligned_size_t {
    static_assert(::std::has_single_bit(alignment), "an alignment is a power of 2");

    static constexpr ::std::size_t align = alignment;
    ::std::size_t value;

    explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
    constexpr operator ::std::size_t() const { return value; }
};

/// What memcpy_async did. async: the copy goes on after the call. none: there is nothing to wait for.
enum async_contract_fulfillment { none, async };

namespace details {

namespace emulation = cudabook::emulation;

struct OneThread {
    static constexpr ::std::size_t size() { return 1; }
    static constexpr ::std::size_t thread_rank() { return 0; }
};

/// The alignment that the types of the addresses and of the size promise.
template <class To, class From, class Size>
constexpr ::std::size_t alignment_of() {
    ::std::size_t promised = 1;
    if constexpr (requires { Size::align; }) promised = Size::align;
    if constexpr (::std::is_same_v<To, From> && !::std::is_void_v<To>) {
        static_assert(::std::is_trivially_copyable_v<To>,
                      "cuda::memcpy_async copies trivially copyable types");
        if constexpr (requires { Size::align; })
            static_assert(Size::align >= alignof(To),
                          "the alignment of cuda::aligned_size_t is at least the type's alignment");
        if (alignof(To) > promised) promised = alignof(To);
    }
    return promised;
}

/// The threads of the group copy words of up to 16 bytes in turn. If `later` is true, for ThreadSanitizer,
/// the copies are not made before make_copies() is called.
template <class Size, class Group, class To, class From>
async_contract_fulfillment copy(const Group& group, To* to, const From* from, Size size, bool later) {
    const auto bytes = static_cast<::std::size_t>(size);
    constexpr ::std::size_t alignment = alignment_of<To, From, Size>();
    const auto both = reinterpret_cast<::std::uintptr_t>(to) | reinterpret_cast<::std::uintptr_t>(from);
    if (both % alignment != 0 || bytes % alignment != 0)
        emulation::fail_kernel(
            "cuda::memcpy_async of an address or a size that is not aligned as its type says");
    const ::std::size_t word = ::std::size_t{1} << ::std::countr_zero(both | bytes | ::std::size_t{16});
    for (::std::size_t at = word * group.thread_rank(); at < bytes; at += word * group.size()) {
        char* const mine = reinterpret_cast<char*>(to) + at;
        const char* const source = reinterpret_cast<const char*>(from) + at;
        if (later)
            emulation::copy_later({mine, source, word, 0});
        else
            emulation::copy_memory(mine, source, word);
    }
    const auto is_shared = [](const void* address) {
        return emulation::address_space_of(address) == emulation::AddressSpace::shared;
    };
    return alignment >= 4 && is_shared(to) && !is_shared(from) ? async : none;
}

/// Returns true if copies for pipelines are to be made later.
inline bool copies_later() { return emulation::thread_sanitizer && emulation::is_cuda_thread(); }

}  // namespace details

}  // namespace cuda
