// heat_notexture/benchmark.hpp: what a benchmark leaves out.
#include "heat_notexture/benchmark.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "tests/support/report.hpp"

namespace cudabook::heat {
namespace {

TEST(HeatBenchmark, LeavesOutSizesForWhichThereIsNotTheMemory) {
    const GpuBackend no_gpu;
    Options options;
    options.common.quiet = true;
    Report report("heat", cpu_device(), options.parameters());
    benchmark(report, cpu_kernels(), cpu_device(), no_gpu, options, 0);
    const auto results = test::report_of(report.json())["results"];
    ASSERT_EQ(results.size(), 6U) << "three sizes and two kernels";
    for (const auto& result : results) {
        EXPECT_TRUE(result["left_out"].get<std::string>().starts_with("it needs ")) << result;
        EXPECT_EQ(result["verified"], nullptr);
        EXPECT_FALSE(result.contains("ms"));
    }
    EXPECT_EQ(results.back()["left_out"], "it needs 3.0 GiB of memory");
}

}  // namespace
}  // namespace cudabook::heat
