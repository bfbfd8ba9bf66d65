// Checks 17_texture_2d. The goal: a fetch for each neighbour, four for each cell.
#include <algorithm>

#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    check::speed("2048 x 2048", [](auto run) {
        constexpr int side = 2048;
        const check::Picture picture(side, side, check::numbers(side * side));
        const cudaTextureObject_t texture = picture.texture(cudaFilterModeLinear);
        const check::Array<float> out(side * side);
        run([&] { mean4<<<dim3(side / 16, side / 8), dim3(16, 8)>>>(out, texture, side, side); });
    });
    for (const auto [width, height] : {std::pair{16, 8}, std::pair{50, 21}}) {
        check::on("%d x %d", width, height);
        const std::vector<float> in = check::numbers(width * height);
        const check::Picture picture(width, height, in);
        const cudaTextureObject_t texture = picture.texture(cudaFilterModeLinear);
        const check::Array<float> out(width * height);
        const cudabook::Counts counts = check::run([&] {
            mean4<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out, texture, width, height);
        });
        const auto cell = [&](int x, int y) {
            return in[std::clamp(x, 0, width - 1) + std::clamp(y, 0, height - 1) * width];
        };
        std::vector<float> expected;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                expected.push_back((cell(x - 1, y) + cell(x + 1, y) + cell(x, y - 1) + cell(x, y + 1)) / 4);
        check::equal("out", out.values(), expected, width);
        check::at_most(counts.texture_fetches, 4 * width * height, "fetches");
    }
    check::finish();
}
