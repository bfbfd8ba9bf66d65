// The window: it shows the texture as the user wants to look at it and says what is read under the mouse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/window/animation.hpp"
#include "texture_unit/demo/look.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

struct WindowSetup {
    std::string program = "texture_unit";
    std::string device;    ///< which draws, for the title: a product's name, or "the CPU"
    Size size{1280, 800};  ///< of the picture in pixels
    Display display = Display::window;
    std::optional<int> frames =
        std::nullopt;  ///< none: until the user ends it; headless: until the script ends
    std::vector<TimedInput> script{};
    bool vsync = true;
};

/// How the window was left.
struct LastFrame {
    int frames = 0;
    Look look;
    std::vector<unsigned char> rgba;  ///< the picture with its grid, RGBA, row 0 at the bottom; no panel
};

/// Shows the texture, whose mipmap levels are given, in a window or headless. `renderer` must be of these
/// levels and of the setup's size. An interrupt ends it. Errors: MachineError.
LastFrame run_window(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer);

}  // namespace cudabook::texture_unit
