// --predict as a user sees it: programs as processes.
#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/cli.hpp"
#include "tests/support/report.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::Words, test::operator+;

TEST(CliPredictions, NeedAnEmulatedGpu) {
    const auto expect_usage_error = [](const Words& arguments, const Words& words) {
        test::expect_error("heat_notexture", test::run("heat_notexture", arguments), 2, words,
                           shown(arguments));
    };
    for (const char* device : {"auto", "cpu", "cuda"})
        expect_usage_error({"--headless", "--predict", "--device", device},
                           {"--predict", "--device emulated"});
    expect_usage_error({"--device", "emulated", "--predict", "--benchmark"}, {"--predict", "--benchmark"});
    expect_usage_error({"--device", "emulated", "--predict-registers", "40"},
                       {"--predict-registers", "--predict"});
    for (const char* picture : {"--png", "--video"})
        expect_usage_error({"--device", "emulated", "--predict", picture, "a-picture"},
                           {picture, "--predict", "--counters"});
    expect_usage_error({"--device", "emulated", "--predict", "--window"},
                       {"--window", "--predict", "--counters"});
}

class CliPredicted : public testing::Test {
  protected:
    void SetUp() override {
        if (CUDABOOK_HAS_COUNTERS == 0) GTEST_SKIP() << "this build has no programs that count";
#ifndef __x86_64__
        test::expect_error("matmul", run({}), 3, {"a prediction needs", "x86-64"}, "--predict");
        GTEST_SKIP() << "only code for x86-64 is predicted";
#endif
    }
    static Ending run(const Words& more) {
        return test::run("matmul", Words{"--device", "emulated:h100", "--predict", "--size", "128"} + more);
    }
};

TEST_F(CliPredicted, Json) {
    const Ending ending = run({"--kernel", "naive,tiled", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    for (const json& row : report["results"]) {
        EXPECT_TRUE(row["verified"].is_null());
        EXPECT_TRUE(row["checksum"].is_null());
        EXPECT_FALSE(row.contains("counters"));
        ASSERT_EQ(row["predictions"].size(), 1);
        const json& prediction = row["predictions"][0];
        EXPECT_GT(prediction["predicted_ms"], 0.001);
        const double of_all = prediction["launches"].get<double>() * prediction["predicted_ms"].get<double>();
        EXPECT_NEAR(row["predicted_ms"].get<double>(), of_all, 1e-4 * of_all);  // it has five digits
        EXPECT_TRUE(prediction["bounds"].contains(prediction["limited_by"]));
        EXPECT_EQ(prediction["inputs"]["fp32"], 128 * 128 * 128 / 32);
    }
}

TEST_F(CliPredicted, Text) {
    const Ending ending = run({"--kernel", "tiled"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    for (const char* words : {"Predicted times on NVIDIA H100", "nothing was measured",
                              "tiled_kernel, 1 launch of", "limited by ", "results are not compared"})
        EXPECT_NE(ending.out.find(words), std::string::npos) << words << '\n' << ending.out;
    EXPECT_EQ(ending.out.find("requests"), std::string::npos) << ending.out;
}

TEST_F(CliPredicted, WithCounters) {
    const Ending ending = run({"--kernel", "tiled", "--counters", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_TRUE(report["results"][0].contains("counters"));
    EXPECT_TRUE(report["results"][0].contains("predictions"));
    EXPECT_EQ(report["results"][0]["verified"], true);
}

TEST_F(CliPredicted, OfALargeGridRunsOnlySomeBlocks) {
    // With all blocks, this would be half a million of them, each 90 times, for minutes.
    const Ending ending = test::run(
        "heat_notexture", {"--device", "emulated:h200", "--predict", "--headless", "--frames", "1", "--width",
                           "4096", "--height", "8192", "--kernel", "fused", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json row = test::report_of(ending.out)["results"][0];
    EXPECT_TRUE(row["verified"].is_null());
    double steps = 0;
    for (const json& prediction : row["predictions"])
        if (prediction["launches"] == 90) {
            EXPECT_EQ(prediction["limited_by"], "device memory");
            steps += prediction["predicted_ms"].get<double>();
        }
    // A step reads and writes each cell.
    EXPECT_GT(steps, 8.0 * 4096 * 8192 / 4.8e12 * 1000);
}

TEST_F(CliPredicted, TensorCoresAreNot) {
    const Ending ending = run({"--kernel", "tf32_mma", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json row = test::report_of(ending.out)["results"][0];
    EXPECT_TRUE(row["predicted_ms"].is_null());
    const json& multiplication = row["predictions"].back();
    EXPECT_TRUE(multiplication["predicted_ms"].is_null());
    EXPECT_EQ(multiplication["reason"],
              "not predicted: it uses tensor cores, whose rates the model does not know");
    EXPECT_NE(run({"--kernel", "tf32_mma"}).out.find("threads: not predicted"), std::string::npos);
}

TEST_F(CliPredicted, MoreRegistersLeaveFewerWarps) {
    const auto blocks = [&](const char* registers) {
        const Ending ending = run({"--kernel", "naive", "--predict-registers", registers, "--json", "-"});
        return test::report_of(
                   ending.out)["results"][0]["predictions"][0]["inputs"]["blocks_of_multiprocessor"]
            .get<int>();
    };
    EXPECT_EQ(blocks("32"), 8);
    EXPECT_EQ(blocks("128"), 2);
}

}  // namespace
}  // namespace cudabook
