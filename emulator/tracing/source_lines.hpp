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

/// Returns a list of lines for each address in the running program's file. The first line is the address's
/// own. If its code was inlined, the lines of the inlined calls follow, the innermost call first. Lines in
/// headers of the emulated GPU and of the compiler are left out, so a list may be empty. Calls addr2line(1).
/// Errors: MachineError if addr2line is missing.
std::vector<std::vector<SourceLine>> source_lines(const std::vector<std::uint64_t>& addresses);

/// Returns the text of a file, line by line, or no lines if the file cannot be read. `file` is a name from
/// source_lines(). The file is looked for where it was compiled and, for an installed program, in
/// share/cudabook/ and include/cudabook/.
std::vector<std::string> text_of(const std::string& file);

/// Returns the file's name for display. If the file is in the project's folder or in the current folder, the
/// name is relative to this folder.
std::string shown_name(const std::string& file);

}  // namespace cudabook::emulation
