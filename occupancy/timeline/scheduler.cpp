#include "occupancy/timeline/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cudabook::occupancy {

namespace {

/// A multiprocessor's blocks, and how much of each is still to be done: 1 at its begin, 0 at its end.
class Multiprocessor {
  public:
    explicit Multiprocessor(const std::vector<double>& block_us) : block_us_(&block_us) {}

    [[nodiscard]] std::size_t size() const { return blocks_.size(); }
    [[nodiscard]] bool has_place() const { return size() < block_us_->size(); }

    void take(int number, double now) {
        advance(now);
        blocks_.push_back({number, 1});
    }
    /// When the next block ends if none is taken before.
    [[nodiscard]] double next_end() const {
        double least = std::numeric_limits<double>::infinity();
        for (const Block& block : blocks_) least = std::min(least, block.left);
        return blocks_.empty() ? least : now_ + least * pace();
    }
    /// Removes the blocks that end at next_end(), and returns their numbers.
    std::vector<int> end() {
        advance(next_end());
        std::vector<int> ended;
        std::erase_if(blocks_, [&](const Block& block) {
            constexpr double nothing = 1e-9;
            if (block.left > nothing) return false;
            ended.push_back(block.number);
            return true;
        });
        return ended;
    }

  private:
    struct Block {
        int number;
        double left;
    };

    /// The duration of a block with as many resident as now.
    [[nodiscard]] double pace() const { return (*block_us_)[size() - 1]; }
    void advance(double now) {
        if (!blocks_.empty())
            for (Block& block : blocks_) block.left -= (now - now_) / pace();
        now_ = now;
    }

    const std::vector<double>* block_us_;
    std::vector<Block> blocks_;
    double now_ = 0;
};

}  // namespace

Timeline predict(const Machine& machine, int blocks) {
    std::vector<Multiprocessor> all(static_cast<std::size_t>(machine.multiprocessors),
                                    Multiprocessor(machine.block_us));
    Timeline timeline(static_cast<std::size_t>(blocks));
    int next = 0;
    const auto hand_out = [&](double now) {
        for (; next < blocks; ++next) {
            const auto to = std::ranges::min_element(all, {}, &Multiprocessor::size);
            if (!to->has_place()) return;
            to->take(next, now);
            timeline[static_cast<std::size_t>(next)] = {static_cast<int>(to - all.begin()), now, now};
        }
    };
    hand_out(0);
    for (int ended = 0; ended < blocks;) {
        const auto first = std::ranges::min_element(all, {}, &Multiprocessor::next_end);
        const double now = first->next_end();
        for (const int number : first->end()) {
            timeline[static_cast<std::size_t>(number)].end_us = now;
            ++ended;
        }
        hand_out(now);
    }
    return timeline;
}

}  // namespace cudabook::occupancy
