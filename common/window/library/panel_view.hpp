// Draws the panel of a window with Dear ImGui.
#pragma once

#include <memory>

#include "common/window/geometry.hpp"
#include "common/window/panel.hpp"

namespace cudabook {

/// Draws panels in the current OpenGL context. Takes no input and writes no file. In a build without Dear
/// ImGui it draws nothing.
class PanelView {
  public:
    PanelView();
    ~PanelView();
    PanelView(const PanelView&) = delete;
    PanelView& operator=(const PanelView&) = delete;

    /// Draws the panel at the top left of the framebuffer. The keys are below the panel, or beside the panel
    /// if they do not fit below. The text grows with the framebuffer. `grid`: the size, in cells, of the
    /// picture on which the labels are drawn.
    void draw(const Panel& panel, bool with_panel, bool with_keys, Size framebuffer, Size grid);

  private:
    class Context;
    std::unique_ptr<Context> context_;  ///< Dear ImGui's state for one text size; null before the first panel
};

}  // namespace cudabook
