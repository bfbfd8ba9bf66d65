// What the programs here have in common: their numbers are compared with expected ones.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>

#include "common/program/errors.hpp"

namespace find_the_bug {

/// Prints "right", or the first number that differs, as a NaN does from all.
inline cudabook::ExitStatus compare(std::span<const float> numbers, std::span<const float> expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (!(numbers[i] == expected[i])) {
            std::printf("wrong: number %zu is %g, not %g\n", i, numbers[i], expected[i]);
            return cudabook::ExitStatus::wrong_number;
        }
    std::puts("right");
    return cudabook::ExitStatus::ok;
}

}  // namespace find_the_bug
