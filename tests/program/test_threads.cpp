// common/program/threads.hpp: the threads are started, or an exception says why not.
#include "common/program/threads.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "common/program/errors.hpp"
#include "tests/support/process.hpp"

namespace cudabook {
namespace {

TEST(Threads, AreStarted) {
    start_threads();
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
    EXPECT_EQ(sum, 4950);
}

/// Ends the process with status 3 if OutOfMemory says that there is not enough memory for 500 threads.
[[noreturn]] void start_500_threads_in_little_memory() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20U);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    omp_set_num_threads(500);
    try {
        start_threads();
    } catch (const OutOfMemory& error) {
        std::fputs(error.what(), stderr);
        _exit(3);
    }
    _exit(0);
}

TEST(Threads, TooManyForTheMemory) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a new process, which has no threads yet
    EXPECT_EXIT(start_500_threads_in_little_memory(), testing::ExitedWithCode(3),
                "^out of memory: there is not enough for 500 threads; set OMP_NUM_THREADS to fewer$");
}

}  // namespace
}  // namespace cudabook
