// The line of the user's program that a place in the machine code belongs to, for the reports of sanitizers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Returns the source line, as FILE:LINE, of the call that ends at this address in the code. If the address
/// is in an inlined function of the emulated GPU or of a system's library, returns the line of the user's
/// program that calls the function. Returns nothing if the address does not belong to the user's program.
std::optional<std::string> users_line(void* place);

/// Returns whether the memory access just before this address in the code belongs to the user's program, and
/// not to the emulated GPU. An inlined function of a system's library counts as a part of its caller.
bool is_users_access(void* place);

/// The call stack of a function of the emulated GPU. Without a sanitizer, the call stack is unknown.
class Callers {
  public:
    Callers() = default;
    explicit Callers(std::span<void* const> places);
    static Callers here();

    /// Returns the line of the innermost call in the user's program, as " at FILE:LINE". Returns an empty
    /// string if there is none.
    [[nodiscard]] std::string at_line() const;

  private:
    std::vector<void*> places_;  ///< the innermost first
};

#else

struct Callers {
    static Callers here() { return {}; }
    [[nodiscard]] static std::string at_line() { return {}; }
};

#endif

}  // namespace cudabook::emulation
