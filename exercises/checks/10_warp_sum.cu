// Checks 10_warp_sum. The goals for n / 32 warps: five shuffles each, no shared memory, and each number
// loaded once. The numbers are small integers, so that every order gives the same sum.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {32, 512}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n / 32);
        const int threads = n < 256 ? n : 256;
        const cudabook::Counts counts = check::run([&] { sum_of_warps<<<n / threads, threads>>>(to, from); });
        std::vector<float> expected(n / 32);
        for (int i = 0; i < n; ++i) expected[i / 32] += in[i];
        check::equal("sums", to.values(), expected);
        check::at_most(counts.shuffles, 5 * n / 32, "shuffles of warps");
        check::at_most(counts.shared_load.requests + counts.shared_store.requests, 0,
                       "requests to shared memory");
        check::at_most(counts.global_load.requests, n / 32, "requests of warps for loads");
        check::at_most(counts.global_atomic.accesses, 0, "atomic operations");
    }
    check::finish();
}
