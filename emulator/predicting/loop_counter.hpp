// How a loop counts its turns, from the machine code of its last basic block.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace cudabook::emulation {

/// How a loop counts its turns. nvcc unrolls a loop if it can compute the number of turns without a division.
enum class LoopCounter {
    none,         ///< it does not, or by steps of a variable size, such as the number of threads of the grid
    to_variable,  ///< by steps of a constant size
    to_number     ///< the same, to a number that is in the code: nvcc mostly knows how many turns there are
};

/// Mnemonics and operands, as objdump(1) prints them.
using CodeLines = std::vector<std::pair<std::string_view, std::string_view>>;

/// Returns how a block with these lines counts the turns of a loop that it ends: by the register or the slot
/// that it compares last. Returns LoopCounter::none if the block ends no loop.
LoopCounter loop_counter_of(const CodeLines& lines);

}  // namespace cudabook::emulation
