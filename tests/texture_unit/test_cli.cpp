// The program texture_unit as a process, and its program() with a fake GPU.
#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/program/device.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/temporary_folder.hpp"
#include "texture_unit/comparison.hpp"
#include "texture_unit/picture/lesson_picture.hpp"
#include "texture_unit/program.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::lines_of, test::Process, test::shown, test::Stdout, test::Surroundings;
using test::TemporaryFolder, test::Words, test::operator+;

constexpr const char* program_name = "texture_unit";
const Words on_cpu{"--device", "cpu"};
const Words emulated{"--device", "emulated"};

Surroundings no_display() { return {.unset = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"}, .set = {}}; }

Ending run(const Words& arguments, const Surroundings& surroundings = no_display()) {
    return test::run(program_name, arguments, surroundings);
}

json report_of(const Words& arguments) {
    const Ending ending = run(arguments + Words{"--quiet", "--json", "-"});
    EXPECT_EQ(ending.status, 0) << shown(arguments) << '\n' << ending.err;
    EXPECT_EQ(ending.err, "") << shown(arguments);
    return test::report_of(ending.out);
}

void expect_error(int status, const Words& arguments, const Words& words,
                  const Surroundings& surroundings = no_display()) {
    const Ending ending = run(arguments + Words{"--quiet"}, surroundings);
    test::expect_error(program_name, ending, status, words, shown(arguments));
    EXPECT_EQ(ending.out, "") << shown(arguments);
}

/// The kernels that are listed for a device, with their memory.
std::map<std::string, std::string> listed(const std::string& device) {
    std::map<std::string, std::string> kernels;
    for (const std::string& line : lines_of(run({"--list-kernels"}).out)) {
        std::istringstream words(line);
        std::string name;
        std::string of_device;
        std::string memory;
        words >> name >> of_device >> memory;
        if (of_device == device) {
            EXPECT_TRUE(kernels.emplace(name, memory).second) << name << " is there twice";
        }
    }
    return kernels;
}

/// The results by kernel.
std::map<std::string, json> by_kernel(const json& report) {
    std::map<std::string, json> results;
    for (const json& result : report["results"]) {
        EXPECT_TRUE(results.emplace(result["kernel"], result).second) << result["kernel"];
        EXPECT_EQ(result["verified"], true) << result;
    }
    return results;
}

void expect_size(const std::filesystem::path& png, int width, int height) {
    const test::Picture picture(png);
    EXPECT_EQ(picture.width, width) << png;
    EXPECT_EQ(picture.height, height) << png;
}

// ----- Lessons

TEST(CliTextureUnit, ListOfKernels) {
    const auto of_cpu = listed("cpu");
    ASSERT_EQ(of_cpu.size(), texture_unit::lessons().size());
    for (const texture_unit::Lesson& lesson : texture_unit::lessons())
        EXPECT_EQ(of_cpu.at(lesson.name), "model");
    const auto of_gpu = listed("cuda");
    if (!built_with_cuda && !built_with_emulation) {
        EXPECT_TRUE(of_gpu.empty());
        return;
    }
    for (const auto& [name, memory] : of_cpu) EXPECT_TRUE(of_gpu.contains(name)) << name;
    for (const char* name : {"linear_global", "lookup_shared", "coherency", "boundary"})
        EXPECT_TRUE(of_gpu.contains(name)) << name;
}

/// At the default size, for which each lesson has a checksum.
TEST(CliTextureUnit, EveryLessonOnTheCpu) {
    const json report = report_of(on_cpu);
    EXPECT_EQ(report["parameters"]["size"], 256);
    ASSERT_EQ(report["results"].size(), texture_unit::lessons().size());
    std::size_t i = 0;
    for (const texture_unit::Lesson& lesson : texture_unit::lessons()) {
        const json& result = report["results"][i++];
        EXPECT_EQ(result["kernel"], lesson.name);
        EXPECT_EQ(result["lesson"], lesson.name);
        EXPECT_EQ(result["memory"], "model");
        EXPECT_EQ(result["checksum"], lesson.checksum) << lesson.name;
        EXPECT_EQ(result["verified"], true) << lesson.name;
        EXPECT_LE(result["from_exact"], lesson.bound) << lesson.name;
        EXPECT_FALSE(result.contains("mismatches")) << "there is nothing to compare bits with";
    }
}

TEST(CliTextureUnit, EmulatedGpuDrawsThePicturesOfTheCpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const json of_cpu = test::report_of(run(on_cpu + Words{"--quiet", "--json", "-"}).out);
    std::map<std::string, json> drawn;
    for (const json& result : of_cpu["results"]) drawn.emplace(result["kernel"], result);
    auto results = by_kernel(report_of(emulated));
    EXPECT_EQ(results.size(), listed("cuda").size());
    for (const auto& [kernel, result] : results) {
        if (result["memory"] == "surface") continue;
        EXPECT_EQ(result["mismatches"], 0) << kernel;
        if (kernel.ends_with("_exact")) {
            EXPECT_EQ(result["from_exact"], 0) << kernel;
        } else {
            EXPECT_EQ(result["checksum"], drawn.at(result["lesson"])["checksum"]) << kernel;
        }
    }
    EXPECT_EQ(results["coherency"]["old_in_next_launch"], 0);
    EXPECT_EQ(results["boundary"]["outside"], "as defined");
    auto boundary = by_kernel(report_of(emulated + Words{"--kernel", "boundary"}));
    EXPECT_EQ(boundary["boundary_trap"]["outside"], "as defined") << "which ends a kernel: not with others";
}

TEST(CliTextureUnit, OddSizes) {
    for (const char* size : {"1", "2", "37", "63"}) {
        const Words words{"--size", size};
        EXPECT_EQ(by_kernel(report_of(on_cpu + words)).size(), texture_unit::lessons().size()) << size;
        if (!built_with_emulation) continue;
        EXPECT_EQ(by_kernel(report_of(emulated + words)).size(), listed("cuda").size()) << size;
    }
}

/// One kernel of each kind of memory.
TEST(CliTextureUnit, ASingleKernel) {
    const Words small{"--size", "16", "--kernel"};
    const auto expect_alone = [&](const Words& device, const std::string& kernel, const std::string& memory) {
        auto results = by_kernel(report_of(device + small + Words{kernel}));
        EXPECT_EQ(results.size(), kernel == "boundary" ? 2U : 1U) << kernel;
        EXPECT_EQ(results[kernel]["memory"], memory) << kernel;
    };
    for (const char* kernel : {"linear", "bicubic", "mipmap"}) expect_alone(on_cpu, kernel, "model");
    if (!built_with_emulation) return;
    std::map<std::string, std::string> kernels;  // one for each memory
    for (const auto& [name, memory] : listed("cuda")) kernels.emplace(memory, name);
    EXPECT_GE(kernels.size(), 11U);
    for (const auto& [memory, name] : kernels) expect_alone(emulated, name, memory);
}

TEST(CliTextureUnit, OnTheCpuSaysThatNoTextureUnitWasUsed) {
    const Ending ending = run(on_cpu + Words{"--size", "8"});
    EXPECT_EQ(ending.status, 0);
    ASSERT_EQ(lines_of(ending.err).size(), 1U) << ending.err;
    EXPECT_NE(ending.err.find("no texture unit was used"), std::string::npos) << ending.err;
    EXPECT_EQ(lines_of(ending.out).size(), 2 + texture_unit::lessons().size()) << ending.out;
}

// ----- Pictures

TEST(CliTextureUnit, PngOfALessonHasThreePictures) {
    const TemporaryFolder folder;
    const texture_unit::Lesson& lesson = texture_unit::lesson("linear");
    for (const auto& [device, memory] : {std::pair{on_cpu, "model"}, {emulated, "texture2d"}}) {
        if (device == emulated && !built_with_emulation) continue;
        for (const int size : {1, 37, 100}) {
            texture_unit::References references(size);
            const texture_unit::Kernel kernel{
                .name = "linear", .memory = memory, .what = "", .lesson = "linear"};
            const texture_unit::Image expected =
                texture_unit::lesson_picture(kernel, references.model(lesson), references);
            const auto png = folder / "linear.png";
            const Words words{"--kernel", "linear", "--size", std::to_string(size), "--png", png};
            EXPECT_EQ(run(device + words).status, 0);
            expect_size(png, expected.width, expected.height);
            EXPECT_GT(expected.width, 3 * size);
        }
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"linear.png"});
}

TEST(CliTextureUnit, SheetIsTheSameOnEveryDevice) {
    const TemporaryFolder folder;
    const Words small{"--size", "37", "--png"};
    const auto of_cpu = folder / "cpu.png";
    EXPECT_EQ(run(on_cpu + small + Words{of_cpu}).status, 0);
    expect_size(of_cpu, 440, 248);
    if (!built_with_emulation) return;
    const auto of_gpu = folder / "gpu.png";
    static_cast<void>(run(emulated + small + Words{of_gpu}));
    EXPECT_TRUE(test::content_of(of_gpu) == test::content_of(of_cpu));
    EXPECT_EQ(test::names_in(folder.path()), (std::set<std::string>{"cpu.png", "gpu.png"}));
}

// ----- Tables

TEST(CliTextureUnit, TablesOfTheChapter) {
    for (const Words& device : {on_cpu, emulated}) {
        if (device == emulated && !built_with_emulation) continue;
        const Words words = device + Words{"--table"};
        const Ending text = run(words);
        EXPECT_EQ(text.status, 0) << text.out;
        EXPECT_NE(text.out.find("1.25 becomes 0.25"), std::string::npos);
        EXPECT_NE(text.out.find("surface, cube, layered"), std::string::npos);
        EXPECT_EQ(text.out.find("NVIDIA H200") != std::string::npos, device == emulated);
        EXPECT_EQ(run(words + Words{"--quiet"}).out, "");

        const json report = report_of(words);
        EXPECT_EQ(report["ok"], true);
        int chapter = 0;
        int limits = 0;
        for (const json& result : report["results"]) {
            ++(result["kernel"] == "chapter" ? chapter : limits);
            EXPECT_EQ(result["memory"], device == emulated ? "texture" : "model");
            EXPECT_EQ(result["verified"], true) << result;
        }
        EXPECT_GT(chapter, 20);
        EXPECT_EQ(limits, 17);

        const TemporaryFolder folder;
        const auto file = folder / "table.json";
        EXPECT_EQ(run(words + Words{"--json", file}).out, text.out);
        EXPECT_EQ(test::report_of(test::content_of(file)), report);
    }
}

// ----- The benchmark

TEST(CliTextureUnit, NothingToMeasureOnTheCpu) {
    expect_error(3, on_cpu + Words{"--benchmark"}, {"--benchmark", "GPU"});
}

TEST(CliTextureUnit, BenchmarkOnAnEmulatedGpu) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    if (test::sanitized) GTEST_SKIP() << "the ceilings take long";
    const json report = report_of(emulated + Words{"--benchmark", "--kernel", "linear", "--size", "8"});
    for (const char* ceiling : {"copy_gb_per_s", "gfetches_per_s", "linear_gfetches_per_s"})
        EXPECT_GT(report["ceilings"][ceiling], 0) << ceiling;
    ASSERT_EQ(report["results"].size(), 3U) << "what was compared, and two sizes";
    EXPECT_EQ(report["results"][0]["verified"], true);
    for (const std::size_t i : {1U, 2U}) {
        const json& result = report["results"][i];
        EXPECT_EQ(result["kernel"], "linear");
        EXPECT_EQ(result["texels"], i == 1 ? 32 : 64);
        for (const char* figure :
             {"ms", "ms_min", "ms_max", "repetitions", "gpixels_per_s", "gb_per_s", "percent_of_ceiling"})
            EXPECT_GT(result[figure], 0) << figure;
        EXPECT_TRUE(result["limit"] == "copy" || result["limit"] == "texture unit") << result;
        EXPECT_FALSE(result.contains("registers"));
    }
}

