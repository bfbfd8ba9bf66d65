#include "emulator/predicting/instructions.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "emulator/counting/command_output.hpp"
#include "emulator/predicting/chains.hpp"
#include "emulator/predicting/loaded_values.hpp"
#include "emulator/predicting/loop_counter.hpp"
#include "emulator/predicting/operands.hpp"

namespace cudabook::emulation {

namespace {

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
    return std::ranges::find(names, name) != std::ranges::end(names);
}

/// Functions that a GPU has too, but whose instructions there nobody knows: they print, or take and free
/// memory of the heap (emulator/runtime/kernel_heap.cpp).
bool is_printf_or_heap(std::string_view function) {
    return is_one_of(function, std::array{"printf", "__printf_chk", "vprintf", "puts", "putchar"}) ||
           starts_with_one_of(function,
                              {"cudabook_malloc", "cudabook_free", "cudabook_new", "cudabook_delete"});
}

constexpr std::string_view block_begin = "__sanitizer_cov_trace_pc";

/// Returns the function that a call names, as in "13620 <sinf@plt>".
std::string_view function_of(std::string_view operands) {
    const std::size_t begin = operands.find('<');
    if (begin == std::string_view::npos) return {};
    const std::string_view name = operands.substr(begin + 1);
    return name.substr(0, name.find_first_of("@+>"));
}

/// Returns "__fdividef" for "_Z10__fdividefff", and a name of C as it is. (The C library has declared some of
/// CUDA's names, and so their functions have names of C.)
std::string_view unmangled(std::string_view function) {
    std::size_t length = 0;
    if (!function.starts_with("_Z")) return function;
    const auto [end, error] = std::from_chars(function.data() + 2, function.data() + function.size(), length);
    if (error != std::errc{}) return function;
    return function.substr(static_cast<std::size_t>(end - function.data()), length);
}

/// Returns how many instructions may access what the instrumented code announces by this call.
unsigned most_accesses_of(std::string_view announcement) {
    if (announcement.ends_with("_range")) return 1000;
    return announcement.ends_with("16") ? 2 : 1;
}

/// Returns the address that a jump names, as in "24155 <kernel+0x1e1>".
std::optional<std::uint64_t> target_of(std::string_view operands) {
    std::uint64_t address = 0;
    const auto [end, error] =
        std::from_chars(operands.data(), operands.data() + operands.size(), address, 16);
    if (error != std::errc{}) return std::nullopt;
    return address;
}

/// Returns whether the operands contain memory that is not a variable at a fixed place of the stack.
bool indexes_memory(std::string_view operands) {
    const std::size_t open = operands.find('(');
    return open != std::string_view::npos && !operands.substr(open).starts_with("(%rsp)") &&
           !operands.substr(open).starts_with("(%rip)");
}

}  // namespace

Instructions& Instructions::operator+=(const Instructions& more) {
    fp32 += more.fp32;
    fp64 += more.fp64;
    integer += more.integer;
    special += more.special;
    conversion += more.conversion;
    branch += more.branch;
    return *this;
}

Instructions operator+(Instructions one, const Instructions& more) { return one += more; }

Instructions operator*(const Instructions& one, double times) {
    return {one.fp32 * times,    one.fp64 * times,       one.integer * times,
            one.special * times, one.conversion * times, one.branch * times};
}

