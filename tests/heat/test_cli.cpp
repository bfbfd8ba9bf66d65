// The programs heat and heat_notexture as processes: the contract of the command line (DESIGN.md, contract
// 2), bad input, a machine that lacks something, and signals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/numbers/colour_map.hpp"
#include "common/numbers/crc32.hpp"
#include "common/program/device.hpp"
#include "common/program/memory.hpp"
#include "common/program/version.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "heat_notexture/demo/simulation.hpp"
#include "heat_notexture/gpu/register_tiling.hpp"
#include "heat_notexture/gpu_solver.hpp"
#include "heat_notexture/program.hpp"
#include "tests/heat/room_picture.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/published.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::Picture, test::Process, test::sanitized, test::Stdout, test::Surroundings,
    test::TemporaryFolder;
using test::lines_of, test::shown, test::Words, test::operator+;

/// An environment without a display, even if the machine has one.
Surroundings no_display() { return {.unset = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}, .set = {}}; }

Surroundings stdout_leads(Stdout where) {
    Surroundings surroundings = no_display();
    surroundings.stdout_leads = where;
    return surroundings;
}

/// A short run that succeeds.
const Words small_run{"--headless", "--device", "cpu", "--width", "20", "--height", "10", "--frames", "2"};

std::set<std::string> names_of(const json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
}

/// Both samples have the same command line.
class CliHeat : public testing::TestWithParam<const char*> {
  protected:
    static Ending run(const Words& arguments, const Surroundings& surroundings = no_display()) {
        return test::run(GetParam(), arguments, surroundings);
    }

    /// The report of a run, which must end with `status`.
    static json report_of(const Words& arguments, int status = 0) {
        const Ending ending = run(arguments + Words{"--json", "-"});
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.status, status) << shown(arguments) << '\n' << ending.err;
        return test::report_of(ending.out);
    }

    static std::string checksum_of(const Words& arguments) {
        const json report = report_of(arguments + Words{"--headless", "--device", "cpu"});
        EXPECT_EQ(report["results"][0]["verified"], true) << shown(arguments);
        return report["results"][0]["checksum"];
    }

    static void expect_error(const Ending& ending, int status, const Words& words, const std::string& what) {
        test::expect_error(GetParam(), ending, status, words, what);
    }

    static void expect_usage_error(const Words& arguments, const Words& words) {
        const Ending ending = run(arguments);
        expect_error(ending, 2, words, shown(arguments));
        EXPECT_EQ(ending.out, "") << shown(arguments);
    }

    /// The arguments of a run of two thousand million frames, which a signal ends.
    static Words endless(const Words& more) {
        return Words{"--headless", "--device", "cpu",        "--width", "64", "--height",
                     "48",         "--frames", "2000000000", "--json",  "-"} +
               more;
    }
};

INSTANTIATE_TEST_SUITE_P(CliSamples, CliHeat, testing::Values("heat", "heat_notexture"),
                         [](const auto& test) { return std::string(test.param); });

// ----- numbers

TEST_P(CliHeat, ChecksumsOfTheContract) {
    const auto expect_sum = [](const std::string& frames, const std::string& sum) {
        const json report = report_of({"--headless", "--frames", frames});
        ASSERT_EQ(report["results"].size(), 1U);
        EXPECT_EQ(report["results"][0]["checksum"], sum) << frames << " frames";
        EXPECT_EQ(report["results"][0]["verified"], true) << frames << " frames";
        EXPECT_EQ(report["ok"], true) << frames << " frames";
    };
    expect_sum("1", test::published_checksum("heat", "--headless --frames 1"));
    if (!sanitized) expect_sum("10", test::published_checksum("heat", "--headless --frames 10"));
}

TEST_P(CliHeat, EachKernelOfTheCpu) {
    for (const std::string kernel : {"reference", "blocked"}) {
        const json report = report_of({"--headless", "--device", "cpu", "--kernel", kernel, "--frames", "1"});
        ASSERT_EQ(report["results"].size(), 1U);
        EXPECT_EQ(report["results"][0]["kernel"], kernel);
        EXPECT_EQ(report["results"][0]["checksum"], test::published_checksum("heat", "--headless --frames 1"))
            << kernel;
        EXPECT_EQ(report["results"][0]["verified"], true) << kernel;
    }
}

TEST_P(CliHeat, AllKernels) {
    const json report = report_of({"--device", "cpu", "--kernel", "all", "--frames", "1"});
    ASSERT_EQ(report["results"].size(), 2U);
    EXPECT_EQ(report["results"][0]["kernel"], "reference");
    EXPECT_EQ(report["results"][1]["kernel"], "blocked");
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["checksum"], test::published_checksum("heat", "--headless --frames 1"));
        EXPECT_EQ(result["verified"], true);
    }
}

TEST_P(CliHeat, AllKernelsOfTheDefaultDevice) {
    const json report = report_of({"--kernel", "all", "--frames", "2", "--width", "130", "--height", "9"});
    EXPECT_GE(report["results"].size(), 2U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["checksum"], report["results"][0]["checksum"]);
        EXPECT_EQ(result["verified"], true) << result;
    }
}

TEST_P(CliHeat, KernelOfTheCpuNeedsNoDevice) {
    const json report = report_of({"--headless", "--kernel", "reference", "--frames", "1", "--width", "9"});
    EXPECT_EQ(report["device"]["kind"], "cpu");
    EXPECT_EQ(report["results"][0]["kernel"], "reference");
}

TEST_P(CliHeat, KernelsAgreeAtOddSizesStepsAndSpeeds) {
    const Words cases[] = {
        {"--width", "1", "--height", "1"},
        {"--width", "17", "--height", "1", "--steps-per-frame", "7"},
        {"--width", "1", "--height", "17", "--steps-per-frame", "1"},
        {"--width", "64", "--height", "48", "--speed", "0.1"},
        {"--width", "333", "--height", "257", "--steps-per-frame", "13", "--speed", "0"},
        {"--width", "333", "--height", "257", "--steps-per-frame", "13", "--speed", "0.24"},
        {"--width", "100", "--height", "33", "--steps-per-frame", "101", "--speed", "3"},  // ends in NaN
        {"--width", "100", "--height", "33", "--steps-per-frame", "11", "--speed", "-0.1"},
        {"--width", "100", "--height", "33", "--steps-per-frame", "0"},
    };
    std::set<std::string> sums;
    for (const Words& words : cases) {
        const Words run = words + Words{"--frames", "3"};
        const std::string sum = checksum_of(run + Words{"--kernel", "blocked"});
        EXPECT_EQ(checksum_of(run + Words{"--kernel", "reference"}), sum) << shown(words);
        sums.insert(sum);
    }
    EXPECT_EQ(sums.size(), std::size(cases)) << "each of these is another problem";
}

