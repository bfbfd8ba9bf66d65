#include "common/program/threads.hpp"

#include <omp.h>

#include <exception>
#include <latch>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"

namespace cudabook {

void start_threads() {
    const int count = omp_get_max_threads();
    bool enough = true;
    {
        std::latch all_started(1);
        std::vector<std::jthread> others;
        try {
            for (int i = 1; i < count; ++i) others.emplace_back([&] { all_started.wait(); });
        } catch (const std::exception&) {
            enough = false;
        }
        all_started.count_down();
    }
    if (!enough)
        throw OutOfMemory(fmt::format(
            "out of memory: there is not enough for {} threads; set OMP_NUM_THREADS to fewer", count));
#pragma omp parallel
    {}
}

}  // namespace cudabook
