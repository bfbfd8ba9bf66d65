// Groups of threads that work together: blocks, tiles, coalesced lanes, clusters and grids. The threads of
// a group within a warp wait for each other like the callers of functions with _sync, so mistakes are
// reported in the same way. Source: CUDA C++ Programming Guide, "Cooperative Groups".
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#ifndef CUDABOOK_HOST_SOURCE  // only device code has groups

#include "emulator/engine/block.hpp"
#include "emulator/engine/mbarrier.hpp"
#include "emulator/engine/warp_functions.hpp"

namespace cooperative_groups {

namespace details {
struct Access;
}

/// Any group except a tile of several warps.
class thread_group {
  public:
    void sync() const;
    [[nodiscard]] unsigned long long size() const;
    [[nodiscard]] unsigned long long num_threads() const { return size(); }
    [[nodiscard]] unsigned long long thread_rank() const;

  protected:
    enum class Kind : unsigned char { block, lanes, cluster, grid };

    explicit thread_group(Kind kind) : kind_(kind) {}
    /// A group of the lanes in this mask.
    explicit thread_group(unsigned lanes) : kind_(Kind::lanes), lanes_(lanes) {}

  private:
    friend struct details::Access;

    Kind kind_;
    unsigned lanes_ = 0;
};

namespace details {

namespace emulation = cudabook::emulation;

/// Gives the functions of this header access to private members of the groups.
struct Access {
    static unsigned lanes(const thread_group& group) { return group.lanes_; }
    static bool is_block(const thread_group& group) { return group.kind_ == thread_group::Kind::block; }
    /// Returns whether the group may have several blocks.
    static bool is_large(const thread_group& group) {
        return group.kind_ == thread_group::Kind::cluster || group.kind_ == thread_group::Kind::grid;
    }
    template <class Group, class... Arguments>
    static Group make(Arguments... arguments) {
        return Group(arguments...);
    }
};

inline unsigned lane() { return emulation::thread_number() % 32; }
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }

constexpr bool is_power_of_2(unsigned number) { return number != 0 && (number & (number - 1)) == 0; }

/// Returns a mask of the lowest `count` bits; `count` may be 32.
constexpr unsigned low_bits(unsigned count) { return count >= 32 ? ~0U : (1U << count) - 1; }

/// Returns the lane of the mask that has this rank. The mask has more lanes than `rank`.
inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
    for (; rank > 0; --rank) mask &= mask - 1;
    return static_cast<unsigned>(std::countr_zero(mask));
}

inline unsigned rank_of_lane(unsigned mask, unsigned lane) {
    return static_cast<unsigned>(std::popcount(mask & low_bits(lane)));
}

/// Returns the mask of the lanes of `mask` whose ranks are set in `ranks`.
inline unsigned lanes_of_ranks(unsigned mask, unsigned ranks) {
    unsigned lanes = 0;
    for (; mask != 0 && ranks != 0; mask &= mask - 1, ranks >>= 1)
        if ((ranks & 1) != 0) lanes |= mask & (~mask + 1);
    return lanes;
}

/// Returns a number whose bit r is the bit in `bits` of the lane that has rank r in `mask`.
inline unsigned by_rank(unsigned mask, unsigned bits) {
    unsigned packed = 0;
    unsigned rank = 0;
    emulation::for_each_lane(mask, [&](unsigned lane) { packed |= (bits >> lane & 1) << rank++; });
    return packed;
}

template <class T>
inline constexpr bool is_exchanged = std::is_trivially_copyable_v<T> && sizeof(T) <= 32;

/// What a thread brings to a shuffle: its value, the place for the result, and the lane that it reads.
template <class T>
struct Offer {
    const T* value;
    T* result;
    unsigned source;
};

/// Returns the value of the lane `source` or, if that lane does not take part, this lane's value.
template <class T>
T read_lane(unsigned mask, const T& value, unsigned source, const char* name) {
    static_assert(is_exchanged<T>, "a shuffle needs a trivially copyable type of at most 32 bytes");
    const auto copy = [](emulation::Exchange& exchange) {
        emulation::for_each_lane(exchange.lanes, [&](unsigned lane) {
            const auto& offer = emulation::brought_by<Offer<T>>(lane, exchange);
            if ((exchange.ended >> offer.source & 1) != 0)
                emulation::refuse(exchange.refused, "a shuffle from lane %u, which has ended", offer.source);
            if ((exchange.lanes >> offer.source & 1) != 0)
                *offer.result = *emulation::brought_by<Offer<T>>(offer.source, exchange).value;
        });
    };
    T result = value;
    Offer<T> offer{&value, &result, source};
    emulation::await_warp(mask, emulation::to_given(offer), 0, copy, name);
    return result;
}

