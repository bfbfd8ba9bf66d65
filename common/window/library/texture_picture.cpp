#include "texture_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "common/program/errors.hpp"

namespace cudabook {

namespace {

// One triangle that covers the viewport: its corners are at -1 and 3; the viewport goes from -1 to 1.
constexpr const char* vertex_source = R"(#version 330 core
    void main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 4 * (gl_VertexID >> 1) - 1, 0, 1); })";

// Each pixel shows the cell that contains its centre. Integer arithmetic avoids rounding errors.
constexpr const char* fragment_source = R"(#version 330 core
    uniform sampler2D picture;
    uniform ivec4 place;  // left, bottom, width, height
    out vec4 colour;
    void main() {
        ivec2 pixel = ivec2(gl_FragCoord.xy) - place.xy;
        ivec2 cell = (2 * pixel + 1) * textureSize(picture, 0) / (2 * place.zw);
        colour = vec4(texelFetch(picture, cell, 0).rgb, 1);
    })";

/// Throws MachineError if OpenGL failed since the last check. `doing` completes "OpenGL failed at …".
void check_gl(const char* doing) {
    const GLenum error = glGetError();
    if (error == GL_OUT_OF_MEMORY) {
        throw MachineError(std::string("OpenGL ran out of memory at ") + doing + "; choose a smaller grid");
    }
    if (error != GL_NO_ERROR) {
        throw MachineError(std::string("OpenGL failed at ") + doing + " (error " + std::to_string(error) +
                           ")");
    }
}

/// The log of the shader compiler or linker, as one line.
std::string log_of(GLuint id, PFNGLGETSHADERINFOLOGPROC get_log) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    get_log(id, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    std::replace(log.begin(), log.end(), '\n', ' ');
    return log;
}

GLuint new_texture() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return id;
}

GLuint new_vertex_array() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return id;
}

}  // namespace

void load_opengl() {
    glewExperimental = GL_TRUE;  // loads functions by name, not by the extension list
    // After OpenGL's functions, GLEW loads GLX's, which are not needed and are missing on Wayland.
    const GLenum error = glewInit();
    if (error != GLEW_OK && error != GLEW_ERROR_NO_GLX_DISPLAY) {
        throw MachineError(std::string("no window: GLEW: ") +
                           reinterpret_cast<const char*>(glewGetErrorString(error)));
    }
    glGetError();  // clears an error that GLEW may leave
    if (!GLEW_VERSION_3_3) throw MachineError("the display has no OpenGL 3.3");
}

Picture::Picture(Size grid)
    : grid_{grid},
      texture_{new_texture(), [](GLuint id) { glDeleteTextures(1, &id); }},
      vertices_{new_vertex_array(), [](GLuint id) { glDeleteVertexArrays(1, &id); }},
      program_{glCreateProgram(), [](GLuint id) { glDeleteProgram(id); }} {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (std::max(grid.width, grid.height) > limit) {
        throw MachineError("a window can show at most " + std::to_string(limit) + "x" +
                           std::to_string(limit) + " cells here, and the grid has " +
                           std::to_string(grid.width) + "x" + std::to_string(grid.height) +
                           "; choose a smaller grid");
    }
    link_program();
    glBindVertexArray(vertices_.id());
    glUseProgram(program_.id());
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, grid.width, grid.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    place_ = glGetUniformLocation(program_.id(), "place");
    glClearColor(0, 0, 0, 1);
    check_gl("the texture for the picture");
}

void Picture::upload(const unsigned char* rgba) const {
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, grid_.width, grid_.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    check_gl("the copy of a frame to the texture");
}

void Picture::draw(Size framebuffer) {
    const Rectangle image = place(grid_, framebuffer);
    glClear(GL_COLOR_BUFFER_BIT);
    glViewport(image.left, image.bottom, image.size.width, image.size.height);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glUniform4i(place_, image.left, image.bottom, image.size.width, image.size.height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    check_gl("the drawing of a frame");
}

void Picture::link_program() {
    attach_shader(GL_VERTEX_SHADER, vertex_source);
    attach_shader(GL_FRAGMENT_SHADER, fragment_source);
    glLinkProgram(program_.id());
    GLint done = GL_FALSE;
    glGetProgramiv(program_.id(), GL_LINK_STATUS, &done);
    if (!done) {
        throw MachineError("OpenGL cannot link the program that draws the picture: " +
                           log_of(program_.id(), glGetProgramInfoLog));
    }
}

void Picture::attach_shader(GLenum kind, const char* source) {
    const GlObject shader{glCreateShader(kind), [](GLuint id) { glDeleteShader(id); }};
    glShaderSource(shader.id(), 1, &source, nullptr);
    glCompileShader(shader.id());
    GLint done = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &done);
    if (!done) {
        throw MachineError("OpenGL cannot compile a shader that draws the picture: " +
                           log_of(shader.id(), glGetShaderInfoLog));
    }
    glAttachShader(program_.id(), shader.id());  // keeps the shader alive for as long as the program
}

}  // namespace cudabook
