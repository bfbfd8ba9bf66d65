// The program matmul as a process, and its program() with a fake GPU: sizes, bad input,
// what is left out, and what a wrong number does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/program/interrupt.hpp"
#include "matmul/benchmark.hpp"
#include "matmul/gpu/grid.hpp"
#include "matmul/memory_needed.hpp"
#include "matmul/program.hpp"
#include "matmul/run.hpp"
#include "matmul/verification/verification.hpp"
#include "tests/matmul/faults.hpp"
#include "tests/support/cli.hpp"
#include "tests/support/process.hpp"
#include "tests/support/published.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::shown, test::TemporaryFolder, test::Words, test::operator+;

constexpr const char* program_name = "matmul";

json report_of(const Words& arguments) {
    const Ending ending = test::run(program_name, arguments + Words{"--json", "-", "--quiet"});
    EXPECT_EQ(ending.status, 0) << shown(arguments) << '\n' << ending.err;
    return test::report_of(ending.out);
}

void expect_error(int status, const Words& arguments, const Words& words) {
    const Ending ending = test::run(program_name, arguments + Words{"--quiet"});
    test::expect_error(program_name, ending, status, words, shown(arguments));
    EXPECT_EQ(ending.out, "") << shown(arguments);
}

TEST(CliMatmul, ChecksumOfTheContract) {
    const json report = report_of({"--size", "256", "--device", "cpu", "--kernel", "all"});
    ASSERT_EQ(report["results"].size(), 2U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["checksum"], test::published_checksum("matmul", "--size 256")) << result["kernel"];
        EXPECT_EQ(result["verified"], true) << result["kernel"];
        EXPECT_GT(result["ms"], 0);
    }
    const Ending ending = test::run(program_name, {"--size", "256"});
    EXPECT_EQ(ending.status, 0);
    const auto lines = test::lines_of(ending.out);
    ASSERT_FALSE(lines.empty());
    EXPECT_NE(lines.back().find(test::published_checksum("matmul", "--size 256")), std::string::npos)
        << ending.out;
}

TEST(CliMatmul, Sides) {
    const auto sides = [](const Words& arguments) {
        return report_of(arguments + Words{"--device", "cpu"})["parameters"];
    };
    EXPECT_EQ(sides({"--size", "7"}), json({{"m", 7}, {"n", 7}, {"k", 7}}));
    EXPECT_EQ(sides({"--m", "3", "--n", "5", "--k", "9"}), json({{"m", 3}, {"n", 5}, {"k", 9}}));
    EXPECT_EQ(sides({"--n", "5"}), json({{"m", 1024}, {"n", 5}, {"k", 1024}}));
}

TEST(CliMatmul, SidesThatAreNone) {
    for (const std::string option : {"--size", "--m", "--n", "--k"})
        for (const std::string value : {"0", "-1", "1.5", "many", "", "99999999999999999999"})
            expect_error(2, {option, value}, {option});
    for (const std::string option : {"--m", "--n", "--k"})
        expect_error(2, {"--size", "5", option, "5"}, {"--size", option});
}

TEST(CliMatmul, MoreThanAnyMemoryHolds) {
    expect_error(3, {"--m", "4294967296", "--n", "4294967296"}, {"4294967296x4294967296x1024", "64 bits"});
    expect_error(3, {"--size", "4611686018427387904"}, {"64 bits"});
    expect_error(3, {"--size", "1000000", "--device", "cpu"}, {"1000000x1000000x1000000", "GiB"});
    expect_error(3, {"--size", "1000000", "--device", "cpu", "--benchmark"}, {"GiB"});
}

TEST(CliMatmul, KernelThatNobodyHas) { expect_error(2, {"--kernel", "magic"}, {"magic", "blocked"}); }

