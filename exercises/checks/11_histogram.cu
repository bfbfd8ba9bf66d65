// Checks 11_histogram. The goal: one atomic operation for each byte.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {1000, 4096}) {
        check::on("n = %d", n);
        const std::vector<unsigned char> in = check::numbers<unsigned char>(n);
        const check::Array<unsigned char> from(in);
        const check::Array<unsigned> to(std::vector<unsigned>(256, 0));
        const cudabook::Counts counts = check::run([&] {
            check::cuda(cudaMemset(to, 0, 256 * sizeof(unsigned)), "cudaMemset");
            histogram<<<(n + 255) / 256, 256>>>(to, from, n);
        });
        std::vector<unsigned> expected(256);
        for (const unsigned char byte : in) ++expected[byte];
        check::equal("counts", to.values(), expected);
        check::at_most(counts.global_atomic.accesses, n, "atomic operations of threads");
    }
    check::finish();
}
