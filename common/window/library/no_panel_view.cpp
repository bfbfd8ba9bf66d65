// Replaces panel_view.cpp in a build without Dear ImGui.
#include "panel_view.hpp"

namespace cudabook {

class PanelView::Context {};

PanelView::PanelView() = default;
PanelView::~PanelView() = default;
void PanelView::draw(const Panel& /*panel*/, bool /*with_panel*/, bool /*with_keys*/, Size /*framebuffer*/,
                     Size /*grid*/) {}

}  // namespace cudabook
