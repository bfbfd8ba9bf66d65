// Checks 05_transpose. The goal, at 64 x 96: all rows of both matrices begin at a sector, and a warp that
// reads or writes 32 elements of a row takes 4 sectors of 8 floats. So there are 64 * 96 / 8 = 768 sectors of
// loads, and as many of stores.
#include "exercises/checks/check.hpp"

#include EXERCISE

int main() {
    struct Size {
        int width, height;
    };
    for (const Size s : {Size{64, 64}, {64, 96}, {1, 1}, {100, 37}, {33, 70}}) {
        const int n = s.width * s.height;
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const dim3 grid((s.width + 31) / 32, (s.height + 31) / 32);
        const cudabook::Counts counts =
            check::run([&] { transpose<<<grid, dim3(32, 32)>>>(to, from, s.width, s.height); });
        std::vector<float> expected(n);
        for (int row = 0; row < s.height; ++row)
            for (int column = 0; column < s.width; ++column)
                expected[column * s.height + row] = in[row * s.width + column];
        check::equal("out", to.values(), expected, s.height);
        if (s.height == 96) {
            check::at_most(counts.global_load.parts, n / 8, "sectors that the loads take");
            check::at_most(counts.global_store.parts, n / 8, "sectors that the stores take");
        }
    }
    check::finish();
}
