// Where a frame is painted: to host memory, or to device memory that a window shows without a way through the
// host. Plain C++; what shares memory with OpenGL implements DeviceFrames.
#pragma once

#include <functional>
#include <memory>

#include "../program/device_kind.hpp"

namespace cudabook {

/// The memory of one frame: 4 bytes a cell, RGBA, row 0 is the bottom of the window.
struct Canvas {
    unsigned char* rgba = nullptr;
    DeviceKind memory = DeviceKind::cpu;  ///< whose memory that is
};

/// Three frames in device memory, and their way into an OpenGL texture. Errors: MachineError.
class DeviceFrames {
  public:
    DeviceFrames(const DeviceFrames&) = delete;
    DeviceFrames& operator=(const DeviceFrames&) = delete;
    virtual ~DeviceFrames() = default;

    /// The device memory of frame 0, 1 or 2. Any thread may ask.
    virtual unsigned char* memory(int slot) = 0;

    /// Copies a frame into the texture, in the thread in which the OpenGL context is current; it is there
    /// when this returns.
    virtual void show(int slot) = 0;

  protected:
    DeviceFrames() = default;
};

/// Makes them for a texture of that size, in the thread in which the OpenGL context is current. MachineError:
/// the device and OpenGL cannot share memory here.
using MakeDeviceFrames =
    std::function<std::unique_ptr<DeviceFrames>(unsigned gl_texture, int width, int height)>;

}  // namespace cudabook
