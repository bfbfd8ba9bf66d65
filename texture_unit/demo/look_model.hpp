// The model of the texture in the window, read with the settings of a Look.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "common/texture_model/model.hpp"
#include "common/window/geometry.hpp"
#include "texture_unit/demo/look.hpp"
#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

class LookModel {
  public:
    /// Takes the texture's mipmap levels, at least one.
    explicit LookModel(const std::vector<Image>& levels) {
        for (const Image& level : levels) {
            TextureModel model;
            model.size = {level.width, level.height, 1};
            model.texels = level.texels;
            mipmap_.levels.push_back(std::move(model));
        }
    }

    void read_as(const Look& look) {
        for (TextureModel& level : mipmap_.levels) {
            level.address = {look.address[0], look.address[1], Address::clamp};
            level.filter = look.filter;
            level.normalized = look.normalized;
        }
        mipmap_.filter = look.normalized ? look.level_filter : Filter::point;
        level_ = look.level;
    }

    /// Returns the result of a fetch at the coordinates (x, y).
    [[nodiscard]] Texel at(float x, float y) const { return mipmap_.at(level_, x, y); }

    [[nodiscard]] int levels() const { return static_cast<int>(mipmap_.levels.size()); }
    [[nodiscard]] const TextureModel& level(int index) const {
        return mipmap_.levels[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] Size size(int level_index) const {
        return {level(level_index).size[0], level(level_index).size[1]};
    }

    /// Returns the texture coordinates of the pixels of a picture.
    [[nodiscard]] View view(const Look& look, Size picture) const {
        return view_of(look, picture, size(0), size(look.levels_read(levels()).index[0]));
    }

  private:
    MipmapModel mipmap_;
    float level_ = 0;
};

}  // namespace cudabook::texture_unit
