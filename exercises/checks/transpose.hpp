// What the checks of 05_transpose and 06_bank_conflicts have in common.
#pragma once

#include "exercises/checks/check.hpp"

namespace cudabook::check {

/// Transposes matrices of several sizes by launch(grid, out, in, width, height), for blocks of 32 x 32
/// threads. Of one of them, of 64 x 96, what was counted goes to goals(counts). All rows of both matrices
/// begin at a sector there, and a warp that reads or writes 32 elements of a row takes 4 sectors of 8 floats:
/// so there are 64 * 96 / 8 = 768 sectors of loads, and as many of stores.
template <class Launch, class Goals>
void transposes(Launch launch, Goals goals) {
    struct Size {
        int width, height;
    };
    speed("2048 x 2048", [&](auto run) {
        constexpr int side = 2048;
        const Array<float> from(side * side);
        const Array<float> to(side * side);
        run([&] { launch(dim3(side / 32, side / 32), to, from, side, side); });
    });
    for (const Size s : {Size{64, 64}, {64, 96}, {1, 1}, {100, 37}, {33, 70}}) {
        on("%d x %d", s.width, s.height);
        const int n = s.width * s.height;
        const std::vector<float> in = numbers(n);
        const Array<float> from(in);
        const Array<float> to(n);
        const dim3 grid((s.width + 31) / 32, (s.height + 31) / 32);
        const cudabook::Counts counts = run([&] { launch(grid, to, from, s.width, s.height); });
        std::vector<float> expected(n);
        for (int row = 0; row < s.height; ++row)
            for (int column = 0; column < s.width; ++column)
                expected[column * s.height + row] = in[row * s.width + column];
        equal("out", to.values(), expected, s.height);
        if (s.height != 96) continue;
        at_most(counts.global_load.parts, 768, "sectors that the loads take");
        at_most(counts.global_store.parts, 768, "sectors that the stores take");
        goals(counts);
    }
}

}  // namespace cudabook::check
