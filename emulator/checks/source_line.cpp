#include "emulator/checks/source_line.hpp"

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

#include <execinfo.h>

#include <array>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <sanitizer/common_interface_defs.h>

namespace cudabook::emulation {

namespace {

bool is_users(std::string_view line) {
    for (const std::string_view begin : {"/usr/include/", "/usr/lib/", "/usr/local/cuda", "<null>"})
        if (line.starts_with(begin)) return false;
    for (const std::string_view folder :
         {"emulator/checks", "emulator/engine", "emulator/include", "emulator/numbers", "emulator/runtime",
          "emulator/textures", "src/libsanitizer"})
        if (line.find(fmt::format("/{}/", folder)) != std::string_view::npos) return false;
    return true;
}

}  // namespace

std::optional<std::string> users_line(void* place) {
    std::array<char, 4096> lines{};  // terminated by zeros, the innermost first
    __sanitizer_symbolize_pc(place, "%S", lines.data(), lines.size() - 1);
    for (const char* line = lines.data(); *line != 0; line += std::strlen(line) + 1)
        if (is_users(line)) return line;
    return std::nullopt;
}

Callers Callers::here() {
    std::array<void*, 24> places{};
    const int depth = backtrace(places.data(), static_cast<int>(places.size()));
    Callers callers;
    callers.places_.assign(places.begin(), places.begin() + depth);
    return callers;
}

std::string Callers::at_line() const {
    for (void* const place : places_)
        if (const auto line = users_line(place)) return " at " + *line;
    return {};
}

}  // namespace cudabook::emulation

#endif
