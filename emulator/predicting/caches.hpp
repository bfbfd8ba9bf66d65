// A model of a GPU's caches, which is fed with the addresses of a launch's accesses.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <unordered_map>
#include <vector>

namespace cudabook::emulation {

/// An access of a warp to one line of 128 bytes.
struct LineAccess {
    /// pitched_fetch: a fetch from a two-dimensional texture over pitched linear memory.
    enum class Kind : std::uint8_t { load, pitched_fetch, store, atomic };
    std::uint64_t line;    ///< address / 128
    std::uint64_t block;   ///< the block's number in the grid
    std::uint32_t turn;    ///< the request's number among the requests of its warp
    std::uint8_t sectors;  ///< a bit for each sector of 32 bytes
    Kind kind;
};

/// The traffic of a launch at each level of the memory hierarchy, in sectors of 32 bytes. Sectors that miss
/// in L1 are loaded from L2. Sectors that miss in L2 are loaded from memory.
struct CacheTraffic {
    double l1_loads = 0;
    double l2_loads = 0;
    /// Requests of multiprocessors to L2. Each asks for sectors of one line of 128 bytes. A pitched fetch
    /// makes one request for each sector: on an H200, it takes as long as if each sector were in its own
    /// line.
    double l2_lines = 0;
    double l2_stores = 0;
    double l2_atomics = 0;
    double memory_loads = 0;
    double lone_loads = 0;  ///< sectors of memory_loads whose neighbour in the same 64 bytes is not loaded
    double memory_stores = 0;

    friend CacheTraffic operator*(const CacheTraffic& one, double times);
};

/// A cache that loads single sectors of lines, and evicts the least recently used lines.
class LruCache {
  public:
    explicit LruCache(double bytes) : bytes_(bytes) {}

    /// The sectors of a line that the cache had to load, and the sectors that it held before: a bit for each.
    struct Used {
        unsigned missing;
        unsigned held;
    };

    /// Accesses sectors of a line. In a sample of lines, this line stands for `lines` lines.
    Used use(std::uint64_t line, unsigned sectors, double lines);

    /// Loads this many bytes of other lines, which are not used again.
    void load_others(double bytes);

    /// Marks sectors of a line that is in the cache. Returns the sectors that were not marked yet.
    unsigned mark(std::uint64_t line, unsigned sectors);

    /// Drops the lines for which `is_dropped` returns true. Each kept line stands for twice as many lines.
    void drop_half(const std::function<bool(std::uint64_t)>& is_dropped);

    [[nodiscard]] double loaded_bytes() const { return loaded_bytes_; }

  private:
    struct Line {
        std::uint64_t line;
        unsigned sectors;
        unsigned marked;
        double bytes;
    };
    void load(double bytes);
    void drop_last();

    double bytes_;
    double held_bytes_ = 0;
    double loaded_bytes_ = 0;
    std::list<Line> lines_;  ///< the most recently used first
    std::unordered_map<std::uint64_t, std::list<Line>::iterator> by_line_;
};

/// The lines of a launch that the model follows. They are a sample of all lines: the lines with a small hash
/// value. Each call of halve() halves the sample. Source: Waldspurger and others, "Efficient MRC Construction
/// with SHARDS", FAST 2015.
class FollowedLines {
  public:
    /// Threads may call this while another thread calls halve().
    [[nodiscard]] bool has(std::uint64_t line) const {
        return hash_of(line) >> (32 - halvings_.load(std::memory_order_relaxed)) == 0;
    }
    void halve() { ++halvings_; }
    [[nodiscard]] unsigned halvings() const { return halvings_; }

  private:
    static std::uint64_t hash_of(std::uint64_t line) {
        line *= 0x9e37'79b9'7f4a'7c15U;
        line ^= line >> 29U;
        line *= 0xbf58'476d'1ce4'e5b9U;
        return line >> 32U;
    }
    std::atomic<unsigned> halvings_{0};
};

/// A model of a GPU's caches: an L1 cache in each multiprocessor, and L2.
class Caches {
  public:
    Caches(double l2_bytes, unsigned multiprocessors);

    /// How a launch occupies the GPU.
    struct Residency {
        std::uint64_t blocks;          ///< the blocks of the grid
        std::uint64_t blocks_at_once;  ///< the blocks that all multiprocessors together run at the same time
        double l1_bytes;               ///< the size of a multiprocessor's cache
        double bytes_of_wave = 0;  ///< bytes that L2 loads in each wave before the first wave with accesses
    };

    /// Simulates the accesses of a launch, one wave of resident blocks after another. Within a wave, the
    /// first requests of all warps come before their second requests. Returns the traffic of the waves for
    /// which `counts` returns true. A wave without accesses is assumed to load as many bytes as the last wave
    /// with accesses before it.
    CacheTraffic run(std::vector<LineAccess> accesses, const FollowedLines& followed,
                     const Residency& residency, const std::function<bool(std::uint64_t wave)>& counts);

    /// Returns the bytes that L2 has loaded in the last wave with accesses of the last run.
    [[nodiscard]] double bytes_of_wave() const { return bytes_of_wave_; }

  private:
    double l2_bytes_;
    unsigned multiprocessors_;
    unsigned halvings_ = 0;  ///< how often the sample of lines in L2 was halved
    LruCache l2_;
    double bytes_of_wave_ = 0;
};

}  // namespace cudabook::emulation
