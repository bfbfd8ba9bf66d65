// Checks 01_index.
#include "exercises/checks/check.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {128, 1024}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        check::run([&] { twice<<<n / 128, 128>>>(to, from); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = 2 * in[i];
        check::equal("out", to.values(), expected);
    }
    check::finish();
}