// ----- The window's script

TEST(CliTextureUnit, ScriptWithoutAWindow) {
    const TemporaryFolder folder;
    const auto png = folder / "look.png";
    const auto script = folder.file("script", "1 key x\n2 wheel 6 900 400\n3 mouse 800 300\n");
    const auto plain = folder.file("plain", "");
    const auto picture_of = [&](const Words& words) {
        const Ending ending = run(words + Words{"--png", png});
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.out, "");
        expect_size(png, 1280, 800);
        return test::content_of(png);
    };
    const std::string shown_by_cpu = picture_of(on_cpu + Words{"--script", script});
    EXPECT_TRUE(picture_of(on_cpu + Words{"--script", plain}) != shown_by_cpu);
    EXPECT_TRUE(picture_of(on_cpu + Words{"--script", script, "--headless", "--frames", "1"}) != shown_by_cpu)
        << "one frame shows no more than one input";
    if (built_with_emulation) {
        EXPECT_TRUE(picture_of(emulated + Words{"--script", script}) == shown_by_cpu);
    }
}

TEST(CliTextureUnit, ScriptThatIsWrong) {
    const TemporaryFolder folder;
    const Words words = on_cpu + Words{"--png", folder / "look.png", "--script"};
    expect_error(3, words + Words{folder / "nowhere"}, {"nowhere"});
    for (const auto& [line, what] : {std::pair{"1 turn", "turn"},
                                     {"key x", "key"},
                                     {"1 wheel two 3 4", "two"},
                                     {"1 mouse 5", "mouse"},
                                     {"1 mouse 1280 0", "1280"}}) {
        const auto script = folder.file("script", std::string(line) + "\n");
        expect_error(2, words + Words{script}, {"script:1", what});
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"script"});
}

