// Checks 14_constant. The goals for n - 4 sums: five loads each, and one address for each request to constant
// memory. The numbers and weights are small integers, so that a fused multiplication and addition has the
// same bits.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    const std::vector<float> given{1, 4, 6, 4, 1};
    check::cuda(cudaMemcpyToSymbol(weights, given.data(), 5 * sizeof(float)), "cudaMemcpyToSymbol");
    const check::Array<float> global_weights(given);
    for (const int n : {5, 260, 300}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n - 4);
        const cudabook::Counts counts =
            check::run([&] { filter<<<(n + 127) / 128, 128>>>(to, from, global_weights, n); });
        std::vector<float> expected(n - 4);
        for (int i = 0; i + 4 < n; ++i)
            for (int k = 0; k < 5; ++k) expected[i] += given[k] * in[i + k];
        check::equal("out", to.values(), expected);
        check::at_most(counts.global_load.accesses, 5 * (n - 4), "loads of threads from global memory");
        check::at_least(counts.constant_load.requests, 1, "requests to constant memory");
        check::at_most(counts.constant_load.parts, counts.constant_load.requests,
                       "addresses that a warp asks constant memory for");
    }
    check::finish();
}
