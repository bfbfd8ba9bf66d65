// common/program/report_output.hpp: what is written to stdout and to the file, and when.
#include "common/program/report_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "tests/support/error_text.hpp"
#include "tests/support/redirected.hpp"
#include "tests/support/stdout_of.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::error_text;
using test::stdout_of;

Report some_report() {
    Report report("sample", {DeviceKind::cpu, 0, "Some CPU", "", 0, 8}, {{"size", 5}});
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

TEST(ReportOutput, SummaryIsTheLastLine) {
    CommonOptions options;
    options.summary = true;
    EXPECT_EQ(printed(options), some_report().text() + some_report().summary() + '\n');
    options.quiet = true;
    EXPECT_EQ(printed(options), some_report().summary() + '\n');
}

TEST(ReportOutput, JsonOnStdoutAndNothingElse) {
    CommonOptions options;
    options.json = "-";
    for (const bool quiet : {false, true}) {
        options.quiet = quiet;
        const std::string text = printed(options);
        EXPECT_EQ(text, some_report().json() + '\n');
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
        EXPECT_EQ(text, some_report().json() + '\n');
        std::filesystem::remove(*options.json);
    }
}

TEST(ReportOutput, FileIsTestedFirstAndNotCreatedWithoutAReport) {
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

}  // namespace
}  // namespace cudabook
