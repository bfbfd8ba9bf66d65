// Checks 21_surface.
#include "exercises/checks/texture.hpp"

#include "exercises/checks/answer.hpp"

int main() {
    namespace check = cudabook::check;
    for (const auto [width, height] : {std::pair{16, 8}, std::pair{41, 19}}) {
        check::on("%d x %d", width, height);
        const std::vector<float> in = check::numbers(width * height);
        const check::Array<float> from(in);
        std::vector<float> unwritten(width * height);
        std::memset(unwritten.data(), 0xff, unwritten.size() * sizeof(float));
        const check::Picture picture(width, height, unwritten);
        const cudaSurfaceObject_t out = picture.surface();
        check::run([&] {
            mirror<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(out, from, width, height);
        });
        std::vector<float> expected;
        for (int y = 0; y < height; ++y)
            for (int x = width; x-- > 0;) expected.push_back(in[x + y * width]);
        check::equal("out", picture.values(), expected, width);
    }
    check::finish();
}
