// The sample matmul on the CPU: the input, the reference against the formula, blocks against the reference,
// the comparisons, and the grids of the GPU's kernels.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/numbers/crc32.hpp"
#include "common/numbers/rand_stream.hpp"
#include "matmul/gpu/choice.hpp"
#include "matmul/gpu/grid.hpp"
#include "matmul/kernels/tile_of_block.cuh"
#include "matmul/matmul.hpp"
#include "matmul/verification/comparison.hpp"
#include "matmul/verification/error_bounds.hpp"
#include "matmul/verification/verification.hpp"
#include "tests/matmul/factors.hpp"
#include "tests/support/published.hpp"
#include "tests/support/sanitized.hpp"

namespace cudabook::matmul {
namespace {

using test::difference;
using test::matmul_sides;
using test::text_of;

/// The formula, element by element.
std::vector<float> by_the_formula(const Factors& f) {
    const auto& [m, n, k] = f.shape;
    std::vector<float> c;
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            float sum = 0;
            for (std::size_t p = 0; p < k; ++p) sum = std::fma(f.a[i * k + p], f.b[p * n + j], sum);
            c.push_back(sum);
        }
    return c;
}

TEST(Matmul, ChecksumsOfTensorCores) {
    using Parts = TensorCoreSums::Parts;
    const std::pair<std::string, TensorCoreSums> kernels[] = {
        {"tf32_mma", {}},
        {"tf32x3_mma", {.parts = Parts::two_tf32}},
        {"tf32", {.by_warpgroups = true, .tiles_in_a_sum = 0}},
        {"tf32x3", {.parts = Parts::two_tf32, .by_warpgroups = true}},
        {"f16x3", {.parts = Parts::two_halves, .by_warpgroups = true, .tiles_in_a_sum = 2}}};
    const Factors factors = random_factors({256, 256, 256});
    for (const auto& [name, sums] : kernels)
        EXPECT_EQ(hex(checksum(tensor_core_product(factors, sums, 90))),
                  test::published_checksum("matmul", "--size 256", name))
            << name;
}

/// The verifier refuses a bit that keeps the bound, where the bits are known.
TEST(Matmul, OneBitOfTensorCoresIsWrong) {
    const GemmShape shape{70, 65, 100};
    const Factors factors = random_factors(shape);
    const Kernel kernel{.name = "tf32", .error_bound = tf32_bound, .tensor_core_sums = [](const Device&) {
                            return TensorCoreSums{.by_warpgroups = true, .tiles_in_a_sum = 0};
                        }};
    const auto verified = [&](const std::string& capability, const std::vector<float>& c) {
        Device device;
        device.kind = DeviceKind::cuda;
        device.compute_capability = capability;
        Result result;
        Verifier(factors, device, false).verify(result, kernel, c);
        EXPECT_EQ(result.figures.find("tensor_cores") != nullptr, capability == "9.0");
        return result.verified;
    };
    std::vector<float> c = tensor_core_product(factors, kernel.tensor_core_sums({}), 90);
    EXPECT_EQ(verified("9.0", c), true);
    c[1234] = std::nextafter(c[1234], 0.0F);
    EXPECT_EQ(verified("9.0", c), false);
    EXPECT_EQ(verified("8.0", c), true) << "only the bound holds there";
}

TEST(Matmul, RowsComparedByBits) {
    const TensorCoreSums three_products{.parts = TensorCoreSums::Parts::two_halves};
    EXPECT_EQ(rows_compared_by_bits({1024, 1024, 1024}, {}, true), 1024U);
    EXPECT_EQ(rows_compared_by_bits({8192, 8192, 8192}, {}, false), 256U);
    EXPECT_EQ(rows_compared_by_bits({8192, 8192, 8192}, {}, true), 64U);
    EXPECT_EQ(rows_compared_by_bits({8192, 8192, 8192}, three_products, false), 85U);
    EXPECT_EQ(rows_compared_by_bits({std::size_t{1} << 30U, 1, 1}, {}, false), std::size_t{1} << 23U)
        << "a block has 64 columns and 32 elements along k";
}

/// Products that are exact in float32, whatever the order.
TEST(Matmul, TensorCoresGiveExactProducts) {
    for (const GemmShape& shape : {GemmShape{1, 1, 1}, GemmShape{3, 65, 40}, GemmShape{5, 130, 4200}}) {
        Factors factors = random_factors(shape);
        for (std::vector<float>* matrix : {&factors.a, &factors.b})
            for (float& element : *matrix) element = std::round(16 * element);
        const std::vector<float> expected = reference(factors);
        for (const auto parts : {TensorCoreSums::Parts::one_tf32, TensorCoreSums::Parts::two_tf32,
                                 TensorCoreSums::Parts::two_halves})
            for (const int capability : {80, 90}) {
                const TensorCoreSums sums{.parts = parts, .by_warpgroups = true};
                EXPECT_EQ(tensor_core_product(factors, sums, capability), expected) << text_of(shape);
            }
        const Rows some{shape.m - 1};
        EXPECT_EQ(tensor_core_product(factors, {}, 90, some), take_rows(expected, some, shape.n));
    }
}

TEST(Matmul, InputIsOneStream) {
    for (const GemmShape& shape :
         {GemmShape{1, 1, 1}, GemmShape{3, 5, 2}, GemmShape{100, 333, 257}, GemmShape{2000, 3, 600}}) {
        const Factors factors = random_factors(shape);
        ASSERT_EQ(factors.a.size(), shape.m * shape.k);
        ASSERT_EQ(factors.b.size(), shape.k * shape.n);
        RandStream stream;
        for (const auto* matrix : {&factors.a, &factors.b})
            for (const float element : *matrix) {
                const double expected = (static_cast<double>(stream()) - 0x1p30) * 0x1p-30;
                ASSERT_EQ(element, static_cast<float>(expected)) << text_of(shape);
            }
    }
}

TEST(Matmul, ChecksumOfTheContract) {
    const Factors factors = random_factors({256, 256, 256});
    EXPECT_EQ(hex(checksum(reference(factors))), test::published_checksum("matmul", "--size 256"));
    EXPECT_EQ(hex(checksum(blocked(factors))), test::published_checksum("matmul", "--size 256"));
}

TEST(Matmul, ReferenceIsTheFormula) {
    for (const GemmShape& shape : {GemmShape{1, 1, 1}, GemmShape{1, 17, 33}, GemmShape{31, 1, 64},
                                   GemmShape{40, 50, 1}, GemmShape{33, 65, 129}}) {
        for (const Factors& factors : {random_factors(shape), test::spread_factors(shape),
                                       test::extreme_factors(shape), test::tiny_factors(shape)})
            EXPECT_EQ(difference(reference(factors), by_the_formula(factors), shape.n), "") << text_of(shape);
    }
}

class MatmulLevels : public testing::TestWithParam<std::size_t> {};

TEST_P(MatmulLevels, BlocksGiveTheBitsOfTheReference) {
    const std::vector<std::size_t> all{1, 2, 17, 64, 255, 257};
    const std::vector<std::size_t> few{1, 17, 64};
    for (const std::size_t m : matmul_sides)
        for (const std::size_t n : matmul_sides)
            for (const std::size_t k : test::sanitized ? few : all) {
                const Factors factors = random_factors({m, n, k});
                ASSERT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), n), "")
                    << text_of(factors.shape);
            }
}

