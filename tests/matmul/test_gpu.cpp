// The sample matmul on the GPU: every kernel at every edge of its tiles, with numbers of all kinds; the
// tensor cores' errors; and what cannot be multiplied.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "common/program/memory.hpp"
#include "matmul/gpu/choice.hpp"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"
#include "matmul/verification/verification.hpp"
#include "tests/matmul/factors.hpp"
#include "tests/matmul/faults.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/published.hpp"

namespace cudabook::matmul {
namespace {

using test::difference;
using test::matmul_sides;
using test::text_of;

class Matmul : public test::Gpu {
  protected:
    static bool runs(const Kernel& kernel, const GemmShape& shape) {
        return kernel.why_not(device(), shape).empty();
    }

    static bool has_known_bits(const Kernel& kernel) {
        return kernel.tensor_core_sums && tensor_cores_are_known(device());
    }

    /// Returns the CPU's product with the bits of a kernel on tensor cores.
    static std::vector<float> product_of_tensor_cores(const Factors& factors, const Kernel& kernel) {
        return tensor_core_product(factors, kernel.tensor_core_sums(device()), capability_of(device()));
    }

    /// Multiplies by every kernel and compares the bits: with the reference or, of tensor cores, with their
    /// model. Their elements are compared with float64 too.
    static void expect_right(const Factors& factors) {
        const GemmShape& shape = factors.shape;
        const std::vector<float> expected = blocked(factors);
        const ExactRows exact = exact_rows(factors, spread_rows(shape.m, shape.m));
        const auto product = gpu().make(device(), factors);
        int kernels = 0;
        for (const Kernel& kernel : gpu().kernels) {
            if (!runs(kernel, shape)) continue;
            ++kernels;
            const std::vector<float> c = product->result(kernel);
            if (!kernel.error_bound)
                EXPECT_EQ(difference(c, expected, shape.n), "") << kernel.name << ", " << text_of(shape);
            else
                EXPECT_LE(accuracy(exact, c, kernel.error_bound(shape.k)).worst, 1)
                    << kernel.name << ", " << text_of(shape);
            if (has_known_bits(kernel)) {
                EXPECT_EQ(difference(c, product_of_tensor_cores(factors, kernel), shape.n), "")
                    << kernel.name << ", " << text_of(shape);
            }
        }
        EXPECT_GE(kernels, 6);
    }
};

class MatmulSmall : public Matmul {};

TEST_F(MatmulSmall, EdgesOfTheTiles) {
    for (const GemmShape& shape :
         {GemmShape{1, 1, 1}, GemmShape{129, 65, 33}, GemmShape{16, 255, 127}, GemmShape{131, 4, 64},
          GemmShape{4, 132, 96}, GemmShape{128, 128, 32}, GemmShape{257, 130, 100}})
        expect_right(random_factors(shape));
}

TEST_F(MatmulSmall, ExtremeNumbers) {
    for (const GemmShape& shape : {GemmShape{20, 40, 60}, GemmShape{130, 70, 67}}) {
        const Factors factors = test::extreme_factors(shape);
        const std::vector<float> expected = reference(factors);
        const auto product = gpu().make(device(), factors);
        for (const Kernel& kernel : gpu().kernels) {
            if (!runs(kernel, shape)) continue;
            std::vector<float> c = product->result(kernel);
            if (has_known_bits(kernel)) {
                EXPECT_EQ(difference(c, product_of_tensor_cores(factors, kernel), shape.n), "")
                    << kernel.name;
            }
            if (kernel.error_bound)  // only elements that are not finite equal the reference's
                for (std::size_t i = 0; i < c.size(); ++i) {
                    EXPECT_TRUE(!std::isfinite(expected[i]) || std::isfinite(c[i]))
                        << kernel.name << ' ' << i;
                    if (std::isfinite(expected[i])) c[i] = expected[i];
                }
            EXPECT_EQ(difference(c, expected, shape.n), "") << kernel.name;
        }
    }
}

TEST_F(MatmulSmall, SubnormalNumbers) {
    const GemmShape shape{67, 129, 70};
    const Factors factors = test::tiny_factors(shape);
    const std::vector<float> expected = reference(factors);
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels) {
        if (!runs(kernel, shape) || (kernel.error_bound && !has_known_bits(kernel))) continue;
        EXPECT_EQ(difference(product->result(kernel),
                             kernel.tensor_core_sums ? product_of_tensor_cores(factors, kernel) : expected,
                             shape.n),
                  "")
            << kernel.name;
    }
}

TEST_F(MatmulSmall, TimesAndOccupancy) {
    const Factors factors = random_factors({64, 64, 64});
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels) {
        if (!runs(kernel, factors.shape)) continue;
        EXPECT_GT(product->run(kernel), 0) << kernel.name;
        const auto occupancy = product->occupancy(kernel);
        ASSERT_TRUE(occupancy.has_value()) << kernel.name;
        EXPECT_GT(occupancy->percent, 0) << kernel.name;
        EXPECT_LE(occupancy->percent, 100) << kernel.name;
        EXPECT_GT(occupancy->registers, 0) << kernel.name;
        EXPECT_NE(occupancy->limit, "") << kernel.name;
    }
}

