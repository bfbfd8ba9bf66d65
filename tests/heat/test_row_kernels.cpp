// heat_notexture/cpu/row_kernels.hpp: every SIMD level gives the bits of the formula, also if the cells are
// scaled.
#include "heat_notexture/cpu/row_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "tests/heat/formula.hpp"

namespace cudabook::heat {

void PrintTo(const RowKernels& level, std::ostream* out) { *out << level.simd; }

namespace {

using test::difference, test::formula, test::least_subnormal, test::Temperatures;

/// Rows of blocks in block order, in memory that is aligned and padded as the kernels need.
class BlockRows {
  public:
    BlockRows(const RowKernels& kernels, int rows, int blocks)
        : kernels_(kernels),
          cells_(blocks * kernels.block()),
          memory_((stride() * static_cast<std::size_t>(rows) + 1) * registers) {}

    [[nodiscard]] float* row(int y) {
        void* begin = memory_.data();
        std::size_t space = memory_.size() * sizeof(float);
        auto* first = static_cast<float*>(std::align(64, registers * sizeof(float), begin, space));
        return first + (static_cast<std::size_t>(y) * stride() + 1) * registers;
    }

    /// Cell x of row y; x is from -1 to cells().
    float& at(int x, int y) { return row(y)[kernels_.at(x)]; }

    [[nodiscard]] int cells() const { return cells_; }

  private:
    static constexpr std::size_t registers = 16;  // floats before and after a row

    [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(cells_) / registers + 2; }

    const RowKernels& kernels_;
    int cells_;
    std::vector<float> memory_;
};

/// The old rows of a batch in plain order, with a cell before the first and one after the last of each.
struct Rows {
    explicit Rows(int size) : n(size) {
        for (auto& row : rows) row.resize(static_cast<std::size_t>(n) + 2);
    }

    Rows(int size, const Temperatures& temperatures, std::mt19937& random) : Rows(size) {
        for (auto& row : rows) std::ranges::generate(row, [&] { return temperatures.draw(random); });
    }

    /// The new rows by the formula, one after another.
    [[nodiscard]] std::vector<float> expected(float speed) const {
        std::vector<float> cells;
        for (std::size_t y = 1; y <= batch_rows; ++y)
            for (std::size_t x = 1; x <= static_cast<std::size_t>(n); ++x)
                cells.push_back(formula(rows[y - 1][x], rows[y + 1][x], rows[y][x - 1], rows[y][x + 1],
                                        rows[y][x], speed));
        return cells;
    }

    /// The new rows by the kernel, one after another.
    [[nodiscard]] std::vector<float> stepped(const RowKernels& kernels, float speed, BlockMask small,
                                             BlockMask sourced = 0,
                                             const std::uint8_t* updated = nullptr) const {
        BlockRows blocks(kernels, batch_rows + 2, n / kernels.block());
        Batch batch{};
        for (int y = 0; y < batch_rows + 2; ++y) {
            for (int x = -1; x <= n; ++x)
                blocks.at(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x + 1)];
            batch.rows[y] = blocks.row(y);
        }
        for (int y = 0; updated != nullptr && y < batch_rows; ++y) batch.updated[y] = updated + y * n / 8;
        batch.sourced = sourced;
        batch.small = small;
        batch.blocks = n / kernels.block();
        batch.speed = speed;
        kernels.step(batch);
        std::vector<float> cells;
        for (int y = 0; y < batch_rows; ++y)
            for (int x = 0; x < n; ++x) cells.push_back(blocks.at(x, y));
        for (int y = batch_rows; y < batch_rows + 2; ++y)
            for (int x = 0; x < n; ++x)
                EXPECT_TRUE(test::same(blocks.at(x, y),
                                       rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x + 1)]))
                    << "the last rows stay";
        return cells;
    }

    [[nodiscard]] Rows times(float factor) const {
        Rows scaled = *this;
        for (auto& row : scaled.rows)
            for (float& cell : row) cell *= factor;
        return scaled;
    }

    int n;
    std::array<std::vector<float>, batch_rows + 2> rows;
};

