// In a program of cudabook-nvcc that counts: what its kernels asked of memory, printed when it ends.
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "common/program/counts.hpp"

/// After all destructors, which may launch kernels too.
[[gnu::destructor]] static void print_counts() {
    std::fflush(stdout);
    fmt::print(stderr, "{}",
               cudabook::table_of({{program_invocation_short_name, cudabook::take_counts(), std::nullopt}}));
}
