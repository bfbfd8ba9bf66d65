// Kernels that end their process, and the order of threads: each kernel runs in a process of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/sanitized.hpp"

namespace cudabook {
namespace {

using test::Ending;
using test::Surroundings;

/// Runs a kernel on one thread of the host, which runs the blocks in order, so that the messages are known.
/// The blocks of a cluster run in a thread each.
Ending run_kernel(const std::string& kernel, std::vector<std::string> environment = {}) {
    environment.emplace_back("OMP_NUM_THREADS=1");
    environment.emplace_back("CUDABOOK_LAUNCH_TIMEOUT=1");
    return test::run("one_kernel", {kernel},
                     Surroundings{.unset = {"CUDABOOK_SCHEDULE"}, .set = environment});
}

class CliOneKernel : public testing::Test {
  protected:
    void SetUp() override {
        if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    }

    static void expect_end(const std::string& kernel, const test::Words& words) {
        test::expect_error("one_kernel", run_kernel(kernel), 3, words, kernel);
    }
};

TEST_F(CliOneKernel, LoopWithoutEnd) {
    expect_end("wait_for_memory",
               {"cudaErrorLaunchTimeout", "wait_for_memory, block (1, 0, 0), thread (5, 0, 0)", "for 1 s",
                "CUDABOOK_LAUNCH_TIMEOUT"});
}

TEST_F(CliOneKernel, ThreadsThatTakeTurnsWithoutEnd) {
    expect_end("wait_for_atomics", {"cudaErrorLaunchTimeout", "wait_for_atomics, block (0, 0, 0), thread ("});
}

TEST_F(CliOneKernel, BlockThatWaitsForALaterOne) {
    expect_end("wait_for_next_block",
               {"cudaErrorLaunchTimeout", "wait_for_next_block, block (0, 0, 0), thread (0, 0, 0)"});
}

/// The threads make progress for ever, but only from barrier to barrier.
TEST_F(CliOneKernel, ThreadsThatPassBarriersWithoutEnd) {
    test::expect_error("one_kernel", run_kernel("pass_barriers", {"CUDABOOK_BARRIERS_TIMEOUT=1"}), 3,
                       {"cudaErrorLaunchTimeout", "pass_barriers, block (0, 0, 0), thread (", "for 1 s",
                        "waited for each other again and again", "CUDABOOK_BARRIERS_TIMEOUT=SECONDS"},
                       "pass_barriers");
}

/// Faults of the processor. The emulated GPU reports them if no sanitizer does.
class CliFault : public CliOneKernel {
  protected:
    void SetUp() override {
        CliOneKernel::SetUp();
        if (test::sanitized) GTEST_SKIP() << "the sanitizer reports it first";
    }
};

TEST_F(CliFault, IllegalAddress) {
    expect_end("write_to_null",
               {"cudaErrorIllegalAddress", "write_to_address, block (2, 0, 0), thread (7, 0, 0)", "at 0x0"});
}

TEST_F(CliFault, IllegalAddressAfterABarrier) {
    expect_end("write_after_barrier",
               {"cudaErrorIllegalAddress", "write_after_barrier, block (2, 0, 0), thread (7, 0, 0)"});
}

/// Eight threads of the host fault at the same time, and only the first of them reports it. Chance decides
/// whether their faults coincide, so the kernel runs 20 times.
TEST_F(CliFault, IllegalAddressInSeveralBlocksAtOnce) {
    for (int i = 0; i < 20; ++i)
        test::expect_error("one_kernel", run_kernel("write_by_each_block", {"CUDABOOK_EMULATED_GPUS=h200"}),
                           3, {"cudaErrorIllegalAddress", "write_by_each_block, block (", "at 0x0"},
                           "each block");
}

TEST_F(CliFault, HandlerTakesNoMemory) {
    expect_end("close_heap_and_write", {"cudaErrorIllegalAddress",
                                        "close_heap_and_write, block (0, 0, 0), thread (0, 0, 0)", "at 0x0"});
}

TEST_F(CliFault, BesideAnArray) {
    const std::string who = "write_element, block (2, 0, 0), thread (7, 0, 0)";
    expect_end("write_behind",
               {"cudaErrorIllegalAddress", ", 0 bytes behind the end of an array of 4096 bytes)", who});
    expect_end("write_before", {"cudaErrorIllegalAddress", ", 8 bytes before an array of 4096 bytes)", who});
    expect_end("write_pinned",
               {"cudaErrorIllegalAddress", ", 24 bytes behind the end of an array of 4096 bytes)", who});
    expect_end("write_freed", {"cudaErrorIllegalAddress",
                               ", 20 bytes into an array of 4096 bytes that has been freed)", who});
}

TEST_F(CliFault, SharedMemoryOfAnEndedBlock) {
    test::expect_error(
        "one_kernel", run_kernel("read_memory_of_an_ended_block", {"CUDABOOK_EMULATED_GPUS=h200"}), 3,
        {"cudaErrorIllegalAddress", "read_memory_of_an_ended_block, block (0, 0, 0), thread (0, 0, 0)",
         "which has ended"},
        "read_memory_of_an_ended_block");
}

TEST_F(CliFault, StackUsedUp) {
    expect_end("recurse_for_ever",
               {"cudaErrorIllegalAddress", "recurse_for_ever, block (0, 0, 0), thread (0, 0, 0)"});
}

TEST_F(CliFault, DivisionByZero) {
#ifdef __aarch64__
    GTEST_SKIP() << "the processor gives 0, and no fault";
#endif
    expect_end("divide", {"division by zero", "divide, block (0, 0, 0), thread (3, 0, 0)"});
}

TEST_F(CliFault, HostCodeIsNotOurs) { EXPECT_EQ(run_kernel("host_fault").signal, SIGSEGV); }

/// The numbers of threads, in the order in which they ran.
std::vector<int> order(std::vector<std::string> environment) {
    std::vector<int> numbers;
    for (const std::string& line : test::lines_of(run_kernel("order", std::move(environment)).out))
        numbers.push_back(std::stoi(line));
    return numbers;
}

using CliSchedule = CliOneKernel;

TEST_F(CliSchedule, WithoutASeedThreadsRunInOrder) {
    std::vector<int> in_order(40 * 64);
    std::iota(in_order.begin(), in_order.end(), 0);
    EXPECT_EQ(order({}), in_order);
}

TEST_F(CliSchedule, ASeedGivesAnOrderOfBlocksAndThreads) {
    const std::vector<int> first = order({"CUDABOOK_SCHEDULE=1"});
    std::vector<int> sorted = first;
    std::ranges::sort(sorted);
    EXPECT_EQ(sorted, order({}));

    const auto block_of = [](int number) { return number / 64; };
    EXPECT_FALSE(std::ranges::is_sorted(first, {}, block_of));
    EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 64));
    EXPECT_TRUE(std::all_of(first.begin(), first.begin() + 64,
                            [&](int number) { return block_of(number) == block_of(first[0]); }));
}

