// The picture of a window: the grid's pixels as a texture of OpenGL, and how they are drawn.
#pragma once

#include <GL/glew.h>

#include "common/window/geometry.hpp"

namespace cudabook {

/// Owns one OpenGL object of any kind.
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

/// Finds OpenGL's functions in the context that is current. To be called before the rest of this file.
/// Errors: MachineError.
void load_opengl();

/// Lives and works in the current OpenGL context. Errors of every call: MachineError.
class Picture {
  public:
    explicit Picture(Size grid);

    [[nodiscard]] GLuint texture() const { return texture_.id(); }

    /// Copies the pixels (RGBA, 4 bytes each, row 0 at the bottom) to the texture.
    void upload(const unsigned char* rgba) const;

    /// Draws the texture into the framebuffer, as large as its shape allows, in the middle, black around it.
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
