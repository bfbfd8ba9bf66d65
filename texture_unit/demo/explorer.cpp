#include "texture_unit/demo/explorer.hpp"

#include <algorithm>
#include <cstddef>

#include "texture_unit/demo/overlay.hpp"

namespace cudabook::texture_unit {

Explorer::Explorer(const std::vector<Image>& levels, Size picture, Renderer& renderer, const Look& first)
    : picture_(picture),
      model_(levels),
      renderer_(renderer),
      first_(first),
      look_(first),
      drawn_(4 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height)) {}

void Explorer::change_to(const Look& look) {
    look_ = look;
    is_drawn_ = false;
}

void Explorer::drag(const Drag& piece) {
    mouse_ = piece.to;
    change_to(dragged(look_, picture_, piece.from, piece.to));
}

void Explorer::wheel(const Wheel& wheel) {
    mouse_ = wheel.at;
    change_to(zoomed(look_, picture_, wheel.steps, wheel.at));
}

void Explorer::key(Key key) {
    const Cell middle{picture_.width / 2, picture_.height / 2};
    switch (key.character) {
        case '+':
            change_to(zoomed(look_, picture_, 1, mouse_.value_or(middle)));
            break;
        case '-':
            change_to(zoomed(look_, picture_, -1, mouse_.value_or(middle)));
            break;
        case 'R':
            change_to(first_);
            break;
        default:
            change_to(after_key(look_, key, model_.levels()));
    }
}

void Explorer::paint(unsigned char* rgba) {
    if (!is_drawn_) renderer_.draw(look_, drawn_.data());
    is_drawn_ = true;
    std::ranges::copy(drawn_, rgba);
    const Drawing drawing{rgba, picture_};
    const int read = look_.levels_read(model_.levels()).index[0];
    if (look_.grid) draw_grid(drawing, look_, model_.size(0), model_.size(read));
    if (const auto explanation = explained()) {
        draw_reads(drawing, look_, model_, explanation->reads);
        draw_cross(drawing, *mouse_);
    }
}

std::optional<Explanation> Explorer::explained() {
    if (!mouse_) return std::nullopt;
    model_.read_as(look_);
    const View view = model_.view(look_, picture_);
    return explain(model_, look_, view.x.of(mouse_->x, mouse_->y), view.y.of(mouse_->x, mouse_->y));
}

std::vector<cudabook::Label> Explorer::labels(const Explanation& explained) const {
    return weight_labels(look_, picture_, model_, explained.reads);
}

}  // namespace cudabook::texture_unit
