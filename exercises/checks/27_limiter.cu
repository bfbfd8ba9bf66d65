// Checks 27_limiter. The goal: on a large array, which memory must deliver, shared memory is not what limits
// it. The numbers and weights are small integers, so that a fused multiplication and addition has the same
// bits.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    constexpr int width = 33;
    check::speed(
        "an array of 16 million elements",
        [](auto run) {
            constexpr int n = 1 << 24;
            const check::Array<float> from(n + width - 1);
            const check::Array<float> to(n);
            run([&] { smooth<<<n / (128 * outputs_of_thread), 128>>>(to, from); });
        },
        check::Goal{.not_limited_by = "L1 and shared memory", .ms = 0.08});
    std::vector<float> given(width);
    for (int k = 0; k < width; ++k) given[k] = static_cast<float>(1 + (k < width / 2 ? k : width - 1 - k));
    check::cuda(cudaMemcpyToSymbol(weights, given.data(), width * sizeof(float)), "cudaMemcpyToSymbol");
    for (const int n : {4096, 12288}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n + width - 1);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        check::run([&] { smooth<<<n / (128 * outputs_of_thread), 128>>>(to, from); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < width; ++k) expected[i] += given[k] * in[i + k];
        check::equal("out", to.values(), expected);
    }
    check::finish();
}
