// Maps machine code to lines of the source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudabook::emulation {

struct SourceLine {
    std::string file;  ///< the name that the compiler was given
    unsigned line;     ///< from 1
};

/// Returns a list of lines for each address in the running program's file: the address's own line and, from
/// the inside outwards, the lines of the calls through which it was inlined. The lines of the emulated
/// GPU's headers and of the compiler's are left out, so that a list may be empty. Calls addr2line(1).
/// Errors: MachineError if that program is missing.
std::vector<std::vector<SourceLine>> source_lines(const std::vector<std::uint64_t>& addresses);

/// Returns the lines of a file with a name from source_lines(); empty if the file cannot be read. Looks for
/// the file where it was compiled and, for an installed program, in share/cudabook/ and include/cudabook/.
std::vector<std::string> text_of(const std::string& file);

/// Returns the file's name for display: relative to the project's folder or to the current folder if the
/// file is in one of these.
std::string shown_name(const std::string& file);

}  // namespace cudabook::emulation
