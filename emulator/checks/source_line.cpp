#include "emulator/checks/source_line.hpp"

#if CUDABOOK_THREAD_SANITIZER || CUDABOOK_MEMORY_MARKS

#include <execinfo.h>

#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <sanitizer/common_interface_defs.h>

namespace cudabook::emulation {

namespace {

enum class Owner { user, emulator, system };

Owner owner_of(std::string_view line) {
    const auto has = [line](std::string_view folder) { return line.find(folder) != std::string_view::npos; };
    for (const std::string_view folder : {"checks", "engine", "include", "numbers", "runtime", "textures"})
        if (has(fmt::format("/emulator/{}/", folder))) return Owner::emulator;
    for (const std::string_view begin : {"/usr/include/", "/usr/lib/", "/usr/local/cuda", "<null>"})
        if (line.starts_with(begin)) return Owner::system;
    const bool is_of_library = has("/src/libsanitizer/") || has("/include/fmt/") || has("/include/boost/");
    return is_of_library ? Owner::system : Owner::user;
}

/// Returns the first line of the place for which is_wanted() returns true. A place has a line for each
/// function that is inlined there; the innermost function comes first.
template <class IsWanted>
std::optional<std::string> first_line(void* place, IsWanted is_wanted) {
    std::array<char, 4096> lines{};  // terminated by zeros
    __sanitizer_symbolize_pc(place, "%S", lines.data(), lines.size() - 1);
    for (const char* line = lines.data(); *line != 0; line += std::strlen(line) + 1)
        if (is_wanted(owner_of(line))) return line;
    return std::nullopt;
}

}  // namespace

std::optional<std::string> users_line(void* place) {
    return first_line(place, [](Owner owner) { return owner == Owner::user; });
}

bool is_users_access(void* place) {
    const auto line = first_line(place, [](Owner owner) { return owner != Owner::system; });
    return line && owner_of(*line) == Owner::user;
}

Callers Callers::here() {
    std::array<void*, 24> places{};
    const int depth = backtrace(places.data(), static_cast<int>(places.size()));
    return Callers(std::span(places).first(static_cast<std::size_t>(depth)));
}

Callers::Callers(std::span<void* const> places) {
    // A vector's copy would call memmove(), which stream_races.cpp watches, and a report may need a mutex
    // that the caller holds.
    places_.reserve(places.size());
    for (void* const place : places) places_.push_back(place);
}

std::string Callers::at_line() const {
    for (void* const place : places_)
        if (const auto line = users_line(place)) return " at " + *line;
    return {};
}

}  // namespace cudabook::emulation

#endif