TEST(CliMatmul, BenchmarkOnTheCpu) {
    const json report = report_of({"--benchmark", "--size", "64", "--device", "cpu"});
    EXPECT_GT(report["ceilings"]["fma_tflops"], 0);
    ASSERT_EQ(report["results"].size(), 3U);
    for (const json& result : report["results"]) {
        EXPECT_EQ(result["m"], 64);
        if (result.contains("left_out")) continue;
        for (const char* figure :
             {"ms", "ms_min", "ms_max", "tflops", "percent_of_openblas", "percent_of_peak"})
            EXPECT_TRUE(result.contains(figure)) << figure;
        EXPECT_EQ(result["verified"], true);
    }
    EXPECT_EQ(report["results"][2]["kernel"], "openblas");
}

/// A fake product: the reference's result, changed by the test.
class FakeProduct final : public matmul::Product {
  public:
    using Change = std::function<void(std::vector<float>&)>;
    FakeProduct(const matmul::Factors& factors, Change change) : c_(matmul::reference(factors)) {
        change(c_);
    }
    double run(const matmul::Kernel&) override { return 1; }
    [[nodiscard]] std::vector<float> result(const matmul::Kernel&,
                                            const std::optional<matmul::Rows>&) override {
        return c_;
    }
    [[nodiscard]] std::optional<Occupancy> occupancy(const matmul::Kernel&) const override {
        return std::nullopt;
    }

  private:
    std::vector<float> c_;
};

/// A fake GPU with two kernels: `bits` promises the reference's bits; `bound` promises an error bound, and
/// cannot run for the reason `why_not` if that is not empty.
matmul::GpuBackend fake_gpu(const FakeProduct::Change& change, const std::string& why_not = "") {
    matmul::GpuBackend gpu;
    gpu.find_devices = [] { return CudaDevices{{{DeviceKind::cuda, 0, "a GPU", "7.5", 1, 1}}, ""}; };
    gpu.kernels = {{.name = "bits", .memory = "global", .device = DeviceKind::cuda},
                   {.name = "bound",
                    .memory = "shared",
                    .device = DeviceKind::cuda,
                    .error_bound = [](std::size_t) { return matmul::ErrorBound{1e-4}; },
                    .as_accurate_from_k = 64,
                    .why_not = [why_not](const Device&, const matmul::GemmShape&) { return why_not; }}};
    matmul::Kernel library = gpu.kernels[1];
    library.name = "library";
    library.what = "a library 1.0";
    gpu.peers = [library] { return std::vector{library}; };
    gpu.make = [change](const Device&, const matmul::Factors& factors) {
        return std::make_unique<FakeProduct>(factors, change);
    };
    gpu.ceilings = [](const Device&) {
        return std::vector<std::pair<std::string, double>>{{"peak_tflops", 2}};
    };
    return gpu;
}

std::pair<int, json> run(const matmul::GpuBackend& gpu, const Words& arguments) {
    const TemporaryFolder folder;
    const std::string path = folder / "report.json";
    std::vector<const char*> argv{program_name, "--quiet", "--json", path.c_str()};
    for (const std::string& word : arguments) argv.push_back(word.c_str());
    const int status = matmul::program(gpu, static_cast<int>(argv.size()), argv.data());
    if (!std::filesystem::exists(path)) return {status, nullptr};
    return {status, test::report_of(test::content_of(path))};
}

TEST(CliMatmul, OneWrongBitIsStatus1) {
    const auto right = [](std::vector<float>&) {};
    const auto last_bit = [](std::vector<float>& c) { c.back() = std::nextafter(c.back(), 10.0F); };
    const auto [good, good_report] = run(fake_gpu(right), {"--size", "40", "--kernel", "all"});
    EXPECT_EQ(good, 0);
    EXPECT_EQ(good_report["results"][0]["verified"], true);
    EXPECT_EQ(good_report["results"][1]["verified"], true);
    const auto [bad, bad_report] = run(fake_gpu(last_bit), {"--size", "40", "--kernel", "all"});
    EXPECT_EQ(bad, 1);
    EXPECT_EQ(bad_report["ok"], false);
    EXPECT_EQ(bad_report["results"][0]["verified"], false) << "it promises the bits";
    EXPECT_EQ(bad_report["results"][1]["verified"], true) << "it promises a bound, and that holds";
}