Instructions instructions_of(std::string_view mnemonic, std::string_view operands) {
    std::string_view name = mnemonic;
    if (name.starts_with('v')) name.remove_prefix(1);
    const auto of_floats = [&](std::string_view operation) {
        return name.starts_with(operation) ? name.substr(operation.size()) : std::string_view();
    };
    for (const std::string_view operation :
         {"add", "sub", "mul", "min", "max", "fmadd132", "fmadd213", "fmadd231", "fmsub132", "fmsub213",
          "fmsub231", "fnmadd132", "fnmadd213", "fnmadd231", "fnmsub132", "fnmsub213", "fnmsub231"}) {
        const std::string_view type = of_floats(operation);
        if (type == "ss") return {.fp32 = 1};
        if (type == "sd") return {.fp64 = 1};
        if (type == "ps") return {.fp32 = 4};
        if (type == "pd") return {.fp64 = 2};
    }
    // A division and a root begin with an approximation, which is then made exact.
    if (name == "divss") return {.fp32 = 8, .integer = 2, .special = 1, .branch = 1};
    if (name == "divsd") return {.fp64 = 9, .integer = 4, .special = 1, .branch = 1};
    if (name == "sqrtss") return {.fp32 = 6, .integer = 3, .special = 1, .branch = 1};
    if (name == "sqrtsd") return {.fp64 = 8, .integer = 4, .special = 1, .branch = 1};
    if (is_one_of(name, std::array{"rcpss", "rsqrtss"})) return {.special = 1};
    if (name.starts_with("cvtsi2ss"))
        return {.integer = 1};  // I2FP, which the special functions' pipe does not execute
    if (starts_with_one_of(name, {"round", "cvt"})) return {.conversion = 1};
    if (starts_with_one_of(name, {"comiss", "ucomiss", "cmpss", "cmpltss", "cmpless", "cmpunordss"}))
        return {.integer = 1};
    if (starts_with_one_of(name, {"comisd", "ucomisd", "cmpsd", "cmpltsd", "cmplesd"})) return {.fp64 = 1};
    if (starts_with_one_of(name, {"idiv", "div"})) return {.integer = 16, .special = 1, .conversion = 2};
    if (name.starts_with("mulx") || name.starts_with("imul") || name == "mul" || name == "mull" ||
        name == "mulq")
        return {.integer = 1};
    if (name.starts_with("xor") && !name.starts_with("xorp")) {
        const std::size_t comma = operands.find(',');
        const bool is_zero =
            comma != std::string_view::npos && operands.substr(0, comma) == operands.substr(comma + 1);
        return is_zero ? Instructions{} : Instructions{.integer = 1};
    }
    if (name.starts_with("lea")) {  // an access's address is a part of the access
        return operands.ends_with(",%rdi") ? Instructions{} : Instructions{.integer = 1};
    }
    if (starts_with_one_of(name, {"add", "sub"}) && operands.ends_with("%rsp")) return {};
    if (starts_with_one_of(name, {"add", "sub", "inc", "dec", "neg", "not", "sh", "sa", "ro", "bt", "bs",
                                  "cmp", "cmov", "set", "adc", "sbb", "lzcnt", "tzcnt", "popcnt"}))
        return {.integer = 1};
    if (is_one_of(name, std::array{"and", "or", "andl", "orl", "andq", "orq", "andn", "test", "testl"}))
        return {.integer = 1};
    if (name.starts_with('j')) return {.branch = 1};
    return {};
}

