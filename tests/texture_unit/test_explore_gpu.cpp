// The picture in the window of texture_unit: the texture unit draws the same bytes as the model, whatever the
// keys have set.
#include <array>
#include <memory>
#include <vector>

#include "tests/support/gpu.hpp"
#include "tests/texture_unit/pattern.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook {
namespace {

using texture_unit::Address;
using texture_unit::Filter;
using texture_unit::Look;

class CudaExplore : public test::Gpu {
  protected:
    static constexpr Size picture{93, 61};

    /// The number of pixels that differ. Pixels that are not written differ, too.
    static int differences(texture_unit::Renderer& one, texture_unit::Renderer& other, const Look& look) {
        std::vector<unsigned char> pixels(static_cast<std::size_t>(picture.width * picture.height) * 4, 1);
        std::vector<unsigned char> others(pixels.size(), 2);
        one.draw(look, pixels.data());
        other.draw(look, others.data());
        int count = 0;
        for (std::size_t i = 0; i < pixels.size(); i += 4)
            if (!std::equal(pixels.begin() + i, pixels.begin() + i + 4, others.begin() + i)) ++count;
        return count;
    }

    static void expect_equal(const texture_unit::Image& image, int turn) {
        const auto levels = texture_unit::mip_levels(image);
        const auto cpu = texture_unit::make_cpu_renderer(levels, picture);
        const auto gpu = texture_unit::make_gpu_renderer(levels, picture, device().index);
        Look look =
            texture_unit::turned(texture_unit::first_look({image.width, image.height}, picture), turn);
        for (const double zoom : {look.zoom, 40.0}) {
            look.zoom = zoom;
            for (const Filter filter : {Filter::point, Filter::linear})
                for (const Filter between : {Filter::point, Filter::linear})
                    for (const Address x : {Address::clamp, Address::border, Address::wrap, Address::mirror})
                        for (const bool normalized : {true, false})
                            for (const float level : {0.0F, 1.25F, 3.0F}) {
                                look.filter = filter;
                                look.level_filter = between;
                                look.address = {x, texture_unit::next(x, 1)};
                                look.normalized = normalized;
                                look.level = level;
                                EXPECT_EQ(differences(*cpu, *gpu, look), 0)
                                    << "filters " << static_cast<int>(filter) << static_cast<int>(between)
                                    << ", address " << static_cast<int>(x) << ", normalized " << normalized
                                    << ", level " << level << ", zoom " << zoom;
                            }
        }
    }
};

TEST_F(CudaExplore, GivesThePictureOfTheModelSmall) { expect_equal(test::random_image(64, 32), 0); }

TEST_F(CudaExplore, GivesThePictureOfTheModelTurnedSmall) { expect_equal(test::random_image(37, 23), 15); }

}  // namespace
}  // namespace cudabook
