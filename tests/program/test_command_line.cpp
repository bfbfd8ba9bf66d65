// common/command_line.hpp: the options of every room, the report's way out, and how a program ends.
#include "common/program/command_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/error_text.hpp"
#include "tests/support/redirected.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::is_one_line;

std::optional<CommonOptions> parse(CommandLine& line, const std::vector<const char*>& arguments) {
    std::vector<const char*> argv{"/some/where/room"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    argv.push_back(nullptr);
    return line.parse(static_cast<int>(argv.size()) - 1, argv.data());
}

std::optional<CommonOptions> parse(const std::vector<const char*>& arguments) {
    CommandLine line("room", "What the room shows");
    return parse(line, arguments);
}

/// The options of a command line that asks for more than --help or --version.
CommonOptions options_of(const std::vector<const char*>& arguments) {
    const auto options = parse(arguments);
    if (!options) throw std::logic_error("no options");
    return *options;
}

/// The error of a wrong command line, which is one line.
std::string usage_error(const std::vector<const char*>& arguments) {
    std::string error = error_text<UsageError>([&] { parse(arguments); });
    EXPECT_TRUE(is_one_line(error)) << error;
    return error;
}

/// What the work prints on stdout.
std::string stdout_of(const std::function<void()>& work) {
    testing::internal::CaptureStdout();
    work();
    return testing::internal::GetCapturedStdout();
}

TEST(CommandLine, Defaults) {
    const CommonOptions options = options_of({});
    EXPECT_FALSE(options.device.kind);
    EXPECT_EQ(options.kernel, "");
    EXPECT_FALSE(options.all_kernels());
    EXPECT_FALSE(options.list_kernels);
    EXPECT_FALSE(options.json);
    EXPECT_FALSE(options.json_on_stdout());
    EXPECT_FALSE(options.benchmark);
    EXPECT_FALSE(options.quiet);
}

TEST(CommandLine, EveryOption) {
    const CommonOptions options = options_of({"--device", "cuda:3", "--kernel", "fused", "--list-kernels",
                                              "--json", "out.json", "--benchmark", "--quiet"});
    EXPECT_EQ(options.device.kind, DeviceKind::cuda);
    EXPECT_EQ(options.device.index, 3);
    EXPECT_EQ(options.kernel, "fused");
    EXPECT_FALSE(options.all_kernels());
    EXPECT_TRUE(options.list_kernels);
    EXPECT_EQ(options.json, "out.json");
    EXPECT_FALSE(options.json_on_stdout());
    EXPECT_TRUE(options.benchmark);
    EXPECT_TRUE(options.quiet);
}

TEST(CommandLine, EachOptionAlone) {
    EXPECT_EQ(options_of({"--device", "cpu"}).device.kind, DeviceKind::cpu);
    EXPECT_FALSE(options_of({"--device", "auto"}).device.kind);
    EXPECT_EQ(options_of({"--kernel", "book"}).kernel, "book");
    EXPECT_TRUE(options_of({"--list-kernels"}).list_kernels);
    EXPECT_EQ(options_of({"--json", "f"}).json, "f");
    EXPECT_TRUE(options_of({"--benchmark"}).benchmark);
    EXPECT_TRUE(options_of({"--quiet"}).quiet);
    EXPECT_FALSE(options_of({"--quiet"}).benchmark);
    EXPECT_FALSE(options_of({"--benchmark"}).quiet);
}

TEST(CommandLine, WithAnEqualsSign) {
    EXPECT_EQ(options_of({"--device=cpu"}).device.kind, DeviceKind::cpu);
    EXPECT_EQ(options_of({"--json=out.json"}).json, "out.json");
    EXPECT_TRUE(options_of({"--json=-"}).json_on_stdout());
}

TEST(CommandLine, AllKernels) { EXPECT_TRUE(options_of({"--kernel", "all"}).all_kernels()); }

TEST(CommandLine, MinusIsStdout) {
    const CommonOptions options = options_of({"--json", "-", "--quiet"});
    EXPECT_TRUE(options.json_on_stdout());
    EXPECT_TRUE(options.quiet);
}

TEST(CommandLine, HelpIsPrintedAndEndsWithNothing) {
    for (const char* asked : {"--help", "-h"}) {
        const std::string text = stdout_of([&] { EXPECT_FALSE(parse({asked})); });
        EXPECT_NE(text.find("What the room shows"), std::string::npos) << text;
        for (const char* option : {"--device", "--kernel", "--list-kernels", "--json", "--benchmark",
                                   "--quiet", "--help", "--version"})
            EXPECT_NE(text.find(option), std::string::npos) << option;
    }
}

TEST(CommandLine, VersionIsOneLineAndEndsWithNothing) {
    EXPECT_EQ(stdout_of([] { EXPECT_FALSE(parse({"--version"})); }),
              "room (cudabook) " CUDABOOK_VERSION "\n");
}

TEST(CommandLine, UnknownOption) {
    const std::string error = usage_error({"--bogus"});
    EXPECT_NE(error.find("--bogus"), std::string::npos) << error;
    EXPECT_NE(error.find("see --help"), std::string::npos) << error;
}

TEST(CommandLine, ErrorIsOneLineWhateverWasTyped) {
    EXPECT_NE(usage_error({"--bogus\nof two lines"}).find("--bogus"), std::string::npos);
}

TEST(CommandLine, UnknownWord) {
    const std::string error = usage_error({"fused"});
    EXPECT_NE(error.find("fused"), std::string::npos) << error;
}

TEST(CommandLine, MissingValue) {
    for (const char* option : {"--device", "--kernel", "--json"}) {
        const std::string error = usage_error({"--quiet", option});
        EXPECT_NE(error.find(option), std::string::npos) << error;
        EXPECT_NE(error.find("see --help"), std::string::npos) << error;
    }
}

TEST(CommandLine, FlagWithAValue) {
    const std::string error = usage_error({"--quiet=maybe"});
    EXPECT_NE(error.find("quiet"), std::string::npos) << error;
}

TEST(CommandLine, OptionGivenTwice) {
    const std::string error = usage_error({"--kernel", "book", "--kernel", "fused"});
    EXPECT_NE(error.find("--kernel"), std::string::npos) << error;
}

TEST(CommandLine, WrongDevice) {
    EXPECT_EQ(usage_error({"--device", "gpu"}), "--device 'gpu': use auto, cpu, cuda or cuda:N");
    EXPECT_EQ(usage_error({"--device", ""}), "--device '': use auto, cpu, cuda or cuda:N");
}

TEST(CommandLine, WrongDeviceBesideHelp) {
    stdout_of([] { EXPECT_FALSE(parse({"--device", "gpu", "--help"})); });
}

TEST(CommandLine, OptionOfTheRoom) {
    CommandLine line("room", "What the room shows");
    int size = 5;
    line.app().add_option("--size", size)->check(in_range(1, 1000));
    ASSERT_TRUE(parse(line, {"--size", "7", "--quiet"}));
    EXPECT_EQ(size, 7);
}

template <class Number>
std::string range_error(Number least, Number most, const char* text) {
    CommandLine line("room", "What the room shows");
    Number number{};
    line.app().add_option("--number", number)->check(in_range(least, most));
    return error_text<UsageError>([&] { parse(line, {"--number", text}); });
}

TEST(InRange, TakesTheEnds) {
    for (const char* text : {"-3", "0", "10"}) EXPECT_EQ(range_error(-3, 10, text), "no error") << text;
    EXPECT_EQ(range_error(1, std::numeric_limits<int>::max(), "2147483647"), "no error");
}

TEST(InRange, RefusesTheRest) {
    for (const char* text : {"-4", "11", "", "x", "1x", "1.5", "99999999999999999999", "nan", "0x"})
        EXPECT_EQ(range_error(-3, 10, text),
                  fmt::format("--number: '{}' is not a number from -3 to 10; see --help", text));
    EXPECT_NE(range_error(1, std::numeric_limits<int>::max(), "2147483648"), "no error");
}

TEST(InRange, OfFractions) {
    for (const char* text : {"-0.5", "0", "0.25", "1e-3", "1"})
        EXPECT_EQ(range_error(-0.5F, 1.0F, text), "no error") << text;
    for (const char* text : {"-0.51", "1.1", "nan", "-nan", "inf", "-inf", "1e99", "0.25x", ""})
        EXPECT_EQ(range_error(-0.5F, 1.0F, text),
                  fmt::format("--number: '{}' is not a number from -0.5 to 1; see --help", text));
}

TEST(Finite, RefusesNanAndInfinity) {
    const auto error_of = [](const char* text) {
        CommandLine line("room", "What the room shows");
        float number = 0;
        line.app().add_option("--number", number)->check(finite());
        return error_text<UsageError>([&] { static_cast<void>(parse(line, {"--number", text})); });
    };
    for (const char* text : {"0", "-0.25", "3e38", "-3e38"}) EXPECT_EQ(error_of(text), "no error") << text;
    for (const char* text : {"nan", "-nan", "inf", "-inf", "infinity", "1e39", "x", ""})
        EXPECT_EQ(error_of(text),
                  fmt::format("--number: '{}' is not a number that is finite; see --help", text));
}

TEST(Note, IsALineOnStderrUnlessQuiet) {
    CommonOptions options;
    testing::internal::CaptureStderr();
    note(options, "room", "on the CPU");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "room: on the CPU\n");
    options.quiet = true;
    testing::internal::CaptureStderr();
    note(options, "room", "on the CPU");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

Report some_report() {
    Report report("room", {DeviceKind::cpu, 0, "Some CPU", "", 0, 8}, {{"size", 5}});
    report.add({"book", "global", "f7cb8b0a", true, {{"ms", 1.5}}});
    return report;
}

/// What a run with these options prints on stdout at its end.
std::string printed(const CommonOptions& options) {
    return stdout_of([&] { ReportOutput(options).write(some_report()); });
}

TEST(ReportOutput, TableOnStdout) { EXPECT_EQ(printed({}), some_report().text()); }

TEST(ReportOutput, NothingWhenQuiet) {
    CommonOptions options;
    options.quiet = true;
    EXPECT_EQ(printed(options), "");
}

TEST(ReportOutput, JsonOnStdoutAndNothingElse) {
    CommonOptions options;
    options.json = "-";
    for (const bool quiet : {false, true}) {
        options.quiet = quiet;
        const std::string text = printed(options);
        EXPECT_EQ(Json::parse(text), some_report().json());
        EXPECT_EQ(text.back(), '\n');
    }
}

TEST(ReportOutput, JsonInAFileBesideTheTable) {
    const test::TemporaryFolder folder;
    CommonOptions options;
    options.json = folder / "out.json";
    for (const bool quiet : {false, true}) {
        options.quiet = quiet;
        EXPECT_EQ(printed(options), quiet ? "" : some_report().text());
        const std::string text = test::content_of(*options.json);
        EXPECT_EQ(text, some_report().json().dump(2) + '\n');
        std::filesystem::remove(*options.json);
    }
}

TEST(ReportOutput, FileIsTriedBeforeTheWorkAndIsNotThereWithoutAReport) {
    const test::TemporaryFolder folder;
    CommonOptions options;
    options.json = folder / "missing" / "out.json";
    EXPECT_EQ(error_text<MachineError>([&] { const ReportOutput output(options); }),
              "cannot write '" + *options.json + "': No such file or directory");
    options.json = folder / "out.json";
    { const ReportOutput output(options); }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST(ReportOutput, MinusMakesNoFile) {
    const test::TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    CommonOptions options;
    options.json = "-";
    printed(options);
    std::filesystem::current_path(before);
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST(ReportOutput, StdoutThatIsFull) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    CommonOptions json;
    json.json = "-";
    for (const CommonOptions& options : {CommonOptions{}, json}) {
        std::string error;
        {
            const test::Redirected redirected(stdout, open("/dev/full", O_WRONLY | O_CLOEXEC));
            error = error_text<MachineError>([&] { ReportOutput(options).write(some_report()); });
        }
        EXPECT_EQ(error, "cannot write to stdout: No space left on device");
    }
}

/// What run_program returns, and the line that it leaves on stderr.
struct End {
    int status;
    std::string line;
    bool operator==(const End&) const = default;
};
void PrintTo(const End& end, std::ostream* out) { *out << end.status << " with '" << end.line << "'"; }

End end_of(const std::function<ExitStatus()>& program) {
    const auto old_handler = std::signal(SIGPIPE, SIG_DFL);
    testing::internal::CaptureStderr();
    const int status = run_program("room", program);
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
              (End{2, "room: --width: too wide\n"}));
}

TEST(RunProgram, MachineThatCannotIs3) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw MachineError("no display"); }),
              (End{3, "room: no display\n"}));
}