inline void check_tile(unsigned size) {
    if (!is_power_of_2(size) || size > 32)
        emulation::fail_kernel("tiled_partition makes groups of 1, 2, 4, 8, 16 or 32 threads");
}

inline void sync_lanes(unsigned mask) {
    emulation::await_warp(mask, 0, 0, emulation::exchange_nothing, "sync()");
}

/// The operations that tiles of a warp and coalesced groups share. A thread that reads from a rank that its
/// group does not have gets its own value; CUDA leaves the value undefined in most cases.
template <class Group>
class AmongLanes {
  public:
    template <class T>
    std::decay_t<T> shfl_up(const T& value, unsigned delta) const {
        const unsigned rank = own_rank();
        return read<std::decay_t<T>>(value, rank >= delta ? rank - delta : rank, "__shfl_up_sync");
    }
    template <class T>
    std::decay_t<T> shfl_down(const T& value, unsigned delta) const {
        const unsigned rank = own_rank();
        return read<std::decay_t<T>>(value, delta < count() - rank ? rank + delta : rank, "__shfl_down_sync");
    }
    [[nodiscard]] int any(int predicate) const {
        return emulation::ballot(lanes(), predicate != 0, "__any_sync").nonzero != 0 ? 1 : 0;
    }
    [[nodiscard]] int all(int predicate) const {
        const emulation::Votes votes = emulation::ballot(lanes(), predicate != 0, "__all_sync");
        return votes.nonzero == votes.lanes ? 1 : 0;
    }
    /// In the results of ballot(), match_any() and match_all(), bit r stands for the thread of rank r.
    [[nodiscard]] unsigned ballot(int predicate) const {
        return by_rank(lanes(), emulation::ballot(lanes(), predicate != 0, "__ballot_sync").nonzero);
    }
    template <emulation::Arithmetic T>
    unsigned match_any(T value) const {
        return by_rank(lanes(),
                       emulation::match(lanes(), emulation::to_bits(+value), "__match_any_sync").same);
    }
    template <emulation::Arithmetic T>
    unsigned match_all(T value, int& all) const {
        const emulation::Matches matches =
            emulation::match(lanes(), emulation::to_bits(+value), "__match_all_sync");
        all = matches.same == matches.lanes ? 1 : 0;
        return all != 0 ? by_rank(lanes(), matches.lanes) : 0;
    }

  protected:
    template <class T>
    T read(const T& value, unsigned rank, const char* name) const {
        return read_lane(lanes(), value, lane_of_rank(lanes(), rank), name);
    }

  private:
    [[nodiscard]] unsigned lanes() const { return Access::lanes(*static_cast<const Group*>(this)); }
    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(std::popcount(lanes())); }
    [[nodiscard]] unsigned own_rank() const { return rank_of_lane(lanes(), lane()); }
};

}  // namespace details

// ----- Grids

/// All threads of a launch. The barrier of this group needs a cooperative launch.
class grid_group : public thread_group {
  public:
    [[nodiscard]] static bool is_valid() { return details::emulation::is_cooperative(); }
    static void sync(details::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
        details::emulation::await_block(false, line, details::emulation::GridStep::arrive_and_wait);
    }

    struct arrival_token {};
    static arrival_token barrier_arrive() {
        details::emulation::await_block(false, {}, details::emulation::GridStep::arrive);
        return {};
    }
    static void barrier_wait(arrival_token&&) {
        details::emulation::await_block(false, {}, details::emulation::GridStep::wait);
    }

