// The line of the user's program that a place in the machine code belongs to, for the reports of sanitizers.
#pragma once

#include <optional>
#include <string>

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Returns FILE:LINE of an address behind a call. Where functions of the emulated GPU or of the system's
/// libraries are inlined, this is the line that calls them. Returns nothing if there is no such line.
std::optional<std::string> users_line(void* place);

#endif

}  // namespace cudabook::emulation
