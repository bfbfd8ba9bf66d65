// Checks 19_filter. The goal: one fetch for each pixel of the small picture.
#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const auto [width, height] : {std::pair{16, 8}, std::pair{23, 11}}) {
        check::on("%d x %d", width, height);
        const std::vector<float> in = check::numbers(4 * width * height);
        const check::Picture picture(2 * width, 2 * height, in);
        const cudaTextureObject_t texture = picture.texture(cudaFilterModeLinear);
        const check::Array<float> out(width * height);
        const cudabook::Counts counts = check::run([&] {
            halve<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out, texture, width, height);
        });
        std::vector<float> expected;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const float* const first = &in[2 * x + 2 * y * 2 * width];
                expected.push_back((first[0] + first[1] + first[2 * width] + first[2 * width + 1]) / 4);
            }
        check::equal("out", out.values(), expected, width);
        check::at_most(counts.texture_fetches, width * height, "fetches");
    }
    check::finish();
}