TEST(CliTextureUnit, WindowWithoutADisplay) {
    const TemporaryFolder folder;
    expect_error(3, on_cpu + Words{"--window", "--png", folder / "look.png"},
                 {CUDABOOK_HAS_WINDOW ? "no display" : "no window"});
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

// ----- Bad input

TEST(CliTextureUnit, SizesThatAreNone) {
    for (const std::string value :
         {"0", "-1", "8193", "2147483648", "99999999999999999999", "x", "", "1e2", "1.5", "16px", "nan"})
        expect_error(2, on_cpu + Words{"--size=" + value}, {"--size"});
    for (const std::string value : {"-1", "x", "1.5", "2147483648"})
        expect_error(2, on_cpu + Words{"--window", "--frames=" + value}, {"--frames"});
    for (const std::string option : {"--size", "--png", "--script", "--frames", "--kernel", "--json"})
        test::expect_error(program_name, run(on_cpu + Words{option}), 2, {option}, option);
}

TEST(CliTextureUnit, OptionsThatExcludeEachOther) {
    const std::pair<Words, Words> wrong[] = {
        {{"--benchmark", "--png", "x.png"}, {"--png", "--benchmark"}},
        {{"--table", "--png", "x.png"}, {"--png", "--table"}},
        {{"--table", "--benchmark"}, {"--benchmark", "--table"}},
        {{"--table", "--window"}, {"--table", "--window"}},
        {{"--table", "--script", "x.txt"}, {"--table", "--script"}},
        {{"--table", "--kernel", "linear"}, {"--kernel", "--table"}},
        {{"--table", "--size", "16"}, {"--size", "--table"}},
        {{"--window", "--benchmark"}, {"--benchmark", "--window"}},
        {{"--script", "x.txt", "--benchmark"}, {"--benchmark", "--script"}},
        {{"--window", "--json", "x.json"}, {"--json", "--window"}},
        {{"--script", "x.txt", "--json", "-"}, {"--json", "--script"}},
        {{"--window", "--kernel", "all"}, {"--kernel", "--window"}},
        {{"--script", "x.txt", "--size", "16"}, {"--size", "--script"}},
        {{"--window", "--headless"}, {"--window", "--headless"}},
        {{"--frames", "3"}, {"--frames", "--window"}},
        {{"--frames", "3", "--table"}, {"--frames", "--window"}},
        {{"--counters"}, {"--counters", "emulated"}},
        {{"--kernel", "linear_global"}, {"--kernel", "linear_global", "cpu"}},
        {{"stray"}, {"stray"}},
    };
    for (const auto& [arguments, words] : wrong) {
        if (arguments[0] == "--kernel" && !built_with_cuda && !built_with_emulation) continue;
        expect_error(2, on_cpu + arguments, words);
    }
}

TEST(CliTextureUnit, SurfacesAreNotDrawn) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    const TemporaryFolder folder;
    for (const char* kernel : {"coherency", "boundary"})
        expect_error(2, emulated + Words{"--kernel", kernel, "--png", folder / "x.png"}, {"--png", kernel});
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST(CliTextureUnit, BadInputLeavesNoFile) {
    const TemporaryFolder folder;
    const Words files = on_cpu + Words{"--png", folder / "x.png", "--json", folder / "x.json"};
    expect_error(2, files + Words{"--size", "0"}, {"--size"});
    expect_error(2, files + Words{"--kernel", "magic"}, {"--kernel", "magic", "linear"});
    expect_error(2, files + Words{"--table"}, {"--table"});
    expect_error(2, files + Words{"--window"}, {"--window"});
    expect_error(2, files + Words{"--benchmark"}, {"--benchmark"});
    expect_error(3, Words{"--device", "cuda:99"} + Words(files.begin() + 2, files.end()), {"cuda:99"});
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

// ----- A machine that lacks something

TEST(CliTextureUnit, FilesThatCannotBeWritten) {
    const TemporaryFolder folder;
    const Words small = on_cpu + Words{"--size", "8", "--quiet"};
    // Nobody can create a file in /proc, not even root.
    for (const std::string& path : Words{"/nowhere/file", "/proc/file", folder.path(),
                                         folder.file("file", "") / "below", "/dev/full"}) {
        for (const std::string option : {"--png", "--json"})
            expect_error(3, small + Words{option, path}, {path});
        expect_error(3, on_cpu + Words{"--table", "--json", path}, {path});
        expect_error(3, on_cpu + Words{"--script", folder.file("file", ""), "--png", path}, {path});
    }
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"file"});
}

