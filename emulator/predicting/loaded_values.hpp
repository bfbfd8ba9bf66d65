// Which registers and stack slots of a basic block hold values that the block has loaded from the GPU's
// memory.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// Follows the instructions of a block, as objdump(1) prints them. A load whose address is made from a loaded
/// value can only begin when that value is there.
class LoadedValues {
  public:
    /// The instrumented code announces a load, by a call with the address in %rdi. Returns whether the
    /// address is made from a loaded value.
    bool announce_load();

    /// A call of another function, which may change the registers that belong to the caller.
    void call();

    void execute(std::string_view mnemonic, std::string_view operands);

  private:
    [[nodiscard]] bool holds(std::string_view operand) const;

    std::set<std::string, std::less<>> places_;  ///< registers without their sizes, and slots such as 8(%rsp)
    bool is_announced_ = false;                  ///< the next read of memory is the load
};

}  // namespace cudabook::emulation
