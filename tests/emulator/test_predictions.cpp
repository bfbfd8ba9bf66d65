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
}

class CliPredicted : public testing::Test {
  protected:
    void SetUp() override {
        if (CUDABOOK_HAS_COUNTERS == 0) GTEST_SKIP() << "this build has no programs that count";
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
        EXPECT_EQ(row["verified"], true);
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
                              "tiled_kernel, 1 launch of", "limited by "})
        EXPECT_NE(ending.out.find(words), std::string::npos) << words << '\n' << ending.out;
    EXPECT_EQ(ending.out.find("requests"), std::string::npos) << ending.out;
}

TEST_F(CliPredicted, WithCounters) {
    const Ending ending = run({"--kernel", "tiled", "--counters", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_TRUE(report["results"][0].contains("counters"));
    EXPECT_TRUE(report["results"][0].contains("predictions"));
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