TEST_P(MatmulLevels, BlocksOfLargeMatrices) {
    if (test::sanitized) GTEST_SKIP() << "the small ones have every edge, and these take long";
    for (const GemmShape& shape :
         {GemmShape{1000, 333, 2047}, GemmShape{3, 8200, 300}, GemmShape{2000, 5, 513}}) {
        const Factors factors = random_factors(shape);
        EXPECT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), shape.n), "")
            << text_of(shape);
    }
}

/// Tiles of every height and width, blocks of every depth, and the edges between blocks and between parts.
TEST_P(MatmulLevels, BlocksOfAnyShape) {
    std::vector<GemmShape> shapes{{1, 1, 1},     {1, 513, 1},    {257, 1, 1},    {5, 31, 1},
                                  {13, 33, 255}, {15, 511, 257}, {29, 512, 256}, {28, 513, 258},
                                  {64, 1025, 3}, {65, 64, 513},  {270, 96, 2},   {531, 17, 5}};
    for (std::size_t side = 1; side <= 34; ++side) shapes.push_back({side, 67 - side, 7});
    for (const GemmShape& shape : shapes) {
        const Factors factors = random_factors(shape);
        EXPECT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), shape.n), "")
            << text_of(shape);
    }
}

TEST_P(MatmulLevels, BlocksByMoreThreadsThanParts) {
    const int before = omp_get_max_threads();
    for (const int threads : {1, 3, 16}) {
        omp_set_num_threads(threads);
        for (const GemmShape& shape : {GemmShape{1, 1, 300}, GemmShape{63, 600, 9}, GemmShape{700, 30, 20}}) {
            const Factors factors = random_factors(shape);
            EXPECT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), shape.n), "")
                << text_of(shape) << ", " << threads << " threads";
        }
    }
    omp_set_num_threads(before);
}

