// Fault injection: lets the tests prove that a wrong bit is detected.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace cudabook {

/// Flips bit 30 of the middle value of the results of `kernel` if the environment variable
/// CUDABOOK_TEST_FAULT names that kernel. Value must be a 32-bit type.
template <class Value>
void flip_bit_if_asked(std::string_view kernel, std::span<Value> values) {
    const char* faulty = std::getenv("CUDABOOK_TEST_FAULT");
    if (faulty == nullptr || kernel != faulty || values.empty()) return;
    Value& value = values[values.size() / 2];
    value = std::bit_cast<Value>(std::bit_cast<std::uint32_t>(value) ^ (1U << 30U));
}

}  // namespace cudabook
