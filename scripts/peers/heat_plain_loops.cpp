// What one would write without this suite: the heat simulation as plain loops over the grid, on all cores.
// Build: g++ -std=c++20 -O3 -march=native -fopenmp -ffp-contract=off heat_plain_loops.cpp
// Usage: heat_plain_loops [SIDE [FRAMES]] prints the median time of a frame of 90 steps as JSON.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
    const long side = argc > 1 ? std::atol(argv[1]) : 1024;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 5;
    constexpr int steps = 90;
    const auto cells = static_cast<std::size_t>(side * side);
    std::vector<float> sources(cells);
    const auto fill = [&](std::vector<float>& grid, long x0, long x1, long y0, long y1, float temperature) {
        for (long y = y0; y < y1; ++y) std::fill(&grid[y * side + x0], &grid[y * side + x1], temperature);
    };
    const auto at = [&](long book) { return book * side / 1024; };
    fill(sources, at(300) + 1, at(600), at(310) + 1, at(601), 1.0F);
    fill(sources, at(400), at(500), at(800), at(900), 0.0001F);
    std::vector<float> in = sources;
    fill(in, 0, at(200), at(800), side, 1.0F);
    std::vector<float> out(cells);

    std::vector<double> ms;
    for (int frame = 0; frame < frames; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        for (int step = 0; step < steps; ++step) {
#pragma omp parallel for
            for (long i = 0; i < side * side; ++i)
                if (sources[i] != 0) in[i] = sources[i];
#pragma omp parallel for
            for (long y = 0; y < side; ++y) {
                const float* row = &in[y * side];
                const float* top = y > 0 ? row - side : row;
                const float* bottom = y < side - 1 ? row + side : row;
                const auto update = [&](long x, long left, long right) {
                    const float sum = ((top[x] + bottom[x]) + row[left]) + row[right];
                    out[y * side + x] = std::fma(0.25F, std::fma(-4.0F, row[x], sum), row[x]);
                };
                update(0, 0, std::min(1L, side - 1));
                for (long x = 1; x < side - 1; ++x) update(x, x - 1, x + 1);
                update(side - 1, std::max(0L, side - 2), side - 1);
            }
            std::swap(in, out);
        }
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(ms);
    const double median = ms[ms.size() / 2];
    std::printf(
        "{\"kernel\": \"plain loops\", \"width\": %ld, \"height\": %ld, \"ms\": %.1f, \"gcells_per_s\": "
        "%.3f}\n",
        side, side, median, static_cast<double>(cells) * steps / median / 1e6);
}