TEST(CliTextureUnit, FailureLeavesThePictureOfBefore) {
    const TemporaryFolder folder;
    const auto png = folder.file("x.png", "the picture of before");
    const Words with_png = on_cpu + Words{"--size", "8", "--quiet", "--png", png};
    expect_error(3, with_png + Words{"--json", "/nowhere/x.json"}, {"/nowhere/x.json"});
    expect_error(3, with_png + Words{"--json", "/dev/full"}, {"/dev/full"});
    EXPECT_EQ(test::content_of(png), "the picture of before");
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"x.png"});
}

TEST(CliTextureUnit, StdoutThatCannotBeWritten) {
    for (const Stdout where : {Stdout::pipe_that_nobody_reads, Stdout::full_device, Stdout::closed}) {
        Surroundings surroundings = no_display();
        surroundings.stdout_leads = where;
        for (const Words& words : {Words{"--size", "8", "--quiet", "--json", "-"}, Words{"--table"},
                                   Words{"--table", "--json", "-"}, Words{"--list-kernels"}, Words{"--help"}})
            test::expect_error(program_name, run(on_cpu + words, surroundings), 3, {"stdout"}, shown(words));
    }
}

TEST(CliTextureUnit, PicturesThatMemoryCannotHold) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    const TemporaryFolder folder;
    Surroundings little = no_display();
    little.address_space = rlim_t{1} << 30U;
    for (const Words& words : {Words{}, Words{"--kernel", "linear"}})
        expect_error(
            3,
            on_cpu + words + Words{"--size", "8192", "--png", folder / "x.png", "--json", folder / "x.json"},
            {"memory"}, little);
    EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{});
}

