// Copies by all threads of a group, and waits for these copies. A copy is complete when its call returns. But
// with ThreadSanitizer, a copy is made as late as CUDA allows, so that a missing wait is found. Source:
// CUDA C++ Programming Guide, "Cooperative Groups": "memcpy_async", "wait and wait_prior".
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <cooperative_groups.h>

#include "emulator/checks/sanitizer.hpp"

#ifndef CUDABOOK_HOST_SOURCE

namespace cooperative_groups {

namespace details {

/// The threads of the group copy words of up to 16 bytes in turn.
template <class Group>
void copy_by_group(const Group& group, void* to, const void* from, std::size_t bytes) {
    const std::size_t all = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) |
                            bytes | std::size_t{16};
    const std::size_t word = std::size_t{1} << std::countr_zero(all);
    for (std::size_t at = word * group.thread_rank(); at < bytes; at += word * group.size()) {
        char* const mine = static_cast<char*>(to) + at;
        const char* const source = static_cast<const char*>(from) + at;
        if (emulation::thread_sanitizer)
            emulation::copy_later({mine, source, word, 0});
        else
            std::memcpy(mine, source, word);
    }
    if (emulation::thread_sanitizer) emulation::commit_copies();
}

}  // namespace details

/// Copies bytes. `bytes` is a number or a cuda::aligned_size_t.
template <class Group, class T, class Size>
void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
    details::copy_by_group(group, to, from, static_cast<std::size_t>(bytes));
}
/// Copies elements. Their number is the smaller of the two given numbers.
template <class Group, class T, class ToLayout, class FromLayout>
void memcpy_async(const Group& group, T* to, const ToLayout& to_elements, const T* from,
                  const FromLayout& from_elements) {
    const std::size_t elements =
        std::min(static_cast<std::size_t>(to_elements), static_cast<std::size_t>(from_elements));
    details::copy_by_group(group, to, from, elements * sizeof(T));
}

/// Waits until all copies of the group are made, except the copies of the last `but` calls.
template <unsigned but, class Group>
void wait_prior(const Group& group) {
    if (details::emulation::thread_sanitizer) details::emulation::make_copies(but);
    group.sync();
}
template <class Group>
void wait(const Group& group) {
    wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
