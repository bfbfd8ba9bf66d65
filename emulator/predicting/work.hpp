// The work of a launch, which the prediction of its time begins with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "common/program/counts.hpp"
#include "emulator/counting/warp_log.hpp"
#include "emulator/predicting/caches.hpp"
#include "emulator/predicting/instructions.hpp"
#include "emulator/textures/array.hpp"

namespace cudabook::emulation {

/// The sizes of a launch.
struct LaunchShape {
    const void* kernel = nullptr;
    std::uint64_t blocks = 0;
    unsigned threads = 0;                   ///< of a block
    std::size_t shared_bytes = 0;           ///< of a block, static and dynamic
    unsigned blocks_of_multiprocessor = 1;  ///< how many blocks a multiprocessor can hold
    friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// How often the warps wait for memory. What a warp asks for between two turns of a loop, or between two
/// barriers, it awaits together, except a load that depends on a load of the same basic block. nvcc unrolls
/// some loops, and then the warp awaits the loads of several turns together, unless a turn stores to global
/// memory: nvcc does not know that the next turn loads from elsewhere.
struct Rounds {
    double loads = 0;
    double fetches = 0;
    double shared = 0;

    Rounds& operator+=(const Rounds& more);
    friend Rounds operator*(const Rounds& one, double times);
};

/// The instructions of the basic blocks, by how they are entered. The counter and the pointers of an unrolled
/// loop, three integers for each turn of a loop that is one basic block, are not here; nor are, after the
/// first turn, the integers and branches of the innermost loops that index an array of the thread's own.
struct InstructionsByEntry {
    Instructions once;      ///< the first time that a warp enters the block
    Instructions again;     ///< later times, elsewhere
    Instructions in_turns;  ///< later times, from the block itself, in an unrolled loop
};

/// The clocks of the warps' chains of dependent instructions.
struct ChainClocks {
    double all = 0;            ///< without the next ones
    double in_turns = 0;       ///< of turns of unrolled loops, if a turn begins after the other
    double between_turns = 0;  ///< the same, if a turn waits only for the values that it needs

    friend ChainClocks operator*(const ChainClocks& one, double times);
};

/// The requests of warps, as the multiprocessors' caches and texture units see them.
struct Requests {
    double load_lines = 0;  ///< lines of 128 bytes, request by request
    double store_lines = 0;
    double load_clocks = 0;  ///< how long the cache is busy with loads
    double store_clocks = 0;
    double fetch_clocks = 0;  ///< how long the texture unit is busy, with surfaces too

    Requests& operator+=(const Requests& more);
    friend Requests operator*(const Requests& one, double times);
};

/// What some blocks of a launch do.
struct Work {
    double blocks = 0;
    double warps = 0;
    Counts counts;
    InstructionsByEntry instructions;
    ChainClocks chains;
    Requests requests;
    Rounds rounds;           ///< without the next ones
    Rounds rounds_unrolled;  ///< of the turns of loops that nvcc unrolls
    Rounds rounds_counted;   ///< the same, of loops whose number of turns nvcc mostly knows
    CacheTraffic traffic;
    double steps = 0;  ///< of all warps: the basic blocks that they enter, and their requests
    /// The steps of each block's longest warp, and their squares, which say how uneven the blocks are.
    double longest_steps = 0;
    double squared_longest_steps = 0;
    double hottest_atomics = 0;  ///< the atomic operations of warps on the sector of 32 bytes that has most
    bool uses_tensor_cores = false;
    bool calls_printf_or_heap = false;  ///< it prints, or takes or frees memory of the heap

    /// Returns the work of `times` as many blocks.
    [[nodiscard]] Work times(double times) const;
};

/// The work of one launch, to which several threads of the host add the work of their blocks.
class LaunchWork {
  public:
    /// Which blocks are counted: all of them; some of a large launch; none, if the time of such a launch is
    /// known already.
    enum class Counted { all, some, none };
    LaunchWork(const LaunchShape& shape, unsigned multiprocessors, Counted counted);

    [[nodiscard]] const LaunchShape& shape() const { return shape_; }

