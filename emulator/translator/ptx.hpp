// Finds the C++ expressions, called twins, that replace PTX instructions in asm statements.
#pragma once

#include <string>
#include <string_view>

namespace cudabook::translator {

/// The C++ expression that replaces a PTX instruction.
struct PtxTwin {
    std::string expression;  ///< $1, $2, ... stand for the 32-bit inputs; empty if there is no twin
    char constraint;         ///< the result's constraint in the asm statement: r for 32 bits, l for 64
};

/// Returns the twin of an instruction. `instruction` is the text of an asm statement, with %0 for the
/// result: "mov.u32 %0, %%laneid;". Source: PTX ISA, "Special Registers", "Integer Arithmetic
/// Instructions", "Video Instructions".
PtxTwin twin_of_ptx(std::string_view instruction);

}  // namespace cudabook::translator
