#include "heat_notexture/demo/keys.hpp"

#include <fmt/format.h>

namespace cudabook::heat {

const std::vector<std::pair<std::string, std::string>>& keys() {
    static const std::vector<std::pair<std::string, std::string>> table{
        {"Space", "pause, go on"},
        {".", "a single frame"},
        {"K, Shift-K", "next, previous kernel"},
        {"D", "CPU or GPU"},
        {"R", "back to the start"},
        {"+, -", "more, fewer steps a frame"},
        {"S", "save a picture"},
        {"F", "full screen"},
        {"V", "vertical sync on or off"},
        {"I", "show or hide the panel"},
        {"H", "show or hide the keys"},
        {"Esc, Q", "end"},
        {"left drag", "paint heat"},
        {"right drag", "paint cold"},
        {"Shift-drag", "remove sources"}};
    return table;
}

std::string keys_for_help() {
    std::string text = "In the window:\n";
    for (const auto& [key, what] : keys()) text += fmt::format("  {:<12}{}\n", key, what);
    return text;
}

}  // namespace cudabook::heat