    static dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static unsigned long long block_rank() {
        return blockIdx.x +
               gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static dim3 thread_index() {
        return {blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z};
    }
    static unsigned long long thread_rank() {
        return block_rank() * details::block_threads() + details::emulation::thread_number();
    }
    static dim3 dim_threads() {
        return {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
    }
    static unsigned long long num_threads() { return num_blocks() * details::block_threads(); }
    static unsigned long long size() { return num_threads(); }

    static dim3 cluster_index() { return __clusterIdx(); }
    static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    static unsigned long long cluster_rank() {
        const dim3 index = cluster_index();
        const dim3 size = dim_clusters();
        return index.x + size.x * (index.y + static_cast<unsigned long long>(size.y) * index.z);
    }
    static unsigned long long num_clusters() {
        const dim3 size = dim_clusters();
        return static_cast<unsigned long long>(size.x) * size.y * size.z;
    }

  private:
    friend grid_group this_grid();

    grid_group() : thread_group(Kind::grid) {}
};

inline grid_group this_grid() { return {}; }

// ----- Clusters

/// All threads of a cluster. Its blocks run at the same time, and reach each other's shared memory. Source:
/// CUDA C++ Programming Guide, "Cluster Group" and "Distributed Shared Memory".
class cluster_group : public thread_group {
  public:
    struct arrival_token {};
    static arrival_token barrier_arrive() {
        __cluster_barrier_arrive();
        return {};
    }
    static void barrier_wait() { __cluster_barrier_wait(); }
    static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }
    static void sync() {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }

    /// Returns the address that a variable of this block's shared memory has in the block `rank`. The
    /// kernel fails if there is no such block; an access fails if the block has ended before the call.
    template <class T>
    static T* map_shared_rank(T* address, int rank) {
        return static_cast<T*>(__cluster_map_shared_rank(address, static_cast<unsigned>(rank)));
    }
    /// Returns the rank of the block to whose shared memory the address belongs.
    static unsigned query_shared_rank(const void* address) { return __cluster_query_shared_rank(address); }

    static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    static unsigned block_rank() { return __clusterRelativeBlockRank(); }
    static dim3 dim_blocks() { return __clusterDim(); }
    static unsigned num_blocks() { return __clusterSizeInBlocks(); }
    static dim3 thread_index() {
        const dim3 block = block_index();
        return {block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z};
    }
    static unsigned thread_rank() {
        return block_rank() * details::block_threads() + details::emulation::thread_number();
    }
    static dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return {blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z};
    }
    static unsigned num_threads() { return num_blocks() * details::block_threads(); }
    static unsigned size() { return num_threads(); }

  private:
    friend cluster_group this_cluster();

    cluster_group() : thread_group(Kind::cluster) {}
};

inline cluster_group this_cluster() { return {}; }

inline void thread_group::sync() const {
    if (kind_ == Kind::grid)
        grid_group::sync();
    else if (kind_ == Kind::cluster)
        cluster_group::sync();
    else if (kind_ == Kind::block)
        details::emulation::await_block(false);
    else
        details::sync_lanes(lanes_);
}
inline unsigned long long thread_group::size() const {
    if (kind_ == Kind::grid) return grid_group::size();
    if (kind_ == Kind::cluster) return cluster_group::size();
    if (kind_ == Kind::block) return details::block_threads();
    return static_cast<unsigned>(std::popcount(lanes_));
}
inline unsigned long long thread_group::thread_rank() const {
    if (kind_ == Kind::grid) return grid_group::thread_rank();
    if (kind_ == Kind::cluster) return cluster_group::thread_rank();
    if (kind_ == Kind::block) return details::emulation::thread_number();
    return details::rank_of_lane(lanes_, details::lane());
}

/// Removed from CUDA 13.
class multi_grid_group : public thread_group {};
__attribute__((error("CUDA 13 has no groups of several GPUs' grids: launch a grid on each GPU")))
multi_grid_group
this_multi_grid();

// ----- Blocks

/// Memory for tiles of several warps. The emulated GPU does not need this memory.
template <unsigned max_block_size = 1024>
struct block_tile_memory {
    unsigned char bytes[(max_block_size + 31) / 32 * 8];
};

class thread_block : public thread_group {
  public:
    static void sync(details::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
        details::emulation::await_block(false, line);
    }

    struct arrival_token {
        std::uint64_t of_mbarrier;
    };
    static arrival_token barrier_arrive() {
        return {details::emulation::Mbarrier(details::emulation::block_barrier).arrive()};
    }
    static void barrier_wait(arrival_token&& token) {
        details::emulation::Mbarrier(details::emulation::block_barrier)
            .wait(details::emulation::Mbarrier::parity_of(token.of_mbarrier));
    }

    static unsigned thread_rank() { return details::emulation::thread_number(); }
    static unsigned num_threads() { return details::block_threads(); }
    static unsigned size() { return num_threads(); }
    static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    static dim3 dim_threads() { return blockDim; }
    static dim3 group_dim() { return blockDim; }

  private:
    friend thread_block this_thread_block();

    thread_block() : thread_group(Kind::block) {}
};

inline thread_block this_thread_block() { return {}; }
template <unsigned max_block_size>
thread_block this_thread_block(block_tile_memory<max_block_size>&) {
    if (details::block_threads() > max_block_size)
        details::emulation::fail_kernel("the block has more threads than its block_tile_memory is for");
    thread_block::sync();
    return this_thread_block();
}

// ----- Coalesced groups