TEST_P(CliHeat, LastOfSeveralFramesIsThatOfAsManyStepsAtOnce) {
    const Words size{"--width", "50", "--height", "40"};
    EXPECT_EQ(checksum_of(size + Words{"--frames", "4", "--steps-per-frame", "15"}),
              checksum_of(size + Words{"--frames", "1", "--steps-per-frame", "60"}));
}

TEST_P(CliHeat, TenFramesHeadlessIfNothingIsSaid) {
    const json report = report_of({"--headless", "--device", "cpu", "--width", "20", "--height", "10"});
    EXPECT_EQ(report["results"][0]["frames"], 10);
    EXPECT_EQ(report["parameters"]["steps_per_frame"], 90);
}

TEST_P(CliHeat, NoFrames) {
    const json report = report_of({"--headless", "--device", "cpu", "--frames", "0", "--width", "20"});
    EXPECT_EQ(report["results"][0]["frames"], 0);
    EXPECT_EQ(report["results"][0]["verified"], true);
}

TEST_P(CliHeat, NoVerifyComparesNothing) {
    const json report = report_of(small_run + Words{"--no-verify"});
    EXPECT_TRUE(report["results"][0]["verified"].is_null());
    EXPECT_EQ(report["ok"], true);
    EXPECT_EQ(report["results"][0]["checksum"], report_of(small_run)["results"][0]["checksum"]);
}

// ----- what is printed

TEST_P(CliHeat, JsonHasTheNamesOfTheContract) {
    const json report = report_of(small_run + Words{"--speed", "0.1", "--steps-per-frame", "7"});
    EXPECT_EQ(report["sample"], GetParam());
    EXPECT_EQ(report["version"], version);
    EXPECT_EQ(report["device"]["kind"], "cpu");
    EXPECT_TRUE(report["device"]["name"].is_string());
    EXPECT_EQ(names_of(report["parameters"]),
              (std::set<std::string>{"width", "height", "steps_per_frame", "speed"}));
    EXPECT_EQ(report["parameters"]["width"], 20);
    EXPECT_EQ(report["parameters"]["height"], 10);
    EXPECT_EQ(report["parameters"]["steps_per_frame"], 7);
    EXPECT_FLOAT_EQ(report["parameters"]["speed"].get<float>(), 0.1F);
    EXPECT_EQ(report["ok"], true);
    ASSERT_EQ(report["results"].size(), 1U);
    const json& result = report["results"][0];
    for (const char* name :
         {"kernel", "memory", "checksum", "verified", "frames", "ms_per_frame", "gcells_per_s"})
        EXPECT_TRUE(result.contains(name)) << name;
    EXPECT_EQ(result["memory"], "host");
    EXPECT_EQ(result["frames"], 2);
    EXPECT_GT(result["ms_per_frame"], 0);
    EXPECT_FALSE(result.contains("ms")) << "without a window every frame is painted";
}

