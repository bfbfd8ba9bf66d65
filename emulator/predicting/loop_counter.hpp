// How a loop counts its turns, from the machine code of its last basic block.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace cudabook::emulation {

/// How a loop counts its turns. nvcc unrolls a loop if it can compute the number of turns without a division.
enum class LoopCounter {
    none,         ///< no counter, or steps of a variable size, such as the number of threads of the grid
    to_variable,  ///< steps of a constant size, to the value of a variable
    to_number     ///< steps of a constant size, to a constant: nvcc mostly knows the number of turns
};

/// Mnemonics and operands, as objdump(1) prints them.
using CodeLines = std::vector<std::pair<std::string_view, std::string_view>>;

/// Returns how a loop counts its turns if its last block has these lines. The counter is the register or the
/// stack slot that the block compares last. Returns LoopCounter::none if the block ends no loop.
LoopCounter loop_counter_of(const CodeLines& lines);

}  // namespace cudabook::emulation