TEST_F(Matmul, ChecksumOfTheContract) {
    const Factors factors = random_factors({256, 256, 256});
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels) {
        if (!runs(kernel, factors.shape)) continue;
        if (kernel.tensor_core_sums && device().compute_capability != "9.0") continue;
        const bool needs_warpgroups = kernel.tensor_core_sums && !kernel.name.ends_with("_mma");
        if (needs_warpgroups && !kernel.tensor_core_sums(device()).by_warpgroups) continue;
        EXPECT_EQ(
            hex(checksum(product->result(kernel))),
            test::published_checksum("matmul", "--size 256", kernel.tensor_core_sums ? kernel.name : "all"))
            << kernel.name;
    }
}

TEST_F(Matmul, EverySide) {
    const std::vector<std::size_t> some{1, 17, 129};
    const std::vector<std::size_t>& sides = test::emulated ? some : matmul_sides;
    for (const std::size_t m : sides)
        for (const std::size_t n : sides)
            for (const std::size_t k : sides) {
                expect_right(random_factors({m, n, k}));
                if (HasFailure()) return;
            }
}

TEST_F(Matmul, EveryTileOfAuto) {
    const std::pair<GemmShape, std::string> tiles[] = {
        {{200, 200, 36}, "small_tiles 32x32"}, {{257, 1412, 4}, "small_tiles 32x64"},
        {{259, 1413, 5}, "small_tiles 32x64"}, {{513, 1476, 4}, "small_tiles 64x64"},
        {{515, 1475, 6}, "small_tiles 64x64"}, {{1025, 1476, 4}, "pipelined"},
        {{1409, 1476, 36}, "transposing"},     {{1411, 1475, 3}, "transposing"}};
    for (const auto& [shape, tile] : tiles) {
        if (device().units == 132) {
            EXPECT_EQ(tilings[fastest_tiling(shape, 132, FastestOf::all)].name, tile) << text_of(shape);
        }
        const Factors factors = random_factors(shape);
        EXPECT_EQ(
            difference(gpu().make(device(), factors)->result(Kernel{"auto"}), blocked(factors), shape.n), "")
            << text_of(shape);
    }
}

TEST_F(MatmulSmall, SumsThatOverflowOnTheirWay) {
    constexpr float large = 0x1p127F;
    const Factors factors{{1, 1, 3}, {large, large, -large}, {1.5F, 1.5F, 1.5F}};
    const float infinity = std::numeric_limits<float>::infinity();
    ASSERT_EQ(reference(factors), std::vector{infinity});
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels)
        if ((!kernel.error_bound || kernel.name == "f16x3") && runs(kernel, factors.shape)) {
            EXPECT_EQ(product->result(kernel), std::vector{infinity}) << kernel.name;
        }
}