class coalesced_group : public thread_group, public details::AmongLanes<coalesced_group> {
  public:
    [[nodiscard]] unsigned thread_rank() const { return static_cast<unsigned>(thread_group::thread_rank()); }
    [[nodiscard]] unsigned num_threads() const { return static_cast<unsigned>(thread_group::size()); }
    [[nodiscard]] unsigned size() const { return num_threads(); }
    [[nodiscard]] unsigned meta_group_rank() const { return meta_rank_; }
    [[nodiscard]] unsigned meta_group_size() const { return meta_size_; }

    template <class T>
    std::decay_t<T> shfl(const T& value, unsigned rank) const {
        return read<std::decay_t<T>>(value, rank < num_threads() ? rank : thread_rank(), "__shfl_sync");
    }

  private:
    friend struct details::Access;

    coalesced_group(unsigned lanes, unsigned meta_rank, unsigned meta_size)
        : thread_group(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}

    unsigned meta_rank_;
    unsigned meta_size_;
};

/// Returns the group of the lanes that come to this place together, as __activemask() does.
[[gnu::always_inline]] inline coalesced_group coalesced_threads() {
    return details::Access::make<coalesced_group>(details::emulation::lanes_here(), 0U, 1U);
}

// ----- Tiles

namespace details {

/// A tile within a warp.
template <unsigned tile_size>
class TileOfAWarp : public thread_group, public AmongLanes<TileOfAWarp<tile_size>> {
  public:
    static void sync() { sync_lanes(own_lanes()); }
    static unsigned thread_rank() { return lane() % tile_size; }
    static constexpr unsigned num_threads() { return tile_size; }
    static constexpr unsigned size() { return tile_size; }

    /// Ranks count modulo the tile's size.
    template <class T>
    std::decay_t<T> shfl(const T& value, unsigned rank) const {
        return this->template read<std::decay_t<T>>(value, rank % tile_size, "__shfl_sync");
    }
    template <class T>
    std::decay_t<T> shfl_xor(const T& value, unsigned mask) const {
        const unsigned rank = thread_rank() ^ mask;
        return this->template read<std::decay_t<T>>(value, rank < tile_size ? rank : thread_rank(),
                                                    "__shfl_xor_sync");
    }

  protected:
    TileOfAWarp() : thread_group(own_lanes()) {}

  private:
    static unsigned own_lanes() { return low_bits(tile_size) << lane() / tile_size * tile_size; }
};

/// A tile of several warps.
template <unsigned tile_size>
class TileOfWarps {
  public:
    static void sync() {
        const auto nothing = [](const std::uint64_t*, unsigned, emulation::Refusal&) {};
        emulation::await_part(first(), tile_size, 1, nothing, "sync()");
    }
    static unsigned thread_rank() { return emulation::thread_number() % tile_size; }
    static constexpr unsigned num_threads() { return tile_size; }
    static constexpr unsigned size() { return tile_size; }

    /// Ranks count modulo the tile's size.
    template <class T>
    std::decay_t<T> shfl(const T& value, unsigned rank) const {
        using Value = std::decay_t<T>;
        static_assert(is_exchanged<Value>, "a shuffle needs a trivially copyable type of at most 32 bytes");
        const auto copy = [](const std::uint64_t* given, unsigned size, emulation::Refusal& refused) {
            for (unsigned i = 0; i < size; ++i) {
                if (given[i] == 0) continue;
                const auto& offer = *reinterpret_cast<Offer<Value>*>(given[i]);
                if (given[offer.source] == 0)
                    return emulation::refuse(
                        refused, "a shuffle from rank %u, which has ended or does not exist", offer.source);
                *offer.result = *reinterpret_cast<Offer<Value>*>(given[offer.source])->value;
            }
        };
        Value result = value;
        Offer<Value> offer{&value, &result, rank % tile_size};
        emulation::await_part(first(), tile_size, emulation::to_given(offer), copy, "shfl()");
        return result;
    }
    [[nodiscard]] int any(int predicate) const { return count(predicate != 0) > 0 ? 1 : 0; }
    [[nodiscard]] int all(int predicate) const { return count(predicate == 0) == 0 ? 1 : 0; }

  private:
    static unsigned first() { return emulation::thread_number() / tile_size * tile_size; }

    /// Returns the number of threads whose predicate is true.
    static unsigned count(bool predicate) {
        struct Vote {
            bool predicate;
            unsigned count;
        };
        const auto count = [](const std::uint64_t* given, unsigned size, emulation::Refusal&) {
            unsigned count = 0;
            for (unsigned i = 0; i < size; ++i)
                if (given[i] != 0) count += reinterpret_cast<Vote*>(given[i])->predicate ? 1 : 0;
            for (unsigned i = 0; i < size; ++i)
                if (given[i] != 0) reinterpret_cast<Vote*>(given[i])->count = count;
        };
        Vote vote{predicate, 0};
        emulation::await_part(first(), tile_size, emulation::to_given(vote), count, "any() or all()");
        return vote.count;
    }
};

template <class Group>
inline constexpr bool has_tiles = std::is_same_v<Group, thread_block>;

}  // namespace details