TEST(CliTextureUnit, MemoryThatEndsOnTheWay) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    int failed = 0;
    int done = 0;
    for (rlim_t mib = 84; done == 0 && mib <= 1024; mib += 16) {
        const TemporaryFolder folder;
        Surroundings little = no_display();
        little.address_space = mib << 20U;
        little.set = {"OMP_NUM_THREADS=2", "GLIBC_TUNABLES=glibc.malloc.arena_max=1"};
        const Ending ending =
            run(on_cpu + Words{"--kernel", "linear", "--size", "1024", "--quiet", "--png", folder / "x.png"},
                little);
        if (ending.status == 0) {
            ++done;
            continue;
        }
        ++failed;
        test::expect_error(program_name, ending, 3, {"memory"}, fmt::format("{} MiB", mib));
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{}) << mib << " MiB";
    }
    EXPECT_GT(failed, 0);
    EXPECT_GT(done, 0);
}

// ----- Signals

TEST(CliTextureUnit, SignalEndsTheLessonsWithAReport) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const TemporaryFolder folder;
        Process process(program_name,
                        on_cpu + Words{"--size", "2048", "--quiet", "--json", "-", "--png", folder / "x.png"},
                        no_display());
        ASSERT_TRUE(process.wait_until_it_loops());
        process.send(signal);
        const Ending ending = process.wait();
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
        const json report = test::report_of(ending.out);
        EXPECT_GT(report["results"].size(), 0U);
        EXPECT_LT(report["results"].size(), texture_unit::lessons().size());
        for (const json& result : report["results"]) EXPECT_EQ(result["verified"], true) << result;
        EXPECT_GT(test::Picture(folder / "x.png").width, 2048) << "a sheet of those";
        EXPECT_EQ(test::names_in(folder.path()), std::set<std::string>{"x.png"});
    }
}

