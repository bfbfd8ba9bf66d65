// The program tex1dfetch_int2float as a process, and its program() with a fake GPU: the book's values, and
// the exit status and report after a kernel has returned a wrong value.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tex1dfetch_int2float/program.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::lines_of, test::TemporaryFolder;

constexpr const char* program_name = "tex1dfetch_int2float";

TEST(CliTex1dfetchInt2float, OnTheCpuSaysThatNoTextureUnitWasUsed) {
    const Ending ending = test::run(program_name, {"--device", "cpu"});
    EXPECT_EQ(ending.status, 0);
    ASSERT_EQ(lines_of(ending.err).size(), 1U) << ending.err;
    EXPECT_NE(ending.err.find("no texture unit was used"), std::string::npos) << ending.err;
    EXPECT_EQ(ending.out.find("not compared"), std::string::npos) << ending.out;
    const Ending with_json = test::run(program_name, {"--device", "cpu", "--json", "-", "--quiet"});
    const json report = test::report_of(with_json.out);
    ASSERT_EQ(report["results"].size(), 9U) << "four kinds of integers in two read modes, and half";
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], true) << "with what integers alone give";
        EXPECT_EQ(result["values_checked"],
                  (1 + 2 + 4) *
                      (result["format"].get<std::string>().find("char") != std::string::npos ? 256 : 65536));
    }
    EXPECT_EQ(report["results"][1]["smallest"], "-1");
    EXPECT_EQ(report["results"][1]["largest"], "1");
}

TEST(CliTex1dfetchInt2float, VerbosePrintsTheBooksValues) {
    const Ending ending = test::run(program_name, {"--device", "cpu", "--verbose", "--quiet"});
    EXPECT_EQ(ending.out, "") << "--quiet is stronger";
    const auto lines = lines_of(test::run(program_name, {"--device", "cpu", "--verbose"}).out);
    ASSERT_GT(lines.size(), 18U);
    EXPECT_EQ(lines[2], "formula: signed char, normalized float");
    EXPECT_EQ(lines[3].find("0.00 0.01 0.02 0.02 0.03"), 0U) << lines[3];
    EXPECT_NE(lines[3].find("0.99 1.00 -1.00 -1.00 -0.99"), std::string::npos)
        << "127, -128, -127: " << lines[3];
}

TEST(CliTex1dfetchInt2float, NothingToMeasureOnTheCpu) {
    const Ending ending = test::run(program_name, {"--device", "cpu", "--benchmark"});
    test::expect_error(program_name, ending, 3, {"--benchmark", "GPU"}, "--benchmark");
}

TEST(CliTex1dfetchInt2float, OneWrongBitIsStatus1) {
    const TemporaryFolder folder;
    const std::string path = folder / "report.json";
    tex1dfetch_int2float::GpuBackend gpu;
    gpu.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "9.0", 1, 1}}, ""}; };
    const auto formula = tex1dfetch_int2float::cpu_kernels()[0].read;
    const auto add = [&](const std::string& name, auto read) {
        gpu.kernels.push_back({.name = name,
                               .memory = "texture1d",
                               .what = "",
                               .device = DeviceKind::cuda,
                               .place = "device",
                               .read = read,
                               .measure = nullptr});
    };
    add("right", formula);
    add("wrong", [&](const auto&... arguments) {
        auto readout = formula(arguments...);
        readout.values.back() ^= 1U;
        return readout;
    });
    add("wrong_outside", [&](const auto&... arguments) {
        auto readout = formula(arguments...);
        readout.past_the_end = {0, 1};
        return readout;
    });
    const auto run = [&](const char* kernel) {
        const std::vector<const char*> argv{program_name, "--quiet",  "--json",
                                            path.c_str(), "--kernel", kernel};
        const int status = tex1dfetch_int2float::program(gpu, static_cast<int>(argv.size()), argv.data());
        return std::pair(status, test::report_of(test::content_of(path)));
    };
    EXPECT_EQ(run("right").first, 0);
    const auto [status, report] = run("wrong");
    EXPECT_EQ(status, 1);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["verified"], false);
        EXPECT_EQ(result["mismatches"], 3) << "one for each of three widths";
    }
    EXPECT_EQ(run("wrong_outside").first, 1);
    EXPECT_EQ(run("wrong_outside").second["results"][0]["past_the_end"], "wrong");
    EXPECT_EQ(run("all").first, 1);
}

TEST(CliTex1dfetchInt2float, OccupancyThatIsNotKnownIsLeftOut) {
    const TemporaryFolder folder;
    const std::string path = folder / "report.json";
    tex1dfetch_int2float::GpuBackend gpu;
    gpu.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "99.0", 1, 1}}, ""}; };
    gpu.copy_gb_per_s = [](int) { return 1000.0; };
    const auto formula = tex1dfetch_int2float::cpu_kernels()[0].read;
    for (const bool known : {true, false})
        gpu.kernels.push_back({.name = known ? "known" : "unknown",
                               .memory = "texture1d",
                               .what = "",
                               .device = DeviceKind::cuda,
                               .place = "device",
                               .read = formula,
                               .measure = [known](const auto&...) {
                                   tex1dfetch_int2float::Rate rate{{1, 1, 1, 1}, 500, {}};
                                   if (known) rate.occupancy = Occupancy{50, 32, 0, "threads"};
                                   return rate;
                               }});
    const std::vector<const char*> argv{program_name, "--quiet", "--json", path.c_str(), "--benchmark"};
    EXPECT_EQ(tex1dfetch_int2float::program(gpu, static_cast<int>(argv.size()), argv.data()), 0);
    const json report = test::report_of(test::content_of(path));
    for (const json& result : report["results"])
        for (const char* figure : {"registers", "shared_bytes", "occupancy_percent", "occupancy_limit"})
            EXPECT_EQ(result.contains(figure), result["kernel"] == "known") << figure;
}

}  // namespace
}  // namespace cudabook
