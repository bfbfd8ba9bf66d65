// --counters as a user sees it: programs as processes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "common/program/device.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/mpirun.hpp"
#include "tests/support/report.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::Words, test::operator+;

void expect_usage_error(const Words& arguments, const Words& words) {
    test::expect_error("heat_notexture", test::run("heat_notexture", arguments), 2, words, shown(arguments));
}

TEST(CliCounters, NeedAnEmulatedGpu) {
    for (const char* device : {"auto", "cpu", "cuda"})
        expect_usage_error({"--headless", "--counters", "--device", device},
                           {"--counters", "--device emulated"});
    expect_usage_error({"--counters", "--device", "emulated", "--benchmark"}, {"--counters", "--benchmark"});
}

class CliCounted : public testing::Test {
  protected:
    void SetUp() override {
        if (CUDABOOK_HAS_COUNTERS == 0) GTEST_SKIP() << "this build has no programs that count";
    }

    static const Words& small_run() {
        static const Words words{"--device", "emulated", "--counters",        "--headless",
                                 "--width",  "64",       "--height",          "32",
                                 "--frames", "1",        "--steps-per-frame", "2"};
        return words;
    }
};

TEST_F(CliCounted, Json) {
    const Ending ending = test::run("heat_notexture", small_run() + Words{"--kernel", "all", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    ASSERT_EQ(report["results"][0]["kernel"], "book");
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_EQ(report["results"][0]["counted_cell"], 2.0 * 64 * 32);
    const json& kernels = report["results"][0]["counters"];
    bool found = false;
    for (const json& kernel : kernels) {
        if (kernel["kernel"] != "blend_kernel") continue;
        found = true;
        EXPECT_EQ(kernel["launches"], 2);
        EXPECT_EQ(kernel["global_load_accesses"], 2 * 5 * 64 * 32);
        EXPECT_EQ(kernel["global_load_requests"], 2 * 5 * 64);
        EXPECT_EQ(kernel["global_store_requests"], 2 * 64);
        EXPECT_EQ(kernel["global_store_sectors"], 2 * 64 * 4);
        EXPECT_EQ(kernel["shared_load_requests"], 0);
    }
    EXPECT_TRUE(found) << kernels;
}

/// The number of cells that the stencil stores, from the report of a run in which several workers divide 64 ×
/// 32 cells and do two steps.
std::uint64_t stored_in_parts(const Ending& ending) {
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    const json& result = report["results"][0];
    EXPECT_EQ(result["verified"], true);
    EXPECT_EQ(result["counted_cell"], 2.0 * 64 * 32);
    std::uint64_t stored = 0;
    for (const json& kernel : result["counters"])
        if (kernel["kernel"] == "blend_kernel")
            stored += kernel["global_store_accesses"].get<std::uint64_t>();
    return stored;
}

// Each part also computes a row of its halo.
TEST_F(CliCounted, AllGpusOfAProcess) {
    const Words run = small_run() + Words{"--kernel", "book", "--devices", "all", "--json", "-"};
    for (int i = 0; i < 5; ++i)  // the GPUs may end in either order
        EXPECT_EQ(stored_in_parts(test::run("heat_notexture", run, test::with_gpus("h200,h200"))),
                  2 * 64 * (32 + 2));
}

TEST_F(CliCounted, AllProcesses) {
    if (*CUDABOOK_MPIRUN == '\0') GTEST_SKIP() << "no MPI here";
    const Words run = small_run() + Words{"--kernel", "book", "--json", "-"};
    test::Process process(CUDABOOK_MPIRUN, test::mpirun(2, "heat_notexture", run), test::for_mpirun());
    EXPECT_EQ(stored_in_parts(process.wait()), 2 * 64 * (32 + 2));
}

TEST_F(CliCounted, TheSameWithAnyNumberOfCores) {
    const auto counted = [](const char* threads) {
        const Ending ending =
            test::run("heat_notexture", small_run() + Words{"--kernel", "all", "--json", "-"},
                      {.unset = {}, .set = {std::string("OMP_NUM_THREADS=") + threads}});
        const json report = test::report_of(ending.out);
        json counters;
        for (const json& result : report["results"]) counters.push_back(result["counters"]);
        return counters;
    };
    const json one = counted("1");
    EXPECT_FALSE(one.empty());
    EXPECT_EQ(one, counted("3"));
}

TEST_F(CliCounted, Table) {
    const Ending ending = test::run("heat_notexture", small_run() + Words{"--kernel", "tiled"});
    EXPECT_EQ(ending.status, 0) << ending.err;
    for (const char* words :
         {"tiled_kernel", "global loads", "shared loads", "wavefronts", "barriers", "per cell"})
        EXPECT_NE(ending.out.find(words), std::string::npos) << words << "\n" << ending.out;
}

TEST_F(CliCounted, NothingIsCountedUnasked) {
    Words arguments = small_run() + Words{"--json", "-"};
    std::erase(arguments, "--counters");
    const Ending ending = test::run("heat_notexture", arguments);
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_EQ(ending.out.find("counters"), std::string::npos);
}

}  // namespace
}  // namespace cudabook
