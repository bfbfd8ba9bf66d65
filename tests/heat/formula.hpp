// A second implementation of heat's steps, cell by cell from the formula in heat_notexture/solver.hpp, and
// grids of random temperatures for tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "heat_notexture/scene.hpp"

namespace cudabook::test {

/// Returns the new temperature of a cell.
inline float formula(float top, float bottom, float left, float right, float old, float speed) {
    const float sum = ((top + bottom) + left) + right;
    return std::fma(speed, std::fma(-4.0F, old, sum), old);
}

/// Returns the temperatures after `steps` steps from scene.start.
inline std::vector<float> naive_steps(const heat::Scene& scene, float speed, int steps) {
    const int width = scene.width;
    const int height = scene.height;
    std::vector<float> now = scene.start;
    for (; steps > 0; --steps) {
        for (std::size_t i = 0; i < now.size(); ++i)
            if (scene.sources[i] != 0) now[i] = scene.sources[i];
        const auto cell = [&](int x, int y) {
            x = std::clamp(x, 0, width - 1);
            y = std::clamp(y, 0, height - 1);
            return now[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x)];
        };
        std::vector<float> next;
        next.reserve(now.size());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                next.push_back(formula(cell(x, y - 1), cell(x, y + 1), cell(x - 1, y), cell(x + 1, y),
                                       cell(x, y), speed));
        now = std::move(next);
    }
    return now;
}

/// Returns true if a and b have the same bits or are both NaN. (The bits of the NaN that an operation gives
/// depend on the machine.)
inline bool same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

/// Returns a description of the first cell in which two grids differ, or an empty string if no cell differs.
inline std::string difference(const std::vector<float>& grid, const std::vector<float>& expected, int width) {
    if (grid.size() != expected.size()) return "the grids differ in size";
    for (std::size_t i = 0; i < grid.size(); ++i) {
        if (same(grid[i], expected[i])) continue;
        char text[160];
        std::snprintf(text, sizeof text, "cell %zu, %zu is %a and should be %a",
                      i % static_cast<std::size_t>(width), i / static_cast<std::size_t>(width),
                      static_cast<double>(grid[i]), static_cast<double>(expected[i]));
        return text;
    }
    return "";
}

/// A kind of random temperatures.
struct Temperatures {
    const char* name;
    float (*draw)(std::mt19937& random);
};

namespace detail {

/// Returns a random float32 from 2^exponent to 2^(exponent + 1); all 23 stored bits of the mantissa are
/// random.
inline float with_exponent(std::mt19937& random, int exponent) {
    return std::ldexp(1 + static_cast<float>(random() >> 9U) * 0x1p-23F, exponent);
}

inline int from_to(std::mt19937& random, int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

}  // namespace detail

/// The least positive float.
inline constexpr float least_subnormal = 0x1p-149F;

// Temperatures from 0 to 2^32. BlockedSolver may store them multiplied by its `scale`.
inline constexpr Temperatures ordinary{
    "ordinary", [](std::mt19937& random) { return static_cast<float>(random() >> 8U) * 0x1p-24F; }};
inline constexpr Temperatures subnormal{"subnormal", [](std::mt19937& random) {
                                            return static_cast<float>(random() >> (9U + random() % 23)) *
                                                   least_subnormal;
                                        }};
inline constexpr Temperatures around_least_normal{
    "around_least_normal", [](std::mt19937& random) {
        return static_cast<float>(detail::from_to(random, (1 << 23) - 9, (1 << 23) + 9)) * least_subnormal;
    }};
inline constexpr Temperatures of_all_sizes{
    "of_all_sizes", [](std::mt19937& random) {
        return random() % 8 == 0 ? 0.0F : detail::with_exponent(random, detail::from_to(random, -149, 31));
    }};
/// Nearly all temperatures are 0, so that heat flows through large areas of zeros.
inline constexpr Temperatures sparse{
    "sparse", [](std::mt19937& random) { return random() % 64 == 0 ? ordinary.draw(random) : 0.0F; }};
// Temperatures that BlockedSolver must not store scaled.
inline constexpr Temperatures negative{"negative", [](std::mt19937& random) {
                                           const float t = of_all_sizes.draw(random);
                                           return random() % 2 == 0 ? -t : t;
                                       }};
inline constexpr Temperatures subnormal_of_both_signs{"subnormal_of_both_signs", [](std::mt19937& random) {
                                                          const float t = subnormal.draw(random);
                                                          return random() % 2 == 0 ? -t : t;
                                                      }};
inline constexpr Temperatures negative_zeros{
    "negative_zeros", [](std::mt19937& random) {
        return random() % 4 == 0 ? subnormal.draw(random) : random() % 2 == 0 ? -0.0F : 0.0F;
    }};
inline constexpr Temperatures huge{"huge", [](std::mt19937& random) {
                                       return detail::with_exponent(random, detail::from_to(random, 32, 127));
                                   }};
inline constexpr Temperatures any_bits{"any_bits", [](std::mt19937& random) {
                                           return std::bit_cast<float>(static_cast<std::uint32_t>(random()));
                                       }};

/// How many of a random room's cells are sources.
enum class SourceShare { none, some, all };

inline heat::Scene random_scene(int width, int height, const Temperatures& temperatures, SourceShare sources,
                                unsigned seed) {
    std::mt19937 random(seed);
    heat::Scene scene{width, height, {}, {}};
    for (std::size_t i = 0; i < scene.cells(); ++i) {
        const bool source =
            sources == SourceShare::all || (sources == SourceShare::some && random() % 16 == 0);
        scene.sources.push_back(source ? temperatures.draw(random) : 0.0F);
        scene.start.push_back(temperatures.draw(random));
    }
    return scene;
}

}  // namespace cudabook::test
