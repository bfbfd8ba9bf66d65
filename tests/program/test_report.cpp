// common/program/report.hpp: the JSON of the contract, the table, and the exit status.
#include "common/program/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "common/program/version.hpp"
#include "tests/support/report.hpp"

namespace cudabook {
namespace {

using Json = nlohmann::ordered_json;

/// The report's JSON, parsed.
Json json_of(const Report& report) {
    EXPECT_EQ(test::errors_of_report(nlohmann::json::parse(report.json())), "");
    return Json::parse(report.json());
}

const Device cpu{DeviceKind::cpu, 0, "Some CPU @ 2 GHz", "", 0, 8};
const Device some_gpu{DeviceKind::cuda, 1, "Some GPU", "9.0", 150754820096, 132};

Report report_of(std::optional<bool> first, std::optional<bool> second) {
    Report report("heat", cpu, {});
    report.add({"book", "global", "00000000", first, {}});
    report.add({"fused", "global", "00000000", second, {}});
    return report;
}

TEST(Report, SmallNumbersAreNotShownAsZero) {
    Report report("matmul", cpu, {});
    report.add({"tf32", "shared", "00000000", true, {{"relative_error", 0.00026}, {"zero", 0.0}}});
    EXPECT_NE(report.text().find("2.60e-04"), std::string::npos) << report.text();
    EXPECT_NE(report.text().find(" 0.000"), std::string::npos) << report.text();
}

TEST(Report, FiguresOfTimesAndOccupancy) {
    Figures figures;
    add_figures(figures, Measurement{2, 1, 3, 5});
    add_figures(figures, Occupancy{50, 128, 1024, "registers"});
    EXPECT_EQ(figures, (Figures{{"ms", 2.0},
                                {"ms_min", 1.0},
                                {"ms_max", 3.0},
                                {"repetitions", 5},
                                {"registers", 128},
                                {"shared_bytes", 1024},
                                {"occupancy_percent", 50.0},
                                {"occupancy_limit", "registers"}}));
}

TEST(ReportJson, OfAnEmulatedGpuKnowsNoRegisters) {
    Report report("heat", {DeviceKind::emulated, 0, "Tesla T4 (emulated)", "7.5", 17179869184, 40}, {});
    Figures figures{{"ms", 1.5}};
    add_figures(figures, Occupancy{50, 128, 1024, "registers"});
    report.add({"book", "global", "f7cb8b0a", true, figures});
    const Json json = json_of(report);
    EXPECT_EQ(json["device"]["kind"], "emulated");
    EXPECT_EQ(json["device"]["name"], "Tesla T4 (emulated)");
    EXPECT_EQ(json["device"]["compute_capability"], "7.5");
    EXPECT_EQ(json["device"]["multiprocessors"], 40);
    EXPECT_EQ(json["results"][0]["ms"], 1.5);
    for (const char* figure : {"registers", "shared_bytes", "occupancy_percent", "occupancy_limit"})
        EXPECT_FALSE(json["results"][0].contains(figure)) << figure;
    EXPECT_EQ(report.text().find("heat on emulated: Tesla T4 (emulated)\n"), 0U) << report.text();
}

/// The report without its versions and its commit, which the schema checks.
Json without_version(Json report) {
    for (const char* name : {"report_version", "version", "commit"}) report.erase(name);
    return report;
}

TEST(ReportJson, SaysWhichCudabookItIsOf) {
    const Json report = json_of(Report("heat", cpu, {}));
    EXPECT_EQ(report["report_version"], 1);
    EXPECT_EQ(report["version"], version);
    if (*commit == 0)
        EXPECT_FALSE(report.contains("commit"));
    else
        EXPECT_EQ(report["commit"], commit);
}

TEST(ReportJson, TheSchemaRefusesWhatIsNoReport) {
    if (!CUDABOOK_HAS_VALIJSON) GTEST_SKIP() << "valijson is missing";
    Report report("heat", some_gpu, {{"width", 64}});
    report.add({"book", "global", "f7cb8b0a", true, {{"ms", 1.5}, {"registers", 20}}});
    const nlohmann::json right = nlohmann::json::parse(report.json());
    EXPECT_EQ(test::errors_of_report(right), "");
    const auto with = [&](const char* place, const nlohmann::json& value) {
        nlohmann::json wrong = right;
        wrong[nlohmann::json::json_pointer(place)] = value;
        return test::errors_of_report(wrong);
    };
    EXPECT_NE(with("/report_version", 2), "");
    EXPECT_NE(with("/version", "new"), "");
    EXPECT_NE(with("/commit", "HEAD"), "");
    EXPECT_NE(with("/ok", "yes"), "");
    EXPECT_NE(with("/more", 1), "");
    EXPECT_NE(with("/device/kind", "gpu"), "");
    EXPECT_NE(with("/device/compute_capability", 9.0), "");
    EXPECT_NE(with("/device/threads", 8), "") << "a GPU has none";
    EXPECT_NE(with("/parameters/width", nlohmann::json::array()), "");
    EXPECT_NE(with("/results/0/checksum", "F7CB8B0A"), "");
    EXPECT_NE(with("/results/0/verified", 1), "");
    EXPECT_NE(with("/results/0/ms", "1.5"), "");
    EXPECT_NE(with("/results/0/ms", -1), "");
    EXPECT_NE(with("/results/0/registers", 20.5), "");
    for (const char* name : {"kernel", "memory", "checksum", "verified"}) {
        nlohmann::json wrong = right;
        wrong["results"][0].erase(name);
        EXPECT_NE(test::errors_of_report(wrong), "") << name;
    }
}

TEST(ReportJson, OfACpuRun) {
    Report report("heat", cpu, {{"width", 64}, {"height", 48}});
    report.add({"blocked", "cache", "f7cb8b0a", true, {{"ms_per_frame", 1.5}, {"frames", 10}}});
    EXPECT_EQ(without_version(json_of(report)).dump(),
              R"({"sample":"heat",)"
              R"("device":{"kind":"cpu","name":"Some CPU @ 2 GHz","threads":8},)"
              R"("parameters":{"width":64,"height":48},)"
              R"("results":[{"kernel":"blocked","memory":"cache","checksum":"f7cb8b0a","verified":true,)"
              R"("ms_per_frame":1.5,"frames":10}],"ok":true})");
}

TEST(ReportJson, OfAGpuRunWithCeilings) {
    Report report("heat", some_gpu, {});
    report.add_ceiling("copy_gb_per_s", 4000.25);
    report.add_ceiling("another_gb_per_s", 1);
    report.add({"book", "texture1d", "f7cb8b0a", false, {}});
    report.add({"fused", "texture1d", "4d6dc8ed", std::nullopt, {{"note", "words"}}});
    EXPECT_EQ(
        without_version(json_of(report)).dump(),
        R"({"sample":"heat",)"
        R"("device":{"kind":"cuda","name":"Some GPU","index":1,"compute_capability":"9.0",)"
        R"("memory_bytes":150754820096,"multiprocessors":132},)"
        R"("parameters":{},"ceilings":{"copy_gb_per_s":4000.2,"another_gb_per_s":1.0},)"
        R"("results":[{"kernel":"book","memory":"texture1d","checksum":"f7cb8b0a","verified":false},)"
        R"({"kernel":"fused","memory":"texture1d","checksum":"4d6dc8ed","verified":null,"note":"words"}],)"
        R"("ok":false})");
}

TEST(ReportJson, WithoutResults) {
    const Report report("matmul", cpu, {});
    EXPECT_EQ(json_of(report)["results"], Json::array());
    EXPECT_EQ(json_of(report)["ok"], true);
}

TEST(ReportJson, FiguresHaveFiveDigits) {
    const auto figure = [](double value) {
        Report report("heat", cpu, {});
        report.add({"book", "global", "00000000", true, {{"ms", value}}});
        return json_of(report)["results"][0]["ms"].dump();
    };
    EXPECT_EQ(figure(1.0 / 3), "0.33333");
    EXPECT_EQ(figure(1234.5678), "1234.6");
    EXPECT_EQ(figure(98765432.1), "98765000.0");
    EXPECT_EQ(figure(0.000012345678), "1.2346e-05");
    EXPECT_EQ(figure(0), "0.0");
    EXPECT_EQ(figure(std::numeric_limits<double>::infinity()), "null");  // JSON has no such number
    EXPECT_EQ(figure(std::nan("")), "null");
    EXPECT_EQ(figure(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(ReportOk, UnlessANumberIsWrong) {
    constexpr std::optional<bool> none;
    EXPECT_TRUE(Report("heat", cpu, {}).ok());
    EXPECT_TRUE(report_of(true, true).ok());
    EXPECT_TRUE(report_of(true, none).ok());
    EXPECT_TRUE(report_of(none, none).ok());
    EXPECT_FALSE(report_of(false, true).ok());
    EXPECT_FALSE(report_of(true, false).ok());
    EXPECT_FALSE(report_of(none, false).ok());
}

TEST(ReportOk, IsTheExitStatus) {
    EXPECT_EQ(report_of(true, true).exit_status(), ExitStatus::ok);
    EXPECT_EQ(report_of(true, false).exit_status(), ExitStatus::wrong_number);
    EXPECT_EQ(static_cast<int>(ExitStatus::ok), 0);
    EXPECT_EQ(static_cast<int>(ExitStatus::wrong_number), 1);
    EXPECT_EQ(static_cast<int>(ExitStatus::usage), 2);
    EXPECT_EQ(static_cast<int>(ExitStatus::machine), 3);
}

TEST(ReportText, TableWithAColumnForEachFigure) {
    Report report("heat", some_gpu, {{"width", 64}});
    report.add_ceiling("copy_gb_per_s", 4000.25);
    report.add({"book", "global", "f7cb8b0a", true, {{"ms_per_frame", 0.98765}, {"frames", 10}}});
    report.add({"fused", "texture1d", "f7cb8b0a", false, {{"ms_per_frame", 12.3456}, {"registers", 32}}});
    report.add(
        {"texture2d", "texture2d", "00000000", std::nullopt, {{"ms_per_frame", 12345.6}, {"note", "slow"}}});
    EXPECT_EQ(report.text(),
              "heat on cuda: Some GPU\n"
              "ceiling: copy_gb_per_s = 4000\n"
              "kernel     memory     checksum  verified      ms_per_frame  frames  registers  note\n"
              "book       global     f7cb8b0a  yes                  0.988      10          -     -\n"
              "fused      texture1d  f7cb8b0a  NO                    12.3       -         32     -\n"
              "texture2d  texture2d  00000000  not compared         12346       -          -  slow\n");
}

TEST(ReportJson, KernelThatDidNotRunHasNoChecksum) {
    Report report("sample", cpu_device(), {});
    report.add({"kernel", "global", "", std::nullopt, {}});
    EXPECT_TRUE(json_of(report)["results"][0]["checksum"].is_null());
    EXPECT_TRUE(json_of(report)["results"][0]["verified"].is_null());
    EXPECT_NE(report.text().find("global  -         not compared"), std::string::npos) << report.text();
    EXPECT_TRUE(report.ok());
}

TEST(ReportSummary, CountsKernelsAndResultsAndNamesTheFastest) {
    Report report("heat", some_gpu, {});
    report.add({"book", "global", "f7cb8b0a", true, {{"ms_per_frame", 2.5}}});
    report.add({"fused", "texture1d", "f7cb8b0a", false, {{"ms_per_frame", 0.12345}}});
    report.add({"fused", "texture1d", "f7cb8b0a", true, {{"ms", 12.0}}});
    report.add({"absent", "texture2d", "", std::nullopt, {}});
    EXPECT_EQ(report.summary(), "heat\tSome GPU\t3\t2 of 3 right\tfused\t0.123 ms");
}

TEST(ReportSummary, WithoutTimesOrComparisons) {
    EXPECT_EQ(report_of(std::nullopt, std::nullopt).summary(), "heat\tSome CPU @ 2 GHz\t2\tnot compared\t\t");
}

TEST(ReportSummary, OfAnEmulatedGpuHasNoTime) {
    Report report("heat", {DeviceKind::emulated, 0, "Tesla T4 (emulated)", "7.5", 17179869184, 40}, {});
    report.add({"book", "global", "f7cb8b0a", true, {{"ms", 1.5}}});
    EXPECT_EQ(report.summary(), "heat\tTesla T4 (emulated)\t1\t1 of 1 right\t\t");
}

TEST(ReportText, WithoutFigures) {
    Report report("heat", cpu, {});
    report.add({"reference", "cache", "f7cb8b0a", true, {}});
    EXPECT_EQ(report.text(),
              "heat on cpu: Some CPU @ 2 GHz\n"
              "kernel     memory  checksum  verified\n"
              "reference  cache   f7cb8b0a  yes\n");
}

}  // namespace
}  // namespace cudabook
