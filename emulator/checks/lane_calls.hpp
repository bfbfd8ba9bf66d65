// Finds lanes of a warp that exchange values by calls at different lines, in the programs that cudabook-nvcc
// --check compiles. On a GPU, all lanes of the mask must come to the same call.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "emulator/checks/source_line.hpp"

namespace cudabook::emulation {

#if CUDABOOK_MEMORY_MARKS

/// The call by which the first lane has come to an exchange.
class LaneCalls {
  public:
    /// Notes the call of a lane. `frame` is a frame of the emulated GPU. If the first lane's call is at
    /// another line, returns a message that begins behind the function's name; otherwise returns an empty
    /// string.
    std::string other_call(const Frame* frame);

  private:
    using Places = std::array<void*, 8>;
    static const std::string& line_of(const Places& places);
    std::optional<Places> first_;
};

#endif

}  // namespace cudabook::emulation
