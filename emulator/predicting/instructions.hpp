// The instructions of a basic block, from the machine code of the program itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/predicting/loop_counter.hpp"

namespace cudabook::emulation {

/// The instructions of warps, by the unit of a GPU that executes them. Loads, stores, fetches, barriers and
/// shuffles are not here: the counters have them.
struct Instructions {
    double fp32 = 0;     ///< additions, multiplications and fused multiply-adds of 32 bits
    double fp64 = 0;     ///< the same of 64 bits
    double integer = 0;  ///< integer arithmetic, comparisons, selections
    double special = 0;  ///< reciprocals, roots, sines, exponentials
    double conversion = 0;
    double branch = 0;

    Instructions& operator+=(const Instructions& more);
    friend Instructions operator+(Instructions one, const Instructions& more);
    friend Instructions operator*(const Instructions& one, double times);
    [[nodiscard]] double sum() const { return fp32 + fp64 + integer + special + conversion + branch; }
};

/// Returns what an instruction of x86-64 would be on a GPU. `operands` is as objdump(1) prints it. Moves are
/// nothing: a GPU's instructions have three operands, and the compiler of the host has fewer registers.
Instructions instructions_of(std::string_view mnemonic, std::string_view operands);

/// Returns the instructions of a call of a mathematical function of the host, such as sinf; no instructions
/// if the function is not known. The numbers are those of CUDA's own functions, to a few instructions.
Instructions instructions_of_call(std::string_view function);

/// A basic block.
struct CodeBlock {
    Instructions instructions;

    /// The block indexes an array of the thread's own with a variable. A GPU has no such array in registers,
    /// so nvcc unrolls the loop that the block is in.
    bool indexes_own_array = false;

    LoopCounter counter = LoopCounter::none;  ///< if it is the last block of a loop

    /// How long its longest chain of dependent instructions takes, from the begin of the block.
    double chain = 0;

    /// The same if the block follows itself and the chains of both begin as soon as they can.
    double chain_of_turn = 0;

    /// The block prints, or takes or frees memory of the heap.
    bool calls_printf_or_heap = false;

    /// The address of a load is made from a value that the block has loaded, also in the turn before.
    bool has_dependent_load = false;
};

/// The machine code of this program, read by objdump(1) as far as it is needed.
class MachineCode {
  public:
    /// Returns the basic block that begins at this place, an address in the program's file. A block ends at a
    /// call of __sanitizer_cov_trace_pc, with which the next block begins, and at a return.
    const CodeBlock& block_at(std::uint64_t place);

    [[nodiscard]] bool has(std::uint64_t place) const { return lines_.contains(place); }

    /// Returns whether the program's file is so large that it may contain this place.
    [[nodiscard]] static bool is_in_file(std::uint64_t place) {
        static const std::uint64_t bytes = std::filesystem::file_size("/proc/self/exe");
        return place < bytes;
    }

    /// Reads the code between two places of blocks, and what follows within the last block.
    void read(std::uint64_t first, std::uint64_t last);

    /// Returns whether these places of code that has been read are in the same function.
    [[nodiscard]] bool are_in_one_function(std::uint64_t first, std::uint64_t second) const;

    /// Errors: MachineError if objdump is missing.
    static void check_objdump();

  private:
    struct Line {
        std::string mnemonic;
        std::string operands;
    };
    [[nodiscard]] CodeBlock read_block(std::uint64_t place) const;
    /// Returns the lines of the block that begins at this place.
    [[nodiscard]] std::vector<const Line*> lines_of_block(std::uint64_t place) const;

    std::map<std::uint64_t, Line> lines_;
    std::set<std::uint64_t> functions_;  ///< where they begin
    std::map<std::uint64_t, CodeBlock> blocks_;
};

}  // namespace cudabook::emulation