TEST_P(CliHeat, NothingButJsonOnStdout) {
    const Ending ending = run(small_run + Words{"--json", "-"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    EXPECT_TRUE(json::accept(ending.out)) << ending.out;
    EXPECT_EQ(ending.out.front(), '{');
    EXPECT_EQ(ending.out.substr(ending.out.size() - 2), "}\n");
}

TEST_P(CliHeat, TableOnStdoutAndJsonInAFile) {
    const TemporaryFolder folder;
    const Ending ending = run(small_run + Words{"--json", folder / "report.json"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"report.json"});
    const json report = test::report_of(test::content_of(folder / "report.json"));
    EXPECT_EQ(report["sample"], GetParam());
    const auto lines = lines_of(ending.out);
    ASSERT_EQ(lines.size(), 3U) << ending.out;
    EXPECT_EQ(lines[0].find(std::string(GetParam()) + " on cpu: "), 0U) << lines[0];
    EXPECT_EQ(lines[1].find("kernel"), 0U) << lines[1];
    EXPECT_EQ(lines[2].find("blocked"), 0U) << lines[2];
    EXPECT_NE(lines[2].find(report["results"][0]["checksum"].get<std::string>()), std::string::npos)
        << lines[2];
    EXPECT_NE(lines[2].find("yes"), std::string::npos) << lines[2];
}

TEST_P(CliHeat, QuietPrintsNothing) {
    const Words words{"--quiet", "--frames", "1", "--width", "20", "--height", "10"};
    const Ending ending = run(words);
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.err, "");
    const Ending with_json = run(words + Words{"--json", "-"});
    EXPECT_TRUE(json::accept(with_json.out)) << with_json.out;
    EXPECT_EQ(with_json.err, "");
}

TEST_P(CliHeat, QuietStillPrintsErrors) {
    expect_error(run({"--quiet", "--png", "/nowhere/heat.png"}), 3, {"/nowhere/heat.png"}, "--quiet");
}

TEST_P(CliHeat, HelpNamesEveryOption) {
    const Ending ending = run({"--help"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    for (const char* option :
         {"--list-devices", "--schedule",  "emulated:NAME",     "--device", "--kernel",   "--list-kernels",
          "--json",         "--benchmark", "--quiet",           "--help",   "--version",  "--width",
          "--height",       "--frames",    "--steps-per-frame", "--speed",  "--window",   "--headless",
          "--png",          "--png-every", "--video",           "--script", "--no-vsync", "--no-verify",
          "auto",           "cuda:N",      "left drag",         "Shift-K"})
        EXPECT_NE(ending.out.find(option), std::string::npos) << option;
}

TEST_P(CliHeat, Version) {
    const Ending ending = run({"--version"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, fmt::format("{} (cudabook) {}\n", GetParam(), version_and_commit));
    EXPECT_EQ(ending.err, "");
}

TEST_P(CliHeat, ListOfKernels) {
    const Ending ending = run({"--list-kernels"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    std::vector<std::string> listed;
    for (const std::string& line : lines_of(ending.out)) {
        std::istringstream words(line);
        std::string name;
        std::string device;
        std::string memory;
        words >> name >> device >> memory;
        listed.push_back(name + " " + device + " " + memory);
    }
    // In heat, each kernel that reads through textures comes before its counterpart in heat_notexture.
    // `surface` has no counterpart there, and `prefetched_global` has none with textures.
    const Words of_heat{
        "book cuda texture1d",          "book_global cuda global",     "fused cuda texture1d",
        "fused_global cuda global",     "texture2d cuda texture2d",    "tiled_global cuda global",
        "temporal cuda texture2d",      "temporal_global cuda global", "registers cuda texture1d",
        "registers_global cuda global", "surface cuda surface",        "prefetched_global cuda global",
        "streamed cuda texture1d",      "streamed_global cuda global"};
    const Words of_heat_notexture{"book cuda global",         "fused cuda global",
                                  "tiled cuda shared",        "temporal cuda shared",
                                  "registers cuda registers", "prefetched cuda registers",
                                  "streamed cuda registers"};
    Words expected{"reference cpu host", "blocked cpu host"};
    if (built_with_cuda || built_with_emulation)
        expected = (std::string(GetParam()) == "heat" ? of_heat : of_heat_notexture) + expected;
    EXPECT_EQ(listed, expected);
}

TEST_P(CliHeat, HeadlessWithALineWhereThereIsNoDisplay) {
    const Ending ending = run({"--device", "cpu", "--frames", "1", "--width", "20", "--height", "10"});
    EXPECT_EQ(ending.status, 0);
    const auto lines = lines_of(ending.err);
    ASSERT_EQ(lines.size(), 1U) << ending.err;
    EXPECT_NE(lines[0].find("headless, because no"), std::string::npos) << lines[0];
    EXPECT_NE(ending.out.find("blocked"), std::string::npos) << ending.out;
}

TEST_P(CliHeat, CpuWithALineWhereThereIsNoGpu) {
    const Words words{"--headless", "--frames", "1", "--width", "20", "--height", "10", "--json", "-"};
    const Ending ending = run(words);
    EXPECT_EQ(ending.status, 0);
    if (test::report_of(ending.out)["device"]["kind"] == "cuda") {
        EXPECT_EQ(ending.err, "");
        return;
    }
    const auto lines = lines_of(ending.err);
    ASSERT_EQ(lines.size(), 1U) << ending.err;
    EXPECT_NE(lines[0].find("on the CPU, because"), std::string::npos) << lines[0];
    EXPECT_EQ(run(words + Words{"--device", "cpu"}).err, "") << "the CPU was asked for";
}

TEST_P(CliHeat, BenchmarkMeasuresEachKernelBesideTheCeiling) {
    const json report = report_of({"--benchmark", "--device", "cpu", "--width", "96", "--height", "64"});
    EXPECT_GT(report["ceilings"]["copy_gb_per_s"], 0);
    ASSERT_EQ(report["results"].size(), 2U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], true);
        EXPECT_GT(result["ms"], 0);
        EXPECT_LE(result["ms_min"], result["ms"]);
        EXPECT_GE(result["ms_max"], result["ms"]);
        EXPECT_GT(result["ms_per_frame"], 0);
        EXPECT_GT(result["gcells_per_s"], 0);
        EXPECT_GT(result["percent_of_ceiling"], 0);
    }
}

// ----- the picture

TEST_P(CliHeat, PngIsTheLastFrame) {
    const TemporaryFolder folder;
    for (const int frames : {0, 1, 3}) {
        const Ending ending =
            run({"--headless", "--frames", std::to_string(frames), "--width", "133", "--height", "57",
                 "--steps-per-frame", "40", "--png", folder / "heat.png"});
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"heat.png"});
        const Picture picture(folder / "heat.png");
        EXPECT_EQ(picture.width, 133);
        EXPECT_EQ(picture.height, 57);
        EXPECT_TRUE(picture.pixels == test::picture_after(133, 57, 40 * frames)) << frames << " frames";
    }
}

TEST_P(CliHeat, PngOfOneCell) {
    const TemporaryFolder folder;
    EXPECT_EQ(run(small_run + Words{"--png", folder / "1.png"}).status, 0);
    EXPECT_EQ(run({"--headless", "--width", "1", "--height", "1", "--png", folder / "2.png"}).status, 0);
    EXPECT_TRUE(Picture(folder / "2.png").pixels == test::picture_after(1, 1, 900));
}

TEST_P(CliHeat, PngAndJsonReplaceWhatWasThere) {
    const TemporaryFolder folder;
    const auto png = folder.file("heat.png", "old");
    const auto report = folder.file("heat.json", "old");
    EXPECT_EQ(run(small_run + Words{"--png", png, "--json", report}).status, 0);
    EXPECT_EQ(Picture(png).width, 20);
    EXPECT_TRUE(json::accept(test::content_of(report)));
    EXPECT_EQ(test::names_in(folder.path()), (std::set<std::string>{"heat.png", "heat.json"}));
}

// ----- bad input

TEST_P(CliHeat, NumbersThatAreNone) {
    for (const std::string option : {"--width", "--height"})
        for (const std::string value : {"0", "-1", "-2147483648", "x", "", "1e3", "1.5", "10px", "true",
                                        "nan", "2147483648", "99999999999999999999"})
            expect_usage_error(small_run + Words{option + "=" + value}, {option});
    for (const std::string option : {"--frames", "--steps-per-frame"})
        for (const std::string value : {"-1", "x", "1.5", "inf", "2147483648", "99999999999999999999"})
            expect_usage_error({"--headless", option, value}, {option});
    for (const std::string value :
         {"nan", "-nan", "inf", "-inf", "infinity", "abc", "1e40", "-1e40", "0.1x", ""})
        expect_usage_error({"--headless", "--speed=" + value}, {"--speed"});
}

TEST_P(CliHeat, ValueIsMissing) {
    for (const std::string option : {"--width", "--height", "--frames", "--steps-per-frame", "--speed",
                                     "--kernel", "--device", "--json", "--png"})
        expect_usage_error({"--headless", option}, {option});
}

TEST_P(CliHeat, MoreThanTwoToThe31Cells) {
    for (const auto& [width, height] : {std::pair{"46341", "46341"}, std::pair{"65536", "65536"},
                                        std::pair{"1073741824", "3"}, std::pair{"3", "1073741824"}})
        expect_usage_error({"--headless", "--width", width, "--height", height},
                           {"--width", "--height", "2^31"});
}

TEST_P(CliHeat, SideTooLong) {
    for (const std::string side : {"--width", "--height"})
        for (const std::string length : {"1073741825", "2147483647", "99999999999999999999"})
            expect_usage_error({"--headless", side, length}, {side, length});
}

TEST_P(CliHeat, UnknownWords) {
    expect_usage_error({"--kernel", "magic"}, {"--kernel", "magic", "reference", "blocked"});
    expect_usage_error({"--kernel", "book", "--device", "cpu"}, {"--kernel", "book"});
    for (const std::string device :
         {"gpu", "CPU", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:99999999999"})
        expect_usage_error({"--headless", "--device", device}, {"--device", device, "cuda:N"});
    expect_usage_error({"--bogus"}, {"--bogus"});
    expect_usage_error({"-z"}, {"-z"});
    expect_usage_error({"stray"}, {"stray"});
    expect_usage_error({"--headless", "512"}, {"512"});
}

TEST_P(CliHeat, OptionsThatExcludeEachOther) {
    expect_usage_error({"--window", "--headless"}, {"--window", "--headless"});
    expect_usage_error({"--window", "--kernel", "all"}, {"--window", "--kernel"});
    expect_usage_error({"--window", "--benchmark"}, {"--window", "--benchmark"});
    expect_usage_error({"--png", "x.png", "--benchmark"}, {"--png", "--benchmark"});
    expect_usage_error({"--png-every", "2", "--benchmark"}, {"--png-every", "--benchmark"});
    expect_usage_error({"--video", "x.mp4", "--benchmark"}, {"--video", "--benchmark"});
    expect_usage_error({"--script", "x.txt", "--benchmark"}, {"--script", "--benchmark"});
    expect_usage_error({"--png-every", "2", "--kernel", "all"}, {"--png-every", "--kernel"});
    expect_usage_error({"--video", "x.mp4", "--kernel", "all"}, {"--video", "--kernel"});
    expect_usage_error({"--png-every", "0"}, {"--png-every"});
}

TEST_P(CliHeat, BadInputLeavesNoFile) {
    const TemporaryFolder folder;
    const Words files{"--png", folder / "heat.png", "--json", folder / "heat.json"};
    expect_usage_error(files + Words{"--width", "0"}, {"--width"});
    expect_usage_error(files + Words{"--kernel", "magic"}, {"--kernel"});
    expect_usage_error(files + Words{"stray"}, {"stray"});
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

// ----- a machine that lacks something

TEST_P(CliHeat, Cuda) {
    const Words size{"--headless", "--width", "20", "--height", "10", "--frames", "1"};
    const bool has_gpu = report_of(size)["device"]["kind"] == "cuda";
    const Ending ending = run(size + Words{"--device", "cuda"});
    if (has_gpu) {
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
    } else {
        expect_error(ending, 3, {"--device cuda", "--device cpu"}, "--device cuda");
        EXPECT_EQ(ending.out, "");
    }
    expect_error(run(size + Words{"--device", "cuda:99"}), 3, {"--device cuda"}, "--device cuda:99");
}

TEST_P(CliHeat, ListOfDevices) {
    const Ending ending = run({"--list-devices"});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    for (const char* word : {"cuda", "cpu ", "emulated:t4 ", "Tesla T4"})
        EXPECT_NE(ending.out.find(word), std::string::npos) << word << '\n' << ending.out;
}

/// On a GPU with few multiprocessors, blocks have tiles to prefetch even in a grid that is small enough for
/// tests.
TEST_P(CliHeat, PrefetchedTilesOfAnEmulatedGpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    constexpr int multiprocessors = 28;
    constexpr auto tiling = heat::prefetched_tiling(244, 1896, 8, 13, multiprocessors);
    static_assert(tiling && tiling->tiles > multiprocessors, "the kernel would be `registers`");
    const std::string kernel = std::string(GetParam()) == "heat" ? "prefetched_global" : "prefetched";
    const json report =
        report_of({"--headless", "--device", "emulated:rtx3060", "--kernel", kernel, "--width", "244",
                   "--height", "1896", "--frames", "1", "--steps-per-frame", "8"});
    EXPECT_EQ(report["results"][0]["kernel"], kernel);
    EXPECT_EQ(report["results"][0]["verified"], true);
}

TEST_P(CliHeat, EmulatedGpu) {
    const Words size{"--headless", "--width", "20", "--height", "10", "--frames", "1"};
    expect_error(run(size + Words{"--device", "emulated:t5"}), 2, {"emulated:t5", "t4", "h200"},
                 "no such GPU");
    expect_error(run(size + Words{"--schedule", "1"}), 2, {"--schedule", "--device emulated"}, "--schedule");
    const Words emulated = size + Words{"--device", "emulated:t4"};
    if (!built_with_emulation) {
        expect_error(run(emulated), 3, {"emulated:t4", "libboost-context-dev"}, "no emulation");
        return;
    }
    const json on_cpu = report_of(size + Words{"--device", "cpu"});
    const json report = report_of(emulated + Words{"--kernel", "all", "--schedule", "7"});
    EXPECT_EQ(report["device"]["kind"], "emulated");
    EXPECT_EQ(report["device"]["name"], "Tesla T4 (emulated)");
    EXPECT_GT(report["results"].size(), 1U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["checksum"], on_cpu["results"][0]["checksum"]) << result["kernel"];
        EXPECT_EQ(result["verified"], true) << result["kernel"];
    }
}

TEST_P(CliHeat, WindowWithoutADisplay) {
    const std::string reason = CUDABOOK_HAS_WINDOW != 0 ? "no display" : "no window";
    for (const Words& more : {Words{}, Words{"--frames", "0"}, Words{"--kernel", "reference"}})
        expect_error(run(Words{"--window", "--device", "cpu"} + more), 3, {reason, "--headless"},
                     shown(more));
    const Surroundings dead_server{.unset = {"WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}, .set = {"DISPLAY=:4711"}};
    expect_error(run({"--window", "--device", "cpu"}, dead_server), 3, {reason, "--headless"}, ":4711");
}

TEST_P(CliHeat, GridThatMemoryCannotHold) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    const TemporaryFolder folder;
    Surroundings little = no_display();
    little.address_space = rlim_t{4} << 30U;
    for (const Words& kernel : {Words{}, Words{"--kernel", "reference"}, Words{"--no-verify"}}) {
        const Words words = Words{"--headless",        "--device", "cpu",   "--width",           "46340",
                                  "--height",          "46340",    "--png", folder / "heat.png", "--json",
                                  folder / "heat.json"} +
                            kernel;
        const Ending ending = run(words, little);
        expect_error(ending, 3, {"memory"}, shown(words));
        EXPECT_EQ(ending.out, "");
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST_P(CliHeat, BenchmarkOfAGridThatMemoryCannotHold) {
    if (available_memory() > std::size_t{100} << 30U)
        GTEST_SKIP() << "this machine's memory holds the largest";
    const Words words{"--benchmark", "--device", "cpu", "--width", "46340", "--height", "46340"};
    const Ending ending = run(words);
    expect_error(ending, 3, {"a grid of 46340x46340 cells needs"}, shown(words));
    EXPECT_EQ(ending.out, "");
}

/// Depending on the limit, the memory ends while the scene, the first solver or the second solver is made.
TEST_P(CliHeat, MemoryThatEndsOnTheWay) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    int failed = 0;
    int done = 0;
    for (rlim_t mib = 84; done == 0 && mib <= 1024; mib += 8) {
        const TemporaryFolder folder;
        Surroundings little = no_display();
        little.address_space = mib << 20U;
        little.set = {"OMP_NUM_THREADS=2"};
        const Ending ending = run({"--headless", "--device", "cpu", "--width", "2048", "--height", "1024",
                                   "--frames", "1", "--steps-per-frame", "1", "--png", folder / "heat.png"},
                                  little);
        if (ending.status == 0) {
            ++done;
            continue;
        }
        ++failed;
        expect_error(ending, 3, {"memory"}, fmt::format("{} MiB", mib));
        EXPECT_EQ(ending.out, "");
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{}) << mib << " MiB";
    }
    EXPECT_GT(failed, 0);
    EXPECT_GT(done, 0);
}

/// Depending on the limit, the run lacks address space for the working memory of eight threads or for the
/// threads themselves.
TEST_P(CliHeat, MemoryThatEndsWhereThreadsWork) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    const auto run_in = [](rlim_t kib) {
        Surroundings little = no_display();
        little.address_space = kib << 10U;
        little.set = {"OMP_NUM_THREADS=8", "OMP_STACKSIZE=1536k", "MALLOC_ARENA_MAX=1"};
        return run({"--headless", "--device", "cpu", "--width", "1024", "--height", "512", "--frames", "1",
                    "--steps-per-frame", "18", "--no-verify"},
                   little);
    };
    constexpr rlim_t most = rlim_t{1} << 21U;
    rlim_t enough = 8192;
    while (enough < most && run_in(enough).status != 0) enough += 2048;
    ASSERT_LT(enough, most);
    int failed = 0;
    for (rlim_t kib = enough - 6144; kib < enough; kib += 192) {
        const Ending ending = run_in(kib);
        if (ending.status == 0) continue;
        ++failed;
        EXPECT_EQ(ending.signal, 0) << kib << " KiB\n" << ending.err;
        EXPECT_EQ(ending.status, 3) << kib << " KiB\n" << ending.err;
        EXPECT_NE(ending.err, "");
    }
    EXPECT_GT(failed, 0);
}

/// libgomp ends the process itself if it cannot start a thread.
TEST_P(CliHeat, ThreadsThatCannotBeStarted) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    Surroundings little = no_display();
    little.address_space = rlim_t{2} << 30U;
    little.set = {"OMP_NUM_THREADS=2", "OMP_STACKSIZE=4G"};
    const TemporaryFolder folder;
    const Ending ending =
        run({"--headless", "--device", "cpu", "--frames", "1", "--json", folder / "heat.json"}, little);
    EXPECT_EQ(ending.status, 3) << ending.err;
    EXPECT_NE(ending.err.find("hread"), std::string::npos) << ending.err;
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST_P(CliHeat, FilesThatCannotBeWritten) {
    const TemporaryFolder folder;
    // Nobody can create a file in /proc, not even root.
    for (const std::string& path : Words{"/nowhere/file", "/proc/file", folder.path(),
                                         folder.file("file", "") / "below", "/dev/full"}) {
        for (const std::string option : {"--png", "--json"}) {
            const Ending ending = run(small_run + Words{option, path});
            expect_error(ending, 3, {path}, option + " " + path);
            if (path != "/dev/full") {
                EXPECT_EQ(ending.out, "") << "it is known before the work";
            }
        }
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"file"});
}

TEST_P(CliHeat, FolderWithoutPermission) {
    if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    for (const std::string option : {"--png", "--json"})
        expect_error(run(small_run + Words{option, folder / "file"}), 3, {"ermission"}, option);
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST_P(CliHeat, StdoutThatCannotBeWritten) {
    for (const Stdout where : {Stdout::pipe_that_nobody_reads, Stdout::full_device, Stdout::closed}) {
        for (const Words& words : {small_run, small_run + Words{"--json", "-"}, Words{"--list-kernels"},
                                   Words{"--help"}, Words{"--version"}}) {
            const Ending ending = run(words, stdout_leads(where));
            expect_error(ending, 3, {"stdout"},
                         fmt::format("{}, stdout {}", shown(words), static_cast<int>(where)));
        }
        const Ending quiet = run(small_run + Words{"--quiet"}, stdout_leads(where));
        EXPECT_EQ(quiet.status, 0) << "nothing is to be written";
    }
}

/// If stdout is closed, the file must not get its descriptor: the table would be written into the file.
TEST_P(CliHeat, JsonFileWhileStdoutIsClosed) {
    const TemporaryFolder folder;
    const auto path = folder / "heat.json";
    for (const Words& more : {Words{}, Words{"--quiet"}}) {
        static_cast<void>(run(small_run + Words{"--json", path} + more, stdout_leads(Stdout::closed)));
        if (std::filesystem::exists(path)) {
            EXPECT_TRUE(json::accept(test::content_of(path))) << test::content_of(path);
        }
    }
    EXPECT_TRUE(std::filesystem::exists(path)) << "--quiet needs no stdout";
}

TEST_P(CliHeat, FailureLeavesThePictureOfBefore) {
    const TemporaryFolder folder;
    const auto png = folder.file("heat.png", "the picture of before");
    const auto expect_untouched = [&](const Ending& ending, const std::string& what) {
        EXPECT_EQ(ending.status, 3) << what;
        EXPECT_TRUE(test::content_of(png) == "the picture of before") << what;
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"heat.png"}) << what;
        static_cast<void>(folder.file("heat.png", "the picture of before"));
    };
    const Words with_png = small_run + Words{"--png", png};
    expect_untouched(run({"--window", "--device", "cpu", "--png", png}), "no display");
    expect_untouched(run(with_png + Words{"--json", "/nowhere/heat.json"}), "--json /nowhere");
    expect_untouched(run(with_png + Words{"--json", "/dev/full"}), "--json /dev/full");
    expect_untouched(run(with_png, stdout_leads(Stdout::pipe_that_nobody_reads)), "closed pipe");
}

// ----- pictures, video, scripts

TEST_P(CliHeat, EveryNthFrameAsAPicture) {
    const TemporaryFolder folder;
    const Words words{"--headless", "--device",    "cpu",      "--frames", "5",
                      "--width",    "60",          "--height", "40",       "--steps-per-frame",
                      "3",          "--png-every", "2"};
    EXPECT_EQ(run(words + Words{"--png", folder / "a.png"}).status, 0);
    EXPECT_EQ(test::names_in(folder.path()),
              (std::set<std::string>{"a.png", "a-000002.png", "a-000004.png"}));
    EXPECT_TRUE(Picture(folder / "a-000002.png").pixels == test::picture_after(60, 40, 6));
    EXPECT_TRUE(Picture(folder / "a-000004.png").pixels == test::picture_after(60, 40, 12));

    const TemporaryFolder blocked;
    std::filesystem::create_directory(blocked / "a-000004.png");
    expect_error(run(words + Words{"--png", blocked / "a.png"}), 3, {"a-000004.png"},
                 "a folder of that name");
    EXPECT_EQ(test::names_in(blocked.path()), (std::set<std::string>{"a-000002.png", "a-000004.png"}));
}

TEST_P(CliHeat, EveryNthFrameUnderTheProgramsName) {
    const TemporaryFolder folder;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    EXPECT_EQ(run(small_run + Words{"--png-every", "1"}).status, 0);
    std::filesystem::current_path(before);
    const std::string program = GetParam();
    EXPECT_EQ(test::names_in(folder.path()),
              (std::set<std::string>{program + "-000001.png", program + "-000002.png"}));
}

TEST_P(CliHeat, Video) {
    const TemporaryFolder folder;
    const Words words = small_run + Words{"--video", folder / "heat.mp4"};
    Surroundings without = no_display();
    without.set = {"PATH=/nowhere"};
    expect_error(run(words, without), 3, {"--video", "ffmpeg"}, "no ffmpeg");
    EXPECT_TRUE(test::names_in(folder.path()).empty());
    if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "ffmpeg is not installed";
    const Ending ending = run(words);
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"heat.mp4"});
    EXPECT_NE(test::content_of(folder / "heat.mp4").find("ftyp"), std::string::npos);
}

