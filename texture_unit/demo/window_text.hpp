// What the window says about a look, in its title and on its panel.
#pragma once

#include <optional>
#include <string>

#include "common/window/panel.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/look.hpp"

namespace cudabook::texture_unit {

/// Such as "point", "wrap".
std::string name_of(Filter filter);
std::string name_of(Address address);

/// Such as "texture_unit on NVIDIA H200: linear, x wrap, y clamp".
std::string title_of(const std::string& program, const std::string& device, const Look& look);

/// How the texture is read and, if there is an explanation, what is read at the mouse. `message`: what the
/// last key did, if it says so.
cudabook::Panel panel_of(const std::string& program, const std::string& device, const Look& look, int levels,
                         const std::optional<Explanation>& explained, const std::string& message);

}  // namespace cudabook::texture_unit
