// Checks 16_texture_fetch. The goal: all reads are fetches, so no global loads.
#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {1, 128, 300}) {
        check::on("n = %d", n);
        const std::vector<float> in = check::numbers(n);
        const check::Array<float> from(in);
        const check::Array<float> to(n);
        const cudaTextureObject_t texture = check::linear_texture<float>(from, n);
        const cudabook::Counts counts =
            check::run([&] { sum3<<<(n + 127) / 128, 128>>>(to, from, texture, n); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i)
            expected[i] = (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < n ? in[i + 1] : 0);
        check::equal("out", to.values(), expected);
        check::at_most(counts.global_load.accesses, 0, "elements are read by loads");
    }
    check::finish();
}
