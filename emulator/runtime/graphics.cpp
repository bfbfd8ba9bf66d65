// OpenGL buffers as memory of the emulated GPU. To map a buffer for CUDA, OpenGL maps it for the host.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/program/shared_library.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/pending_work.hpp"

/// A registered buffer.
struct cudaGraphicsResource {
    unsigned buffer;  ///< OpenGL's name
    void* memory = nullptr;
    std::size_t bytes = 0;
};

namespace cudabook::emulation {

namespace {

constexpr unsigned gl_copy_read_buffer = 0x8F36;  // old programs bind no buffer to this target
constexpr unsigned gl_buffer_size = 0x8764;
constexpr unsigned gl_read_write = 0x88BA;

/// The functions of libGL that this file calls. They act on OpenGL's current context.
struct OpenGl {
    OpenGl() {
        using GetProcedure = void (*(const unsigned char*))();
        auto* const get = library.function<GetProcedure>("glXGetProcAddressARB");
        const auto find = [&]<class Function>(Function*& function, const char* name) {
            if (get != nullptr)
                function = reinterpret_cast<Function*>(get(reinterpret_cast<const unsigned char*>(name)));
        };
        find(is_buffer, "glIsBuffer");
        find(bind_buffer, "glBindBuffer");
        find(get_parameter, "glGetBufferParameteriv");
        find(map_buffer, "glMapBuffer");
        find(unmap_buffer, "glUnmapBuffer");
    }
    [[nodiscard]] bool usable() const { return unmap_buffer != nullptr; }