TEST_F(CliSchedule, TheSameSeedGivesTheSameOrderAndAnotherOneAnother) {
    const std::vector<int> first = order({"CUDABOOK_SCHEDULE=1"});
    EXPECT_EQ(order({"CUDABOOK_SCHEDULE=1"}), first);
    EXPECT_NE(order({"CUDABOOK_SCHEDULE=2"}), first);
    EXPECT_EQ(first.size(), 40U * 64U);
}

// ----- Refused environment variables, and memory that is used up

TEST_F(CliOneKernel, WhatTheEnvironmentMayNotSay) {
    const auto expect_refused = [](const std::string& setting, const test::Words& words) {
        test::expect_error("matmul",
                           test::run("matmul", {"--size", "8", "--device", "emulated"},
                                     Surroundings{.unset = {}, .set = {setting}}),
                           3, words, setting);
    };
    expect_refused("CUDABOOK_EMULATED_GPUS=h200,t5", {"CUDABOOK_EMULATED_GPUS: 't5'", "t4", "h200"});
    expect_refused("CUDABOOK_SCHEDULE=1a", {"matmul: CUDABOOK_SCHEDULE: '1a': a whole number is needed"});
    expect_refused("CUDABOOK_LAUNCH_TIMEOUT=-1",
                   {"matmul: CUDABOOK_LAUNCH_TIMEOUT: '-1': a whole number is needed"});
    expect_refused("CUDABOOK_BARRIERS_TIMEOUT=1.5",
                   {"matmul: CUDABOOK_BARRIERS_TIMEOUT: '1.5': a whole number is needed"});
}

TEST_F(CliOneKernel, MemoryUsedUp) {
    test::expect_error(
        "tex1dfetch_big",
        test::run("tex1dfetch_big", {"20000", "--device", "emulated:t4", "--memory", "device"}), 3,
        {"out of memory: cudaMalloc asked for 20000.0 MiB", "the device's"}, "t4");
}

}  // namespace
}  // namespace cudabook