/// The data that a thread has copied for one product is not used in the next.
TEST_P(MatmulLevels, BlocksOfOneProductAfterAnother) {
    GemmShape shape{30, 70, 300};
    const Factors extreme = test::extreme_factors(shape);
    EXPECT_EQ(difference(blocked(extreme, std::nullopt, GetParam()), reference(extreme), 70), "");
    for (; shape.m > 0; shape.m -= 5, shape.n -= 9, shape.k -= 50) {
        const Factors factors = random_factors(shape);
        EXPECT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), shape.n), "")
            << text_of(shape);
    }
}

TEST_P(MatmulLevels, BlocksOfExtremeNumbers) {
    const GemmShape shape{67, 129, 515};
    for (const Factors& factors :
         {test::spread_factors(shape), test::extreme_factors(shape), test::tiny_factors(shape)})
        EXPECT_EQ(difference(blocked(factors, std::nullopt, GetParam()), reference(factors), shape.n), "");
}

INSTANTIATE_TEST_SUITE_P(Simd, MatmulLevels, testing::Range<std::size_t>(0, simd_levels().size()),
                         [](const auto& level) { return simd_levels()[level.param]; });

TEST(Matmul, BlocksAtEveryNumberOfThreads) {
    const Factors factors = random_factors({301, 700, 259});
    const std::vector<float> expected = reference(factors);
    const int before = omp_get_max_threads();
    for (int threads = 1; threads <= 8; ++threads) {
        omp_set_num_threads(threads);
        EXPECT_EQ(difference(blocked(factors), expected, 700), "") << threads << " threads";
    }
    omp_set_num_threads(before);
}

TEST(Matmul, SomeRows) {
    const Factors factors = random_factors({37, 50, 300});
    const Rows rows = spread_rows(37, 5);
    EXPECT_EQ(rows, (Rows{0, 7, 14, 22, 29}));
    const std::vector<float> expected = take_rows(reference(factors), rows, 50);
    ASSERT_EQ(expected.size(), 250U);
    EXPECT_EQ(difference(reference(factors, rows), expected, 50), "");
    EXPECT_EQ(difference(blocked(factors, rows), expected, 50), "");
}

TEST(Matmul, BlocksAreComparedWithPlainLoopsAndThoseWithBlocks) {
    for (const Kernel& kernel : cpu().kernels)
        EXPECT_EQ(kernel.compared_with,
                  kernel.name == "blocked" ? CpuReference::plain_loops : CpuReference::blocked)
            << kernel.name;
}

TEST(Matmul, DifferingBits) {
    std::vector<float> c(1000, 1.0F);
    const std::vector<float> same = c;
    EXPECT_EQ(differing(c, same), 0U);
    c[0] = -0.0F;
    c[999] = std::nextafter(1.0F, 2.0F);
    EXPECT_EQ(differing(c, same), 2U);
}

