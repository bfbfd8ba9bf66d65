// The instructions of a basic block, as the machine code of this program shows them.
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

/// Numbers of warp instructions, by the unit of a GPU that executes them. Loads, stores, fetches, barriers
/// and shuffles are not included, because the counters count them.
struct Instructions {
    double fp32 = 0;     ///< additions, multiplications and fused multiply-adds of 32 bits
    double fp64 = 0;     ///< the same operations with 64 bits
    double integer = 0;  ///< integer arithmetic, comparisons, selections
    double special = 0;  ///< reciprocals, roots, sines, exponentials
    double conversion = 0;
    double branch = 0;

    Instructions& operator+=(const Instructions& more);
    friend Instructions operator+(Instructions one, const Instructions& more);
    friend Instructions operator*(const Instructions& one, double times);
    [[nodiscard]] double sum() const { return fp32 + fp64 + integer + special + conversion + branch; }
};

/// Returns the GPU instructions for an x86-64 instruction, which is given as objdump(1) prints it. A move
/// gives no instruction: a GPU needs few moves, because its instructions have three operands and it has more
/// registers.
Instructions instructions_of(std::string_view mnemonic, std::string_view operands);

/// Returns the GPU instructions for a call of a mathematical function, such as sinf, or no instructions if
/// the function is unknown. The numbers are taken from CUDA's own functions, and right to a few instructions.
Instructions instructions_of_call(std::string_view function);

/// A basic block.
struct CodeBlock {
    Instructions instructions;

    /// True if the block indexes a local array of the thread with a variable. Registers cannot be indexed by
    /// a variable, so nvcc unrolls the loop around the block to keep the array in registers.
    bool indexes_own_array = false;

    LoopCounter counter = LoopCounter::none;  ///< how the loop counts, if this is its last block

    /// The clocks of the longest chain of dependent instructions, from the beginning of the block.
    double chain = 0;

    /// The clocks that a second turn adds, if each of its instructions begins as soon as its operands are
    /// ready.
    double chain_of_turn = 0;

    /// True if the block prints, or allocates or frees memory of the heap.
    bool calls_printf_or_heap = false;

    /// True if a load's address depends on a value that the block has loaded, in this turn or the turn
    /// before.
    bool has_dependent_load = false;
};

/// The machine code of this program. objdump(1) reads the parts that are needed.
class MachineCode {
  public:
    /// Returns the basic block that begins at this place, an address in the program's file. A block ends at a
    /// return, or where the next block begins with a call of __sanitizer_cov_trace_pc.
    const CodeBlock& block_at(std::uint64_t place);

    [[nodiscard]] bool has(std::uint64_t place) const { return lines_.contains(place); }

    /// Returns whether this place is less than the size of the program's file.
    [[nodiscard]] static bool is_in_file(std::uint64_t place) {
        static const std::uint64_t bytes = std::filesystem::file_size("/proc/self/exe");
        return place < bytes;
    }

    /// Reads the code from the beginning of the block at `first` to the end of the block at `last`.
    void read(std::uint64_t first, std::uint64_t last);

    /// Returns whether these places of code that has been read are in the same function.
    [[nodiscard]] bool are_in_one_function(std::uint64_t first, std::uint64_t second) const;

    /// Errors: MachineError if this processor is not an x86-64, or if objdump is missing.
    static void check_readable();

  private:
    struct Line {
        std::string mnemonic;
        std::string operands;
    };
    [[nodiscard]] CodeBlock read_block(std::uint64_t place) const;
    /// Returns the lines of the block that begins at this place.
    [[nodiscard]] std::vector<const Line*> lines_of_block(std::uint64_t place) const;

    std::map<std::uint64_t, Line> lines_;
    std::set<std::uint64_t> functions_;  ///< the places where functions begin
    std::map<std::uint64_t, CodeBlock> blocks_;
};

}  // namespace cudabook::emulation