TEST(CliTextureUnit, SignalEndsTheBenchmark) {
    if (!built_with_emulation) GTEST_SKIP() << "this build has no emulated GPU";
    Process process(program_name, emulated + Words{"--benchmark", "--size", "8", "--quiet", "--json", "-"});
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["ok"], true);
    EXPECT_LT(report["results"].size(), 2 * listed("cuda").size());
}

TEST(CliTextureUnit, SignalEndsTheScript) {
    const TemporaryFolder folder;
    const auto png = folder / "x.png";
    Process process(program_name,
                    on_cpu + Words{"--script", folder.file("script", "2000000000 key T\n"), "--png", png},
                    no_display());
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    expect_size(png, 1280, 800);
}

// ----- The program with a fake GPU and kernels

class CliTextureUnitProgram : public testing::Test {
  protected:
    CliTextureUnitProgram() {
        gpu_.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "9.0", 1, 1}}, ""}; };
        gpu_.fetch = [](const Device&, const auto&... what) {
            return texture_unit::fetch_from_model(what...);
        };
        gpu_.limits = [](const Device&) { return texture_unit::DeviceLimits{"a GPU", 99, 0, {}}; };
    }

    /// Adds a kernel of the lesson `linear`.
    texture_unit::Kernel& add(const std::string& name) {
        gpu_.kernels.push_back({.name = name,
                                .memory = "texture2d",
                                .what = "",
                                .device = DeviceKind::cuda,
                                .lesson = "linear",
                                .draw = [](const Device&, const texture_unit::Scene& scene) {
                                    return texture_unit::lesson("linear").model(scene);
                                }});
        return gpu_.kernels.back();
    }

    std::pair<int, json> run(const Words& arguments) const {
        const TemporaryFolder folder;
        const std::string path = folder / "report.json";
        const Words words = Words{program_name, "--quiet", "--json", path} + arguments;
        std::vector<const char*> argv;
        for (const std::string& word : words) argv.push_back(word.c_str());
        const int status = texture_unit::program(gpu_, static_cast<int>(argv.size()), argv.data());
        if (!std::filesystem::exists(path)) return {status, nullptr};
        return {status, test::report_of(test::content_of(path))};
    }

    texture_unit::GpuBackend gpu_;
};

