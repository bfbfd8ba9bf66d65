// The descriptions of the keys and the mouse in the window, for --help and for the panel.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cudabook::texture_unit {

/// Each key and its action.
const std::vector<std::pair<std::string, std::string>>& window_keys();

/// Returns the keys and their actions as text for the end of --help.
std::string window_keys_for_help();

}  // namespace cudabook::texture_unit
