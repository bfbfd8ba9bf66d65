// Finds the C++ expressions, or twins, that replace PTX instructions in asm statements.
#pragma once

#include <string>
#include <string_view>

namespace cudabook::translator {

/// The C++ expression that replaces a PTX instruction.
struct PtxTwin {
    std::string expression;  ///< $1, $2, ... are the inputs, of 32 bits; empty if there is no twin
    char constraint;         ///< of the result in an asm statement: r for 32 bits, l for 64
};

/// `instruction` is as an asm statement has it ("mov.u32 %0, %%laneid;"), with %0 for the result. Source: PTX
/// ISA, "Special Registers", "Integer Arithmetic Instructions", "Video Instructions".
PtxTwin twin_of_ptx(std::string_view instruction);

}  // namespace cudabook::translator