TEST_F(CliTextureUnitProgram, OneWrongBitIsStatus1) {
    add("right");
    add("wrong").draw = [](const Device&, const texture_unit::Scene& scene) {
        texture_unit::Image image = texture_unit::lesson("linear").model(scene);
        image.texels.back()[3] += 0x1p-16F;
        return image;
    };
    const Words small{"--size", "8", "--kernel"};
    EXPECT_EQ(run(small + Words{"right"}).first, 0);
    const auto [status, report] = run(small + Words{"wrong"});
    EXPECT_EQ(status, 1);
    EXPECT_EQ(report["ok"], false);
    EXPECT_EQ(report["results"][0]["verified"], false);
    EXPECT_EQ(report["results"][0]["mismatches"], 1);
    EXPECT_EQ(run(small + Words{"all"}).first, 1);
}

TEST_F(CliTextureUnitProgram, ExactKernelIsComparedWithExactArithmetic) {
    add("not_exact").exact = true;
    texture_unit::Kernel& kernel = add("exact");
    kernel.exact = true;
    kernel.draw = [](const Device&, const texture_unit::Scene& scene) {
        return texture_unit::lesson("linear").exact(scene);
    };
    EXPECT_EQ(run({"--size", "8", "--kernel", "exact"}).first, 0);
    EXPECT_EQ(run({"--size", "8", "--kernel", "not_exact"}).first, 1);
}

TEST_F(CliTextureUnitProgram, WrongSurfacesAreStatus1) {
    add("right");
    for (const char* name : {"coherency", "boundary"})
        gpu_.kernels.push_back({.name = name,
                                .memory = "surface",
                                .what = "",
                                .device = DeviceKind::cuda,
                                .lesson = name,
                                .ask = [name](const Device&) {
                                    return Result{name, "surface", "", std::string(name) == "boundary"};
                                }});
    EXPECT_EQ(run({"--size", "8", "--kernel", "right"}).first, 0);
    EXPECT_EQ(run({"--size", "8", "--kernel", "coherency"}).first, 1);
    EXPECT_EQ(run({"--size", "8", "--kernel", "boundary"}).first, 0);
    EXPECT_EQ(run({"--size", "8", "--kernel", "all"}).first, 1);
    gpu_.kernels.back().ask_last = [](const Device&) {
        return Result{"boundary_trap", "surface", "", false};
    };
    const auto [status, report] = run({"--size", "8", "--kernel", "boundary"});
    EXPECT_EQ(status, 1) << "the write outside the surface went unnoticed";
    EXPECT_EQ(report["results"][1]["kernel"], "boundary_trap");
    EXPECT_EQ(run({"--size", "8", "--kernel", "all"}).second["results"].size(), 3U);
}

TEST_F(CliTextureUnitProgram, TheKernelThatIsMeasuredIsComparedToo) {
    add("right").draw_first = [](const Device&, const texture_unit::Scene& scene) {
        return std::vector<float>(scene.pixels(), -1);
    };
    const auto [status, report] = run({"--size", "8", "--kernel", "right"});
    EXPECT_EQ(status, 1);
    EXPECT_EQ(report["results"][0]["mismatches"], 64);
}

