// Checks 03_grid_stride. The goal: the array begins at a sector, and a warp's 32 floats too, so that every
// sector of 8 floats belongs to one request. There are n / 8 of them, rounded up. No number of threads comes
// with every n, so that none can be written out.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("an array of 4 million elements", [](auto run) {
        constexpr int n = 1 << 22;
        const check::Array<float> from(n);
        const check::Array<float> to(n);
        run([&] { twice<<<1056, 256>>>(to, from, n); });
    });
    struct Case {
        int n, blocks, threads;
    };
    for (const Case c :
         {Case{1, 4, 64}, {100, 4, 64}, {256, 2, 32}, {1000, 4, 64}, {1000, 3, 96}, {5001, 2, 128}}) {
        check::on("n = %d, %d blocks of %d threads", c.n, c.blocks, c.threads);
        const std::vector<float> in = check::numbers(c.n);
        const check::Array<float> from(in);
        const check::Array<float> to(c.n);
        const cudabook::Counts counts = check::run([&] { twice<<<c.blocks, c.threads>>>(to, from, c.n); });
        std::vector<float> expected(c.n);
        for (int i = 0; i < c.n; ++i) expected[i] = 2 * in[i];
        check::equal("out", to.values(), expected);
        const int sectors = (c.n + 7) / 8;
        check::at_most(counts.global_load.parts, sectors, "sectors that the loads take");
        check::at_most(counts.global_store.parts, sectors, "sectors that the stores take");
    }
    check::finish();
}
