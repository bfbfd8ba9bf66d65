// Errors for features that the emulated GPU lacks: libraries, the driver API, PTX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/tokens.hpp"

namespace cudabook::translator {

/// Refuses headers of CUDA's libraries. `is_own` says for each file whether it belongs to cudabook or to
/// CCCL, whose folder is `cccl`. A program may include the headers of CCCL that need no GPU. Errors:
/// SourceError, with the place of the #include.
void refuse_libraries(const Source& source, const std::vector<bool>& is_own, const std::string& cccl);

/// Refuses a call of the driver API and PTX in an asm statement, if this word begins one. Errors:
/// SourceError.
void refuse_word(const Source& source, std::size_t word);

/// Returns the message that refuses a header of one of CUDA's libraries or of an installed toolkit and
/// names a substitute, or an empty string for other headers. `header` is a file, or a name in an
/// #include.
std::string why_not_included(std::string_view header);

}  // namespace cudabook::translator