TEST_F(CliTextureUnitProgram, NaNIsFound) {
    add("right").draw = [](const Device&, const texture_unit::Scene& scene) {
        texture_unit::Image image = texture_unit::lesson("linear").model(scene);
        image.texels.front()[0] = std::numeric_limits<float>::quiet_NaN();
        return image;
    };
    const auto [status, report] = run({"--size", "8", "--kernel", "right"});
    EXPECT_EQ(status, 1);
    EXPECT_EQ(report["results"][0]["from_exact"], nullptr);
}

TEST_F(CliTextureUnitProgram, WhatMemoryCannotHoldIsLeftOut) {
    gpu_.ceilings = [](const Device&) { return texture_unit::Ceilings{1000, 500, 100}; };
    gpu_.copy_gb_per_s = [](const Device&, std::size_t) { return 1000.0; };
    add("right").measure = [](const Device&, const texture_unit::Scene& scene, const TimeBudget&) {
        if (scene.width > 1000) throw OutOfMemory("out of memory: too large");
        return texture_unit::Cost{{1, 1, 1, 1}, scene.pixels(), 1000, 1000};
    };
    const auto [status, report] = run({"--size", "8", "--benchmark"});
    EXPECT_EQ(status, 0);
    ASSERT_EQ(report["results"].size(), 4U);
    EXPECT_TRUE(report["results"][1].contains("ms"));
    EXPECT_EQ(report["results"][3]["left_out"], "out of memory: too large");
}

TEST_F(CliTextureUnitProgram, AWrongFetchInTheTableIsStatus1) {
    add("a_kernel");
    EXPECT_EQ(run({"--table"}).first, 0);
    gpu_.fetch = [](const Device&, const auto&... what) {
        auto texels = texture_unit::fetch_from_model(what...);
        texels.back()[0] += 1;
        return texels;
    };
    EXPECT_EQ(run({"--table"}).first, 1);
}

TEST_F(CliTextureUnitProgram, BenchmarkNamesTheNearerCeiling) {
    gpu_.ceilings = [](const Device&) { return texture_unit::Ceilings{2000, 500, 100}; };
    int copies = 0;
    gpu_.copy_gb_per_s = [&](const Device&, std::size_t bytes) {
        EXPECT_EQ(bytes, 500'000'000U) << "a copy of what the kernels read and write";
        ++copies;
        return 1000.0;
    };
    const auto add_with_fetches = [&](const std::string& name, std::size_t fetches) {
        add(name).measure = [fetches](const Device&, const texture_unit::Scene& scene, const TimeBudget&) {
            return texture_unit::Cost{{1, 1, 1, 1}, scene.pixels(), 500'000'000, fetches};
        };
    };
    add_with_fetches("bytes", 10'000'000);    // 0.5 ms for the bytes, 0.1 ms for the fetches
    add_with_fetches("fetches", 80'000'000);  // 0.8 ms
    const auto [status, report] = run({"--size", "8", "--benchmark"});
    EXPECT_EQ(status, 0);
    EXPECT_EQ(report["ceilings"]["linear_gfetches_per_s"], 100);
    int measured = 0;
    for (const json& result : report["results"]) {
        if (!result.contains("ms")) continue;
        ++measured;
        const bool bytes = result["kernel"] == "bytes";
        EXPECT_EQ(result["limit"], bytes ? "copy" : "texture unit");
        EXPECT_NEAR(result["percent_of_ceiling"].get<double>(), bytes ? 50 : 80, 0.01);
        EXPECT_EQ(result["gb_per_s"], 500);
        const double pixels = result["texels"].get<double>() * result["texels"].get<double>();
        EXPECT_NEAR(result["gpixels_per_s"].get<double>(), pixels / 1e6, pixels / 1e10);
    }
    EXPECT_EQ(measured, 6) << "two kernels at three sizes";
    EXPECT_EQ(copies, 3) << "one a size";
}

}  // namespace
}  // namespace cudabook