TEST(RunProgram, OutOfMemoryIs3) {
    const End expected{3, "room: out of memory; choose a smaller problem\n"};
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::bad_alloc(); }), expected);
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::bad_array_new_length(); }), expected);
}

TEST(RunProgram, AnyOtherErrorIs3) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw std::runtime_error("what nobody thought of"); }),
              (End{3, "room: what nobody thought of\n"}));
}

TEST(RunProgram, WhatDoesNotReachStdoutIs3) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const End expected{3, "room: cannot write to stdout: No space left on device\n"};
    const auto end_of_full = [](const std::function<ExitStatus()>& program) {
        const test::Redirected redirected(stdout, open("/dev/full", O_WRONLY | O_CLOEXEC));
        return end_of(program);
    };
    EXPECT_EQ(end_of_full([] { return std::puts("a line") < 0 ? ExitStatus::usage : ExitStatus::ok; }),
              expected);
    for (const char* asked : {"--help", "--version"})
        EXPECT_EQ(end_of_full([&] { return parse({asked}) ? ExitStatus::usage : ExitStatus::ok; }), expected);
    EXPECT_EQ(end_of_full([] { return ExitStatus::ok; }), (End{0, ""}));
}

TEST(RunProgram, BracesInAMessageAreOnlyBraces) {
    EXPECT_EQ(end_of([]() -> ExitStatus { throw UsageError("--kernel '{}'"); }),
              (End{2, "room: --kernel '{}'\n"}));
}

TEST(RunProgram, WrongOptionAsAWhole) {
    const End end = end_of([] { return parse({"--bogus"}) ? ExitStatus::ok : ExitStatus::wrong_number; });
    EXPECT_EQ(end.status, 2);
    EXPECT_EQ(end.line.find("room: "), 0U) << end.line;
    EXPECT_EQ(end.line.find('\n'), end.line.size() - 1) << end.line;
}

TEST(RunProgram, ClosedPipeIs3AndNoSignal) {
    CommonOptions options;
    options.json = "-";
    const End end = end_of([&] {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        close(ends[0]);
        const test::Redirected redirected(stdout, ends[1]);
        ReportOutput(options).write(some_report());
        return ExitStatus::ok;
    });
    EXPECT_EQ(end, (End{3, "room: cannot write to stdout: Broken pipe\n"}));
}

}  // namespace
}  // namespace cudabook
