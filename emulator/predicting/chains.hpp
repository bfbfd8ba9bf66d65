// The chains of dependent instructions of a basic block. The longest chain is the time that a warp needs for
// the block if no other warp is in its way.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "emulator/predicting/instructions.hpp"

namespace cudabook::emulation {

/// Follows the instructions of a block, as objdump(1) prints them, and computes when each result is ready, in
/// clocks. The waits of loads for memory are not counted.
class DependencyChains {
  public:
    /// Adds an instruction. `instructions` is what it becomes on a GPU.
    void execute(std::string_view mnemonic, std::string_view operands, const Instructions& instructions);

    /// Adds a call of a function. Its result is ready when all vector registers are. `instructions` is what
    /// the function executes on a GPU.
    void call(const Instructions& instructions);

    /// Returns the clocks from the first instruction to the last result.
    [[nodiscard]] double clocks() const { return clocks_; }

  private:
    /// Returns when the value of an operand is ready.
    [[nodiscard]] double ready(std::string_view operand) const;
    /// Returns when an operand of a sum is ready. A product takes no time: it is fused with the sum.
    [[nodiscard]] double ready_for_sum(std::string_view operand) const;
    void set(std::string_view operand, double when);

    std::map<std::string, double, std::less<>>
        ready_;  ///< keys: registers without their sizes, and slots such as 8(%rsp)
    std::map<std::string, double, std::less<>>
        products_;  ///< registers that hold products: the clocks of the multiplication
    double flags_ready_ = 0;
    double clocks_ = 0;
};

}  // namespace cudabook::emulation