TEST(Matmul, NormsBoundTheMagnitudes) {
    const Factors factors = test::spread_factors({30, 1500, 40});
    const ExactRows exact = exact_rows(factors, spread_rows(30, 30));
    const Norms bounds = norms(factors);
    for (std::size_t i = 0; i < 30; ++i)
        for (std::size_t j = 0; j < 1500; ++j)
            ASSERT_LE(exact.magnitudes[i * 1500 + j], bounds.rows[i] * bounds.columns[j] * (1 + 1e-12));
}

TEST(Matmul, ElementsThatAreFarApart) {
    const Factors factors = random_factors({40, 60, 100});
    const Norms bounds = norms(factors);
    const std::vector<float> expected = reference(factors);
    std::vector<float> c = expected;
    for (float& element : c) element *= 1.001F;
    EXPECT_EQ(far_apart(c, expected, std::nullopt, bounds, 1e-3), 0U);
    EXPECT_GT(far_apart(c, expected, std::nullopt, bounds, 1e-6), 1000U);
    c = expected;
    c[0] += 1;
    c[2399] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(far_apart(c, expected, std::nullopt, bounds, 1e-3), 2U);
    const Rows rows{7, 39};
    EXPECT_EQ(far_apart(take_rows(c, rows, 60), take_rows(expected, rows, 60), rows, bounds, 1e-3), 1U);
}

/// For each tile, by its row and column, the number of blocks that compute it.
template <int side>
std::map<std::pair<std::size_t, std::size_t>, int> tiles_of(const GemmShape& shape) {
    std::map<std::pair<std::size_t, std::size_t>, int> visits;
    const std::size_t blocks = blocks_for_tiles(shape.m, shape.n, side, side).x;
    for (unsigned index = 0; index < blocks; ++index) {
        const Tile tile = tile_of_block<side>(index, shape.m, shape.n);
        ++visits[{tile.row, tile.column}];
    }
    return visits;
}

template <int side>
void expect_each_tile_once(const GemmShape& shape) {
    const auto visits = tiles_of<side>(shape);
    std::size_t tiles = 0;
    for (std::size_t row = 0; row < shape.m; row += side)
        for (std::size_t column = 0; column < shape.n; column += side) {
            const auto found = visits.find({row, column});
            ASSERT_TRUE(found != visits.end() && found->second == 1)
                << text_of(shape) << ", tile at " << row << ", " << column;
            ++tiles;
        }
    EXPECT_EQ(visits.size(), tiles) << text_of(shape);
}

TEST(MatmulTiles, EachIsVisitedOnce) {
    for (const std::size_t m : {1, 16, 17, 1023, 1024, 1025, 3000})
        for (const std::size_t n : {1, 15, 128, 129, 2000}) {
            expect_each_tile_once<16>({m, n, 1});
            expect_each_tile_once<128>({m, n, 1});
        }
}

/// Compares tile_of_block() with the same arithmetic in 64 bits, for 10 001 blocks from the first to the
/// last.
template <int side>
void expect_tiles_of_64_bits(const GemmShape& shape) {
    const std::size_t rows = (shape.m + side - 1) / side;
    const std::size_t columns = (shape.n + side - 1) / side;
    const std::size_t blocks = rows * columns;
    ASSERT_EQ(too_many_blocks({blocks}), "") << text_of(shape);
    const std::size_t band = 1024 / side;
    for (std::size_t sample = 0; sample <= 10'000; ++sample) {
        const std::size_t index = sample * (blocks - 1) / 10'000;
        const std::size_t first = index / (band * columns) * band;
        const std::size_t height = std::min(band, rows - first);
        const std::size_t in_band = index % (band * columns);
        const Tile tile = tile_of_block<side>(static_cast<unsigned>(index), shape.m, shape.n);
        ASSERT_EQ(tile.row, (first + in_band % height) * side) << text_of(shape) << ", block " << index;
        ASSERT_EQ(tile.column, in_band / height * side) << text_of(shape) << ", block " << index;
    }
}

