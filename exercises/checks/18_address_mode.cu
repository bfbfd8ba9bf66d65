// Checks 18_address_mode.
#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    const int width = 40;
    const int height = 21;
    const std::vector<float> in = check::numbers(width * height);
    const check::Picture picture(width, height, in);
    const cudaTextureObject_t texture = picture.texture(describe());
    for (const auto [right, down] :
         {std::pair{0, 0}, std::pair{13, 0}, std::pair{0, 5}, std::pair{-50, 30}}) {
        check::on("%d to the right, %d down", right, down);
        const check::Array<float> out(width * height);
        check::run([&] {
            shift<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out, texture, width, height,
                                                                              right, down);
        });
        std::vector<float> expected;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                expected.push_back(
                    in[(x - right + 2 * width) % width + (y - down + 2 * height) % height * width]);
        check::equal("out", out.values(), expected, width);
    }
    check::finish();
}