/// A run in which a script paints sources gives the numbers of the reference with the same sources.
TEST_P(CliHeat, ScriptPaintsSources) {
    const TemporaryFolder folder;
    const auto script = folder.file("script",
                                    "3 drag left 5 5 50 30    # a hot line\n"
                                    "3 drag right 10 30 20 8\n"
                                    "5 drag left shift 20 0 25 39\n"
                                    "6 key +\n");
    const json report = report_of({"--headless", "--device", "cpu", "--frames", "7", "--width", "60",
                                   "--height", "40", "--steps-per-frame", "9", "--script", script});

    const heat::Sample sample{"heat", heat::cpu_kernels(), {}, {}};
    const heat::Scene scene = heat::book_scene(60, 40);
    heat::Simulation simulation(sample, sample.kernels.front(), 0, scene, 0.25F, 0, false);
    heat::Scene now = scene;
    const auto steps = [&](int count) {
        heat::ReferenceSolver reference(now, {});
        reference.advance(count);
        now.start = reference.temperatures();
    };
    steps(18);
    simulation.paint({Button::left, false, {5, 5}, {50, 30}});
    simulation.paint({Button::right, false, {10, 30}, {20, 8}});
    now.sources = simulation.sources();
    steps(18);
    simulation.paint({Button::left, true, {20, 0}, {25, 39}});
    now.sources = simulation.sources();
    steps(9 + 10 + 10);
    EXPECT_EQ(report["results"][0]["checksum"], hex(checksum(now.start)));
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_EQ(report["results"][0]["frames_verified"], 2) << "since the last change";
}

