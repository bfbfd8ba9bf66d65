// heat_notexture/parts/workers/threads.hpp: workers that are threads.
#include "heat_notexture/parts/workers/threads.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <fstream>
#include <functional>
#include <latch>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace cudabook {
namespace {

class Threads : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Counts, Threads, testing::Values(1, 2, 3, 8));

TEST_P(Threads, HearWhatAllSay) {
    const int count = GetParam();
    std::atomic<int> right = 0;
    run_on_threads(count, [&](Worker& worker) {
        for (int round = 0; round < 100; ++round) {
            const auto all = worker.all_gather(std::to_string(worker.index() * round));
            bool as_said = static_cast<int>(all.size()) == count;
            for (int i = 0; i < count; ++i)
                as_said &= all[static_cast<std::size_t>(i)] == std::to_string(i * round);
            right += as_said ? 1 : 0;
        }
        return ExitStatus::ok;
    });
    EXPECT_EQ(right, 100 * count);
}

TEST_P(Threads, ReceiveWhatWasSent) {
    const int count = GetParam();
    std::atomic<int> right = 0;
    run_on_threads(count, [&](Worker& worker) {
        const int next = (worker.index() + 1) % count;
        const int previous = (worker.index() + count - 1) % count;
        for (int round = 0; round < 100; ++round) {
            const std::array sent{worker.index(), round};
            std::array<int, 2> to_next{};
            std::array<int, 2> to_previous{};
            const std::array outgoing{Outgoing{next, 0, std::as_bytes(std::span(sent))},
                                      Outgoing{previous, 1, std::as_bytes(std::span(sent))}};
            const std::array incoming{Incoming{previous, 0, std::as_writable_bytes(std::span(to_next))},
                                      Incoming{next, 1, std::as_writable_bytes(std::span(to_previous))}};
            worker.exchange(outgoing, incoming);
            right += to_next == std::array{previous, round} && to_previous == std::array{next, round} ? 1 : 0;
        }
        return ExitStatus::ok;
    });
    EXPECT_EQ(right, 100 * count);
}

/// The bytes of this process's address space that are in use.
std::size_t address_space() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// The error of `work` on `count` threads, or "none".
std::string failure_of(int count, const std::function<void(Worker&)>& work) {
    try {
        run_on_threads(count, [&](Worker& worker) {
            work(worker);
            return ExitStatus::ok;
        });
    } catch (const std::exception& error) {
        return error.what();
    }
    return "none";
}

TEST_P(Threads, FailTogetherWithTheFirstLine) {
    const int last = GetParam() - 1;
    EXPECT_EQ(failure_of(GetParam(),
                         [&](Worker& worker) {
                             collectively(worker, [] {});
                             collectively(worker, [&] {
                                 if (worker.index() >= last / 2)
                                     throw MachineError(std::to_string(worker.index()) + " is out of memory");
                             });
                         }),
              std::to_string(last / 2) + " is out of memory");
}

TEST_P(Threads, EndWhenOneFailsAlone) {
    const int last = GetParam() - 1;
    EXPECT_EQ(failure_of(GetParam(),
                         [&](Worker& worker) {
                             if (worker.index() == last) throw std::runtime_error("broken");
                             worker.all_gather("the last never comes");
                         }),
              "broken");
}

TEST(ThreadsFailure, MessagesOfAWorkerThatHasLeftAreNotRead) {
    std::latch has_left(1);
    bool was_read = false;
    EXPECT_EQ(failure_of(3,
                         [&](Worker& worker) {
                             if (worker.index() == 2) throw std::runtime_error("broken");
                             std::array<std::byte, 4> bytes{};
                             const std::array outgoing{Outgoing{1, 0, bytes}};
                             const std::array incoming{Incoming{0, 0, bytes}};
                             if (worker.index() == 0) {
                                 try {
                                     worker.exchange(outgoing, {});
                                 } catch (...) {
                                     has_left.count_down();
                                     throw;
                                 }
                             }
                             has_left.wait();
                             worker.exchange({}, incoming);
                             was_read = true;
                         }),
              "broken");
    EXPECT_FALSE(was_read);
}

// The second thread gets no memory for its stack, while the first waits for all.
TEST(ThreadsFailure, AThreadThatCannotBeStartedEndsTheOthers) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    pthread_attr_t usual;
    pthread_attr_t large;
    ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
    ASSERT_EQ(pthread_attr_init(&large), 0);
    constexpr std::size_t stack = std::size_t{1} << 30U;
    ASSERT_EQ(pthread_attr_setstacksize(&large, stack), 0);
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &limit), 0);
    rlimit for_one = limit;
    for_one.rlim_cur = address_space() + stack + stack / 2;
    ASSERT_EQ(pthread_setattr_default_np(&large), 0);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &for_one), 0);
    std::atomic<int> started = 0;
    const std::string failure = failure_of(5, [&](Worker& worker) {
        ++started;
        worker.all_gather("the others never come");
    });
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
    EXPECT_EQ(failure, "cannot start a thread for each of 5 workers: Resource temporarily unavailable");
    EXPECT_EQ(started, 1);
}

TEST(ThreadsStatus, IsThatOfTheFirst) {
    const auto status = run_on_threads(
        3, [](Worker& worker) { return worker.is_first() ? ExitStatus::wrong_number : ExitStatus::ok; });
    EXPECT_EQ(status, ExitStatus::wrong_number);
}

}  // namespace
}  // namespace cudabook
