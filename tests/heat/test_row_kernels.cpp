// common/heat/cpu/row_kernels.hpp: every SIMD level gives the bits of the formula, scaled cells those of the
// unscaled.
#include "common/heat/cpu/row_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "tests/heat/formula.hpp"

namespace cudabook::heat {

void PrintTo(const RowKernels& level, std::ostream* out) { *out << level.simd; }

namespace {

using test::difference, test::formula, test::least_subnormal, test::Temperatures;

/// Three rows of n cells with a cell before the first and one after the last, and the result where it should
/// stand.
struct Rows {
    explicit Rows(int size) : n(size), top(length()), row(length()), bottom(length()), out(length(), -1) {}

    Rows(int size, const Temperatures& temperatures, std::mt19937& random) : Rows(size) {
        for (auto* cells : {&top, &row, &bottom})
            std::ranges::generate(*cells, [&] { return temperatures.draw(random); });
    }

    [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(n) + 2; }

    /// What `kernel` makes of the rows; the cells around the result stay as they were.
    template <class Kernel>
    std::vector<float> stepped(Kernel kernel, float speed) {
        kernel(&out[1], &top[1], &row[1], &bottom[1], n, speed);
        EXPECT_EQ(out.front(), -1);
        EXPECT_EQ(out.back(), -1);
        return {out.begin() + 1, out.end() - 1};
    }

    /// What the formula makes of them.
    [[nodiscard]] std::vector<float> expected(float speed) const {
        std::vector<float> cells;
        for (std::size_t x = 1; x + 1 < length(); ++x)
            cells.push_back(formula(top[x], bottom[x], row[x - 1], row[x + 1], row[x], speed));
        return cells;
    }

    [[nodiscard]] Rows times(float factor) const {
        Rows scaled = *this;
        for (auto* cells : {&scaled.top, &scaled.row, &scaled.bottom})
            for (float& cell : *cells) cell *= factor;
        return scaled;
    }

