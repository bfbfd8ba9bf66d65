// common/program/command_line.hpp: the options of every sample.
#include "common/program/command_line.hpp"
#include "common/program/version.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/stdout_of.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::is_one_line;
using test::stdout_of;

std::optional<CommonOptions> parse(CommandLine& line, const std::vector<const char*>& arguments) {
    std::vector<const char*> argv{"/some/where/sample"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    argv.push_back(nullptr);
    return line.parse(static_cast<int>(argv.size()) - 1, argv.data());
}

std::optional<CommonOptions> parse(const std::vector<const char*>& arguments) {
    CommandLine line("sample", "What the sample shows");
    return parse(line, arguments);
}

/// The options of a command line without --help or --version.
CommonOptions options_of(const std::vector<const char*>& arguments) {
    const auto options = parse(arguments);
    if (!options) throw std::logic_error("no options");
    return *options;
}

/// The error of an invalid command line, which must be one line.
std::string usage_error(const std::vector<const char*>& arguments) {
    std::string error = error_text<UsageError>([&] { parse(arguments); });
    EXPECT_TRUE(is_one_line(error)) << error;
    return error;
}

TEST(CommandLine, Defaults) {
    const CommonOptions options = options_of({});
    EXPECT_FALSE(options.device.kind);
    EXPECT_EQ(options.kernel, "");
    EXPECT_FALSE(options.several_kernels());
    EXPECT_FALSE(options.list_devices);
    EXPECT_FALSE(options.schedule);
    EXPECT_FALSE(options.list_kernels);
    EXPECT_FALSE(options.json);
    EXPECT_FALSE(options.json_on_stdout());
    EXPECT_FALSE(options.summary);
    EXPECT_FALSE(options.benchmark);
    EXPECT_FALSE(options.quiet);
}

TEST(CommandLine, EveryOption) {
    const CommonOptions options = options_of({"--device", "cuda:3", "--kernel", "fused", "--list-kernels",
                                              "--json", "out.json", "--summary", "--benchmark", "--quiet"});
    EXPECT_EQ(options.device.kind, DeviceKind::cuda);
    EXPECT_EQ(options.device.index, 3);
    EXPECT_EQ(options.kernel, "fused");
    EXPECT_FALSE(options.several_kernels());
    EXPECT_TRUE(options.list_kernels);
    EXPECT_EQ(options.json, "out.json");
    EXPECT_FALSE(options.json_on_stdout());
    EXPECT_TRUE(options.summary);
    EXPECT_TRUE(options.benchmark);
    EXPECT_TRUE(options.quiet);
}

TEST(CommandLine, EachOptionAlone) {
    EXPECT_EQ(options_of({"--device", "cpu"}).device.kind, DeviceKind::cpu);
    EXPECT_FALSE(options_of({"--device", "auto"}).device.kind);
    EXPECT_EQ(options_of({"--device", "emulated:t4"}).device.emulated_gpu, "t4");
    EXPECT_EQ(options_of({"--kernel", "book"}).kernel, "book");
    EXPECT_TRUE(options_of({"--list-devices"}).list_devices);
    EXPECT_TRUE(options_of({"--list-kernels"}).list_kernels);
    EXPECT_EQ(options_of({"--json", "f"}).json, "f");
    EXPECT_TRUE(options_of({"--benchmark"}).benchmark);
    EXPECT_TRUE(options_of({"--summary"}).summary);
    EXPECT_TRUE(options_of({"--quiet"}).quiet);
    EXPECT_FALSE(options_of({"--quiet"}).benchmark);
    EXPECT_FALSE(options_of({"--benchmark"}).quiet);
}

TEST(CommandLine, WithAnEqualsSign) {
    EXPECT_EQ(options_of({"--device=cpu"}).device.kind, DeviceKind::cpu);
    EXPECT_EQ(options_of({"--json=out.json"}).json, "out.json");
    EXPECT_TRUE(options_of({"--json=-"}).json_on_stdout());
}

TEST(CommandLine, KeepsItsWords) {
    EXPECT_EQ(options_of({"--device=cpu", "--kernel", "a b"}).arguments,
              (std::vector<std::string>{"/some/where/sample", "--device=cpu", "--kernel", "a b"}));
}

TEST(CommandLine, OnlyLists) {
    EXPECT_FALSE(options_of({}).only_lists());
    EXPECT_TRUE(options_of({"--list-devices"}).only_lists());
    EXPECT_TRUE(options_of({"--list-kernels"}).only_lists());
}

TEST(CommandLine, ScheduleOfAnEmulatedGpu) {
    for (const char* device : {"emulated", "emulated:t4"}) {
        EXPECT_EQ(options_of({"--device", device, "--schedule", "0"}).schedule, 0U);
        EXPECT_EQ(options_of({"--schedule", "4294967295", "--device", device}).schedule, 4294967295U);
    }
    for (const char* device : {"auto", "cpu", "cuda", "cuda:0"})
        EXPECT_EQ(usage_error({"--schedule", "1", "--device", device}),
                  "--schedule: only an emulated GPU has an order that can be chosen; use it with --device "
                  "emulated");
    for (const char* seed : {"", "x", "-1", "1.5", "4294967296"})
        EXPECT_NE(usage_error({"--device", "emulated", "--schedule", seed}).find("--schedule"),
                  std::string::npos)
            << seed;
}

TEST(CommandLine, SeveralKernels) {
    EXPECT_TRUE(options_of({"--kernel", "all"}).several_kernels());
    const CommonOptions options = options_of({"--kernel", "tiled,book,tiled"});
    EXPECT_TRUE(options.several_kernels());
    EXPECT_EQ(options.named_kernels(), (std::vector<std::string>{"tiled", "book"}));
    EXPECT_TRUE(options_of({}).named_kernels().empty());
}

TEST(CommandLine, MinusIsStdout) {
    const CommonOptions options = options_of({"--json", "-", "--quiet"});
    EXPECT_TRUE(options.json_on_stdout());
    EXPECT_TRUE(options.quiet);
}

TEST(CommandLine, HelpIsPrintedAndEndsWithNothing) {
    for (const char* asked : {"--help", "-h"}) {
        const std::string text = stdout_of([&] { EXPECT_FALSE(parse({asked})); });
        EXPECT_NE(text.find("What the sample shows"), std::string::npos) << text;
        for (const char* option :
             {"--device", "--list-devices", "--schedule", "--counters", "--kernel", "--list-kernels",
              "--json", "--summary", "--benchmark", "--quiet", "--help", "--version"})
            EXPECT_NE(text.find(option), std::string::npos) << option;
    }
}

TEST(CommandLine, VersionIsOneLineAndEndsWithNothing) {
    EXPECT_EQ(stdout_of([] { EXPECT_FALSE(parse({"--version"})); }),
              fmt::format("sample (cudabook) {}\n", version_and_commit));
}

TEST(CommandLine, SummaryIsNotBesideTheJson) {
    EXPECT_EQ(usage_error({"--summary", "--json", "-"}),
              "--summary: the JSON is on stdout; use it with --json FILE");
    EXPECT_TRUE(options_of({"--summary", "--json", "report.json"}).summary);
}

TEST(CommandLine, UnknownOption) {
    const std::string error = usage_error({"--bogus"});
    EXPECT_NE(error.find("--bogus"), std::string::npos) << error;
    EXPECT_NE(error.find("see --help"), std::string::npos) << error;
}

TEST(CommandLine, ErrorIsOneLineForAnyInput) {
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
    EXPECT_EQ(usage_error({"--device", "gpu"}),
              "--device 'gpu': use auto, cpu, cuda, cuda:N, emulated or emulated:NAME");
    EXPECT_EQ(usage_error({"--device", ""}),
              "--device '': use auto, cpu, cuda, cuda:N, emulated or emulated:NAME");
    EXPECT_EQ(usage_error({"--device", "emulated:gpu"}),
              "--device 'emulated:gpu': the emulated GPUs are t4, rtx3060, rtx4090, a100, h100, h200, b200");
}

TEST(CommandLine, WrongDeviceWithHelp) {
    stdout_of([] { EXPECT_FALSE(parse({"--device", "gpu", "--help"})); });
}

TEST(CommandLine, OptionOfASample) {
    CommandLine line("sample", "What the sample shows");
    int size = 5;
    line.option("--size", size, "").in_range(1, 1000);
    ASSERT_TRUE(parse(line, {"--size", "7", "--quiet"}));
    EXPECT_EQ(size, 7);
}

template <class Number>
std::string range_error(Number least, Number most, const char* text) {
    CommandLine line("sample", "What the sample shows");
    Number number{};
    line.option("--number", number, "").in_range(least, most);
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
        CommandLine line("sample", "What the sample shows");
        float number = 0;
        line.option("--number", number, "").finite();
        return error_text<UsageError>([&] { static_cast<void>(parse(line, {"--number", text})); });
    };
    for (const char* text : {"0", "-0.25", "3e38", "-3e38"}) EXPECT_EQ(error_of(text), "no error") << text;
    for (const char* text : {"nan", "-nan", "inf", "-inf", "infinity", "1e39", "x", ""})
        EXPECT_EQ(error_of(text),
                  fmt::format("--number: '{}' is not a number that is finite; see --help", text));
}

}  // namespace
}  // namespace cudabook
