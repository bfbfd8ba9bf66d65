#include "emulator/counting/block_order.hpp"

#include <algorithm>
#include <utility>

namespace cudabook::emulation {

BlockOrder::BlockOrder() : keys_(64), blocks_(keys_.size()) { forget(); }

void BlockOrder::forget() {
    if (first_step_.size() != 1) std::ranges::fill(keys_, 0);
    first_step_.assign(1, none);
    steps_.clear();
    is_sorted_ = false;
}

BlockOrder::Block BlockOrder::add(std::size_t slot, std::uint64_t key) {
    const auto block = static_cast<Block>(first_step_.size());
    first_step_.push_back(none);
    is_sorted_ = false;
    keys_[slot] = key;
    blocks_[slot] = block;
    if (first_step_.size() * 2 > keys_.size()) {
        const auto keys = std::exchange(keys_, std::vector<std::uint64_t>(keys_.size() * 2));
        const auto blocks = std::exchange(blocks_, std::vector<Block>(keys_.size()));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (keys[i] == 0) continue;
            std::size_t to = slot_of(keys[i]);
            while (keys_[to] != 0) to = (to + 1) & (keys_.size() - 1);
            keys_[to] = keys[i];
            blocks_[to] = blocks[i];
        }
    }
    return block;
}

void BlockOrder::sort_anew() {
    positions_.assign(first_step_.size(), {});
    part_of_.assign(first_step_.size(), 0);
    sorted_ = parts_ = 0;
    std::vector<Block> all(first_step_.size());
    for (Block block = 0; block < all.size(); ++block) all[block] = block;
    sort_part(all);
    is_sorted_ = true;
}

/// Gives positions to the blocks of a part. The part's first block is its entry.
void BlockOrder::sort_part(const std::vector<Block>& part) {
    const unsigned number = ++parts_;
    for (const Block block : part) part_of_[block] = number;
    for (std::vector<Block>& component : components_of(part)) {
        const Block first = component.front();
        positions_[first].here = sorted_++;
        component.erase(component.begin());
        if (!component.empty()) sort_part(component);
        positions_[first].end_of_loop = sorted_++;
    }
}

/// Returns the strongly connected components of a part in topological order, by Tarjan's algorithm without
/// recursion. A component's blocks are in the order in which a search from the part's first block finds them.
std::vector<std::vector<BlockOrder::Block>> BlockOrder::components_of(const std::vector<Block>& part) {
    struct Visit {
        Block block;
        std::uint32_t step;  ///< the next step from the block
    };
    const unsigned number = part_of_[part.front()];
    std::vector<unsigned> found(first_step_.size(), 0);  // the time of the visit; 0 if not yet visited
    std::vector<unsigned> least(first_step_.size(), 0);
    std::vector<bool> is_open(first_step_.size(), false);
    std::vector<Block> open;
    std::vector<Visit> visits;
    std::vector<std::vector<Block>> components;
    unsigned now = 0;
    const auto visit = [&](Block block) {
        found[block] = least[block] = ++now;
        is_open[block] = true;
        open.push_back(block);
        visits.push_back({block, first_step_[block]});
    };
    for (const Block root : part) {
        if (found[root] != 0) continue;
        visit(root);
        while (!visits.empty()) {
            const Block block = visits.back().block;
            if (visits.back().step != none) {
                const auto [to, next] = steps_[visits.back().step];
                visits.back().step = next;
                if (part_of_[to] != number) continue;
                if (found[to] == 0)
                    visit(to);
                else if (is_open[to])
                    least[block] = std::min(least[block], found[to]);
                continue;
            }
            visits.pop_back();
            if (!visits.empty()) {
                unsigned& of_caller = least[visits.back().block];
                of_caller = std::min(of_caller, least[block]);
            }
            if (least[block] != found[block]) continue;
            const auto begin = std::ranges::find(open, block);
            for (auto at = begin; at != open.end(); ++at) is_open[*at] = false;
            components.emplace_back(begin, open.end());
            open.erase(begin, open.end());
        }
    }
    std::ranges::reverse(components);
    return components;
}

}  // namespace cudabook::emulation
