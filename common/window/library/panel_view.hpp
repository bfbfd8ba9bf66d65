// Draws the panel on a window, by Dear ImGui.
#pragma once

#include <memory>

#include "common/window/geometry.hpp"
#include "common/window/panel.hpp"

namespace cudabook {

/// Draws panels in the OpenGL context that is current. It takes no input and writes no file. In a build
/// without Dear ImGui it draws nothing.
class PanelView {
  public:
    PanelView();
    ~PanelView();
    PanelView(const PanelView&) = delete;
    PanelView& operator=(const PanelView&) = delete;

    /// Draws the panel at the top left of the framebuffer, the keys below it; the larger the framebuffer, the
    /// larger the text.
    void draw(const Panel& panel, bool with_panel, bool with_keys, Size framebuffer);

  private:
    class Context;
    std::unique_ptr<Context> context_;  ///< for text of one size; none before the first panel
};

}  // namespace cudabook
