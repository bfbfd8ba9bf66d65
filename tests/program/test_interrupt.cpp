// common/program/interrupt.hpp: the flag, the restored handlers, and the second signal.
#include "common/program/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

namespace cudabook {
namespace {

class Interrupt : public testing::TestWithParam<int> {
  protected:
    void TearDown() override { clear_interrupt(); }
};

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return test.param == SIGINT ? "SIGINT" : "SIGTERM"; });

volatile std::sig_atomic_t calls_of_own_handler = 0;
extern "C" void own_handler(int) { calls_of_own_handler = calls_of_own_handler + 1; }

TEST_P(Interrupt, SignalSetsTheFlag) {
    const InterruptGuard guard;
    EXPECT_FALSE(interrupted());
    std::raise(GetParam());
    EXPECT_TRUE(interrupted());
}

TEST_P(Interrupt, EveryThreadSeesTheFlag) {
    const InterruptGuard guard;
    std::thread worker([] {
        while (!interrupted()) std::this_thread::yield();
    });
    std::raise(GetParam());
    worker.join();
}

TEST_P(Interrupt, ClearedFlagCanBeSetAgain) {
    const InterruptGuard guard;
    for (int phase = 0; phase < 3; ++phase) {
        std::raise(GetParam());
        EXPECT_TRUE(interrupted());
        clear_interrupt();
        EXPECT_FALSE(interrupted());
    }
}

TEST_P(Interrupt, FlagOutlivesTheGuardAndTheNextGuardClearsIt) {
    {
        const InterruptGuard guard;
        std::raise(GetParam());
    }
    EXPECT_TRUE(interrupted());
    const InterruptGuard guard;
    EXPECT_FALSE(interrupted());
}

TEST_P(Interrupt, OldHandlerIsRestored) {
    const auto before = std::signal(GetParam(), own_handler);
    calls_of_own_handler = 0;
    {
        const InterruptGuard guard;
        std::raise(GetParam());
        EXPECT_EQ(calls_of_own_handler, 0);
    }
    std::raise(GetParam());
    EXPECT_EQ(calls_of_own_handler, 1);
    EXPECT_EQ(std::signal(GetParam(), before), own_handler);
}

TEST_P(Interrupt, SecondSignalEndsTheProcess) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const InterruptGuard guard;
    EXPECT_EXIT(
        {
            std::raise(GetParam());
            std::raise(GetParam());
        },
        testing::KilledBySignal(GetParam()), "");
}

TEST(InterruptMixed, SecondSignalOfTheOtherKindEndsTheProcess) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    const InterruptGuard guard;
    EXPECT_EXIT(
        {
            std::raise(SIGINT);
            std::raise(SIGTERM);
        },
        testing::KilledBySignal(SIGTERM), "");
}

TEST_P(Interrupt, WithoutAGuardTheSignalEndsTheProcess) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    { const InterruptGuard guard; }
    EXPECT_EXIT(
        {
            std::signal(GetParam(), SIG_DFL);  // the parent process may ignore it
            { const InterruptGuard guard; }
            std::raise(GetParam());
        },
        testing::KilledBySignal(GetParam()), "");
}

}  // namespace
}  // namespace cudabook
