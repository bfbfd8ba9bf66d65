#include <cstddef>
#include <cstring>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "texture_unit/demo/look_model.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/pixel_bytes.hpp"

namespace cudabook::texture_unit {

namespace {

class CpuRenderer final : public Renderer {
  public:
    CpuRenderer(const std::vector<Image>& levels, Size picture) : model_(levels), picture_(picture) {}

    void draw(const Look& look, unsigned char* rgba) override {
        model_.read_as(look);
        const View view = model_.view(look, picture_);
        const auto width = static_cast<std::size_t>(picture_.width);
#pragma omp parallel for schedule(dynamic, 8)
        for (int row = 0; row < picture_.height; ++row) {
            unsigned char* const pixels = rgba + static_cast<std::size_t>(row) * width * sizeof(Rgba);
            for (int column = 0; column < picture_.width; ++column) {
                const Texel texel = model_.at(view.x.of(column, row), view.y.of(column, row));
                const Rgba pixel = pixel_of(texel[0], texel[1], texel[2]);
                std::memcpy(pixels + static_cast<std::size_t>(column) * sizeof pixel, &pixel, sizeof pixel);
            }
        }
    }

  private:
    LookModel model_;
    Size picture_;
};

}  // namespace

std::unique_ptr<Renderer> make_cpu_renderer(const std::vector<Image>& levels, Size picture) {
    return std::make_unique<CpuRenderer>(levels, picture);
}

}  // namespace cudabook::texture_unit
