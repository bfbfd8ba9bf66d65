// Checks 02_bounds. A size that is a multiple of the block comes too: then no thread is superfluous.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {1000, 1, 129, 256}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        check::run([&] { twice<<<(n + 127) / 128, 128>>>(to, from, n); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = 2 * in[i];
        check::equal("out", to.values(), expected);
    }
    check::finish();
}
