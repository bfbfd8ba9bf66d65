// Reductions of a tile's or a coalesced group's values. Source: CUDA C++ Programming Guide, "Cooperative
// Groups": "reduce".
#pragma once

#include <type_traits>

#include <cooperative_groups.h>

#ifndef CUDABOOK_HOST_SOURCE

namespace cooperative_groups {

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
/// The smaller value.
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
/// The larger value.
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

/// Returns to each thread the values of all threads, combined by the operation. A tile within a warp
/// combines values that are 16, 8, 4, 2 and 1 threads apart, as the guide's example of shuffles does. A
/// coalesced group combines one value after another; a larger tile combines one result of a warp after
/// another. CUDA does not specify the order, on which sums of floats depend.
template <unsigned size, class Parent, class T, class Operation>
std::decay_t<T> reduce(const thread_block_tile<size, Parent>& group, T&& value, Operation&& operation) {
    std::decay_t<T> result = value;
    if constexpr (size > 32) {
        const std::decay_t<T> of_warp = reduce(tiled_partition<32>(group), value, operation);
        result = group.shfl(of_warp, 0);
        for (unsigned rank = 32; rank < size; rank += 32)
            result = operation(result, group.shfl(of_warp, rank));
    } else {
        for (unsigned distance = size / 2; distance > 0; distance /= 2)
            result = operation(result, group.shfl_xor(result, distance));
    }
    return result;
}
template <class T, class Operation>
std::decay_t<T> reduce(const coalesced_group& group, T&& value, Operation&& operation) {
    std::decay_t<T> result = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); ++rank) result = operation(result, group.shfl(value, rank));
    return result;
}

/// One thread writes the result of reduce().
template <class Group, class T, class Value, class Operation>
void reduce_store_async(const Group& group, T* to, Value&& value, Operation&& operation) {
    const T result = reduce(group, value, operation);
    if (group.thread_rank() == 0) *to = result;
}

}  // namespace cooperative_groups

#endif
