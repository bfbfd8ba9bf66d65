// What the keys and the mouse do in the window, for --help and for the panel.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cudabook::heat {

/// Each key and what it does.
const std::vector<std::pair<std::string, std::string>>& keys();

/// Returns the keys and what they do, as text for the end of --help.
std::string keys_for_help();

}  // namespace cudabook::heat
