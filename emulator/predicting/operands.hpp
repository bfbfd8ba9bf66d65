// The operands of x86-64 instructions, as objdump(1) prints them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

inline bool starts_with_one_of(std::string_view name, std::initializer_list<std::string_view> starts) {
    return std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
}

/// Splits "8(%rax,%rbx,4),%ecx" at the commas outside parentheses.
std::vector<std::string_view> split_operands(std::string_view operands);

/// Returns the name of a register without its size: "a" for rax, eax, ax and al, "r8" for r8d.
std::string without_size(std::string_view name);

/// Calls use(name) for each register in an operand. `name` is the register's name without its size.
template <class Use>
void for_each_register(std::string_view operand, Use use) {
    for (std::size_t at = operand.find('%'); at != std::string_view::npos; at = operand.find('%', at + 1)) {
        const std::string_view rest = operand.substr(at + 1);
        use(without_size(rest.substr(0, rest.find_first_of(",)"))));
    }
}

inline bool is_memory(std::string_view operand) { return operand.ends_with(')'); }

/// Returns whether the operand is a variable at a fixed place of the stack.
inline bool is_slot(std::string_view operand) { return operand.ends_with("(%rsp)"); }

/// The caller-saved general registers. All vector registers are caller-saved too.
inline constexpr std::string_view caller_saved_registers[] = {"a",  "c",  "d",   "si", "di",
                                                              "r8", "r9", "r10", "r11"};

}  // namespace cudabook::emulation