TEST(CliMatmul, ErrorBeyondTheBoundIsStatus1) {
    for (const float wrong : {0.5F, std::numeric_limits<float>::quiet_NaN()}) {
        const auto change = [&](std::vector<float>& c) { c[77] = wrong; };
        EXPECT_EQ(run(fake_gpu(change), {"--size", "40", "--kernel", "bound"}).first, 1) << wrong;
    }
}

TEST(CliMatmul, ElementThatWasNotWrittenIsStatus1) {
    // So many rows that not all are compared in float64.
    const matmul::GemmShape shape{1040, 4096, 16};
    const auto change = [&](std::vector<float>& c) {
        c[(shape.m - 1) * shape.n] = std::numeric_limits<float>::quiet_NaN();
    };
    const Words sides{"--m", "1040", "--n", "4096", "--k", "16", "--kernel", "bound"};
    matmul::GpuBackend gpu = fake_gpu([](std::vector<float>&) {});
    EXPECT_EQ(run(gpu, sides).first, 0);
    EXPECT_EQ(run(fake_gpu(change), sides).first, 1);
}

TEST(CliMatmul, ErrorTwiceThatOfFloat32IsStatus1) {
    const auto coarse = [](std::vector<float>& c) {
        for (float& element : c) element *= 1 + 0x1p-20F;  // within the bound
    };
    EXPECT_EQ(run(fake_gpu(coarse), {"--size", "63", "--kernel", "bound"}).first, 0);
    EXPECT_EQ(run(fake_gpu(coarse), {"--size", "64", "--kernel", "bound"}).first, 1);
}

TEST(CliMatmul, KernelThatTheGpuCannotRun) {
    const auto right = [](std::vector<float>&) {};
    const std::string reason = "it needs compute capability 8.0";
    const auto gpu = fake_gpu(right, reason);
    const auto [status, report] = run(gpu, {"--size", "40", "--kernel", "all"});
    EXPECT_EQ(status, 0);
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_EQ(report["results"][1]["left_out"], reason);
    EXPECT_TRUE(report["results"][1]["checksum"].is_null());
    EXPECT_TRUE(report["results"][1]["verified"].is_null());

    for (const Words& more : {Words{}, Words{"--benchmark"}}) {
        testing::internal::CaptureStderr();
        const auto [named, nothing] = run(gpu, Words{"--size", "40", "--kernel", "bound"} + more);
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "matmul: --kernel bound: " + reason + "\n");
        EXPECT_EQ(named, 3);
        EXPECT_TRUE(nothing.is_null()) << "no report is left behind";
    }
}

TEST(CliMatmul, BenchmarkSaysWhatIsMissing) {
    const auto right = [](std::vector<float>&) {};
    const auto [with, with_report] = run(fake_gpu(right), {"--size", "40", "--benchmark"});
    EXPECT_EQ(with, 0);
    ASSERT_EQ(with_report["results"].size(), 3U);
    EXPECT_EQ(with_report["results"][0]["percent_of_library"], 100);
    EXPECT_EQ(with_report["ceilings"]["peak_tflops"], 2);
    const auto [without, without_report] =
        run(fake_gpu(right, "it is not there"), {"--size", "40", "--benchmark"});
    EXPECT_EQ(without, 0);
    EXPECT_EQ(without_report["results"][0]["percent_of_library"], "no library");
    EXPECT_EQ(without_report["results"][2]["left_out"], "it is not there");
    EXPECT_EQ(with_report["results"][2]["library"], "a library 1.0");
    EXPECT_FALSE(with_report["results"][0].contains("library"));
}

