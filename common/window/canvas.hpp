// The memory where a frame is painted: host memory, or device memory that a window shows without going
// through the host. Plain C++; common/cuda/gl_interop.cuh implements DeviceFrames.
#pragma once

#include <functional>
#include <memory>

#include "../program/device_kind.hpp"

namespace cudabook {

/// The memory of one frame: 4 bytes a cell, RGBA, row 0 is the bottom of the window.
struct Canvas {
    unsigned char* rgba = nullptr;
    DeviceKind memory = DeviceKind::cpu;  ///< host or device memory
};

/// Three frames in device memory, which can be copied to an OpenGL texture. Errors: MachineError.
class DeviceFrames {
  public:
    DeviceFrames(const DeviceFrames&) = delete;
    DeviceFrames& operator=(const DeviceFrames&) = delete;
    virtual ~DeviceFrames() = default;

    /// The device memory of frame 0, 1 or 2. Thread-safe.
    virtual unsigned char* memory(int slot) = 0;

    /// Copies a frame into the texture and waits for the copy. The OpenGL context must be current.
    virtual void show(int slot) = 0;

  protected:
    DeviceFrames() = default;
};

/// A function that creates DeviceFrames for an OpenGL texture of width x height pixels. The OpenGL context
/// must be current. Errors: MachineError if the device and OpenGL cannot share memory.
using MakeDeviceFrames =
    std::function<std::unique_ptr<DeviceFrames>(unsigned gl_texture, int width, int height)>;

}  // namespace cudabook
