// Which lines of the source machine code comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudabook::emulation {

struct SourceLine {
    std::string file;  ///< as the compiler had it
    unsigned line;     ///< from 1
};

/// For each address in the running program's file: its line, and the lines that call the function it was
/// inlined into, outwards. Lines of the emulated GPU's headers and the compiler's are left out; empty if
/// nothing is left or known. Asks addr2line(1). Errors: MachineError if there is none.
std::vector<std::vector<SourceLine>> source_lines(const std::vector<std::uint64_t>& addresses);

/// The lines of a file, from a name of source_lines(); empty if it cannot be read: sources are looked for
/// where they were compiled and, for an installed program, in share/cudabook/ and include/cudabook/.
std::vector<std::string> text_of(const std::string& file);

/// Its name for people: relative to the project's folder or to the current one, if it is in there.
std::string shown_name(const std::string& file);

}  // namespace cudabook::emulation
