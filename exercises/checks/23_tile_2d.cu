// Checks 23_tile_2d. The goal: 18 * 18 loads of threads for each block.
#include <algorithm>

#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("2048 x 2048", [](auto run) {
        constexpr int side = 2048;
        const check::Array<float> from(side * side);
        const check::Array<float> to(side * side);
        run([&] { step<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(to, from, side, side); });
    });
    for (const auto [width, height] : {std::pair{16, 16}, std::pair{37, 20}}) {
        check::on("%d x %d", width, height);
        const std::vector<float> in = check::numbers(width * height);
        const check::Array<float> from(in);
        const check::Array<float> to(width * height);
        const dim3 blocks((width + 15) / 16, (height + 15) / 16);
        const cudabook::Counts counts =
            check::run([&] { step<<<blocks, dim3(16, 16)>>>(to, from, width, height); });
        const auto cell = [&](int x, int y) {
            return in[std::clamp(x, 0, width - 1) + std::clamp(y, 0, height - 1) * width];
        };
        std::vector<float> expected;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                expected.push_back((cell(x - 1, y) + cell(x + 1, y) + cell(x, y - 1) + cell(x, y + 1)) / 4);
        check::equal("out", to.values(), expected, width);
        check::at_most(counts.global_load.accesses, 18 * 18 * blocks.x * blocks.y, "cells are loaded");
    }
    check::finish();
}