/// The limit of scaled parts of 16 bits: elements that are 2^-40 of the largest element vanish.
TEST_F(MatmulSmall, RowsOfWhichTheLargestElementDoesNotMatter) {
    const GemmShape shape{40, 60, 1100};
    Factors factors = random_factors(shape);
    for (std::size_t i = 0; i < factors.a.size(); ++i)
        factors.a[i] = i % shape.k == 0 ? 1.0F : std::ldexp(factors.a[i], -40);
    std::fill_n(factors.b.begin(), shape.n, 0.0F);
    const ExactRows exact = exact_rows(factors, spread_rows(shape.m, shape.m));
    const double float32 = accuracy(exact, blocked(factors)).relative_error;
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.as_accurate_from_k || !runs(kernel, shape)) continue;
        const Accuracy found = accuracy(exact, product->result(kernel), kernel.error_bound(shape.k));
        EXPECT_LE(found.worst, 1) << kernel.name;
        EXPECT_EQ(found.relative_error > 2 * float32, kernel.name == "f16x3") << kernel.name;
    }
}

TEST_F(Matmul, ManyTiles) {
    const std::size_t part = test::emulated ? 16 : 1;
    for (const GemmShape& shape : {GemmShape{1000 / part, 333, 2047 / part}, GemmShape{2500 / part, 129, 64},
                                   GemmShape{30, 5000 / part, 65}, GemmShape{1, 1, 100'000 / part}})
        expect_right(random_factors(shape));
}

TEST_F(Matmul, SpreadAndCancelling) {
    const std::vector<GemmShape> shapes =
        test::emulated ? std::vector{GemmShape{40, 150, 255}}
                       : std::vector{GemmShape{200, 150, 500}, GemmShape{129, 300, 1023}};
    for (const GemmShape& shape : shapes) {
        expect_right(test::spread_factors(shape));
        expect_right(test::cancelling_factors(shape));
    }
}

TEST_F(Matmul, TwoPartsAreAsAccurateAsFloat32) {
    int kernels = 0;
    const std::vector<std::size_t> lengths = test::emulated
                                                 ? std::vector<std::size_t>{1024, 1500}
                                                 : std::vector<std::size_t>{1024, 1500, 4096, 20'000};
    for (const std::size_t k : lengths) {
        const GemmShape shape = test::emulated ? GemmShape{40, 60, k} : GemmShape{150, 200, k};
        const Factors all[] = {random_factors(shape), test::spread_factors(shape),
                               test::cancelling_factors(shape)};
        for (const Factors& factors : all) {
            const ExactRows exact = exact_rows(factors, spread_rows(shape.m, shape.m));
            const double float32 = accuracy(exact, blocked(factors)).relative_error;
            const auto product = gpu().make(device(), factors);
            for (const Kernel& kernel : gpu().kernels) {
                if (!kernel.as_accurate_from_k || !runs(kernel, shape)) continue;
                ++kernels;
                EXPECT_LE(accuracy(exact, product->result(kernel)).relative_error, 2 * float32)
                    << kernel.name << ", k = " << k << ", input " << &factors - all;
            }
        }
    }
    EXPECT_EQ(kernels > 0, std::stod(device().compute_capability) >= 8);
}

TEST_F(Matmul, MoreElementsThan31BitsCount) {
    if (test::emulated) GTEST_SKIP() << "it takes gigabytes";
    const GemmShape shape{46'342, 46'342, 3};
    const std::size_t bytes = shape.m * shape.n * sizeof(float);
    if (device().memory_bytes < 2 * bytes) GTEST_SKIP() << "it takes 17 GB of the GPU's memory";
    const Factors factors = random_factors(shape);
    // All rows would take minutes. Every 97th row is compared, and each row at the end, where the indices
    // of elements need more than 31 bits.
    Rows rows;
    for (std::size_t row = 0; row < shape.m; row += row < shape.m - 200 ? 97 : 1) rows.push_back(row);
    const std::vector<float> expected = blocked(factors, rows);
    const auto product = gpu().make(device(), factors);
    for (const Kernel& kernel : gpu().kernels) {
        if (!runs(kernel, shape)) continue;
        const std::vector<float> c = product->result(kernel, rows);
        const ErrorBound bound = kernel.error_bound ? kernel.error_bound(3) : ErrorBound{};
        const double allowed = 3 * (bound.products + bound.norms);
        std::size_t wrong = 0;  // counts NaNs too
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (!(std::fabs(double{c[i]} - double{expected[i]}) <= allowed)) ++wrong;
        EXPECT_EQ(wrong, 0U) << kernel.name;
    }
}

TEST_F(Matmul, PeersGiveTheProduct) {
    const Factors factors = random_factors({300, 200, 500});
    const std::vector<Kernel> peers = gpu().peers();
    ASSERT_EQ(peers.size(), 2U);
    EXPECT_EQ(peers[0].name, "cublas_tf32");
    EXPECT_EQ(peers[1].name, "cublas");
    const auto product = gpu().make(device(), factors);
    const ExactRows exact = exact_rows(factors, spread_rows(300, 300));
    std::vector<double> errors;
    for (const Kernel& peer : peers) {
        EXPECT_NE(peer.why_not(device(), {1, 1, std::size_t{1} << 31U}), "");
        if (const std::string reason = peer.why_not(device(), factors.shape); !reason.empty()) {
            EXPECT_TRUE(reason == "libcublas is not there" || reason.starts_with("it needs")) << reason;
            continue;
        }
        EXPECT_TRUE(peer.what.starts_with("cuBLAS ")) << peer.what;
        const Accuracy found = accuracy(exact, product->result(peer), peer.error_bound(500));
        EXPECT_LE(found.worst, 1) << peer.name;
        EXPECT_FALSE(product->occupancy(peer).has_value());
        errors.push_back(found.relative_error);
    }
    if (errors.size() == 2) {
        EXPECT_GT(errors[0], 10 * errors[1]) << "TF32 was not used, or by both";
    }
}

TEST_F(Matmul, FaultsAreFound) { test::expect_every_fault_found(test::gpu_option()); }

/// Returns true if a kernel has a two-dimensional grid with a thread for each element.
bool has_a_thread_for_each_element(const Kernel& kernel) {
    return kernel.memory != "shared" || kernel.name == "tiled";
}

TEST_F(Matmul, GridsThatNoLaunchHas) {
    constexpr std::size_t most = (std::size_t{1} << 31U) - 1;
    const std::string too_many = "its grid would have 2147483648 blocks, and a launch has 2^31 - 1 at most";
    const std::string too_many_rows =
        "its grid would have 65536 rows of blocks, and a launch has 65535 at most";
    for (const Kernel& kernel : gpu().kernels) {
        const auto why_not = [&](std::size_t m, std::size_t n) {
            return kernel.why_not(device(), {m, n, 1});
        };
        const bool elements = has_a_thread_for_each_element(kernel);
        const std::size_t side = elements ? 16 : kernel.name == "small_tiles" ? 64 : 128;
        EXPECT_EQ(why_not(1, (most + 1) * side), too_many) << kernel.name;
        EXPECT_EQ(why_not(1, most * side).find("its grid"), std::string::npos) << kernel.name;
        EXPECT_EQ(why_not(65'536 * 16, 1), elements ? too_many_rows : why_not(16, 1)) << kernel.name;
        EXPECT_EQ(why_not(65'535 * 16, 1).find("its grid"), std::string::npos) << kernel.name;
    }
}

TEST_F(Matmul, TallMatrixWithTheMostRowsOfBlocks) {
    const GemmShape shape{65'535 * 16, test::emulated ? 1U : 3U, test::emulated ? 1U : 2U};
    const Factors factors = random_factors(shape);
    const std::vector<float> expected = blocked(factors);
    const auto product = gpu().make(device(), factors);
    int kernels = 0;
    for (const Kernel& kernel : gpu().kernels) {
        if (kernel.error_bound || !runs(kernel, shape)) continue;
        if (test::emulated && !has_a_thread_for_each_element(kernel))
            continue;  // it would compute 128 columns for the one column of C
        ++kernels;
        EXPECT_EQ(differing(product->result(kernel), expected), 0U) << kernel.name;
    }
    EXPECT_GE(kernels, test::emulated ? 2 : 5) << "all but texture2d, whose textures are not so high";
}

TEST_F(Matmul, WideMatrixWhoseBandHasMoreBlocksThan32BitsCount) {
    if (test::emulated) GTEST_SKIP() << "it takes gigabytes";
    const GemmShape shape{1, std::size_t{1} << 30U, 1};
    const std::size_t bytes = shape.n * sizeof(float);
    if (device().memory_bytes < 5 * bytes || available_memory() < 4 * bytes)
        GTEST_SKIP() << "it takes 20 GB of the GPU's memory and 16 GB of the host's";
    const Factors factors = random_factors(shape);
    const std::vector<float> expected = blocked(factors);
    const auto product = gpu().make(device(), factors);
    // The other kernels pad their copies of the factors to whole tiles: 256 GB for pipelined.
    for (const std::string name : {"naive", "tiled", "registers", "vectorized"})
        EXPECT_EQ(differing(product->result(Kernel{name}), expected), 0U) << name;
}

TEST_F(Matmul, SaysWhatAGpuCannotDo) {
    Device old = device();
    old.compute_capability = "7.5";
    const GemmShape small{16, 16, 16};
    const GemmShape long_rows{4, 4, std::size_t{1} << 32U};
    for (const Kernel& kernel : gpu().kernels) {
        const std::string why_not_here = kernel.why_not(device(), small);
        if (kernel.name == "f16x3" && device().compute_capability != "9.0")
            EXPECT_EQ(why_not_here.find("it needs"), 0U);
        else
            EXPECT_EQ(why_not_here.empty(),
                      std::stod(device().compute_capability) >= 8 || !kernel.error_bound);
        EXPECT_EQ(kernel.why_not(old, small).find("it needs compute capability 8.0") == 0,
                  kernel.error_bound != nullptr)
            << kernel.name;
        EXPECT_EQ(kernel.why_not(device(), long_rows).find("texels at most") != std::string::npos ||
                      kernel.why_not(device(), long_rows).find("have ") != std::string::npos,
                  kernel.memory.starts_with("texture"))
            << kernel.name;
    }
}

TEST_F(Matmul, CeilingsAreThoseOfThisGpu) {
    const auto ceilings = gpu().ceilings(device());
    if (test::emulated) {  // the peak of the GPU that it imitates is no limit of this machine
        ASSERT_EQ(ceilings.size(), 1U);
        EXPECT_EQ(ceilings[0].first, "fma_tflops");
        EXPECT_GT(ceilings[0].second, 0);
        return;
    }
    ASSERT_EQ(ceilings.size(), 2U);
    EXPECT_EQ(ceilings[0].first, "fp32_peak_tflops");
    EXPECT_EQ(ceilings[1].first, "fma_tflops");
    EXPECT_GT(ceilings[1].second, 0.2 * ceilings[0].second);
    EXPECT_LE(ceilings[1].second, 1.1 * ceilings[0].second);
}

TEST_F(Matmul, MoreThanItsMemoryHolds) {
    const std::size_t elements = device().memory_bytes / sizeof(float);
    const Factors factors{{elements, 1, 1}, std::vector<float>(1), std::vector<float>(1)};
    EXPECT_THROW(
        {
            const auto product = gpu().make(device(), {{elements, elements / 1024, 1}, factors.a, factors.b});
        },
        OutOfMemory);
}

}  // namespace
}  // namespace cudabook::matmul
