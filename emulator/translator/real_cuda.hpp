// Errors for features that the emulated GPU lacks: libraries, the driver API, PTX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/tokens.hpp"

namespace cudabook::translator {

/// Refuses the headers of CUDA's libraries, except CCCL's headers that need no GPU. `is_own` says for each
/// file whether it belongs to cudabook or to CCCL; `cccl` is CCCL's folder. Errors: SourceError, with the
/// place of the #include.
void refuse_libraries(const Source& source, const std::vector<bool>& is_own, const std::string& cccl);

/// Refuses a call of a missing driver API function, or an asm statement with PTX, that begins with this word.
/// Errors: SourceError.
void refuse_word(const Source& source, std::size_t word);

/// Returns the message that refuses a header of one of CUDA's libraries or of an installed toolkit, and names
/// a substitute. Returns an empty string for other headers. `header` is a file, or a name in an #include.
std::string why_not_included(std::string_view header);

}  // namespace cudabook::translator
