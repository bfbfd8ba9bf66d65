// Checks 22_halo. The goal: a block loads its elements and its halo. Between two blocks lie 4 elements that
// both load, if the last block has 2 or more: n + 4 * (blocks - 1) loads of threads.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {5, 256, 1000}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const int blocks = (n + 127) / 128;
        const cudabook::Counts counts = check::run([&] { sum5<<<blocks, 128>>>(to, from, n); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i)
            for (int j = i - 2; j <= i + 2; ++j)
                if (j >= 0 && j < n) expected[i] += in[j];
        check::equal("out", to.values(), expected);
        check::at_most(counts.global_load.accesses, n + 4 * (blocks - 1), "elements are loaded");
    }
    check::finish();
}