/// The script changes the grid after the last frame, so there is nothing to compare.
TEST_P(CliHeat, ScriptThatChangesTheEndIsNotCompared) {
    const TemporaryFolder folder;
    const auto script = folder.file("script",
                                    "4 drag left 5 5 50 30\n"
                                    "4 key q\n");
    const json report = report_of({"--headless", "--device", "cpu", "--frames", "100", "--width", "60",
                                   "--height", "40", "--script", script});
    EXPECT_EQ(report["results"][0]["frames"], 3);
    EXPECT_TRUE(report["results"][0]["verified"].is_null());
    EXPECT_EQ(report["results"][0]["frames_verified"], 0);
}

TEST_P(CliHeat, ScriptThatIsWrong) {
    const TemporaryFolder folder;
    expect_error(run(small_run + Words{"--script", folder / "none"}), 3, {"none"}, "no such script");
    expect_error(run(small_run + Words{"--script", folder.file("script", "1 key Enter\n")}), 2,
                 {"script:1", "Enter"}, "no such key");
    expect_error(run(small_run + Words{"--script", folder.file("script", "1 drag left 0 0 20 0\n")}), 2,
                 {"20"}, "outside of the grid");
}

TEST_P(CliHeat, ScriptThatEndsIt) {
    const TemporaryFolder folder;
    const json report = report_of({"--headless", "--device", "cpu", "--width", "20", "--height", "10",
                                   "--frames", "100", "--script", folder.file("script", "31 key q\n")});
    EXPECT_EQ(report["results"][0]["frames"], 30);
    EXPECT_EQ(report["results"][0]["verified"], true);
}