class RowKernelsOf : public testing::TestWithParam<RowKernels> {
  protected:
    [[nodiscard]] static int block() { return GetParam().block(); }

    /// Compares the step of scaled cells with the formula for unscaled cells. Returns the number of results
    /// that would differ without the rounding of small results.
    static int expect_scaled(const Rows& rows, float speed) {
        const Rows scaled = rows.times(scale);
        std::vector<float> expected = rows.expected(speed);
        for (float& cell : expected) cell *= scale;
        EXPECT_EQ(difference(scaled.stepped(GetParam(), speed, everywhere), expected, rows.n), "")
            << "times 2^64, of " << rows.n << " at speed " << speed;
        const std::vector<float> unrounded = scaled.expected(speed);
        int rounded = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) rounded += expected[i] != unrounded[i] ? 1 : 0;
        return rounded;
    }

    static constexpr BlockMask everywhere = ~BlockMask{};
};

INSTANTIATE_TEST_SUITE_P(Levels, RowKernelsOf, testing::ValuesIn(row_kernels().begin(), row_kernels().end()),
                         [](const auto& test) { return std::string(test.param.simd); });

constexpr float scalable_speeds[] = {
    least_scaled_speed, 0x1.000002p-6F,      0.03F, 0.1F, 0.125F, 0.24F, 0.24999F,
    0x1.fffffep-3F,     largest_scaled_speed};

TEST_P(RowKernelsOf, StepIsTheFormula) {
    std::mt19937 random(1);
    for (const Temperatures& temperatures :
         {test::ordinary, test::subnormal, test::around_least_normal, test::of_all_sizes, test::sparse,
          test::negative, test::subnormal_of_both_signs, test::negative_zeros, test::huge, test::any_bits}) {
        for (const float speed : {0.25F, 0.1F, 0.0F, -0.0F, -0.1F, 0.6F, 3.0F, 1e-7F, 1e38F, 1e-45F}) {
            for (const int blocks : {1, 2, 5}) {
                const Rows rows(blocks * block(), temperatures, random);
                ASSERT_EQ(difference(rows.stepped(GetParam(), speed, 0), rows.expected(speed), rows.n), "")
                    << temperatures.name << ", " << blocks << " blocks, speed " << speed;
            }
        }
    }
}

TEST_P(RowKernelsOf, ScaledIsTheFormulaOfTheUnscaled) {
    std::mt19937 random(2);
    int rounded = 0;
    for (const Temperatures& temperatures :
         {test::ordinary, test::subnormal, test::around_least_normal, test::of_all_sizes, test::sparse}) {
        for (const float speed : scalable_speeds) {
            for (const int blocks : {1, 2, 3, 40}) {
                rounded += expect_scaled(Rows(blocks * block(), temperatures, random), speed);
                ASSERT_FALSE(HasFailure()) << temperatures.name;
            }
        }
    }
    EXPECT_GT(rounded, 10000) << "so few small results prove little";
}

