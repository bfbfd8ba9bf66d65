#include "emulator/predicting/loop_counter.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "emulator/predicting/operands.hpp"

namespace cudabook::emulation {

namespace {

bool is_of_floats(std::string_view mnemonic) {
    return mnemonic.ends_with("ss") || mnemonic.ends_with("sd") || mnemonic.ends_with("ps") ||
           mnemonic.ends_with("pd");
}

/// Returns whether the instruction leaves the flags as they are.
bool keeps_flags(std::string_view mnemonic) {
    if (mnemonic.find("comis") != std::string_view::npos) return false;
    return is_of_floats(mnemonic) || starts_with_one_of(mnemonic, {"mov", "lea", "v", "push", "pop", "cmov",
                                                                   "set", "nop", "cltq", "cltd", "cqto"});
}

/// Registers without their sizes, and slots such as 8(%rsp).
class ComparedPlaces {
  public:
    void add(std::string_view operand) {
        if (is_slot(operand))
            places_.insert(std::string(operand));
        else if (!is_memory(operand))
            for_each_register(operand, [&](const std::string& name) { places_.insert(name); });
    }
    [[nodiscard]] bool has(std::string_view operand) const {
        if (is_slot(operand)) return places_.contains(operand);
        bool found = false;
        if (!is_memory(operand))
            for_each_register(operand, [&](const std::string& name) { found |= places_.contains(name); });
        return found;
    }

  private:
    std::set<std::string, std::less<>> places_;
};

}  // namespace

LoopCounter loop_counter_of(const CodeLines& lines) {
    const auto jump = std::find_if(lines.rbegin(), lines.rend(),
                                   [](const auto& line) { return line.first.starts_with('j'); });
    if (jump == lines.rend() || jump->first == "jmp") return LoopCounter::none;
    const auto comparison =
        std::find_if(jump + 1, lines.rend(), [](const auto& line) { return !keeps_flags(line.first); });
    if (comparison == lines.rend() || comparison->first.starts_with("cmpxchg") ||
        !starts_with_one_of(comparison->first, {"cmp", "test", "sub", "add", "dec", "inc"}))
        return LoopCounter::none;
    ComparedPlaces compared;
    const std::vector<std::string_view> both = split_operands(comparison->second);
    for (const std::string_view operand : both) {
        if (is_memory(operand) && !is_slot(operand)) return LoopCounter::none;
        compared.add(operand);
    }
    const bool is_only_compared = starts_with_one_of(comparison->first, {"cmp", "test"});
    bool is_counted = false;
    for (auto line = is_only_compared ? comparison + 1 : comparison; line != lines.rend(); ++line) {
        const auto [mnemonic, operands] = *line;
        const std::vector<std::string_view> parts = split_operands(operands);
        if (!compared.has(parts.back())) continue;
        const bool is_sum = starts_with_one_of(mnemonic, {"add", "sub"});
        const bool is_address = mnemonic.starts_with("lea") && parts.size() == 2;
        const bool is_by_constant = (is_sum && parts.front().starts_with('$')) ||
                                    (is_address && parts.front().find(',') == std::string_view::npos);
        if (starts_with_one_of(mnemonic, {"inc", "dec"}) || is_by_constant)
            is_counted = true;
        else if (mnemonic.starts_with("mov"))
            compared.add(parts.front());
        else if (is_sum || is_address)
            return LoopCounter::none;
    }
    if (!is_counted) return LoopCounter::none;
    return is_only_compared && both.front().starts_with('$') ? LoopCounter::to_number
                                                             : LoopCounter::to_variable;
}

}  // namespace cudabook::emulation
