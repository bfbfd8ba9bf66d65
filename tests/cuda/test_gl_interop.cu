// common/cuda/gl_interop.cuh: the window's texture gets the bytes of device memory. Needs a GPU that also
// draws; if another one draws, or there is no display, the tests are skipped or, with
// CUDABOOK_REQUIRE_INTEROP=1, fail.
#include "common/cuda/gl_interop.cuh"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "common/window/window.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/solver.hpp"
#include "tests/support/gpu.hpp"

#if CUDABOOK_HAS_WINDOW

namespace cudabook {
namespace {

class CudaGl : public test::Gpu {
  protected:
    /// Opens a hidden window and the frames of its texture.
    void open(int width, int height) {
        width_ = width;
        height_ = height;
        try {
            frames_.reset();
            window_.reset();
            window_ = open_window({width, height});
            frames_ = std::make_unique<GlFrames>(0, window_->texture(), width, height);
        } catch (const MachineError& error) {
            const char* required = std::getenv("CUDABOOK_REQUIRE_INTEROP");
            if (required != nullptr && std::string_view(required) == "1") FAIL() << error.what();
            GTEST_SKIP() << error.what();
        }
    }

    [[nodiscard]] std::vector<unsigned char> texels() const {
        std::vector<unsigned char> rgba(4U * static_cast<std::size_t>(width_) *
                                        static_cast<std::size_t>(height_));
        glBindTexture(GL_TEXTURE_2D, window_->texture());
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return rgba;
    }

    int width_ = 0;
    int height_ = 0;
    std::unique_ptr<Window> window_;
    std::unique_ptr<GlFrames> frames_;
};

TEST_F(CudaGl, CopiesEachFrameToTheTexture) {
    for (const auto& [width, height] : {std::pair{333, 257}, std::pair{1, 1}, std::pair{1024, 1024}}) {
        open(width, height);
        if (!frames_) return;
        std::vector<unsigned char> pixels(4U * static_cast<std::size_t>(width * height));
        for (const int slot : {0, 2, 1, 0}) {
            for (std::size_t i = 0; i < pixels.size(); ++i)
                pixels[i] =
                    static_cast<unsigned char>(i * 7 + i / 1000 + static_cast<std::size_t>(slot) * 50);
            CUDA_CHECK(
                cudaMemcpy(frames_->memory(slot), pixels.data(), pixels.size(), cudaMemcpyHostToDevice));
            frames_->show(slot);
            EXPECT_TRUE(texels() == pixels) << width << "x" << height << ", frame " << slot;
        }
    }
}

TEST_F(CudaGl, FramesOfTheHeatSamplesAreTheCopiedOnes) {
    open(333, 257);
    if (!frames_) return;
    const heat::Scene scene = heat::book_scene(width_, height_);
    for (const heat::GpuBackend& backend : {heat_notexture::gpu(), heat_texture::gpu()})
        for (const heat::Kernel& kernel : backend.kernels) {
            const auto shown = kernel.make(scene, {});
            const auto copied = kernel.make(scene, {});
            std::vector<unsigned char> pixels(4 * scene.cells());
            for (int frame = 0; frame < 6; ++frame) {
                const int slot = frame % 3;
                shown->frame(31, {frames_->memory(slot), DeviceKind::cuda});
                frames_->show(slot);
                copied->frame(31, {pixels.data()});
                EXPECT_TRUE(texels() == pixels) << kernel.name << ", frame " << frame;
            }
        }
}

}  // namespace
}  // namespace cudabook

#endif
