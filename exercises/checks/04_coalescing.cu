// Checks 04_coalescing. The goal, at 96 x 40: rows begin at a sector, and a warp that reads a whole row of
// its tile takes 4 sectors of 8 floats. So each sector belongs to one request, and there are 96 * 40 / 8 =
// 480 of them.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("2048 x 2048", [](auto run) {
        constexpr int side = 2048;
        const check::Array<float> from(side * side);
        const check::Array<float> to(side * side);
        run([&] { copy_matrix<<<dim3(side / 32, side / 8), 256>>>(to, from, side, side); });
    });
    struct Size {
        int width, height;
    };
    for (const Size s : {Size{96, 40}, {1, 1}, {100, 37}, {37, 100}}) {
        check::on("%d x %d", s.width, s.height);
        const int n = s.width * s.height;
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const dim3 grid((s.width + 31) / 32, (s.height + 7) / 8);
        const cudabook::Counts counts =
            check::run([&] { copy_matrix<<<grid, 256>>>(to, from, s.width, s.height); });
        check::equal("out", to.values(), in, s.width);
        if (s.width == 96) {
            check::at_most(counts.global_load.parts, n / 8, "sectors that the loads take");
            check::at_most(counts.global_store.parts, n / 8, "sectors that the stores take");
        }
    }
    check::finish();
}
