// Copies frames from device memory into an OpenGL texture, without going through the host.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "../window/canvas.hpp"

#if __has_include(<GL/gl.h>)  // cuda_gl_interop.h needs it
#include <cuda_gl_interop.h>

#include <array>
#include <type_traits>

#include "error.cuh"
#include "memory.cuh"
#include "stream.cuh"
#endif

namespace cudabook {

#if __has_include(<GL/gl.h>)

/// Three frame buffers on the device for an OpenGL texture of width × height texels, RGBA8. The texture must
/// outlive this object. Errors: CudaError, OutOfMemory.
class GlFrames final : public DeviceFrames {
  public:
    GlFrames(int device, unsigned texture, int width, int height)
        : row_bytes_(4 * static_cast<std::size_t>(width)),
          rows_(static_cast<std::size_t>(height)),
          resource_(share(device, texture)),
          memory_{DeviceMemory<unsigned char>(row_bytes_ * rows_),
                  DeviceMemory<unsigned char>(row_bytes_ * rows_),
                  DeviceMemory<unsigned char>(row_bytes_ * rows_)} {}

    unsigned char* memory(int slot) override { return memory_.at(static_cast<std::size_t>(slot)).data(); }

    void show(int slot) override {
        cudaGraphicsResource_t resource = resource_.get();
        CUDA_CHECK(cudaGraphicsMapResources(1, &resource, stream_.get()));
        cudaArray_t texels = nullptr;
        CUDA_CHECK(cudaGraphicsSubResourceGetMappedArray(&texels, resource, 0, 0));
        CUDA_CHECK(cudaMemcpy2DToArrayAsync(texels, 0, 0, memory(slot), row_bytes_, row_bytes_, rows_,
                                            cudaMemcpyDeviceToDevice, stream_.get()));
        CUDA_CHECK(cudaGraphicsUnmapResources(1, &resource, stream_.get()));
        stream_.synchronize();
    }

  private:
    struct Unregister {
        void operator()(cudaGraphicsResource_t resource) const { cudaGraphicsUnregisterResource(resource); }
    };
    using Resource = std::unique_ptr<std::remove_pointer_t<cudaGraphicsResource_t>, Unregister>;

    static Resource share(int device, unsigned texture) {
        CUDA_CHECK(cudaSetDevice(device));
        cudaGraphicsResource_t resource = nullptr;
        CUDA_CHECK(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                               cudaGraphicsRegisterFlagsWriteDiscard));
        return Resource(resource);
    }

    std::size_t row_bytes_;
    std::size_t rows_;
    Resource resource_;
    Stream stream_;
    std::array<DeviceMemory<unsigned char>, 3> memory_;
};

#endif

/// A function that creates GlFrames on a device, or an empty function if this program was built without
/// OpenGL's headers.
inline std::function<std::unique_ptr<DeviceFrames>(int device, unsigned gl_texture, int width, int height)>
device_frames_maker() {
#if __has_include(<GL/gl.h>)
    return [](int device, unsigned texture, int width, int height) -> std::unique_ptr<DeviceFrames> {
        return std::make_unique<GlFrames>(device, texture, width, height);
    };
#else
    return {};
#endif
}

}  // namespace cudabook
