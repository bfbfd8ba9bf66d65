// The picture of a window: the grid's pixels as an OpenGL texture, and how it is drawn.
#pragma once

#include <GL/glew.h>

#include "common/window/geometry.hpp"

namespace cudabook {

/// Owns an OpenGL object of any kind.
class GlObject {
  public:
    GlObject(GLuint id, void (*destroy)(GLuint)) : id_{id}, destroy_{destroy} {}
    ~GlObject() { destroy_(id_); }
    GlObject(const GlObject&) = delete;
    GlObject& operator=(const GlObject&) = delete;
    [[nodiscard]] GLuint id() const { return id_; }

  private:
    GLuint id_;
    void (*destroy_)(GLuint);
};

/// Loads OpenGL's functions for the current context. Must be called before any other function in this file.
/// Errors: MachineError.
void load_opengl();

/// A picture in an OpenGL texture. An OpenGL context must be current throughout the picture's lifetime.
/// Errors of every call: MachineError.
class Picture {
  public:
    explicit Picture(Size grid);

    [[nodiscard]] GLuint texture() const { return texture_.id(); }

    /// Copies the pixels (RGBA, 4 bytes each, row 0 at the bottom) to the texture.
    void upload(const unsigned char* rgba) const;

    /// Draws the texture into the framebuffer, centred on black and as large as its aspect ratio allows.
    void draw(Size framebuffer);

  private:
    void link_program();
    void attach_shader(GLenum kind, const char* source);

    Size grid_;
    GlObject texture_;
    GlObject vertices_;
    GlObject program_;
    GLint place_ = 0;
};

}  // namespace cudabook
