// The chains of dependent instructions of a basic block: how long a warp takes for it that nobody hinders.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "emulator/predicting/instructions.hpp"

namespace cudabook::emulation {

/// Follows the instructions of a block, as objdump(1) prints them, and when their results are there. What a
/// load waits for memory is not counted.
class DependencyChains {
  public:
    /// `instructions`: what the instruction is on a GPU.
    void execute(std::string_view mnemonic, std::string_view operands, const Instructions& instructions);

    /// A call of a function, whose result is made from the values of the vector registers.
    void call(const Instructions& instructions);

    /// Returns the clocks from the first instruction to the last result.
    [[nodiscard]] double clocks() const { return clocks_; }

  private:
    /// Returns when the value of an operand is there.
    [[nodiscard]] double ready(std::string_view operand) const;
    /// Returns when the value of an operand of a sum is there; a product is a part of the sum.
    [[nodiscard]] double ready_for_sum(std::string_view operand) const;
    void set(std::string_view operand, double when);

    std::map<std::string, double, std::less<>>
        ready_;  ///< of registers without their sizes, and of slots such as 8(%rsp)
    std::map<std::string, double, std::less<>>
        products_;  ///< the registers that hold products, which took so long
    double flags_ready_ = 0;
    double clocks_ = 0;
};

}  // namespace cudabook::emulation