TEST(CliMatmul, KernelIsComparedWithThePeerThatIsAsAccurate) {
    matmul::GpuBackend gpu = fake_gpu([](std::vector<float>&) {});
    gpu.kernels[1].peer = "coarse library";
    gpu.peers = [peers = gpu.peers()] {
        std::vector<matmul::Kernel> both{peers[0], peers[0]};
        both[0].name = "coarse library";
        return both;
    };
    const auto [status, report] = run(gpu, {"--size", "40", "--benchmark"});
    EXPECT_EQ(status, 0);
    ASSERT_EQ(report["results"].size(), 4U);
    EXPECT_FALSE(report["results"][0].contains("percent_of_coarse library"));
    EXPECT_EQ(report["results"][1]["percent_of_coarse library"], 100);
    for (const json& result : report["results"]) EXPECT_EQ(result["percent_of_library"], 100);
}

TEST(CliMatmul, ElementFarFromFloat32IsStatus1) {
    // The element is in a row that is not compared with float64, and is wrong by more than its bound and
    // float32's bound allow.
    const auto change = [](std::vector<float>& c) { c.back() += 0.1F; };
    const Words sides{"--m", "1040", "--n", "4096", "--k", "16", "--kernel", "bound"};
    EXPECT_EQ(run(fake_gpu(change), sides).first, 1);
}

TEST(CliMatmul, FaultsAreFound) { test::expect_every_fault_found("cpu"); }

TEST(CliMatmul, GridThatNoLaunchHas) {
    matmul::GpuBackend gpu = fake_gpu([](std::vector<float>&) {});
    gpu.kernels[0].why_not = [](const Device&, const matmul::GemmShape&) {
        return matmul::too_many_blocks({std::size_t{1} << 31U});
    };
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(gpu, {"--size", "40", "--kernel", "bits"}).first, 3);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "matmul: --kernel bits: its grid would have 2147483648 blocks, and a launch has 2^31 - 1 at "
              "most\n");
}

TEST(CliMatmul, MemoryForTheCheckInFloat64IsCounted) {
    const std::vector<matmul::Kernel> bits{{.name = "bits"}};
    const std::vector<matmul::Kernel> bound{
        {.name = "bound", .error_bound = [](std::size_t) { return matmul::ErrorBound{1e-4}; }}};
    for (const matmul::GemmShape& shape :
         {matmul::GemmShape{std::size_t{1} << 28U, 1, 1}, matmul::GemmShape{1, std::size_t{1} << 28U, 1},
          matmul::GemmShape{4, std::size_t{1} << 26U, 2}, matmul::GemmShape{1000, 1000, 1000}}) {
        const std::size_t rows = matmul::rows_in_float64(shape);
        EXPECT_LE(rows * shape.n, std::max(std::size_t{1} << 22U, 4 * shape.n)) << shape.m;
        EXPECT_GE(rows, std::min<std::size_t>(4, shape.m));
        const std::size_t without = matmul::bytes_needed(shape, bits, false);
        const std::size_t with = matmul::bytes_needed(shape, bound, false);
        EXPECT_GE(without, sizeof(float) * (shape.m * shape.k + shape.k * shape.n + 2 * shape.m * shape.n));
        EXPECT_GE(with - without, 2 * sizeof(double) * rows * shape.n + sizeof(double) * (shape.m + shape.n));
    }
    // The CPU keeps its results, and the results of its two kernels are compared with each other.
    const std::size_t one = sizeof(float) * 1000 * 1000;
    EXPECT_GE(matmul::bytes_needed({1000, 1000, 1000}, matmul::cpu().kernels, false), 6 * one);
}

TEST(CliMatmul, MemoryThatRunsOut) {
    if (!test::address_space_can_be_limited()) GTEST_SKIP() << "no address space has a limit here";
    int too_little = 0;
    int enough = 0;
    for (rlim_t mb = 24; enough < 3; mb += 2) {
        ASSERT_LT(mb, 300U);
        test::Surroundings scarce;
        scarce.address_space = mb << 20U;
        scarce.set = {"OMP_NUM_THREADS=2", "GLIBC_TUNABLES=glibc.malloc.arena_max=1"};
        const Words arguments{"--m",      "4096", "--n",      "4",   "--k",    "2048",
                              "--device", "cpu",  "--kernel", "all", "--quiet"};
        const Ending ending = test::run(program_name, arguments, scarce);
        if (ending.status == 0) {
            ++enough;
            EXPECT_EQ(ending.err, "") << mb;
            continue;
        }
        ++too_little;
        test::expect_error(program_name, ending, 3, {"out of memory"}, fmt::format("{} MiB", mb));
    }
    EXPECT_GT(too_little, 5);
}

