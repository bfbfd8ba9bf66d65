// The basic blocks that the lanes of a warp run through, and an order of these blocks. When lanes have
// diverged, the order decides which lanes go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudabook::emulation {

/// A control-flow graph. Its nodes are basic blocks. Its edges are the steps between blocks that lanes have
/// made. The blocks are sorted in Bourdoncle's weak topological order ("Efficient chaotic iteration
/// strategies with widenings", 1993): each step leads forward, or back to the first block of a loop that
/// contains both blocks. The blocks of a loop are consecutive.
class BlockOrder {
  public:
    using Block = std::uint32_t;
    static constexpr Block begin = 0;  ///< the block in which each thread begins

    BlockOrder();

    void forget();

    /// Returns the number of the block with this key. A new key gets a new number. A key is never 0.
    Block block_of(std::uint64_t key) {
        std::size_t slot = slot_of(key);
        for (; keys_[slot] != 0; slot = (slot + 1) & (keys_.size() - 1))
            if (keys_[slot] == key) return blocks_[slot];
        return add(slot, key);
    }

    /// Adds the step between these blocks to the graph.
    void see(Block from, Block to) {
        for (std::uint32_t step = first_step_[from]; step != none; step = steps_[step].next)
            if (steps_[step].to == to) return;
        steps_.push_back({to, first_step_[from]});
        first_step_[from] = static_cast<std::uint32_t>(steps_.size() - 1);
        is_sorted_ = false;
    }

    /// Sorts the blocks. The positions are valid until a block or a step is added.
    void sort() {
        if (!is_sorted_) sort_anew();
    }

    [[nodiscard]] unsigned position(Block block) const { return positions_[block].here; }

    /// Returns the position behind the last block of the loop that begins with this block.
    [[nodiscard]] unsigned end_of_loop(Block first) const { return positions_[first].end_of_loop; }

  private:
    static constexpr std::uint32_t none = ~0U;
    struct Step {
        Block to;
        std::uint32_t next;  ///< the next step of the same block, or none
    };
    struct Position {
        unsigned here = 0;
        unsigned end_of_loop = 0;
    };

    [[nodiscard]] std::size_t slot_of(std::uint64_t key) const {
        return (key * 0x9e37'79b9'7f4a'7c15U >> 32U) & (keys_.size() - 1);
    }
    Block add(std::size_t slot, std::uint64_t key);
    void sort_anew();
    void sort_part(const std::vector<Block>& part);
    std::vector<std::vector<Block>> components_of(const std::vector<Block>& part);

    // A hash table with open addressing: keys and blocks. Key 0 marks an empty slot.
    std::vector<std::uint64_t> keys_;
    std::vector<Block> blocks_;

    std::vector<std::uint32_t> first_step_;  ///< the first step of each block, or none
    std::vector<Step> steps_;
    std::vector<Position> positions_;
    bool is_sorted_ = false;

    // Used while sorting.
    unsigned sorted_ = 0;
    std::vector<unsigned> part_of_;  ///< for each block: the number of the part of the graph that contains it
    unsigned parts_ = 0;
};

}  // namespace cudabook::emulation
