// The renderer of the picture in the window: the model on the CPU, or the texture unit of a GPU.
#pragma once

#include <memory>
#include <vector>

#include "common/window/geometry.hpp"
#include "texture_unit/demo/look.hpp"
#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

/// Draws pictures of a texture with its mipmap levels (see mip_levels()). All pictures have the same size.
class Renderer {
  public:
    Renderer() = default;
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;
    virtual ~Renderer() = default;

    /// Draws into the host's memory: RGBA, 4 bytes per pixel, row 0 at the bottom. All renderers give the
    /// same bytes. Errors: MachineError.
    virtual void draw(const Look& look, unsigned char* rgba) = 0;
};

std::unique_ptr<Renderer> make_cpu_renderer(const std::vector<Image>& levels, Size picture);

/// Makes a renderer on the GPU with the number `device`. Defined only in builds with CUDA or the emulated
/// GPU. Errors: MachineError.
std::unique_ptr<Renderer> make_gpu_renderer(const std::vector<Image>& levels, Size picture, int device);

}  // namespace cudabook::texture_unit
