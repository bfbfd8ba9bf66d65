#include "emulator/translator/ptx.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace cudabook::translator {

namespace {

struct Twin {
    std::string_view ptx;
    std::string_view expression;
};

/// Registers of 32 bits.
constexpr std::array registers{
    Twin{"laneid", "::cudabook::emulation::thread_number() % 32"},
    Twin{"warpid", "::cudabook::emulation::thread_number() / 32"},
    Twin{"smid", "::cudabook::emulation::multiprocessor_number()"},
    Twin{"lanemask_eq", "1U << ::cudabook::emulation::thread_number() % 32"},
    Twin{"lanemask_le", "(2U << ::cudabook::emulation::thread_number() % 32) - 1"},
    Twin{"lanemask_lt", "(1U << ::cudabook::emulation::thread_number() % 32) - 1"},
    Twin{"lanemask_ge", "~0U << ::cudabook::emulation::thread_number() % 32"},
    Twin{"lanemask_gt", "~1U << ::cudabook::emulation::thread_number() % 32"},
    Twin{"clock", "static_cast<unsigned>(::clock64())"},
};
constexpr std::array wide_registers{
    Twin{"clock64", "static_cast<unsigned long long>(::clock64())"},
    Twin{"globaltimer", "::cudabook::emulation::clock_ns()"},
};
constexpr std::array indices{Twin{"tid", "::threadIdx"}, Twin{"ntid", "::blockDim"},
                             Twin{"ctaid", "::blockIdx"}, Twin{"nctaid", "::gridDim"}};
constexpr std::array instructions{
    Twin{"bfind.u32 %0, %1", "static_cast<unsigned>(31 - ::__clz(static_cast<int>($1)))"},
    Twin{"brev.b32 %0, %1", "::__brev($1)"},
    Twin{"popc.b32 %0, %1", "static_cast<unsigned>(::__popc($1))"},
    Twin{"vabsdiff4.u32.u32.u32.add %0, %1, %2, %3", "::__vsadu4($1, $2) + ($3)"},
};

template <std::size_t size>
std::string_view expression_of(std::string_view ptx, const std::array<Twin, size>& twins) {
    const auto* const found = std::ranges::find(twins, ptx, &Twin::ptx);
    return found == twins.end() ? std::string_view() : found->expression;
}

/// Returns the instruction with single spaces, a space behind each comma, no spaces at the begin and end,
/// no ; at the end, and % for %%.
std::string normalized(std::string_view text) {
    std::string normal;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape =
            text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 't');
        if (is_escape || text[i] == ' ' || text[i] == '\t') {
            if (is_escape) ++i;
            if (!normal.empty() && normal.back() != ' ') normal += ' ';
        } else if (text[i] == ',') {
            if (!normal.empty() && normal.back() == ' ') normal.pop_back();
            normal += ", ";
        } else if (text[i] != '%' || normal.empty() || normal.back() != '%') {
            normal += text[i];
        }
    }
    while (!normal.empty() && (normal.back() == ' ' || normal.back() == ';')) normal.pop_back();
    return normal;
}

/// Returns the twin of a register that is moved to a result of `bits` bits.
std::string twin_of_register(std::string_view name, int bits) {
    if (bits == 64) return std::string(expression_of(name, wide_registers));
    if (const std::string_view found = expression_of(name, registers); !found.empty())
        return std::string(found);
    const std::size_t dot = std::min(name.find('.'), name.size());
    const std::string_view index = expression_of(name.substr(0, dot), indices);
    const std::string_view part = name.substr(dot);
    if (index.empty() || (part != ".x" && part != ".y" && part != ".z")) return {};
    return fmt::format("{}{}", index, part);
}

}  // namespace

PtxTwin twin_of_ptx(std::string_view instruction) {
    const std::string text = normalized(instruction);
    for (const std::string_view type : {"u32", "s32", "b32", "u64", "s64", "b64"}) {
        const std::string move = fmt::format("mov.{} %0, %", type);
        if (!text.starts_with(move)) continue;
        const bool is_wide = type.ends_with("64");
        return {twin_of_register(std::string_view(text).substr(move.size()), is_wide ? 64 : 32),
                is_wide ? 'l' : 'r'};
    }
    return {std::string(expression_of(text, instructions)), 'r'};
}

}  // namespace cudabook::translator