    /// Returns whether the work of a block is counted.
    [[nodiscard]] bool counts(std::uint64_t block) const {
        return counts_any_ && counts_wave(block / blocks_at_once_);
    }
    [[nodiscard]] bool counts_any() const { return counts_any_; }
    [[nodiscard]] bool is_sampled() const { return is_sampled_; }

    [[nodiscard]] const FollowedLines& followed() const { return followed_; }

    /// How often warps enter a basic block.
    struct Entries {
        double once = 0;
        double again = 0;
        double in_turns = 0;
        Rounds rounds_in_turns = {};  ///< those that end at the next turn of a loop, if it stores nothing
        std::uint32_t loop_end = 0;   ///< the last block from which this one is entered, if it begins a loop
        std::uint64_t block = ~std::uint64_t{0};  ///< the last thread block that has entered it,
        std::uint32_t warps = 0;                  ///< and a bit for each of its warps that have
    };
    using EntriesByPlace = std::unordered_map<std::uint32_t, Entries>;

    /// The atomic operations of warps on a sector of 32 bytes.
    struct Atomics {
        std::uint64_t count = 0;
        std::uint64_t block = 0;  ///< the last block with one
        bool is_of_several_blocks = false;
    };
    using AtomicsBySector = std::unordered_map<std::uint64_t, Atomics>;

    /// Adds the work of blocks, whose instructions and traffic are not known yet.
    void add(const Work& work, const EntriesByPlace& entries, const AtomicsBySector& atomics,
             std::vector<LineAccess>& accesses);

    /// Returns the work of all blocks of the launch: that of the counted blocks, multiplied. `l1_bytes` is
    /// the size of a multiprocessor's cache for data. `is_first`: L2 does not have the data of an earlier
    /// launch; then it gets those of this launch first.
    Work finish(MachineCode& code, Caches& caches, double l1_bytes, bool is_first);

  private:
    [[nodiscard]] bool counts_wave(std::uint64_t wave) const;
    /// Of a sampled launch, the first of two waves only fills the caches.
    [[nodiscard]] bool counts_traffic_of(std::uint64_t wave) const;

    LaunchShape shape_;
    std::uint64_t blocks_at_once_;
    std::uint64_t waves_;
    FollowedLines followed_;
    bool counts_any_;
    bool is_sampled_;
    std::mutex mutex_;
    Work work_;
    EntriesByPlace entries_;
    AtomicsBySector atomics_;
    std::vector<LineAccess> accesses_;
};

/// Counts the work of the blocks that one thread of the host runs, for the prediction.
class WorkCounter {
  public:
    void begin_launch(LaunchWork* launch);
    void begin_block(std::uint64_t block, unsigned warps);

    /// A warp, or a part of it, enters a basic block.
    void enter(unsigned warp, std::uint32_t place, std::uint64_t times);

    /// Counts an access to linear memory, or one of which only an address near it is known.
    void count(unsigned warp, Access access, const Request& request);

    /// Counts an access to a plane: a fetch, or a load or store of a surface.
    void count(unsigned warp, Access access, const Request& request, const PlaneInMemory& plane);

    void use_tensor_cores() { work_.uses_tensor_cores = true; }

    /// `counts`: the counts of the blocks of this thread.
    void end_launch(const Counts& counts);

  private:
    static constexpr unsigned most_warps = 32;
    struct Path {
        std::uint32_t place = 0;
        std::uint32_t turn = 0;
        double steps = 0;
        bool has_loads = false;
        bool has_fetches = false;
        bool has_shared = false;
        bool has_stores = false;
    };

    static void end_round(Path& path, Rounds& rounds);
    void end_paths();
    void add_atomics(const Request& request);
    /// Returns how many lines the request touches.
    unsigned add_lines(std::uint32_t turn, LineAccess::Kind kind, const Request& request, unsigned bytes);

    LaunchWork* launch_ = nullptr;
    std::uint64_t block_ = 0;
    std::array<Path, most_warps> paths_;
    Work work_;
    LaunchWork::EntriesByPlace entries_;
    LaunchWork::AtomicsBySector atomics_;
    std::size_t most_sectors_ = std::size_t{1} << 16U;  ///< of atomics_, until some are dropped
    std::vector<LineAccess> accesses_;
};

}  // namespace cudabook::emulation