TEST_P(RowKernelsOf, ScaledFindsOneSmallResult) {
    const int n = 2 * block();
    for (int x = 0; x < n; ++x) {
        for (std::size_t y = 1; y <= batch_rows; ++y) {
            Rows rows(n);
            for (auto& row : rows.rows) std::ranges::fill(row, 1.0F);
            const auto i = static_cast<std::size_t>(x) + 1;
            rows.rows[y][i - 1] = rows.rows[y][i + 1] = rows.rows[y + 1][i] = 0;
            rows.rows[y][i] = 2 * least_subnormal;
            rows.rows[y - 1][i] = 5 * least_subnormal;  // 0.1 of the difference of -3 flows
            ASSERT_GT(expect_scaled(rows, 0.1F), 0) << "cell " << x << ", row " << y;
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST_P(RowKernelsOf, RoundsWhereItIsAskedTo) {
    std::mt19937 random(6);
    const Rows rows = Rows(3 * block(), test::subnormal, random).times(scale);
    const std::vector<float> unrounded = rows.expected(0.1F);
    const std::vector<float> cells = rows.stepped(GetParam(), 0.1F, 0b101);
    int rounded = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto x = static_cast<int>(i) % rows.n;
        if (x / block() == 1)
            ASSERT_EQ(cells[i], unrounded[i]) << x;
        else
            rounded += cells[i] != unrounded[i] ? 1 : 0;
    }
    EXPECT_GT(rounded, 10);
}

/// Cells of ordinary size from which nearly all heat flows away.
TEST_P(RowKernelsOf, ScaledRoundsWhereTheOldCellWasLarge) {
    Rows rows(block());
    for (std::size_t x = 2; x < static_cast<std::size_t>(rows.n); x += 3) {
        rows.rows[1][x] = 0x1p-125F;
        rows.rows[0][x] = static_cast<float>(x) * least_subnormal;
    }
    for (const float speed : {0.24F, 0x1.fffffep-3F}) EXPECT_GT(expect_scaled(rows, speed), 0) << speed;
    expect_scaled(rows, 0.25F);
}

/// Cells near the least normal number, 2^-126, above it or below.
TEST_P(RowKernelsOf, ScaledRoundsNextToTheLeastNormalNumber) {
    std::mt19937 random(8);
    for (const float speed : scalable_speeds) {
        Rows rows(50 * block());
        for (auto& row : rows.rows)
            for (float& cell : row) {
                const auto places = 1 + random() % 23;  // how near to 2^-126
                const auto above =
                    static_cast<int>(random() >> (32 - places)) - (random() % 4 == 0 ? 1 << (places - 1) : 0);
                cell = 0x1p-126F + static_cast<float>(above) * least_subnormal;
            }
        expect_scaled(rows, speed);
        ASSERT_FALSE(HasFailure());
    }
}

TEST_P(RowKernelsOf, ScaledRoundsTiesToEven) {
    Rows rows(block());
    for (std::size_t x = 1; x <= static_cast<std::size_t>(rows.n); ++x) {
        if (x % 2 == 1) rows.rows[1][x] = static_cast<float>(x) * least_subnormal;
        rows.rows[0][x] = static_cast<float>(4 * x + 2) * least_subnormal;
    }
    // The exact result in every second cell of the first row is x + 2 / 4 with x odd, which is rounded to x +
    // 1.
    const std::vector<float> stepped = rows.times(scale).stepped(GetParam(), 0.25F, everywhere);
    for (std::size_t x = 1; x <= static_cast<std::size_t>(rows.n); x += 2)
        EXPECT_EQ(stepped[x - 1], static_cast<float>(x + 1) * least_subnormal * scale) << x;
    expect_scaled(rows, 0.25F);
}

/// Cells whose difference to their neighbours, times the speed, is nearly or exactly halfway between two
/// multiples of the smallest subnormal number.
TEST_P(RowKernelsOf, ScaledRoundsNextToTies) {
    std::mt19937 random(3);
    for (const float speed : scalable_speeds) {
        // The speed is mantissa · 2^-places.
        int exponent = 0;
        const auto mantissa = static_cast<std::int64_t>(std::frexp(speed, &exponent) * 0x1p24F);
        const int places = 24 - exponent;
        const std::int64_t half = std::int64_t{1} << (places - 1);
        // The differences for which (mantissa · difference) mod 2^places is nearest to a half.
        struct Candidate {
            std::int64_t from_tie;
            int difference;
        };
        std::vector<Candidate> best;
        const auto nearer = [](const Candidate& a, const Candidate& b) { return a.from_tie < b.from_tie; };
        for (int d = 1; d < 1 << 20; ++d) {
            const std::int64_t from_tie = std::abs((mantissa * d) % (2 * half) - half);
            if (best.size() == 500) {
                if (from_tie >= best.front().from_tie) continue;
                std::ranges::pop_heap(best, nearer);
                best.pop_back();
            }
            best.push_back({from_tie, d});
            std::ranges::push_heap(best, nearer);
        }
        int rounded = 0;
        for (const Candidate& candidate : best) {
            Rows rows(block());
            for (std::size_t x = 1; x <= static_cast<std::size_t>(block()); x += 2) {  // between zeros
                const int cell = static_cast<int>(random() >> (11U + random() % 16));
                const bool colder = x % 4 == 1 && candidate.difference < 4 * cell;
                rows.rows[1][x] = static_cast<float>(cell) * least_subnormal;
                rows.rows[0][x] =
                    static_cast<float>(4 * cell + (colder ? -1 : 1) * candidate.difference) * least_subnormal;
            }
            rounded += expect_scaled(rows, speed);
            ASSERT_FALSE(HasFailure()) << "difference " << candidate.difference;
        }
        EXPECT_GT(rounded, 100) << speed;
    }
}

TEST_P(RowKernelsOf, StepKeepsTheTemperaturesOfSources) {
    std::mt19937 random(4);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto expect = [&](Rows rows, float speed, float factor) {
        for (auto& row : rows.rows)
            for (float& cell : row)
                if (cell == 0) cell = least_subnormal;  // no source is 0
        std::vector<std::uint8_t> updated(static_cast<std::size_t>(batch_rows * rows.n) / 8);
        std::ranges::generate(updated, [&] { return static_cast<std::uint8_t>(random()); });
        std::vector<float> expected = rows.expected(speed);
        for (int y = 0; y < batch_rows; ++y)
            for (int x = 0; x < rows.n; ++x) {
                const auto bit = static_cast<std::size_t>(y * rows.n + GetParam().at(x));
                const bool is_updated = (updated[bit / 8] >> bit % 8 & 1U) != 0;
                float& cell = expected[static_cast<std::size_t>(y * rows.n + x)];
                if (x / block() % 2 == 1 && !is_updated)
                    cell = rows.rows[static_cast<std::size_t>(y) + 1][static_cast<std::size_t>(x) + 1];
                cell *= factor;
            }
        const BlockMask small = factor == 1 ? 0 : everywhere;
        ASSERT_EQ(difference(rows.times(factor).stepped(GetParam(), speed, small, 0b1010, updated.data()),
                             expected, rows.n),
                  "");
    };
    for (const Temperatures& temperatures : {test::ordinary, test::huge, test::negative, test::any_bits}) {
        Rows rows(4 * block(), temperatures, random);
        for (auto& row : rows.rows)
            for (const float special : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()})
                row[1 + random() % static_cast<unsigned>(rows.n)] = special;
        expect(rows, 0.1F, 1);
    }
    for (const Temperatures& temperatures : {test::subnormal, test::around_least_normal})
        for (const float speed : {0.25F, 0.1F}) expect(Rows(4 * block(), temperatures, random), speed, scale);
}

TEST_P(RowKernelsOf, BlockOrderIsAsSaid) {
    for (int n = 1; n <= 3 * block(); ++n) {
        const int whole = (n + block() - 1) / block() * block();
        std::vector<float> cells(static_cast<std::size_t>(n));
        std::iota(cells.begin(), cells.end(), 1.0F);
        std::vector<float> row(static_cast<std::size_t>(whole), -1);
        GetParam().to_blocks(row.data(), cells.data(), n);
        for (int x = 0; x < whole; ++x)
            ASSERT_EQ(row[static_cast<std::size_t>(GetParam().at(x))],
                      x < n ? static_cast<float>(x + 1) : 0.0F)
                << "cell " << x << " of " << n;
        std::vector<float> back(static_cast<std::size_t>(n) + 1, -1);
        GetParam().from_blocks(back.data(), row.data(), n);
        EXPECT_EQ(back.back(), -1);
        back.pop_back();
        ASSERT_EQ(back, cells);
    }
}

TEST_P(RowKernelsOf, LoadFindsSmallCellsAndThoseBeside) {
    constexpr float limit = 0x1p-40F;
    const int n = 3 * block();
    for (const int reach : {1, 2, 15, 16}) {
        for (int x = 0; x < n; ++x) {
            BlockRows row(GetParam(), 1, 3);
            std::vector<float> cells(static_cast<std::size_t>(n), limit);
            cells[static_cast<std::size_t>(GetParam().at((x + 1) % n))] = 0;
            cells[static_cast<std::size_t>(GetParam().at(x))] = 0x1p-126F;
            const BlockMask small = GetParam().load(row.row(0), cells.data(), nullptr, 0, 3, limit, reach);
            for (int i = 0; i < 3; ++i) {
                const bool near = x >= i * block() - reach && x < (i + 1) * block() + reach;
                const bool far = x < (i - 1) * block() || x >= (i + 2) * block();
                const bool found = (small >> i & 1U) != 0;
                ASSERT_TRUE(near ? found : !far || !found) << "cell " << x << ", block " << i;
            }
            for (int i = 0; i < n; ++i) ASSERT_EQ(row.row(0)[i], cells[static_cast<std::size_t>(i)]);
        }
    }
}

TEST_P(RowKernelsOf, LoadWritesTheSourcesThatAreNotZero) {
    std::mt19937 random(7);
    const int n = 3 * block();
    BlockRows row(GetParam(), 1, 3);
    std::vector<float> cells(static_cast<std::size_t>(n));
    std::vector<float> sources(cells.size());
    std::ranges::generate(cells, [&] { return test::ordinary.draw(random); });
    std::ranges::generate(sources, [&] { return test::of_all_sizes.draw(random); });
    sources.front() = 0x1p-126F;
    constexpr BlockMask first_and_last = 5;
    EXPECT_EQ(GetParam().load(row.row(0), cells.data(), sources.data(), first_and_last, 3, 0x1p-125F, 1) & 1U,
              1U);
    for (int i = 0; i < n; ++i) {
        const auto cell = static_cast<std::size_t>(i);
        const bool sourced = (first_and_last >> (i / block()) & 1U) != 0;
        EXPECT_EQ(row.row(0)[i], sourced && sources[cell] != 0 ? sources[cell] : cells[cell]) << i;
    }
}

TEST_P(RowKernelsOf, ReferenceIsTheFormula) {
    for (const Temperatures& temperatures :
         {test::ordinary, test::subnormal, test::negative, test::any_bits}) {
        for (const int width : {1, 2, 17, 40}) {
            for (const int height : {1, 2, 17}) {
                const Scene scene =
                    test::random_scene(width, height, temperatures, test::SourceShare::some, 5);
                std::vector<float> in = scene.start;
                std::vector<float> out(in.size());
                GetParam().reference(out.data(), in.data(), scene.sources.data(), width, height, 0.1F);
                ASSERT_EQ(difference(out, test::naive_steps(scene, 0.1F, 1), width), "")
                    << temperatures.name << ", " << width << "x" << height;
            }
        }
    }
}

/// Draws `count` temperatures whose bits are first, first + distance, first + 2 · distance, ...
void expect_colours(const RowKernels& kernels, std::uint32_t first, std::uint32_t distance,
                    std::size_t count) {
    std::vector<float> cells(count);
    for (std::size_t i = 0; i < count; ++i)
        cells[i] = std::bit_cast<float>(first + distance * static_cast<std::uint32_t>(i));
    std::vector<Rgba> drawn(count);
    kernels.draw(&drawn[0].red, cells.data(), count);
    for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(drawn[i]), std::bit_cast<std::uint32_t>(colour_of(cells[i])))
            << cells[i];
}

TEST_P(RowKernelsOf, DrawsTheColours) {
    constexpr auto bits = [](float cell) { return std::bit_cast<std::uint32_t>(cell); };
    expect_colours(GetParam(), 0, 6007, 715000);             // from all bit patterns
    expect_colours(GetParam(), bits(0x1p-4F), 331, 102000);  // from 1/16 to above 1
    for (const int degrees : {60, 120, 180, 240, 300, 360})  // where a channel's slope changes
        expect_colours(GetParam(), bits(static_cast<float>(degrees) / 360) - 50, 1, 100);
    for (const std::size_t count : {1, 7, 8, 15, 16, 17}) expect_colours(GetParam(), bits(0.3F), 1000, count);
}

TEST(RowKernels, LastLevelIsThatOfEveryProcessor) {
    ASSERT_FALSE(row_kernels().empty());
#ifdef __aarch64__
    EXPECT_STREQ(row_kernels().back().simd, "neon");
#elif !defined(__AVX2__)
    EXPECT_STREQ(row_kernels().back().simd, "portable");
#endif
}

}  // namespace
}  // namespace cudabook::heat
