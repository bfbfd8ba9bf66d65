// Ends a kernel with a message that has values in it.
#pragma once

#include <array>
#include <utility>

#include <fmt/format.h>

#include "common/emulation/block.hpp"

namespace cudabook::emulation {

/// fail_kernel() with a text formatted by {fmt}, cut after 199 characters.
template <class... Values>
[[noreturn]] void fail_kernel_because(fmt::format_string<Values...> format, Values&&... values) {
    // Not on the stack, and nothing to destroy: fail_kernel() may leave this stack for good.
    static constinit thread_local std::array<char, 200> text{};
    *fmt::format_to_n(text.data(), text.size() - 1, format, std::forward<Values>(values)...).out = '\0';
    fail_kernel(text.data());
}

}  // namespace cudabook::emulation