TEST(MatmulTiles, ShapesWhoseBandsHaveMoreBlocksThan32BitsCount) {
    for (const std::size_t n : {std::size_t{1} << 30U, (std::size_t{1} << 30U) + 1, std::size_t{1} << 34U})
        for (const std::size_t m : {1, 16, 17, 31}) {
            expect_tiles_of_64_bits<16>({m, n / 2, 1});
            expect_tiles_of_64_bits<16>({n / 2, m, 1});
            expect_tiles_of_64_bits<128>({m, n, 1});
            expect_tiles_of_64_bits<128>({n, m, 1});
        }
    expect_tiles_of_64_bits<16>({1, std::size_t{1} << 30U, 1});
    expect_tiles_of_64_bits<16>({16, ((std::size_t{1} << 31U) - 1) * 16, 1});
    expect_tiles_of_64_bits<16>({((std::size_t{1} << 31U) - 1) * 16, 16, 1});
    expect_tiles_of_64_bits<128>({((std::size_t{1} << 31U) - 1) * 128, 128, 1});
    expect_tiles_of_64_bits<128>({std::size_t{46'340} * 128, std::size_t{46'340} * 128, 1});
}

TEST(MatmulTiles, OblongOnesAreVisitedOnce) {
    std::map<std::pair<std::size_t, std::size_t>, int> visits;
    const GemmShape shape{1100, 300, 1};
    for (unsigned index = 0; index < blocks_for_tiles(shape.m, shape.n, 64, 128).x; ++index) {
        const Tile tile = tile_of_block<64, 128>(index, shape.m, shape.n);
        ++visits[{tile.row, tile.column}];
    }
    EXPECT_EQ(visits.size(), 18U * 3U);
    for (const auto& [tile, count] : visits) {
        EXPECT_EQ(count, 1);
        EXPECT_TRUE(tile.first % 64 == 0 && tile.first < shape.m);
        EXPECT_TRUE(tile.second % 128 == 0 && tile.second < shape.n);
    }
}

std::string fastest(const GemmShape& shape, FastestOf of = FastestOf::all, int multiprocessors = 132) {
    return std::string(tilings[fastest_tiling(shape, multiprocessors, of)].name);
}

/// The choice is the tiling that was the fastest on an H200.
TEST(MatmulChoice, IsWhatWasMeasured) {
    EXPECT_EQ(fastest({256, 256, 256}), "small_tiles 32x32");
    EXPECT_EQ(fastest({1024, 1024, 1024}), "small_tiles 64x64");
    EXPECT_EQ(fastest({1536, 1536, 1536}), "transposing");
    EXPECT_EQ(fastest({2048, 2048, 2048}), "pipelined");
    EXPECT_EQ(fastest({4096, 4096, 4096}), "pipelined");
    EXPECT_EQ(fastest({3072, 3072, 3072}), "transposing");
    EXPECT_EQ(fastest({65536, 256, 1024}), "transposing");
    EXPECT_EQ(fastest({4093, 4099, 4105}), "pipelined");
}

TEST(MatmulChoice, IsOneThatCanBeLaunched) {
    constexpr std::size_t most = (std::size_t{1} << 31U) - 1;
    EXPECT_EQ(fastest({40, most * 64, 1}, FastestOf::small_tiles), "small_tiles 64x64");
    EXPECT_EQ(fastest({1, most * 128, 4}), "transposing");
    EXPECT_EQ(fastest({256, 256, 64}, FastestOf::small_tiles, 1), "small_tiles 64x64");
}