    int n;
    std::vector<float> top;
    std::vector<float> row;
    std::vector<float> bottom;
    std::vector<float> out;
};

class RowKernelsOf : public testing::TestWithParam<RowKernels> {
  protected:
    /// Compares the scaled kernel with the formula for the unscaled cells. Gives how many results differ from
    /// what they were without the rounding of small ones.
    static int expect_scaled(const Rows& rows, float speed) {
        Rows scaled = rows.times(scale);
        std::vector<float> expected = rows.expected(speed);
        for (float& cell : expected) cell *= scale;
        EXPECT_EQ(difference(scaled.stepped(GetParam().scaled, speed), expected, rows.n), "")
            << "times 2^64, of " << rows.n << " at speed " << speed;
        const std::vector<float> unrounded = scaled.expected(speed);
        int rounded = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) rounded += expected[i] != unrounded[i] ? 1 : 0;
        return rounded;
    }
};

INSTANTIATE_TEST_SUITE_P(Levels, RowKernelsOf, testing::ValuesIn(row_kernels().begin(), row_kernels().end()),
                         [](const auto& test) { return std::string(test.param.simd); });

constexpr int lengths[] = {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};
constexpr float scalable_speeds[] = {
    least_scaled_speed, 0x1.000002p-6F,      0.03F, 0.1F, 0.125F, 0.24F, 0.24999F,
    0x1.fffffep-3F,     largest_scaled_speed};

TEST_P(RowKernelsOf, PlainIsTheFormula) {
    std::mt19937 random(1);
    for (const Temperatures& temperatures :
         {test::ordinary, test::subnormal, test::around_least_normal, test::of_all_sizes, test::sparse,
          test::negative, test::subnormal_of_both_signs, test::negative_zeros, test::huge, test::any_bits}) {
        for (const float speed : {0.25F, 0.1F, 0.0F, -0.0F, -0.1F, 0.6F, 3.0F, 1e-7F, 1e38F, 1e-45F}) {
            for (const int n : lengths) {
                Rows rows(n, temperatures, random);
                ASSERT_EQ(difference(rows.stepped(GetParam().plain, speed), rows.expected(speed), n), "")
                    << temperatures.name << ", " << n << " cells, speed " << speed;
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
            for (const int n : {16, 32, 112, 128, 144, 256, 272, 1040}) {
                rounded += expect_scaled(Rows(n, temperatures, random), speed);
                ASSERT_FALSE(HasFailure()) << temperatures.name;
            }
        }
    }
    EXPECT_GT(rounded, 10000) << "so few small results prove little";
}

TEST_P(RowKernelsOf, ScaledFindsOneSmallResultInItsBlock) {
    for (const int n : {16, 128, 144, 400}) {
        for (int x = 0; x < n; ++x) {
            Rows rows(n);
            std::ranges::fill(rows.row, 1.0F);
            const auto i = static_cast<std::size_t>(x) + 1;
            rows.row[i - 1] = rows.row[i + 1] = 0;
            rows.row[i] = 2 * least_subnormal;
            rows.top[i] = 5 * least_subnormal;  // 0.1 of the difference of -3 flows
            ASSERT_GT(expect_scaled(rows, 0.1F), 0) << "cell " << x;
            ASSERT_FALSE(HasFailure());
        }
    }
}

TEST_P(RowKernelsOf, ScaledRoundsTiesToEven) {
    Rows rows(16);
    for (std::size_t x = 1; x <= 16; ++x) {
        if (x % 2 == 1) rows.row[x] = static_cast<float>(x) * least_subnormal;
        rows.top[x] = static_cast<float>(4 * x + 2) * least_subnormal;
    }
    // At every second cell x + 2 / 4 with x odd.
    Rows scaled = rows.times(scale);
    const std::vector<float> stepped = scaled.stepped(GetParam().scaled, 0.25F);
    for (std::size_t x = 1; x <= 16; x += 2)
        EXPECT_EQ(stepped[x - 1], static_cast<float>(x + 1) * least_subnormal * scale) << x;
    expect_scaled(rows, 0.25F);
}

/// A cell whose difference to its neighbours, times the speed, is nearly or exactly half of the least number.
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
            Rows rows(16);
            for (std::size_t x = 1; x <= 16; x += 2) {  // beside it are zeros
                const int cell = static_cast<int>(random() >> (11U + random() % 16));
                const bool colder = x % 4 == 1 && candidate.difference < 4 * cell;
                rows.row[x] = static_cast<float>(cell) * least_subnormal;
                rows.top[x] =
                    static_cast<float>(4 * cell + (colder ? -1 : 1) * candidate.difference) * least_subnormal;
            }
            rounded += expect_scaled(rows, speed);
            ASSERT_FALSE(HasFailure()) << "difference " << candidate.difference;
        }
        EXPECT_GT(rounded, 100) << speed;
    }
}

TEST_P(RowKernelsOf, WritesTheSourcesThatAreNotZero) {
    std::mt19937 random(4);
    for (const Temperatures& temperatures :
         {test::sparse, test::subnormal, test::negative_zeros, test::any_bits}) {
        for (const int n : lengths) {
            Rows rows(n, temperatures, random);
            std::vector<float> expected = rows.row;
            for (std::size_t x = 1; x + 1 < rows.length(); ++x)
                if (rows.top[x] != 0) expected[x] = rows.top[x];
            GetParam().write_sources(&rows.row[1], &rows.top[1], n);
            ASSERT_EQ(difference(rows.row, expected, n + 2), "") << temperatures.name << ", " << n;
        }
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

TEST(RowKernels, LastLevelIsThePortableOne) {
    ASSERT_FALSE(row_kernels().empty());
    EXPECT_STREQ(row_kernels().back().simd, "portable");
}

}  // namespace
}  // namespace cudabook::heat
