// Checks 13_divergence. The goal: in a block of 4 warps two load once and two load four times, 10 requests.
// If each warp goes both ways, they are 4 * 5.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("an array of 4 million elements", [](auto run) {
        constexpr int n = 1 << 22;
        const check::Array<float> from(n / 2 + 3);
        const check::Array<float> to(n);
        run([&] { twice_the_samples<<<n / 128, 128>>>(to, from + 1); });
    });
    for (const int n : {128, 1024}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n / 2 + 3);  // one before the first, two after the last
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const cudabook::Counts counts =
            check::run([&] { twice_the_samples<<<n / 128, 128>>>(to, from + 1); });
        std::vector<float> expected(n);
        for (int k = 0; k < n / 2; ++k) {
            expected[2 * k] = in[k + 1];
            expected[2 * k + 1] = (9 * (in[k + 1] + in[k + 2]) - (in[k] + in[k + 3])) / 16;
        }
        check::equal("out", to.values(), expected);
        check::at_most(counts.global_load.requests, n / 128 * 10, "requests for loads");
    }
    check::finish();
}
