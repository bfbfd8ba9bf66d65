// Prefix sums, and prefixes of other operations, of a tile's or a coalesced group's values. Source: CUDA C++
// Programming Guide, "Cooperative Groups": "inclusive_scan and exclusive_scan".
#pragma once

#include <type_traits>

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

/// Returns to each thread the values of the threads up to its rank, combined by the operation: after step i,
/// those of 2^i threads, as in the guide's example of shuffles. In which order a GPU does it, CUDA does not
/// say; sums of floats depend on it.
template <class Group, class T, class Operation>
std::decay_t<T> inclusive_scan(const Group& group, T&& value, Operation&& operation) {
    std::decay_t<T> result = value;
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const std::decay_t<T> before = group.shfl_up(result, distance);
        if (group.thread_rank() >= distance) result = operation(before, result);
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
    const std::decay_t<T> before = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? std::decay_t<T>{} : before;
}
template <class Group, class T>
std::decay_t<T> exclusive_scan(const Group& group, T&& value) {
    return exclusive_scan(group, value, plus<std::decay_t<T>>());
}

}  // namespace cooperative_groups