// ----- signals

TEST_P(CliHeat, SignalEndsTheLoopWithTheReportOfTheFramesDone) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        Process process(GetParam(), endless({"--png", folder / "heat.png"}), no_display());
        ASSERT_TRUE(process.wait_until_it_loops());
        process.send(signal);
        const Ending ending = process.wait();
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
        const json report = test::report_of(ending.out);
        ASSERT_TRUE(report.contains("results")) << ending.out;
        ASSERT_EQ(report["results"].size(), 1U);
        const json& result = report["results"][0];
        EXPECT_GT(result["frames"], 10);
        EXPECT_LT(result["frames"], 2000000000);
        EXPECT_EQ(result["verified"], true);
        EXPECT_GT(result["frames_verified"], 0);
        EXPECT_EQ(report["ok"], true);
        EXPECT_EQ(Picture(folder / "heat.png").width, 64);
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"heat.png"});
    }
}

TEST_P(CliHeat, SignalEndsTheLoopOfAllKernels) {
    const TemporaryFolder folder;
    Process process(GetParam(), endless({"--kernel", "all", "--png", folder / "heat.png"}), no_display());
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    ASSERT_EQ(report["results"].size(), 1U) << "the first kernel's";
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"heat.png"});
}

TEST_P(CliHeat, SignalEndsTheLoopOnAnEmulatedGpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    Process process(GetParam(),
                    {"--headless", "--device", "emulated", "--width", "64", "--height", "48", "--frames",
                     "2000000000", "--steps-per-frame", "2", "--json", "-"},
                    no_display());
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["device"]["kind"], "emulated");
    ASSERT_EQ(report["results"].size(), 1U) << ending.out;
    EXPECT_GT(report["results"][0]["frames"], 0);
    EXPECT_EQ(report["results"][0]["verified"], true);
}

