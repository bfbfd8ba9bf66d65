// The program that a good programmer would write in an hour, without this suite: the heat simulation as plain
// loops over the grid, on all cores, vectorised by the compiler. Build: g++ -std=c++20 -O3 -march=native
// -fopenmp -ffp-contract=off heat_plain_loops.cpp -lz Usage: heat_plain_loops [SIDE [FRAMES]] prints, as
// JSON, the CRC-32 of the grid after the first frame of 90 steps and the median time of a frame.
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// Cells first to last - 1 of the grid that hold their temperatures.
struct Source {
    long first;
    long last;
    float temperature;
};

/// One step: out from in, rows of `side` cells.
void step(float* __restrict out, float* __restrict in, const std::vector<Source>& sources, long side) {
#pragma omp parallel
    {
#pragma omp for
        for (const Source& s : sources) std::fill(in + s.first, in + s.last, s.temperature);
#pragma omp for
        for (long y = 0; y < side; ++y) {
            const float* row = in + y * side;
            const float* top = y > 0 ? row - side : row;
            const float* bottom = y < side - 1 ? row + side : row;
            float* to = out + y * side;
            const auto update = [=](long x, long left, long right) {
                const float sum = ((top[x] + bottom[x]) + row[left]) + row[right];
                to[x] = std::fma(0.25F, std::fma(-4.0F, row[x], sum), row[x]);
            };
            update(0, 0, std::min(1L, side - 1));
#pragma omp simd
            for (long x = 1; x < side - 1; ++x) {
                const float sum = ((top[x] + bottom[x]) + row[x - 1]) + row[x + 1];
                to[x] = std::fma(0.25F, std::fma(-4.0F, row[x], sum), row[x]);
            }
            update(side - 1, std::max(0L, side - 2), side - 1);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const long side = argc > 1 ? std::atol(argv[1]) : 1024;
    const int frames = argc > 2 ? std::atoi(argv[2]) : 5;
    constexpr int steps = 90;
    std::vector<float> in(static_cast<std::size_t>(side * side));
    std::vector<float> out(in.size());
    std::vector<Source> sources;
    const auto at = [side](long book) { return book * side / 1024; };
    const auto heat = [&](long x0, long x1, long y0, long y1, float temperature) {
        for (long y = y0; y < y1; ++y) sources.push_back({y * side + x0, y * side + x1, temperature});
    };
    heat(at(300) + 1, at(600), at(310) + 1, at(601), 1.0F);
    heat(at(100), at(100) + 1, at(100), at(100) + 1, (1.0F + 0.0001F) / 2);
    heat(at(100), at(100) + 1, at(700), at(700) + 1, 0.0001F);
    heat(at(300), at(300) + 1, at(300), at(300) + 1, 0.0001F);
    heat(at(700), at(700) + 1, at(200), at(200) + 1, 0.0001F);
    heat(at(400), at(500), at(800), at(900), 0.0001F);
    for (long y = at(800); y < side; ++y) std::fill_n(&in[static_cast<std::size_t>(y * side)], at(200), 1.0F);

    unsigned long checksum = 0;
    std::vector<double> ms;
    for (int frame = 0; frame < frames; ++frame) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < steps; ++i) {
            step(out.data(), in.data(), sources, side);
            std::swap(in, out);
        }
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        if (frame == 0)
            checksum =
                crc32_z(0, reinterpret_cast<const unsigned char*>(in.data()), in.size() * sizeof(float));
    }
    std::ranges::sort(ms);
    const double median = ms[ms.size() / 2];
    std::printf(
        "{\"kernel\": \"plain loops\", \"width\": %ld, \"height\": %ld, \"checksum\": \"%08lx\", \"ms\": "
        "%.1f, "
        "\"gcells_per_s\": %.3f}\n",
        side, side, checksum, median, static_cast<double>(in.size()) * steps / median / 1e6);
}
