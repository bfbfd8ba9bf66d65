// Settings of the emulated GPU that come from environment variables.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "common/program/errors.hpp"

namespace cudabook::emulation {

/// Returns the number in an environment variable, or nothing if the variable is not set or is empty. Throws
/// MachineError if the text is no number of type T.
template <std::unsigned_integral T>
std::optional<T> number_in_environment(const char* name) {
    const char* const variable = std::getenv(name);
    const std::string_view text = variable == nullptr ? "" : variable;
    if (text.empty()) return std::nullopt;
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw MachineError(fmt::format("{}: '{}': a whole number is needed", name, text));
    return value;
}

/// Returns the seed of the option --schedule (CUDABOOK_SCHEDULE). Returns nothing if there is no seed; all
/// work is then done in order. Throws MachineError as number_in_environment() does.
inline std::optional<std::uint64_t> schedule_seed() {
    static const auto seed = number_in_environment<std::uint64_t>("CUDABOOK_SCHEDULE");
    return seed;
}

}  // namespace cudabook::emulation