TEST(MatmulTiles, GridsThatNoLaunchHas) {
    EXPECT_EQ(too_many_blocks({(std::size_t{1} << 31U) - 1}), "");
    EXPECT_EQ(too_many_blocks({std::size_t{1} << 31U}),
              "its grid would have 2147483648 blocks, and a launch has 2^31 - 1 at most");
    EXPECT_EQ(too_many_blocks({(std::size_t{1} << 31U) - 1, 65'535}), "");
    EXPECT_EQ(too_many_blocks({1, 65'536}),
              "its grid would have 65536 rows of blocks, and a launch has 65535 at most");
}

/// Each element of C has a thread, and no row or column of blocks is redundant.
TEST(MatmulElements, EachHasAThread) {
    constexpr std::size_t side = 16;
    for (const std::size_t m : {1, 15, 16, 17, 1'048'560, 1'048'561})
        for (const std::size_t n :
             {std::size_t{1}, std::size_t{16}, std::size_t{17}, std::size_t{1} << 35U}) {
            const Blocks blocks = blocks_for_elements(m, n, side);
            EXPECT_GE(blocks.x * side, n);
            EXPECT_LT((blocks.x - 1) * side, n);
            EXPECT_GE(blocks.y * side, m);
            EXPECT_LT((blocks.y - 1) * side, m);
            EXPECT_EQ(too_many_blocks(blocks).empty(), m <= 1'048'560 && n < std::size_t{1} << 35U)
                << m << ", " << n;
        }
}

TEST(Matmul, ExactRowsAreSpreadOverC) {
    const Factors factors = random_factors({10, 1030, 7});
    const ExactRows exact = exact_rows(factors, spread_rows(10, 3));
    ASSERT_EQ(exact.rows, (std::vector<std::size_t>{0, 3, 6}));
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 1030; ++j) {
            double value = 0;
            double magnitude = 0;
            for (std::size_t p = 0; p < 7; ++p) {
                const double product =
                    static_cast<double>(factors.a[exact.rows[i] * 7 + p]) * factors.b[p * 1030 + j];
                value += product;
                magnitude += std::fabs(product);
            }
            ASSERT_EQ(exact.values[i * 1030 + j], value);
            ASSERT_EQ(exact.magnitudes[i * 1030 + j], magnitude);
            ASSERT_LE(magnitude, exact.norms.rows[exact.rows[i]] * exact.norms.columns[j] * (1 + 1e-12));
        }
    EXPECT_EQ(spread_rows(10, 1000), (Rows{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Matmul, AccuracySeesAWrongElement) {
    const Factors factors = random_factors({20, 30, 40});
    const ExactRows exact = exact_rows(factors, spread_rows(20, 20));
    std::vector<float> c = reference(factors);
    const Accuracy good = accuracy(exact, c);
    EXPECT_LT(good.relative_error, 1e-6);
    EXPECT_LT(good.worst, 1e-6);
    c[333] += 0.5F;
    EXPECT_GT(accuracy(exact, c).relative_error, 1e-3);
    EXPECT_GT(accuracy(exact, c).worst, 1e-3);
    const double norm = exact.norms.rows[333 / 30] * exact.norms.columns[333 % 30];
    EXPECT_NEAR(accuracy(exact, c, {0, 1}).worst * norm, 0.5, 1e-5);
    EXPECT_NEAR(accuracy(exact, c, {1, 1}).worst * (exact.magnitudes[333] + norm), 0.5, 1e-5);
    c[333] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(accuracy(exact, c).worst <= 1) << "a NaN is no small error";
}

TEST(Matmul, ProductOnTheCpu) {
    const Factors factors = random_factors({130, 70, 90});
    const Backend backend = cpu();
    const auto product = backend.make(cpu_device(), factors);
    for (const Kernel& kernel : backend.kernels) {
        EXPECT_EQ(difference(product->result(kernel), reference(factors), 70), "") << kernel.name;
        EXPECT_GT(product->run(kernel), 0) << kernel.name;
        EXPECT_FALSE(product->occupancy(kernel).has_value());
    }
    const std::vector<Kernel> peers = backend.peers();
    ASSERT_EQ(peers.size(), 1U);
    if (peers[0].why_not({}, factors.shape).empty()) {
        const ExactRows exact = exact_rows(factors, spread_rows(130, 130));
        EXPECT_LE(accuracy(exact, product->result(peers[0]), peers[0].error_bound(90)).worst, 1);
    }
    EXPECT_NE(peers[0].why_not({}, {1, 1, std::size_t{1} << 31U}), "");
}

TEST(Matmul, CeilingIsAboveWhatBlocksReach) {
    const auto ceilings = cpu().ceilings(cpu_device());
    ASSERT_EQ(ceilings.size(), 1U);
    EXPECT_EQ(ceilings[0].first, "fma_tflops");
    EXPECT_GT(ceilings[0].second, 0);
}

}  // namespace
}  // namespace cudabook::matmul
