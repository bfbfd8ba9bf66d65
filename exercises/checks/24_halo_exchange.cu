// Checks 24_halo_exchange, against the same steps on the whole grid. The goal: 2 loads for each cell, and a
// store for each and for each of the 2 * width cells of the halos.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

namespace cudabook::check {

struct Grid {
    int rows, width;  // of a part, without its halo
};

/// Row `first` of the whole grid and the rows + 1 below it, as a part has them.
std::vector<float> part_of(const std::vector<float>& whole, int first, Grid grid) {
    const auto begin = whole.begin() + first * grid.width;
    return {begin, begin + (grid.rows + 2) * grid.width};
}

}  // namespace cudabook::check

int main() {
    namespace check = cudabook::check;
    constexpr int steps = 3;
    for (const check::Grid grid : {check::Grid{4, 40}, {1, 1}, {1, 33}, {37, 70}}) {
        check::on("%d rows of %d in each part", grid.rows, grid.width);
        std::vector<float> whole = check::numbers((2 * grid.rows + 2) * grid.width);
        std::vector<float> border = whole;  // its cells are yet to be written
        std::memset(&border[grid.width], 0xff, 2 * grid.rows * grid.width * sizeof(float));
        const check::Array<float> upper[] = {check::Array<float>(check::part_of(whole, 0, grid)),
                                             check::Array<float>(check::part_of(border, 0, grid)),
                                             check::Array<float>(check::part_of(border, 0, grid))};
        const check::Array<float> lower[] = {check::Array<float>(check::part_of(whole, grid.rows, grid)),
                                             check::Array<float>(check::part_of(border, grid.rows, grid)),
                                             check::Array<float>(check::part_of(border, grid.rows, grid))};
        const auto parts = [&](int i) { return Parts{upper[i], lower[i]}; };

        const dim3 blocks((grid.width + 31) / 32, (grid.rows + 7) / 8, 2);
        const cudabook::Counts counts = check::run([&] {
            step<<<blocks, dim3(32, 8)>>>(parts(1), parts(0), grid.rows, grid.width);
            step<<<blocks, dim3(32, 8)>>>(parts(2), parts(1), grid.rows, grid.width);
            step<<<blocks, dim3(32, 8)>>>(parts(1), parts(2), grid.rows, grid.width);
        });
        for (int i = 0; i < steps; ++i) {
            const std::vector<float> before = whole;
            for (int cell = grid.width; cell < (2 * grid.rows + 1) * grid.width; ++cell)
                whole[cell] = 0.5F * (before[cell - grid.width] + before[cell + grid.width]);
        }
        check::equal("the upper part", upper[1].values(), check::part_of(whole, 0, grid), grid.width);
        check::equal("the lower part", lower[1].values(), check::part_of(whole, grid.rows, grid), grid.width);
        const int cells = 2 * grid.rows * grid.width;
        check::at_most(counts.global_load.accesses, steps * 2 * cells, "elements are loaded");
        check::at_most(counts.global_store.accesses, steps * (cells + 2 * grid.width), "elements are stored");
    }
    check::finish();
}
