// Which registers and stack slots of a basic block hold values that the block has loaded from the GPU's
// memory.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// Follows the instructions of a block, as objdump(1) prints them, to find dependent loads: a load whose
/// address depends on a loaded value can only begin when this value has arrived.
class LoadedValues {
  public:
    /// Call this where the instrumented code calls a function to announce a load. The load's address is in
    /// %rdi. Returns whether the address depends on a loaded value.
    bool announce_load();

    /// Call this for a call of any other function, which may change the caller-saved registers.
    void call();

    void execute(std::string_view mnemonic, std::string_view operands);

  private:
    [[nodiscard]] bool holds(std::string_view operand) const;

    std::set<std::string, std::less<>> places_;  ///< registers without their sizes, and slots such as 8(%rsp)
    bool is_announced_ = false;                  ///< the next read of memory is an announced load
};

}  // namespace cudabook::emulation
