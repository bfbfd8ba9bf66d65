#include "texture_unit/demo/levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace cudabook::texture_unit {

namespace {

Image half_of(const Image& image) {
    Image half;
    half.width = std::max(1, image.width / 2);
    half.height = std::max(1, image.height / 2);
    for (int y = 0; y < half.height; ++y) {
        for (int x = 0; x < half.width; ++x) {
            const int right = std::min(2 * x + 1, image.width - 1);
            const int below = std::min(2 * y + 1, image.height - 1);
            Texel mean{};
            for (std::size_t c = 0; c < mean.size(); ++c) {
                const float sum = image.at(2 * x, 2 * y)[c] + image.at(right, 2 * y)[c] +
                                  image.at(2 * x, below)[c] + image.at(right, below)[c];
                mean[c] = std::floor(sum / 4 + 0.5F);
            }
            half.texels.push_back(mean);
        }
    }
    return half;
}

}  // namespace

std::vector<Image> mipmap_levels(const Image& image) {
    Image whole = image;
    for (Texel& texel : whole.texels)
        for (float& component : texel) component = std::floor(component + 0.5F);
    std::vector<Image> levels{std::move(whole)};
    while (levels.back().width > 1 || levels.back().height > 1) {
        Image next = half_of(levels.back());
        levels.push_back(std::move(next));
    }
    return levels;
}

}  // namespace cudabook::texture_unit
