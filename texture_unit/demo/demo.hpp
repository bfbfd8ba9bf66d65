// The window: it shows the texture as the user chooses to look at it, and explains the fetch under the mouse.
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
    std::string device;    ///< the drawing device, for the title: a product's name, or "the CPU"
    Size size{1280, 800};  ///< the size of the picture in pixels
    Display display = Display::window;
    std::optional<int> frames =
        std::nullopt;  ///< nullopt: until the user ends the run or, headless, until the script ends
    std::vector<TimedInput> script{};
    bool vsync = true;
};

/// The state of the window when it was closed.
struct LastFrame {
    int frames = 0;
    Look look;
    std::vector<unsigned char> rgba;  ///< the picture with its grid, RGBA, row 0 at the bottom; no panel
};

/// Shows the texture with these mipmap levels, in a window or headless. `renderer` must have been made for
/// these levels and for the size in `setup`. An interrupt ends the run. Errors: MachineError.
LastFrame run_window(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer);

}  // namespace cudabook::texture_unit
