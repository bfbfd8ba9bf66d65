#include "emulator/predicting/loaded_values.hpp"

#include <algorithm>
#include <vector>

#include "emulator/predicting/operands.hpp"

namespace cudabook::emulation {

bool LoadedValues::announce_load() {
    const bool depends = places_.contains("di");
    call();
    is_announced_ = true;
    return depends;
}

void LoadedValues::call() {
    for (const std::string_view name : caller_saved_registers) places_.erase(std::string(name));
    std::erase_if(places_, [](const std::string& place) { return place.starts_with("mm"); });
}

bool LoadedValues::holds(std::string_view operand) const {
    if (is_slot(operand)) return places_.contains(operand);
    bool found = false;
    for_each_register(operand, [&](const std::string& name) { found |= places_.contains(name); });
    return found;
}

void LoadedValues::execute(std::string_view mnemonic, std::string_view operands) {
    const std::vector<std::string_view> parts = split_operands(operands);
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
