// The text of the window about a look, in its title and on its panel.
#pragma once

#include <optional>
#include <string>

#include "common/window/panel.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/look.hpp"

namespace cudabook::texture_unit {

/// Returns the name of a mode, such as "point" or "wrap".
std::string name_of(Filter filter);
std::string name_of(Address address);

/// Returns the window's title, such as "texture_unit on NVIDIA H200: linear, x wrap, y clamp".
std::string title_of(const std::string& program, const std::string& device, const Look& look);

/// Returns the panel, which says how the texture is read. If there is an explanation, the panel also shows
/// the texels that are read at the mouse. `message` is the text about the last key, or empty.
cudabook::Panel panel_of(const std::string& program, const std::string& device, const Look& look, int levels,
                         const std::optional<Explanation>& explained, const std::string& message);

}  // namespace cudabook::texture_unit