Instructions instructions_of_call(std::string_view function) {
    struct Known {
        std::string_view name;
        Instructions instructions;
    };
    static constexpr Known known[] = {
        // The approximate functions of a GPU.
        {"__fdividef", {.fp32 = 2, .integer = 1, .special = 1}},
        {"__sinf", {.fp32 = 1, .special = 1}},
        {"__cosf", {.fp32 = 1, .special = 1}},
        {"__tanf", {.fp32 = 4, .integer = 1, .special = 3}},
        {"__expf", {.fp32 = 3, .integer = 1, .special = 1}},
        {"__exp10f", {.fp32 = 3, .integer = 1, .special = 1}},
        {"__logf", {.fp32 = 3, .integer = 1, .special = 1}},
        {"__log2f", {.fp32 = 2, .integer = 1, .special = 1}},
        {"__log10f", {.fp32 = 3, .integer = 1, .special = 1}},
        {"__powf", {.fp32 = 5, .integer = 2, .special = 2}},
        {"__tanhf", {.special = 1}},
        // Those of the host.
        {"fmaf", {.fp32 = 1}},
        {"fma", {.fp64 = 1}},
        {"fminf", {.integer = 1}},
        {"fmaxf", {.integer = 1}},
        {"floorf", {.conversion = 1}},
        {"ceilf", {.conversion = 1}},
        {"truncf", {.conversion = 1}},
        {"rintf", {.conversion = 1}},
        {"nearbyintf", {.conversion = 1}},
        {"roundf", {.fp32 = 2, .integer = 2, .conversion = 1}},
        {"lrintf", {.conversion = 1}},
        {"sqrtf", {.fp32 = 6, .integer = 3, .special = 1, .branch = 1}},
        {"sinf", {.fp32 = 12, .integer = 8, .special = 0, .conversion = 2, .branch = 1}},
        {"cosf", {.fp32 = 12, .integer = 8, .special = 0, .conversion = 2, .branch = 1}},
        {"sincosf", {.fp32 = 20, .integer = 12, .special = 0, .conversion = 2, .branch = 1}},
        {"tanf", {.fp32 = 15, .integer = 8, .special = 1, .conversion = 2, .branch = 1}},
        {"expf", {.fp32 = 5, .integer = 1, .special = 1}},
        {"exp2f", {.fp32 = 2, .integer = 1, .special = 1}},
        {"exp10f", {.fp32 = 6, .integer = 1, .special = 1}},
        {"expm1f", {.fp32 = 14, .integer = 3, .special = 1}},
        {"logf", {.fp32 = 12, .integer = 6, .conversion = 1}},
        {"log2f", {.fp32 = 2, .integer = 2, .special = 1}},
        {"log10f", {.fp32 = 13, .integer = 6, .conversion = 1}},
        {"log1pf", {.fp32 = 14, .integer = 6, .conversion = 1}},
        {"powf", {.fp32 = 28, .integer = 14, .special = 2, .conversion = 2, .branch = 2}},
        {"tanhf", {.fp32 = 8, .integer = 3, .special = 2, .branch = 1}},
        {"atanf", {.fp32 = 14, .integer = 3, .special = 1}},
        {"atan2f", {.fp32 = 22, .integer = 8, .special = 1, .branch = 1}},
        {"asinf", {.fp32 = 12, .integer = 5, .special = 1}},
        {"acosf", {.fp32 = 12, .integer = 5, .special = 1}},
        {"hypotf", {.fp32 = 10, .integer = 8, .special = 1}},
        {"cbrtf", {.fp32 = 8, .integer = 4, .special = 2}},
        {"erff", {.fp32 = 18, .integer = 3, .special = 1}},
        {"erfcf", {.fp32 = 30, .integer = 6, .special = 2}},
        {"fmodf", {.fp32 = 8, .integer = 10, .special = 1, .branch = 2}},
        {"sin", {.fp64 = 20, .integer = 12, .conversion = 2, .branch = 2}},
        {"cos", {.fp64 = 20, .integer = 12, .conversion = 2, .branch = 2}},
        {"exp", {.fp64 = 20, .integer = 8, .conversion = 2}},
        {"log", {.fp64 = 25, .integer = 12, .special = 1}},
        {"pow", {.fp64 = 80, .integer = 30, .special = 2, .branch = 4}},
    };
    const auto* const found = std::ranges::find(known, unmangled(function), &Known::name);
    return found == std::end(known) ? Instructions{} : found->instructions;
}

const CodeBlock& MachineCode::block_at(std::uint64_t place) {
    const auto found = blocks_.find(place);
    if (found != blocks_.end()) return found->second;
    if (!lines_.contains(place)) read(place, place);
    return blocks_[place] = read_block(place);
}

void MachineCode::read(std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t longest_block = 1 << 14;
    const std::string command = fmt::format(
        "objdump -d --no-show-raw-insn --start-address={:#x} --stop-address={:#x} /proc/{}/exe 2>/dev/null",
        first, last + longest_block, getpid());
    const std::string output = output_of(command);
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t newline = std::min(output.find('\n', at), output.size());
        // "   24178:	vmulss (%rbx),%xmm1,%xmm0"
        std::string_view line = std::string_view(output).substr(at, newline - at);
        at = newline + 1;
        const bool is_inside = line.find("+0x") != std::string_view::npos;
        if (line.ends_with(">:") && !is_inside)  // "0000000000024150 <kernel>:"
            if (const auto begin = target_of(line)) functions_.insert(*begin);
        const std::size_t colon = line.find(":\t");
        if (colon == std::string_view::npos) continue;
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const auto address = target_of(line);
        if (!address) continue;
        line.remove_prefix(line.find(":\t") + 2);
        line = line.substr(0, line.find_last_not_of(' ') + 1);
        for (const std::string_view prefix : {"lock ", "bnd ", "notrack ", "data16 ", "rep ", "repz "})
            if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
        const std::size_t space = std::min(line.find(' '), line.size());
        std::string_view operands = line.substr(space);
        operands.remove_prefix(std::min(operands.find_first_not_of(' '), operands.size()));
        if (const std::size_t comment = operands.find(" #"); comment != std::string_view::npos)
            operands = operands.substr(0, operands.find_last_not_of(' ', comment) + 1);
        lines_[*address] = {std::string(line.substr(0, space)), std::string(operands)};
    }
}

bool MachineCode::are_in_one_function(std::uint64_t first, std::uint64_t second) const {
    return functions_.upper_bound(first) == functions_.upper_bound(second);
}

