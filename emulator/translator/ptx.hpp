// PTX in asm statements that has a twin in C++.
#pragma once

#include <string>
#include <string_view>

namespace cudabook::translator {

/// Returns the twin of a PTX instruction: an expression in which $1, $2, ... are its inputs. `instruction` is
/// as an asm statement has it ("mov.u32 %0, %%laneid;"), with %0 for the result. Returns an empty string if
/// it has no twin. Source: PTX ISA, "Special Registers", "Integer Arithmetic Instructions", "Video
/// Instructions".
std::string twin_of_ptx(std::string_view instruction);

}  // namespace cudabook::translator
