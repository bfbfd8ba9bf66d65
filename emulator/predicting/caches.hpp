// The caches of a GPU, fed with the addresses of a launch's accesses.
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
    /// pitched_fetch: from a two-dimensional texture over linear memory.
    enum class Kind : std::uint8_t { load, pitched_fetch, store, atomic };
    std::uint64_t line;    ///< address / 128
    std::uint64_t block;   ///< the block's number in the grid
    std::uint32_t turn;    ///< the number of the request among the requests of its warp
    std::uint8_t sectors;  ///< a bit for each sector of 32 bytes
    Kind kind;
};

/// The sectors of 32 bytes that a launch asks of each level. L2 is asked for what the multiprocessors' caches
/// lack, and memory for what L2 lacks.
struct CacheTraffic {
    double l1_loads = 0;
    double l2_loads = 0;
    /// Lines of 128 bytes of which a multiprocessor asks L2 for sectors. A pitched fetch asks for each sector
    /// by itself (found on an H200: such fetches take as long as if each sector were in a line of its own).
    double l2_lines = 0;
    double l2_stores = 0;
    double l2_atomics = 0;
    double memory_loads = 0;
    double lone_loads = 0;  ///< those of memory_loads whose neighbour in 64 bytes is not loaded too
    double memory_stores = 0;

    friend CacheTraffic operator*(const CacheTraffic& one, double times);
};

/// A cache that loads sectors and drops the lines that have not been used for the longest time.
class LruCache {
  public:
    explicit LruCache(double bytes) : bytes_(bytes) {}

    /// The sectors of a line that the cache lacked when they were used, and the sectors that it held before.
    struct Used {
        unsigned missing;
        unsigned held;
    };

    /// Uses sectors of a line, which stands for `lines` lines.
    Used use(std::uint64_t line, unsigned sectors, double lines);

    /// Loads as many bytes of lines that are not used again.
    void load_others(double bytes);

    /// Marks sectors of a line that is in the cache. Returns the sectors that were not marked yet.
    unsigned mark(std::uint64_t line, unsigned sectors);

    /// Drops the lines for which `is_dropped` is true, and lets the others stand for twice as many lines.
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
    std::list<Line> lines_;  ///< the last used first
    std::unordered_map<std::uint64_t, std::list<Line>::iterator> by_line_;
};

/// The lines of a launch that the model follows: those with a small hash value. Source: Waldspurger and
/// others, "Efficient MRC Construction with SHARDS", FAST 2015.
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

/// A model of a GPU's caches: one in each multiprocessor, and L2.
class Caches {
  public:
    Caches(double l2_bytes, unsigned multiprocessors);

    /// What a launch occupies.
    struct Residency {
        std::uint64_t blocks;          ///< the blocks of the grid
        std::uint64_t blocks_at_once;  ///< the blocks that all multiprocessors together run at the same time
        double l1_bytes;               ///< the size of a multiprocessor's cache
        double bytes_of_wave = 0;      ///< what each wave loads that comes before the first one with accesses
    };

    /// Lets the blocks of a launch access the caches: a wave of resident blocks after the other, and within a
    /// wave the first requests of all warps before their second requests. Returns the traffic of the waves
    /// for which `counts` is true. Waves without accesses, behind others, load as much as the wave before.
    CacheTraffic run(std::vector<LineAccess> accesses, const FollowedLines& followed,
                     const Residency& residency, const std::function<bool(std::uint64_t wave)>& counts);

    /// Returns the bytes that L2 has loaded for the last wave of the last run.
    [[nodiscard]] double bytes_of_wave() const { return bytes_of_wave_; }

  private:
    double l2_bytes_;
    unsigned multiprocessors_;
    unsigned halvings_ = 0;  ///< of the lines in L2
    LruCache l2_;
    double bytes_of_wave_ = 0;
};

}  // namespace cudabook::emulation