TEST(CliMatmul, InterruptedBenchmarkEndsInAReport) {
    test::Process process(program_name, {"--benchmark", "--device", "cpu", "--json", "-"});
    ASSERT_TRUE(process.wait_until_it_loops());
    process.send(SIGINT);
    const Ending ending = process.wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["ok"], true);
    EXPECT_LT(report["results"].size(), 21U) << "7 shapes by 3 kernels";
}

/// A run of fake kernels on a fake clock: each takes ms_[name] ms for 64 x 64 x 64, and in proportion to the
/// work for other shapes. The shapes share a budget.
class MatmulBudget : public testing::Test {
  protected:
    class Timed final : public matmul::Product {
      public:
        Timed(const matmul::Factors& factors, const std::map<std::string, double>& ms, double& now,
              std::map<std::string, int>& runs)
            : c_(matmul::reference(factors)),
              scale_(factors.shape.flops() / (2 * 64.0 * 64 * 64)),
              ms_(ms),
              now_(now),
              runs_(runs) {}
        double run(const matmul::Kernel& kernel) override {
            ++runs_[kernel.name];
            now_ += ms_.at(kernel.name) * scale_;
            return ms_.at(kernel.name) * scale_;
        }
        [[nodiscard]] std::vector<float> result(const matmul::Kernel& kernel,
                                                const std::optional<matmul::Rows>&) override {
            run(kernel);
            return c_;
        }
        [[nodiscard]] std::optional<Occupancy> occupancy(const matmul::Kernel&) const override {
            return std::nullopt;
        }

      private:
        std::vector<float> c_;
        double scale_;
        const std::map<std::string, double>& ms_;
        double& now_;
        std::map<std::string, int>& runs_;
    };

    /// Multiplies matrices of both shapes, and returns the results in the order of the shapes.
    json run_both(double budget_ms, const std::optional<matmul::GemmShape>& named = std::nullopt) {
        matmul::Backend backend = fake_gpu([](std::vector<float>&) {});
        backend.make = [this](const Device&, const matmul::Factors& factors) {
            return std::make_unique<Timed>(factors, ms_, now_, runs_);
        };
        matmul::Options options;
        options.common.benchmark = true;
        options.common.quiet = true;
        options.shape = named;
        const Device device{DeviceKind::cuda, 0, "a GPU", "7.5", 1, 1};
        Report report("matmul", device, {});
        matmul::MatmulRun run(options, backend, device, backend.kernels, report, 1);
        const TimeBudget budget(budget_ms, [this] { return now_; });
        run.multiply({64, 64, 64}, budget.share(2));
        run.multiply({128, 128, 128}, budget.share(1));
        return test::report_of(report.json())["results"];
    }

    std::map<std::string, double> ms_{{"bits", 1000}, {"bound", 10}, {"library", 10}};
    double now_ = 0;
    std::map<std::string, int> runs_;
};