template <unsigned tile_size, class Parent = void>
class thread_block_tile
    : public std::conditional_t<(tile_size <= 32), details::TileOfAWarp<tile_size <= 32 ? tile_size : 1>,
                                details::TileOfWarps<tile_size>> {
    static_assert(details::is_power_of_2(tile_size) && tile_size <= 1024,
                  "the number of a tile's threads is a power of 2 of at most 1024");

  public:
    /// Converts from a tile of any parent.
    template <class Other>
    thread_block_tile(const thread_block_tile<tile_size, Other>& other)
        : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}

    [[nodiscard]] unsigned meta_group_rank() const { return meta_rank_; }
    [[nodiscard]] unsigned meta_group_size() const { return meta_size_; }

  private:
    friend struct details::Access;

    thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size) {}

    unsigned meta_rank_;
    unsigned meta_size_;
};

namespace details {
template <unsigned tile_size, class Parent>
inline constexpr bool has_tiles<thread_block_tile<tile_size, Parent>> = true;
}  // namespace details

inline thread_block_tile<1, void> this_thread() {
    return details::Access::make<thread_block_tile<1, void>>(0U, 1U);
}

/// Divides a block or a tile into tiles.
template <unsigned tile_size, class Parent>
thread_block_tile<tile_size, Parent> tiled_partition(const Parent& parent) {
    static_assert(
        details::has_tiles<Parent>,
        "tiles of a known size are parts of a block or a tile; tiled_partition(group, size) divides "
        "other groups");
    if constexpr (!std::is_same_v<Parent, thread_block>)
        static_assert(tile_size < Parent::size(), "a tile must be smaller than its parent");
    return details::Access::make<thread_block_tile<tile_size, Parent>>(
        parent.thread_rank() / tile_size, (parent.size() + tile_size - 1) / tile_size);
}

/// Divides a group into groups of `size` threads with consecutive ranks; the last group may have fewer.
/// `size` is a power of 2 of at most 32.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    details::check_tile(size);
    const unsigned lanes = details::Access::lanes(parent);
    const unsigned first = parent.thread_rank() / size * size;
    const unsigned ranks = details::low_bits(size) << first & details::low_bits(parent.size());
    return details::Access::make<coalesced_group>(details::lanes_of_ranks(lanes, ranks), first / size,
                                                  (parent.size() + size - 1) / size);
}
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
    details::check_tile(size);
    const unsigned first = static_cast<unsigned>(parent.thread_rank()) / size * size;
    if (details::Access::is_large(parent))
        details::emulation::fail_kernel("tiled_partition of a cluster or a grid");
    if (details::Access::is_block(parent))
        return details::Access::make<thread_group>(details::low_bits(size) << first % 32);
    return details::Access::make<thread_group>(
        details::lanes_of_ranks(details::Access::lanes(parent), details::low_bits(size) << first));
}

// ----- Partitions by a value

/// Divides a tile or a coalesced group into groups of threads with the same integral label.
template <class Group, class Label>
coalesced_group labeled_partition(const Group& group, Label label) {
    static_assert(std::is_integral_v<Label>, "a label is an integer");
    const unsigned same = group.match_any(label);
    const auto first = static_cast<unsigned>(std::countr_zero(same));
    const unsigned all_first = group.ballot(group.thread_rank() == first);
    return details::Access::make<coalesced_group>(
        details::lanes_of_ranks(details::Access::lanes(group), same), details::rank_of_lane(all_first, first),
        static_cast<unsigned>(std::popcount(all_first)));
}
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate) {
    return labeled_partition(group, predicate);
}

// ----- Functions for all groups

template <class Group>
void sync(const Group& group) {
    group.sync();
}
inline void sync(const thread_block& group,
                 details::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    group.sync(line);
}
inline void sync(const grid_group& group,
                 details::emulation::CodeLine line = {__builtin_FILE(), __builtin_LINE()}) {
    group.sync(line);
}
template <class Group>
auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
    return group.num_threads();
}

/// One thread of the group calls the function.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
/// One thread of the tile or coalesced group calls the function; all threads get the function's result.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
    using Result = std::decay_t<std::invoke_result_t<Function, Arguments...>>;
    static_assert(!std::is_void_v<Result>, "for a function without a result there is invoke_one");
    Result result{};
    if (group.thread_rank() == 0)
        result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
    return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
