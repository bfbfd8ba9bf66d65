// The threads of OpenMP's loops, started while there is memory for them.
#pragma once

#include <omp.h>

#include <exception>
#include <latch>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"

namespace cudabook {

/// Starts the threads that OpenMP's loops use from now on. A loop that cannot start them ends the process
/// with a message of its own, so as many others are tried before. Errors: OutOfMemory.
inline void start_threads() {
    const int count = omp_get_max_threads();
    bool there_are_so_many = true;
    {
        std::latch all_tried(1);
        std::vector<std::jthread> tried;
        try {
            for (int i = 1; i < count; ++i) tried.emplace_back([&] { all_tried.wait(); });
        } catch (const std::exception&) {
            there_are_so_many = false;
        }
        all_tried.count_down();
    }
    if (!there_are_so_many)
        throw OutOfMemory(fmt::format(
            "out of memory: it does not suffice for {} threads; set OMP_NUM_THREADS to fewer", count));
#pragma omp parallel
    {}
}

}  // namespace cudabook