    SharedLibrary library{"libGL.so.1", "libGL.dylib"};
    unsigned char (*is_buffer)(unsigned) = nullptr;
    void (*bind_buffer)(unsigned target, unsigned buffer) = nullptr;
    void (*get_parameter)(unsigned target, unsigned parameter, int* value) = nullptr;
    void* (*map_buffer)(unsigned target, unsigned access) = nullptr;
    unsigned char (*unmap_buffer)(unsigned target) = nullptr;
};

const OpenGl& opengl() {
    static const OpenGl functions;
    return functions;
}

std::mutex resources_mutex;
std::vector<std::unique_ptr<cudaGraphicsResource>> resources;

/// Returns the resource, or null if it is not registered. The caller holds the mutex.
cudaGraphicsResource* find(cudaGraphicsResource_t resource) {
    const auto found = std::ranges::find(resources, resource, &std::unique_ptr<cudaGraphicsResource>::get);
    return found == resources.end() ? nullptr : found->get();
}
cudaGraphicsResource* find(unsigned buffer) {
    const auto found = std::ranges::find(resources, buffer, [](const auto& known) { return known->buffer; });
    return found == resources.end() ? nullptr : found->get();
}

cudaError_t map(cudaGraphicsResource& resource) {
    if (resource.memory != nullptr) return refuse(cudaErrorUnknown, "the buffer is mapped already");
    const OpenGl& gl = opengl();
    gl.bind_buffer(gl_copy_read_buffer, resource.buffer);
    int bytes = 0;
    gl.get_parameter(gl_copy_read_buffer, gl_buffer_size, &bytes);
    resource.memory = gl.map_buffer(gl_copy_read_buffer, gl_read_write);
    gl.bind_buffer(gl_copy_read_buffer, 0);
    if (resource.memory == nullptr) return refuse(cudaErrorUnknown, "OpenGL cannot map the buffer");
    resource.bytes = static_cast<std::size_t>(bytes);
    make_known(resource.memory, resource.bytes);
    return result(cudaSuccess);
}

cudaError_t unmap(cudaGraphicsResource& resource) {
    if (resource.memory == nullptr) return refuse(cudaErrorUnknown, "the buffer is not mapped");
    forget(resource.memory);
    resource.memory = nullptr;
    const OpenGl& gl = opengl();
    gl.bind_buffer(gl_copy_read_buffer, resource.buffer);
    gl.unmap_buffer(gl_copy_read_buffer);
    gl.bind_buffer(gl_copy_read_buffer, 0);
    return result(cudaSuccess);
}

/// Waits until all work of the GPUs is done. Then calls work() for each resource, up to the first error.
template <class Do>
cudaError_t for_each(int count, const cudaGraphicsResource_t* which, Do work) {
    finish_all();
    const std::lock_guard lock(resources_mutex);
    for (int i = 0; i < count; ++i) {
        cudaGraphicsResource* const resource = find(which[i]);
        if (resource == nullptr) return result(cudaErrorInvalidResourceHandle);
        if (const cudaError_t error = work(*resource); error != cudaSuccess) return error;
    }
    return result(cudaSuccess);
}

/// Calls work() for the resource of a buffer. The functions of CUDA 1 and 2 take buffers, not resources.
template <class Do>
cudaError_t for_buffer(unsigned buffer, Do work) {
    cudaGraphicsResource_t resource = nullptr;
    {
        const std::lock_guard lock(resources_mutex);
        resource = find(buffer);
    }
    return for_each(1, &resource, work);
}

cudaError_t unregister(cudaGraphicsResource& resource) {
    if (resource.memory != nullptr)
        if (const cudaError_t error = unmap(resource); error != cudaSuccess) return error;
    std::erase_if(resources, [&](const auto& known) { return known.get() == &resource; });
    return result(cudaSuccess);
}

}  // namespace

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t* resource, unsigned buffer, unsigned) {
    if (!opengl().usable()) return refuse(cudaErrorUnknown, "libGL.so.1 is missing");
    if (opengl().is_buffer(buffer) == 0)
        return refuse(cudaErrorInvalidValue, "no buffer of the current OpenGL context");
    const std::lock_guard lock(resources_mutex);
    resources.push_back(std::make_unique<cudaGraphicsResource>(cudaGraphicsResource{buffer}));
    *resource = resources.back().get();
    return result(cudaSuccess);
}
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, unsigned, unsigned, unsigned) {
    return refuse(cudaErrorNotSupported, "the emulated GPU shares no textures with OpenGL");
}
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
    return for_each(1, &resource, unregister);
}
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned) {
    return for_each(1, &resource, [](cudaGraphicsResource&) { return cudaSuccess; });
}
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* which, cudaStream_t) {
    return for_each(count, which, map);
}
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* which, cudaStream_t) {
    return for_each(count, which, unmap);
}
cudaError_t cudaGraphicsResourceGetMappedPointer(void** memory, std::size_t* bytes,
                                                 cudaGraphicsResource_t resource) {
    return for_each(1, &resource, [&](const cudaGraphicsResource& mapped) {
        if (mapped.memory == nullptr) return refuse(cudaErrorUnknown, "the buffer is not mapped");
        *memory = mapped.memory;
        *bytes = mapped.bytes;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned, unsigned) {
    return refuse(cudaErrorUnknown, "a buffer has no arrays");
}

cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }
cudaError_t cudaGLRegisterBufferObject(unsigned buffer) {
    cudaGraphicsResource_t resource = nullptr;
    return cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone);
}
cudaError_t cudaGLSetBufferObjectMapFlags(unsigned buffer, unsigned) {
    return for_buffer(buffer, [](cudaGraphicsResource&) { return cudaSuccess; });
}
cudaError_t cudaGLMapBufferObject(void** memory, unsigned buffer) {
    return for_buffer(buffer, [&](cudaGraphicsResource& resource) {
        const cudaError_t error = map(resource);
        if (error == cudaSuccess) *memory = resource.memory;
        return error;
    });
}
cudaError_t cudaGLMapBufferObjectAsync(void** memory, unsigned buffer, cudaStream_t) {
    return cudaGLMapBufferObject(memory, buffer);
}
cudaError_t cudaGLUnmapBufferObject(unsigned buffer) { return for_buffer(buffer, unmap); }
cudaError_t cudaGLUnmapBufferObjectAsync(unsigned buffer, cudaStream_t) {
    return cudaGLUnmapBufferObject(buffer);
}
cudaError_t cudaGLUnregisterBufferObject(unsigned buffer) { return for_buffer(buffer, unregister); }
