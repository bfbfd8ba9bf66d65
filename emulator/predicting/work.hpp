// The work of a launch, from which its time is predicted.
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

/// Rounds: how often the warps wait for memory. A warp waits once for all its requests in one turn of a loop,
/// or between two barriers. It waits separately for a load that depends on another load of the same basic
/// block. If nvcc unrolls a loop, the warp waits once for the loads of several turns. But a turn that stores
/// to global memory keeps its own wait: nvcc does not know that the next turn loads from other addresses.
struct Rounds {
    double loads = 0;
    double fetches = 0;
    double shared = 0;

    Rounds& operator+=(const Rounds& more);
    friend Rounds operator*(const Rounds& one, double times);
};

/// The instructions of the basic blocks, by how warps enter the blocks. Unrolling removes instructions, which
/// are not included: for each turn of an unrolled loop of one basic block, three integer instructions (its
/// counter and pointers); and after the first turn of an innermost loop that indexes a local array of the
/// thread, all integer instructions and branches.
struct InstructionsByEntry {
    Instructions once;      ///< the first time that a warp enters the block
    Instructions again;     ///< later times, not in turns of an unrolled loop
    Instructions in_turns;  ///< later times, in turns of an unrolled loop that is this block
};

/// The clocks of the warps' chains of dependent instructions.
struct ChainClocks {
    double all = 0;            ///< all chains outside turns of unrolled loops
    double in_turns = 0;       ///< turns of unrolled loops, if each begins after the end of the turn before
    double between_turns = 0;  ///< turns of unrolled loops, if each waits only for the values that it needs

    friend ChainClocks operator*(const ChainClocks& one, double times);
};

/// The requests of warps, as the multiprocessors' caches and texture units see them.
struct Requests {
    double load_lines = 0;  ///< the sum of the lines of 128 bytes that each request touches
    double store_lines = 0;
    double load_clocks = 0;  ///< how long the cache is busy with loads
    double store_clocks = 0;
    double fetch_clocks = 0;  ///< how long the texture unit is busy with fetches and surface loads

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
    Rounds rounds;           ///< all rounds outside turns of unrolled loops
    Rounds rounds_unrolled;  ///< in turns of unrolled loops with LoopCounter::to_variable
    Rounds rounds_counted;   ///< in turns of unrolled loops with LoopCounter::to_number
    CacheTraffic traffic;
    double steps = 0;  ///< the entries to basic blocks plus the requests, of all warps
    /// Sums over the thread blocks: the steps of the block's longest warp, and the square of these steps. The
    /// squares tell how uneven the blocks are.
    double longest_steps = 0;
    double squared_longest_steps = 0;
    double hottest_atomics = 0;  ///< the most atomic operations of warps on one sector of 32 bytes
    bool uses_tensor_cores = false;
    bool calls_printf_or_heap = false;  ///< the kernel prints, or allocates or frees memory of the heap

    /// Returns the work of `times` times as many blocks.
    [[nodiscard]] Work times(double times) const;
};

/// The work of one launch, to which several threads of the host add the work of their blocks.
class LaunchWork {
  public:
    /// Which blocks are counted: all; some, if the launch is large; or none, if the time of an equal launch
    /// is already known.
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
        Rounds rounds_in_turns = {};  ///< rounds that end with a turn of a loop, if the turn stores nothing
        std::uint32_t loop_end = 0;   ///< the loop's last block, if this block begins a loop; else 0
        std::uint64_t block = ~std::uint64_t{0};  ///< the last thread block that has entered
        std::uint32_t warps = 0;                  ///< a bit for each warp of `block` that has entered
    };
    using EntriesByPlace = std::unordered_map<std::uint32_t, Entries>;

    /// The atomic operations of warps on a sector of 32 bytes.
    struct Atomics {
        std::uint64_t count = 0;
        std::uint64_t block = 0;  ///< the last thread block that made an operation
        bool is_of_several_blocks = false;
    };
    using AtomicsBySector = std::unordered_map<std::uint64_t, Atomics>;

    /// Adds the work of some thread blocks, and clears `accesses`. `work` has no instructions and no traffic:
    /// finish() computes them.
    void add(const Work& work, const EntriesByPlace& entries, const AtomicsBySector& atomics,
             std::vector<LineAccess>& accesses);

    /// Returns the work of all blocks of the launch, extrapolated from the counted blocks. `l1_bytes` is the
    /// size of a multiprocessor's cache for data. If `is_first` is true, no earlier launch has filled L2, so
    /// the accesses of this launch first fill it without being counted.
    Work finish(MachineCode& code, Caches& caches, double l1_bytes, bool is_first);

  private:
    [[nodiscard]] bool counts_wave(std::uint64_t wave) const;
    /// Returns whether the traffic of a wave is counted. In a sampled launch, blocks of two waves
    /// are counted, but the first wave only fills the caches.
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

    /// Notes that a warp, or a part of it, has entered a basic block `times` times in a row.
    void enter(unsigned warp, std::uint32_t place, std::uint64_t times);

    /// Counts an access to linear memory, or a fetch whose address is only near its texels.
    void count(unsigned warp, Access access, const Request& request);

    /// Counts an access to a plane: a fetch, or a load or store of a surface.
    void count(unsigned warp, Access access, const Request& request, const PlaneInMemory& plane);

    void use_tensor_cores() { work_.uses_tensor_cores = true; }

    /// `counts` are the counts of the blocks that this thread has run.
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
    /// Adds the lines that the request touches. Returns their number.
    unsigned add_lines(std::uint32_t turn, LineAccess::Kind kind, const Request& request, unsigned bytes);

    LaunchWork* launch_ = nullptr;
    std::uint64_t block_ = 0;
    std::array<Path, most_warps> paths_;
    Work work_;
    LaunchWork::EntriesByPlace entries_;
    LaunchWork::AtomicsBySector atomics_;
    std::size_t most_sectors_ = std::size_t{1} << 16U;  ///< if atomics_ has more, some are dropped
    std::vector<LineAccess> accesses_;
};

}  // namespace cudabook::emulation