TEST_P(CliHeat, SecondSignalEndsTheProgram) {
    // One frame takes hours, in many sweeps of few steps, by more threads than most machines have cores.
    Surroundings surroundings = no_display();
    surroundings.set = {"OMP_NUM_THREADS=16"};
    Process process(GetParam(),
                    {"--headless", "--device", "cpu", "--width", "256", "--height", "256", "--frames", "1",
                     "--steps-per-frame", "2147483647", "--json", "-"},
                    surroundings);
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    ASSERT_TRUE(process.wait_until([&] { return !process.pending(SIGINT); }));
    const double then = process.cpu_seconds();
    ASSERT_TRUE(process.wait_until([&] { return process.cpu_seconds() > then + 0.1; }))
        << "the frame goes on after the first signal";
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.signal, SIGINT);
    EXPECT_EQ(ending.out, "");
}

TEST_P(CliHeat, SignalEndsTheBenchmark) {
    Process process(GetParam(), {"--benchmark", "--device", "cpu", "--json", "-"}, no_display());
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.signal, 0);
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_LT(report["results"].size(), 6U) << "of three sizes and two kernels";
    EXPECT_EQ(report["ok"], true);
}

// ----- the program with fake GPUs and kernels

/// The reference solver, but with a wrong cell after more than `right_steps` steps.
class Faulty final : public heat::GpuSolver {
  public:
    Faulty(const heat::Scene& scene, const heat::SolverOptions& options, int right_steps)
        : solver_(scene, options), right_steps_(right_steps) {}
    double advance(int steps) override {
        steps_ += steps;
        return solver_.advance(steps);
    }
    double frame(int steps, Canvas canvas) override {
        steps_ += steps;
        return solver_.frame(steps, canvas);
    }
    void begin_frame(int steps, Canvas canvas) override { frame(steps, canvas); }
    void end_frame() override {}
    void save() override { saved_ = temperatures(); }
    [[nodiscard]] std::vector<float> saved() const override { return saved_; }
    bool exchange_by(DeviceLink&, const heat::Borders&, int) override { return false; }
    [[nodiscard]] std::vector<float> temperatures() const override {
        auto cells = solver_.temperatures();
        if (steps_ > right_steps_) cells.back() += 0x1p-24F;
        return cells;
    }
    void read(const heat::Region& region, float* cells) const override { solver_.read(region, cells); }
    void write(const heat::Region& region, const float* cells) override { solver_.write(region, cells); }
    void set_sources(const heat::Region& region, const std::vector<float>& sources) override {
        solver_.set_sources(region, sources);
    }

  private:
    heat::ReferenceSolver solver_;
    std::vector<float> saved_;
    int right_steps_;
    int steps_ = 0;
};

class CliHeatProgram : public testing::Test {
  protected:
    CliHeatProgram() {
        for (const int index : {0, 2})
            devices_.all.push_back(
                {DeviceKind::cuda, index, fmt::format("GPU number {}", index), "9.0", 1, 1});
        gpu_.find_devices = [this] { return devices_; };
        gpu_.fastest = "right";
        gpu_.copy_gb_per_s = [](int) { return 1000.0; };
        gpu_.to_host_ms = [](int, std::size_t) { return 1.0; };
        gpu_.step_arithmetic_gcells_per_s = [](int) { return 500.0; };
        add("right", std::numeric_limits<int>::max());
        add("wrong", -1);
        add("wrong_later", 100);
        gpu_.kernels.push_back(
            {"failing", "global", "has no memory", DeviceKind::cuda,
             [](const heat::Scene&, const heat::SolverOptions&) -> std::unique_ptr<heat::Solver> {
                 throw MachineError("out of memory: the device has none");
             }});
    }

    /// Runs the program in this process and stores its report in report_.
    int run(const Words& more) {
        const Words words =
            Words{"heat", "--width", "20", "--height", "10", "--quiet", "--json", path_} + more;
        std::vector<const char*> argv;
        for (const std::string& word : words) argv.push_back(word.c_str());
        std::filesystem::remove(path_);
        const int status = heat::program("heat", "a test", gpu_, static_cast<int>(argv.size()), argv.data());
        report_ = std::filesystem::exists(path_) ? test::report_of(test::content_of(path_)) : json();
        return status;
    }

    void add(const std::string& name, int right_steps) {
        gpu_.kernels.push_back(
            {name, "global", "a kernel", DeviceKind::cuda,
             [this, right_steps](const heat::Scene& scene,
                                 const heat::SolverOptions& options) -> std::unique_ptr<heat::Solver> {
                 asked_.push_back(options);
                 return std::make_unique<Faulty>(scene, options, right_steps);
             }});
    }

    TemporaryFolder folder_;
    std::string path_ = folder_ / "report.json";
    json report_;
    CudaDevices devices_;
    heat::GpuBackend gpu_;
    std::vector<heat::SolverOptions> asked_;
};

TEST_F(CliHeatProgram, RightNumbersAreStatus0) {
    EXPECT_EQ(run({"--headless", "--frames", "3"}), 0);
    EXPECT_EQ(report_["device"]["kind"], "cuda");
    EXPECT_EQ(report_["device"]["name"], "GPU number 0") << "the first usable GPU, if nothing is said";
    EXPECT_EQ(report_["results"][0]["kernel"], "right") << "the fastest, if nothing is said";
    EXPECT_EQ(report_["results"][0]["verified"], true);
    EXPECT_EQ(report_["ok"], true);
}

