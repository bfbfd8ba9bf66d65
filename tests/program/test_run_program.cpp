// common/program/run_program.hpp: how a program ends.
#include "common/program/run_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "tests/support/redirected.hpp"

namespace cudabook {
namespace {

/// The result of run_program, and its line on stderr.
struct End {
    int status;
    std::string line;
    bool operator==(const End&) const = default;
};
void PrintTo(const End& end, std::ostream* out) { *out << end.status << " with '" << end.line << "'"; }

End end_of(const std::function<ExitStatus()>& program) {
    const auto old_handler = std::signal(SIGPIPE, SIG_DFL);
    testing::internal::CaptureStderr();
    const int status = run_program("sample", program);
    const std::string line = testing::internal::GetCapturedStderr();
    std::signal(SIGPIPE, old_handler);
    return {status, line};
}

TEST(RunProgram, ReturnsWhatTheProgramReturns) {
    EXPECT_EQ(end_of([] { return ExitStatus::ok; }), (End{0, ""}));
    EXPECT_EQ(end_of([] { return ExitStatus::wrong_number; }), (End{1, ""}));
    EXPECT_EQ(end_of([] { return ExitStatus::usage; }), (End{2, ""}));
    EXPECT_EQ(end_of([] { return ExitStatus::machine; }), (End{3, ""}));
}

TEST(RunProgram, WrongCommandLineIs2) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw UsageError("--width: too wide"); }),
              (End{2, "sample: --width: too wide\n"}));
}

TEST(RunProgram, MachineErrorIs3) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw MachineError("no display"); }),
              (End{3, "sample: no display\n"}));
}

TEST(RunProgram, OutOfMemoryIs3) {
    const End expected{3, "sample: out of memory; choose a smaller problem\n"};
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::bad_alloc(); }), expected);
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::bad_array_new_length(); }), expected);
}

TEST(RunProgram, AnyOtherErrorIs3) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::runtime_error("an unexpected error"); }),
              (End{3, "sample: an unexpected error\n"}));
}

TEST(RunProgram, UnwritableStdoutIs3) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const End expected{3, "sample: cannot write to stdout: No space left on device\n"};
    const auto end_of_full = [](const std::function<ExitStatus()>& program) {
        const test::Redirected redirected(stdout, open("/dev/full", O_WRONLY | O_CLOEXEC));
        return end_of(program);
    };
    EXPECT_EQ(end_of_full([] { return std::puts("a line") < 0 ? ExitStatus::usage : ExitStatus::ok; }),
              expected);
    EXPECT_EQ(end_of_full([] { return ExitStatus::ok; }), (End{0, ""}));
}

TEST(RunProgram, BracesInAMessageAreKept) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw UsageError("--kernel '{}'"); }),
              (End{2, "sample: --kernel '{}'\n"}));
}

TEST(RunProgram, ClosedPipeIs3AndNoSignal) {
    const End end = end_of([] {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        close(ends[0]);
        const test::Redirected redirected(stdout, ends[1]);
        std::puts("a line");
        check_stdout();
        return ExitStatus::ok;
    });
    EXPECT_EQ(end, (End{3, "sample: cannot write to stdout: Broken pipe\n"}));
}

}  // namespace
}  // namespace cudabook
