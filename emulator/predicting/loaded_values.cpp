#include "emulator/predicting/loaded_values.hpp"

#include <algorithm>
#include <array>

namespace cudabook::emulation {

namespace {

/// Splits "8(%rax,%rbx,4),%ecx" at the commas outside parentheses.
std::vector<std::string_view> split(std::string_view operands) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= operands.size(); ++i) {
        if (i == operands.size() || (operands[i] == ',' && depth == 0)) {
            parts.push_back(operands.substr(begin, i - begin));
            begin = i + 1;
        } else {
            depth += operands[i] == '(' ? 1 : operands[i] == ')' ? -1 : 0;
        }
    }
    return parts;
}

/// Returns the name of a register without its size: "a" for rax, eax, ax and al, "r8" for r8d.
std::string without_size(std::string_view name) {
    if (name.starts_with("xmm") || name.starts_with("ymm")) return std::string(name.substr(1));
    if (name.starts_with('r') && name.size() > 1 && name[1] >= '0' && name[1] <= '9')
        return std::string(name.substr(0, name.find_first_of("dwb")));
    if ((name.starts_with('r') || name.starts_with('e')) && name.size() == 3) name.remove_prefix(1);
    if (name.size() > 1 && (name.ends_with('x') || name.ends_with('l') || name.ends_with('h')))
        name.remove_suffix(1);
    return std::string(name);
}

/// Calls use(name) for each register in an operand.
template <class Use>
void for_each_register(std::string_view operand, Use use) {
    for (std::size_t at = operand.find('%'); at != std::string_view::npos; at = operand.find('%', at + 1)) {
        const std::string_view rest = operand.substr(at + 1);
        use(without_size(rest.substr(0, rest.find_first_of(",)"))));
    }
}

bool is_slot(std::string_view operand) { return operand.ends_with("(%rsp)"); }
bool is_memory(std::string_view operand) { return operand.ends_with(')'); }

}  // namespace

bool LoadedValues::announce_load() {
    const bool depends = places_.contains("di");
    call();
    is_announced_ = true;
    return depends;
}

void LoadedValues::call() {
    for (const char* name : {"a", "c", "d", "si", "di", "r8", "r9", "r10", "r11"}) places_.erase(name);
    std::erase_if(places_, [](const std::string& place) { return place.starts_with("mm"); });
}

bool LoadedValues::holds(std::string_view operand) const {
    if (is_slot(operand)) return places_.contains(operand);
    bool found = false;
    for_each_register(operand, [&](const std::string& name) { found |= places_.contains(name); });
    return found;
}

void LoadedValues::execute(std::string_view mnemonic, std::string_view operands) {
    const std::vector<std::string_view> parts = split(operands);
    const std::string_view to = parts.back();
    bool is_loaded = false;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        is_loaded |= holds(parts[i]);
        if (is_announced_ && is_memory(parts[i]) && !is_slot(parts[i]) && !mnemonic.starts_with("lea"))
            is_loaded = true;
    }
    if (is_loaded) is_announced_ = false;
    if (is_memory(to) && !is_slot(to)) return;
    if (!operands.empty() && (mnemonic.starts_with("cmp") || mnemonic.starts_with("test"))) return;
    std::string place(to);
    if (!is_slot(to)) for_each_register(to, [&](const std::string& name) { place = name; });
    const bool overwrites = mnemonic.starts_with("mov") || mnemonic.starts_with("vmov") ||
                            mnemonic.starts_with("lea") || parts.size() > 2;
    if (is_loaded)
        places_.insert(place);
    else if (overwrites)
        places_.erase(place);
}

}  // namespace cudabook::emulation
