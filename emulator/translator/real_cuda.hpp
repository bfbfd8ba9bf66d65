// Errors for features that the emulated GPU lacks: libraries, the driver API, PTX.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/translator/tokens.hpp"

namespace cudabook::translator {

/// Refuses headers of CUDA's libraries. `is_own` says for each file whether it is one of cudabook's own.
/// Errors: SourceError, with the place of the #include.
void refuse_libraries(const Source& source, const std::vector<bool>& is_own);

/// Refuses a call of the driver API and PTX in an asm statement, if this word begins one. Errors:
/// SourceError.
void refuse_word(const Source& source, std::size_t word);

/// Returns the header's name if it belongs to one of CUDA's libraries, else an empty string.
std::string library_of(std::string_view header);

}  // namespace cudabook::translator
