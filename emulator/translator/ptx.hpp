// Finds the C++ expressions, called twins, that replace PTX instructions in asm statements.
#pragma once

#include <string>
#include <string_view>

namespace cudabook::translator {

/// The C++ expression that replaces a PTX instruction.
struct PtxTwin {
    std::string expression;  ///< in it, $1, $2, ... are the inputs of 32 bits; empty if there is no twin
    char constraint;         ///< of the result in the asm statement: r for 32 bits, l for 64 bits
};

/// Returns the twin of an instruction. `instruction` is the text of an asm statement, with %0 for the
/// result: "mov.u32 %0, %%laneid;". Source: PTX ISA, "Special Registers", "Integer Arithmetic
/// Instructions", "Video Instructions".
PtxTwin twin_of_ptx(std::string_view instruction);

}  // namespace cudabook::translator
