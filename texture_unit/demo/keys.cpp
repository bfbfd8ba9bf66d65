#include "texture_unit/demo/keys.hpp"

#include <fmt/format.h>

namespace cudabook::texture_unit {

const std::vector<std::pair<std::string, std::string>>& window_keys() {
    static const std::vector<std::pair<std::string, std::string>> table{
        {"drag", "move the texture"},
        {"wheel, +, -", "larger, smaller"},
        {"T, Shift-T", "turn it, turn it back"},
        {"L", "point or linear filter"},
        {"X, Y", "next address mode of x, of y"},
        {"Shift-X, Shift-Y", "the one before"},
        {"N", "normalised coordinates or not"},
        {"M, Shift-M", "mipmap level up, down by 1/4"},
        {"B", "blend levels or not"},
        {"G", "show or hide the edges of texels"},
        {"R", "back to the start"},
        {"S", "save a picture"},
        {"F", "full screen"},
        {"V", "vertical sync on or off"},
        {"I", "show or hide the panel"},
        {"H", "show or hide the keys"},
        {"Esc, Q", "end"}};
    return table;
}

std::string window_keys_for_help() {
    std::string text = "In the window:\n";
    for (const auto& [key, what] : window_keys()) text += fmt::format("  {:<18}{}\n", key, what);
    return text;
}

}  // namespace cudabook::texture_unit
