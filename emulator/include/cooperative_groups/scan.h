// Prefix sums, and prefixes of other operations, of a tile's or a coalesced group's values. Source: CUDA C++
// Programming Guide, "Cooperative Groups": "inclusive_scan and exclusive_scan".
#pragma once

#include <type_traits>

#include <cooperative_groups/reduce.h>

#ifndef CUDABOOK_HOST_SOURCE

namespace cooperative_groups {

namespace details {

template <class Group>
inline constexpr bool is_large_tile = false;
template <unsigned size, class Parent>
inline constexpr bool is_large_tile<thread_block_tile<size, Parent>> = size > 32;

/// Returns the combined values of the warps before this thread's warp, or the first warp's value if this
/// thread is in the first warp. A warp's value is the `value` of its last thread.
template <class Group, class T, class Operation>
T before_warp(const Group& group, const T& value, Operation& operation) {
    T before = group.shfl(value, 31);
    for (unsigned last = 63; last < group.size(); last += 32) {
        const T next = group.shfl(value, last);
        if (last < group.thread_rank()) before = operation(before, next);
    }
    return before;
}

}  // namespace details

/// Returns to each thread the values of the threads up to its rank, combined by the operation. After step i,
/// 2^i values are combined, as in the guide's example of shuffles. In a tile of several warps, each warp is
/// scanned first. CUDA does not specify the order, on which sums of floats depend.
template <class Group, class T, class Operation>
std::decay_t<T> inclusive_scan(const Group& group, T&& value, Operation&& operation) {
    std::decay_t<T> result = value;
    if constexpr (details::is_large_tile<Group>) {
        result = inclusive_scan(tiled_partition<32>(group), value, operation);
        const std::decay_t<T> before = details::before_warp(group, result, operation);
        if (group.thread_rank() >= 32) result = operation(before, result);
    } else {
        for (unsigned distance = 1; distance < group.size(); distance *= 2) {
            const std::decay_t<T> before = group.shfl_up(result, distance);
            if (group.thread_rank() >= distance) result = operation(before, result);
        }
    }
    return result;
}
template <class Group, class T>
std::decay_t<T> inclusive_scan(const Group& group, T&& value) {
    return inclusive_scan(group, value, plus<std::decay_t<T>>());
}

/// Returns to each thread the values of the threads before its rank, combined by the operation, and to the
/// first thread a value-initialized T.
template <class Group, class T, class Operation>
std::decay_t<T> exclusive_scan(const Group& group, T&& value, Operation&& operation) {
    const std::decay_t<T> inclusive = inclusive_scan(group, value, operation);
    std::decay_t<T> before = inclusive;
    if constexpr (details::is_large_tile<Group>)
        before = group.shfl(inclusive, group.thread_rank() + group.size() - 1);
    else
        before = group.shfl_up(inclusive, 1);
    return group.thread_rank() == 0 ? std::decay_t<T>{} : before;
}
template <class Group, class T>
std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
    return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups

#endif
