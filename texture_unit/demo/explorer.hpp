// The state that the window shows: the texture, how the user looks at the texture, and the mouse's position.
// The code needs no window.
#pragma once

#include <optional>
#include <vector>

#include "common/window/input.hpp"
#include "common/window/panel.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/look.hpp"
#include "texture_unit/demo/look_model.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

class Explorer {
  public:
    /// Shows the texture with these mipmap levels in a picture of this size. `renderer` must have been made
    /// for these levels and this size, and must outlive the explorer. The key R restores the look `first`.
    Explorer(const std::vector<Image>& levels, Size picture, Renderer& renderer, const Look& first);

    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] const Look& first() const { return first_; }
    [[nodiscard]] int levels() const { return model_.levels(); }
    [[nodiscard]] std::optional<Cell> mouse() const { return mouse_; }

    void change_to(const Look& look);
    void drag(const Drag& piece);
    void wheel(const Wheel& wheel);
    void point(Cell at) { mouse_ = at; }
    void key(Key key);

    /// Paints the picture and the drawings on it: RGBA, 4 bytes per pixel, row 0 at the bottom. Calls the
    /// renderer only if the look has changed. Errors: MachineError.
    void paint(unsigned char* rgba);

    /// Returns the explanation of the fetch under the mouse, or nullopt if the mouse has no position yet.
    std::optional<Explanation> explained();

    /// Returns the labels with the texels' weights, for drawing on the picture.
    [[nodiscard]] std::vector<cudabook::Label> labels(const Explanation& explained) const;

  private:
    Size picture_;
    LookModel model_;
    Renderer& renderer_;
    Look first_;
    Look look_;
    std::vector<unsigned char> drawn_;  ///< the renderer's picture of the look, if is_drawn_
    bool is_drawn_ = false;
    std::optional<Cell> mouse_;
};

}  // namespace cudabook::texture_unit