TEST_F(MatmulBudget, SlowKernelIsLeftOutAtTheLargerShape) {
    const json results = run_both(20'000);
    ASSERT_EQ(results.size(), 6U);
    for (int row = 0; row < 3; ++row) EXPECT_EQ(results[row]["verified"], true);
    EXPECT_EQ(results[3]["left_out"], "it would take 8.0 s");
    EXPECT_TRUE(results[3]["verified"].is_null());
    EXPECT_FALSE(results[3].contains("ms"));
    EXPECT_EQ(results[4]["verified"], true);
    EXPECT_EQ(results[4]["ms"], 80);
    EXPECT_EQ(results[5]["percent_of_library"], 100);
    EXPECT_LE(now_, 20'000);
}

TEST_F(MatmulBudget, KernelsThatFitAreAllMeasured) {
    const json results = run_both(100'000);
    EXPECT_EQ(results[3]["verified"], true);
    EXPECT_EQ(results[3]["ms"], 8000);
    EXPECT_GE(results[3]["repetitions"], 1);
    EXPECT_LE(now_, 100'000);
}

TEST_F(MatmulBudget, NothingIsBegunWhenTheTimeIsOver) {
    const json results = run_both(1500);
    EXPECT_EQ(results[0]["verified"], true) << "it was not known how long it takes";
    for (int row = 1; row < 6; ++row) EXPECT_TRUE(results[row].contains("left_out")) << row;
    EXPECT_EQ(results[1]["left_out"], "no time was left for it");
}

TEST_F(MatmulBudget, NamedShapeIsNeverLeftOut) {
    const json results = run_both(1500, matmul::GemmShape{64, 64, 64});
    for (const json& result : results) {
        EXPECT_EQ(result["verified"], true);
        EXPECT_EQ(result["repetitions"], 1);
    }
    EXPECT_EQ(runs_["bits"], 4) << "each is checked once and timed once";
}

TEST(CliMatmul, BenchmarkComparesSomeRowsOfLargeMatrices) {
    const matmul::GemmShape small{256, 256, 256};
    const matmul::GemmShape large{16384, 16384, 16384};
    using matmul::CpuReference;
    using matmul::rows_compared;
    for (const CpuReference way : {CpuReference::plain_loops, CpuReference::blocked}) {
        EXPECT_EQ(rows_compared(small, way, true), 256U);
        EXPECT_EQ(rows_compared(large, way, false), 16384U) << "all, where one shape is multiplied once";
    }
    EXPECT_EQ(rows_compared(large, CpuReference::blocked, true), 2048U);
    EXPECT_EQ(rows_compared(large, CpuReference::plain_loops, true), 64U);

    if (test::sanitized) return;  // so many products take minutes
    // 2^34 products of the plain loops are 1024 rows.
    const matmul::Factors factors = matmul::random_factors({1100, 4096, 4096});
    const Device device;
    matmul::Verifier verifier(factors, device, true);
    const matmul::Kernel kernel{.name = "blocked", .compared_with = CpuReference::plain_loops};
    std::vector<float> c = matmul::blocked(factors);
    Result result;
    verifier.verify(result, kernel, c);
    EXPECT_EQ(result.verified, true);
    EXPECT_EQ(result.figures["rows_compared"], 1024);
    c.back() = std::numeric_limits<float>::quiet_NaN();
    verifier.verify(result, kernel, c);
    EXPECT_EQ(result.verified, false) << "an element that was not written";
}

TEST(CliMatmul, InterruptedBenchmarkDoesNotMissALibraryThatIsThere) {
    matmul::GpuBackend gpu = fake_gpu([](std::vector<float>&) {});
    gpu.kernels[1].error_bound = [](std::size_t) {
        std::raise(SIGINT);
        return matmul::ErrorBound{1e-4};
    };
    const auto [status, report] = run(gpu, {"--size", "40", "--benchmark"});
    clear_interrupt();
    EXPECT_EQ(status, 0);
    ASSERT_EQ(report["results"].size(), 2U) << "the library's turn did not come";
    for (const json& result : report["results"]) {
        EXPECT_TRUE(result.contains("ms"));
        EXPECT_FALSE(result.contains("percent_of_library"));
    }
}

TEST(MatmulBenchmark, ShapesForAnEmulatedGpuAreSmall) {
    for (const matmul::GemmShape& shape : matmul::benchmark_shapes(DeviceKind::emulated))
        EXPECT_LE(shape.flops(), 1 << 26U);
    EXPECT_LT(1 << 26U, matmul::benchmark_shapes(DeviceKind::cuda).back().flops());
}

}  // namespace
}  // namespace cudabook
