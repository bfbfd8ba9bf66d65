#include "emulator/predicting/chains.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "emulator/predicting/operands.hpp"

namespace cudabook::emulation {

namespace {

/// The clocks until an instruction that needs the result can begin.
constexpr double clocks_of_arithmetic = 4;
constexpr double clocks_of_double = 8;
constexpr double clocks_of_special = 18;

double latency_of(const Instructions& all) {
    return clocks_of_arithmetic * (all.fp32 + all.integer + all.branch) + clocks_of_double * all.fp64 +
           clocks_of_special * (all.special + all.conversion);
}

}  // namespace

double DependencyChains::ready(std::string_view operand) const {
    const auto when = [this](std::string_view place) {
        const auto found = ready_.find(place);
        return found == ready_.end() ? 0 : found->second;
    };
    if (is_slot(operand)) return when(operand);
    double latest = 0;
    for_each_register(operand, [&](const std::string& name) { latest = std::max(latest, when(name)); });
    return latest;
}

double DependencyChains::ready_for_sum(std::string_view operand) const {
    double latest = ready(operand);
    for_each_register(operand, [&](const std::string& name) {
        if (const auto product = products_.find(name); product != products_.end()) latest -= product->second;
    });
    return latest;
}

void DependencyChains::set(std::string_view operand, double when) {
    clocks_ = std::max(clocks_, when);
    if (is_slot(operand))
        ready_.insert_or_assign(std::string(operand), when);
    else if (!is_memory(operand))
        for_each_register(operand, [&](const std::string& name) { ready_.insert_or_assign(name, when); });
}

void DependencyChains::execute(std::string_view mnemonic, std::string_view operands,
                               const Instructions& instructions) {
    const std::vector<std::string_view> parts = split_operands(operands);
    const std::string_view to = parts.back();
    const double latency = latency_of(instructions);
    if (starts_with_one_of(mnemonic, {"cltd", "cqto"})) return set("%edx", ready("%eax"));
    if (parts.size() == 1 && starts_with_one_of(mnemonic, {"mul", "imul", "div", "idiv"})) {
        const double begin = std::max({ready("%eax"), ready("%edx"), ready(to)});
        set("%eax", begin + latency);
        return set("%edx", begin + latency);
    }
    const bool is_jump = mnemonic.starts_with('j');
    const bool is_of_floats = mnemonic.ends_with("ss") || mnemonic.ends_with("sd");
    const bool compares = mnemonic.find("comis") != std::string_view::npos ||
                          (!is_of_floats && starts_with_one_of(mnemonic, {"cmp", "test"}));
    // An instruction of two operands reads the last one too, unless it is a move or a conversion.
    const bool reads_all =
        compares || starts_with_one_of(mnemonic, {"vfm", "vfnm"}) ||
        (parts.size() <= 2 && !is_jump &&
         !starts_with_one_of(mnemonic, {"mov", "vmov", "lea", "cvt", "vcvt", "set", "pop"}));
    const bool is_sum = starts_with_one_of(mnemonic, {"vaddss", "vsubss", "vaddsd", "vsubsd"});
    double begin = 0;
    if (is_jump || starts_with_one_of(mnemonic, {"cmov", "set", "adc", "sbb"})) begin = flags_ready_;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (i + 1 < parts.size() || reads_all || is_memory(to))
            begin = std::max(begin, is_sum ? ready_for_sum(parts[i]) : ready(parts[i]));
    const bool is_zero =
        parts.size() > 1 && parts.front() == to && mnemonic.find("xor") != std::string_view::npos;
    if (is_zero) begin = 0;
    const double end = begin + latency;
    clocks_ = std::max(clocks_, end);
    if (compares || instructions.integer > 0) flags_ready_ = end;
    if (compares || is_jump) return;
    for_each_register(to, [&](const std::string& name) {
        products_.erase(name);
        if (starts_with_one_of(mnemonic, {"vmulss", "vmulsd"})) products_.emplace(name, latency);
    });
    set(to, end);
}

void DependencyChains::call(const Instructions& instructions) {
    double begin = 0;
    for (const auto& [place, when] : ready_)
        if (place.starts_with("mm")) begin = std::max(begin, when);
    products_.clear();
    for (const std::string_view name : caller_saved_registers) ready_.erase(std::string(name));
    std::erase_if(ready_, [](const auto& one) { return one.first.starts_with("mm"); });
    if (instructions.sum() > 0) set("%xmm0", begin + latency_of(instructions));
}

}  // namespace cudabook::emulation
