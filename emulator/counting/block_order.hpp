// The basic blocks of a kernel that the lanes of a warp run through, and which of them comes first where
// lanes have parted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudabook::emulation {

/// A graph of blocks, of which is known what has been seen: who came after whom. Its order is Bourdoncle's
/// weak topological order ("Efficient chaotic iteration strategies with widenings", 1993): a block is in
/// front of those that come after it, and the blocks of a loop stand together, in front of what comes after
/// the loop. Where a step leads back, it leads to the first block of a loop that it is in.
class BlockOrder {
  public:
    using Block = std::uint32_t;
    static constexpr Block begin = 0;  ///< where each thread begins

    BlockOrder();

    void forget();

    /// The number of the block with this key, which is not 0; a new one if it is not known.
    Block block_of(std::uint64_t key) {
        std::size_t slot = slot_of(key);
        for (; keys_[slot] != 0; slot = (slot + 1) & (keys_.size() - 1))
            if (keys_[slot] == key) return blocks_[slot];
        return add(slot, key);
    }

    /// A lane went from one block to the other.
    void see(Block from, Block to) {
        for (std::uint32_t step = first_step_[from]; step != none; step = steps_[step].next)
            if (steps_[step].to == to) return;
        steps_.push_back({to, first_step_[from]});
        first_step_[from] = static_cast<std::uint32_t>(steps_.size() - 1);
        is_sorted_ = false;
    }

    /// Puts in order what has been seen; the positions hold until something new is seen.
    void sort() {
        if (!is_sorted_) sort_anew();
    }

    [[nodiscard]] unsigned position(Block block) const { return positions_[block].here; }

    /// Behind the loop whose first block this is.
    [[nodiscard]] unsigned end_of_loop(Block first) const { return positions_[first].end_of_loop; }

  private:
    static constexpr std::uint32_t none = ~0U;
    struct Step {
        Block to;
        std::uint32_t next;  ///< of the same block; none after the last
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

    // A table with open addressing.
    std::vector<std::uint64_t> keys_;
    std::vector<Block> blocks_;

    std::vector<std::uint32_t> first_step_;  ///< of each block
    std::vector<Step> steps_;
    std::vector<Position> positions_;
    bool is_sorted_ = false;

    // While it is sorted.
    unsigned sorted_ = 0;
    std::vector<unsigned> part_of_;  ///< of each block, the part that is being sorted
    unsigned parts_ = 0;
};

}  // namespace cudabook::emulation
