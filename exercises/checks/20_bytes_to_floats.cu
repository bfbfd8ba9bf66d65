// Checks 20_bytes_to_floats. The goal: all reads are fetches, so no global loads.
#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const int n : {256, 300}) {
        check::on("n = %d", n);
        std::vector<unsigned char> in(n);
        for (int i = 0; i < n; ++i) in[i] = static_cast<unsigned char>(i * 7);  // every value
        const check::Array<unsigned char> from(in);
        const check::Array<float> to(n);
        const cudaTextureObject_t texture =
            check::linear_texture<unsigned char>(from, n, cudaReadModeNormalizedFloat);
        const cudabook::Counts counts =
            check::run([&] { negative<<<(n + 127) / 128, 128>>>(to, from, texture, n); });
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) expected[i] = 1 - static_cast<float>(in[i]) / 255;
        check::equal("out", to.values(), expected);
        check::at_most(counts.global_load.accesses, 0, "bytes are read by loads");
    }
    check::finish();
}