TEST_F(CliHeatProgram, AWrongNumberIsStatus1) {
    EXPECT_EQ(run({"--headless", "--frames", "1", "--kernel", "wrong"}), 1);
    EXPECT_EQ(report_["results"][0]["verified"], false);
    EXPECT_EQ(report_["ok"], false);
    EXPECT_EQ(run({"--headless", "--frames", "1", "--kernel", "wrong", "--no-verify"}), 0) << "nobody looked";
    EXPECT_EQ(run({"--headless", "--frames", "1", "--kernel", "wrong_later"}), 0);
    EXPECT_EQ(run({"--headless", "--frames", "2", "--kernel", "wrong_later"}), 1);
}

TEST_F(CliHeatProgram, OneWrongKernelOfAllIsStatus1) {
    gpu_.kernels.pop_back();
    EXPECT_EQ(run({"--kernel", "all", "--frames", "2"}), 1);
    ASSERT_EQ(report_["results"].size(), 3U);
    EXPECT_EQ(report_["results"][0]["verified"], true);
    EXPECT_EQ(report_["results"][1]["verified"], false);
    EXPECT_EQ(report_["results"][2]["verified"], false);
    EXPECT_EQ(report_["ok"], false);
}

TEST_F(CliHeatProgram, BenchmarkChecksBeforeItMeasures) {
    EXPECT_EQ(run({"--benchmark", "--kernel", "wrong"}), 1);
    ASSERT_EQ(report_["results"].size(), 2U) << "launched as in the text, and as a graph";
    for (const json& result : report_["results"]) {
        EXPECT_EQ(result["verified"], false);
        EXPECT_GT(result["ms"], 0);
    }
    EXPECT_EQ(report_["ceilings"]["copy_gb_per_s"], 1000);
    EXPECT_EQ(report_["ceilings"]["step_arithmetic_gcells_per_s"], 500);
}

TEST_F(CliHeatProgram, BenchmarkHasFramesFollowOneAnotherWhereTwoPicturesFit) {
    EXPECT_EQ(run({"--benchmark", "--kernel", "right"}), 0);
    ASSERT_EQ(report_["results"].size(), 2U);
    EXPECT_FALSE(report_["results"][0].contains("ms_per_frame_in_steady_run")) << "launched as in the text";
    EXPECT_GT(report_["results"][1]["ms_per_frame_in_steady_run"], 0);
    EXPECT_EQ(report_["results"][1]["ms_of_copy_to_host"], 1);
    gpu_.to_host_ms = [](int, std::size_t) -> double { throw OutOfMemory("out of memory: for a picture"); };
    EXPECT_EQ(run({"--benchmark", "--kernel", "right"}), 0);
    EXPECT_FALSE(report_["results"][1].contains("ms_per_frame_in_steady_run"));
    EXPECT_GT(report_["results"][1]["ms_per_frame"], 0);
}

TEST_F(CliHeatProgram, BenchmarkTimesKernelsForComparisonLastAndAsAGraphAlone) {
    gpu_.kernels.resize(1);
    add("right_global", std::numeric_limits<int>::max());
    add("right_too", std::numeric_limits<int>::max());
    gpu_.kernels[1].for_comparison = true;
    EXPECT_EQ(run({"--benchmark"}), 0);
    Words rows;
    for (const json& result : report_["results"])
        rows.push_back(result["kernel"].get<std::string>() + ", " + result["launch"].get<std::string>());
    EXPECT_EQ(rows, (Words{"right, as in the text", "right, graph", "right_too, as in the text",
                           "right_too, graph", "right_global, graph"}));
}

TEST_F(CliHeatProgram, KernelGetsWhatWasAskedFor) {
    EXPECT_EQ(run({"--headless", "--device", "cuda:2", "--speed", "0.1", "--frames", "1"}), 0);
    ASSERT_EQ(asked_.size(), 1U);
    EXPECT_EQ(asked_[0].device, 2);
    EXPECT_EQ(asked_[0].speed, 0.1F);
    EXPECT_EQ(asked_[0].launch, heat::Launch::graph);
    EXPECT_EQ(report_["device"]["index"], 2);
    EXPECT_EQ(report_["device"]["name"], "GPU number 2");
    EXPECT_EQ(run({"--headless", "--device", "cuda:1"}), 3) << "there is none";
}

TEST_F(CliHeatProgram, NoOtherGpuIsTouched) {
    std::vector<int> touched;
    devices_.why_unusable = [&touched](const Device& device) {
        touched.push_back(device.index);
        return std::string();
    };
    EXPECT_EQ(run({"--headless", "--device", "cuda:2", "--frames", "1"}), 0);
    EXPECT_EQ(touched, std::vector<int>{2});
    EXPECT_EQ(run({"--headless", "--device", "cpu", "--frames", "1"}), 0);
    EXPECT_EQ(touched, std::vector<int>{2});
    EXPECT_EQ(run({"--headless", "--frames", "1"}), 0);
    EXPECT_EQ(touched, (std::vector<int>{2, 0}));
}

TEST_F(CliHeatProgram, KernelOfTheGpuDoesNotRunOnTheCpu) {
    EXPECT_EQ(run({"--headless", "--device", "cpu", "--kernel", "right"}), 2);
    EXPECT_EQ(run({"--headless", "--device", "cuda", "--kernel", "blocked"}), 2);
    devices_ = {};
    EXPECT_EQ(run({"--headless", "--kernel", "right"}), 3) << "it needs a GPU";
    EXPECT_EQ(run({"--headless", "--device", "cuda"}), 3);
    EXPECT_EQ(run({"--headless", "--frames", "1"}), 0) << "without a GPU on the CPU";
    EXPECT_EQ(report_["results"][0]["kernel"], "blocked");
    EXPECT_TRUE(asked_.empty());
}

TEST_F(CliHeatProgram, DeviceMemoryThatEndsLeavesNoFile) {
    for (const Words& words :
         {Words{"--headless", "--kernel", "failing"}, Words{"--kernel", "all", "--frames", "1"},
          Words{"--benchmark", "--kernel", "failing"}}) {
        Words with_png = words;
        if (words[0] != "--benchmark") with_png = words + Words{"--png", folder_ / "heat.png"};
        EXPECT_EQ(run(with_png), 3) << shown(words);
        EXPECT_EQ(test::names_in(folder_.path()), std::set<std::string>{}) << shown(words);
    }
}

}  // namespace
}  // namespace cudabook