void MachineCode::check_readable() {
#ifndef __x86_64__
    throw MachineError(
        "a prediction needs an x86-64 processor: it reads the program's machine code, and knows no other "
        "kind");
#endif
    if (std::system("objdump --version >/dev/null 2>&1") != 0)
        throw MachineError(
            "a prediction needs objdump, which reads the program's code (Debian: apt-get install binutils)");
}

std::vector<const MachineCode::Line*> MachineCode::lines_of_block(std::uint64_t place) const {
    std::vector<const Line*> lines;
    unsigned jumps = 0;
    for (auto line = lines_.find(place); line != lines_.end();) {
        const auto& [mnemonic, operands] = line->second;
        if (mnemonic.starts_with("ret") || mnemonic == "ud2" || mnemonic == "hlt") break;
        if (mnemonic.starts_with("call") && function_of(operands) == block_begin) break;
        if (mnemonic.starts_with("jmp")) {
            const auto target = target_of(operands);
            if (!target || ++jumps > 4) break;
            line = lines_.find(*target);
            continue;
        }
        lines.push_back(&line->second);
        ++line;
    }
    return lines;
}

CodeBlock MachineCode::read_block(std::uint64_t place) const {
    CodeBlock block;
    const std::vector<const Line*> lines = lines_of_block(place);
    LoadedValues loaded;
    DependencyChains chains;
    for (int turn = 0; turn < 2; ++turn) {
        for (const auto* line : lines) {
            if (line->mnemonic.starts_with("call")) {
                const std::string_view function = function_of(line->operands);
                chains.call(instructions_of_call(function));
                if (function.starts_with("__tsan_read"))
                    block.has_dependent_load |= loaded.announce_load();
                else
                    loaded.call();
            } else {
                chains.execute(line->mnemonic, line->operands,
                               instructions_of(line->mnemonic, line->operands));
                loaded.execute(line->mnemonic, line->operands);
            }
        }
        (turn == 0 ? block.chain : block.chain_of_turn) = chains.clocks();
    }
    block.chain_of_turn -= block.chain;
    CodeLines views;
    for (const auto* line : lines) views.emplace_back(line->mnemonic, line->operands);
    block.counter = loop_counter_of(views);

    Instructions& sum = block.instructions;
    double products = 0;
    double sums = 0;
    double products_of_doubles = 0;
    double sums_of_doubles = 0;
    unsigned counted_accesses = 0;
    unsigned accesses = 0;
    std::array<std::string, 2> last;  // the last arithmetic instructions
    for (const auto* line : lines) {
        const auto& [mnemonic, operands] = *line;
        if (mnemonic.starts_with("call")) {
            const std::string_view function = function_of(operands);
            if (function.starts_with("__tsan_")) counted_accesses += most_accesses_of(function);
            sum += instructions_of_call(function);
            block.calls_printf_or_heap |= is_printf_or_heap(function);
            continue;
        }
        const Instructions one = instructions_of(mnemonic, operands);
        sum += one;
        const std::string_view name = std::string_view(mnemonic).substr(mnemonic.starts_with('v') ? 1 : 0);
        // The emulated GPU's rsqrtf() is a root and a division of doubles. A GPU has an instruction for it.
        if (name == "cvtsd2ss" && last[0] == "sqrtsd" && last[1] == "divsd")
            sum += Instructions{.fp32 = 2, .special = 1, .conversion = -2} +
                   instructions_of("sqrtsd", "") * -1 + instructions_of("divsd", "") * -1;
        if (one.sum() > 0) {
            last[0] = last[1];
            last[1] = name;
        }
        if (!mnemonic.starts_with("lea") && indexes_memory(operands)) ++accesses;
        // Only functions whose products and sums may be fused are compiled for FMA, and so have these.
        products += mnemonic == "vmulss" ? 1 : 0;
        sums += mnemonic == "vaddss" || mnemonic == "vsubss" ? 1 : 0;
        products_of_doubles += mnemonic == "vmulsd" ? 1 : 0;
        sums_of_doubles += mnemonic == "vaddsd" || mnemonic == "vsubsd" ? 1 : 0;
    }
    sum.fp32 -= std::min(products, sums);
    sum.fp64 -= std::min(products_of_doubles, sums_of_doubles);
    block.indexes_own_array = accesses > counted_accesses;
    return block;
}

}  // namespace cudabook::emulation
