// The line of the user's program that a place in the machine code belongs to, for the reports of sanitizers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudabook::emulation {

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

/// Returns FILE:LINE of the call that ends at this address. Where functions of the emulated GPU or of the
/// system's libraries are inlined, this is the line that calls them. Returns nothing if there is none.
std::optional<std::string> users_line(void* place);

/// Returns whether the access just before this address belongs to the user's program, and not to the
/// emulated GPU. An inlined function of the system's libraries counts as a part of its caller.
bool is_users_access(void* place);

/// The calls that have led to a function of the emulated GPU. Without a sanitizer, they are unknown.
class Callers {
  public:
    Callers() = default;
    explicit Callers(std::span<void* const> places);
    static Callers here();

    /// Returns " at FILE:LINE" of the innermost call in the user's program; empty if there is none.
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
