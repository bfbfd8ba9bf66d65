// The common part of the checks of 05_transpose and 06_bank_conflicts.
#pragma once

#include "exercises/checks/check.hpp"

namespace cudabook::check {

/// Checks that launch(grid, out, in, width, height) transposes matrices of several sizes. `grid` has a block
/// of 32 x 32 threads for each tile. For the matrix of 64 x 96, checks two goals and then calls
/// goals(counts), which checks further goals. The two goals: the loads take at most 768 sectors, and so do
/// the stores. All rows of both matrices begin at a sector, and a warp that reads or writes 32 floats of a
/// row takes 4 sectors of 8 floats. So 64 * 96 floats take 64 * 96 / 8 = 768 sectors.
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
