// Replaces buffer sharing between CUDA and OpenGL where sharing is impossible, because OpenGL draws in
// software or on another GPU. CUDA then has its own memory: mapping copies the buffer's content to this
// memory, and unmapping copies the content back.
// include/chapter/cuda_gl_interop.h includes this file after CUDA's header of the same name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "gl_calls.hpp"

namespace cudabook::book {

/// An OpenGL buffer of the current context, identified by its number (its OpenGL name).
class GlBuffer {
  public:
    explicit GlBuffer(unsigned number) : number_{number} {}

    [[nodiscard]] bool exists() const { return call<unsigned char(unsigned)>("glIsBuffer")(number_) != 0; }

    [[nodiscard]] std::size_t size() const {
        int bytes = 0;
        bind();
        call<void(unsigned, unsigned, int*)>("glGetBufferParameteriv")(target, 0x8764, &bytes);
        return static_cast<std::size_t>(bytes);
    }

    void read(std::vector<unsigned char>& to) const {
        bind();
        call<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, void*)>("glGetBufferSubData")(
            target, 0, static_cast<std::ptrdiff_t>(to.size()), to.data());
    }

    void write(const std::vector<unsigned char>& from) const {
        bind();
        call<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, const void*)>("glBufferSubData")(
            target, 0, static_cast<std::ptrdiff_t>(from.size()), from.data());
    }

    [[nodiscard]] unsigned number() const { return number_; }

  private:
    static constexpr unsigned target = 0x8F36;  // GL_COPY_READ_BUFFER, which old programs do not bind

    template <class Function>
    static Function* call(const char* name) {
        return reinterpret_cast<Function*>(gl_procedure(name));
    }

    void bind() const { call<void(unsigned, unsigned)>("glBindBuffer")(target, number_); }

    unsigned number_;
};

/// An OpenGL buffer and the CUDA memory that it is copied to and from.
class CopiedBuffer {
  public:
    CopiedBuffer(GlBuffer buffer, void* memory, std::size_t size)
        : buffer_{buffer}, memory_{memory}, bytes_(size) {}
    ~CopiedBuffer() { cudaFree(memory_); }
    CopiedBuffer(const CopiedBuffer&) = delete;
    CopiedBuffer& operator=(const CopiedBuffer&) = delete;

    [[nodiscard]] unsigned number() const { return buffer_.number(); }
    [[nodiscard]] void* memory() const { return memory_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    cudaError_t map(cudaStream_t stream) {
        buffer_.read(bytes_);
        return copy(memory_, bytes_.data(), cudaMemcpyHostToDevice, stream);
    }

    cudaError_t unmap(cudaStream_t stream) {
        const cudaError_t error = copy(bytes_.data(), memory_, cudaMemcpyDeviceToHost, stream);
        if (error == cudaSuccess) buffer_.write(bytes_);
        return error;
    }

    /// All copied buffers of the program.
    static std::vector<std::unique_ptr<CopiedBuffer>>& all() {
        static auto& list = *new std::vector<std::unique_ptr<CopiedBuffer>>;  // never destroyed
        return list;
    }

    /// Returns the copied buffer that `resource` stands for, or null if CUDA itself registered the resource.
    static CopiedBuffer* find(cudaGraphicsResource_t resource) {
        for (const auto& buffer : all())
            if (buffer.get() == static_cast<void*>(resource)) return buffer.get();
        return nullptr;
    }

    /// Returns the copied buffer with this OpenGL name, or null if there is none.
    static CopiedBuffer* find(unsigned number) {
        for (const auto& buffer : all())
            if (buffer->number() == number) return buffer.get();
        return nullptr;
    }

    /// Creates a copied buffer if `error`, the result of the CUDA call that registers the OpenGL buffer, is a
    /// failure. Returns null if that call succeeded, or if copying is impossible too.
    static CopiedBuffer* instead_of(cudaError_t error, unsigned number) {
        const GlBuffer buffer{number};
        if (error == cudaSuccess || !buffer.exists()) return nullptr;
        void* memory = nullptr;
        const std::size_t size = buffer.size();
        if (cudaMalloc(&memory, size) != cudaSuccess) return nullptr;
        static_cast<void>(cudaGetLastError());
        if (all().empty())
            std::fprintf(stderr, "CUDA and OpenGL cannot share buffers here (%s): they are copied\n",
                         cudaGetErrorName(error));
        all().push_back(std::make_unique<CopiedBuffer>(buffer, memory, size));
        return all().back().get();
    }

    static void remove(const CopiedBuffer* which) {
        all().erase(std::remove_if(all().begin(), all().end(),
                                   [=](const auto& buffer) { return buffer.get() == which; }),
                    all().end());
    }

  private:
    cudaError_t copy(void* to, const void* from, cudaMemcpyKind kind, cudaStream_t stream) const {
        const cudaError_t error = cudaMemcpyAsync(to, from, bytes_.size(), kind, stream);
        return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    }

    GlBuffer buffer_;
    void* memory_;
    std::vector<unsigned char> bytes_;
};

// Replacements for CUDA's graphics interoperability functions.

inline cudaError_t register_buffer(cudaGraphicsResource_t* resource, unsigned buffer, unsigned flags) {
    const cudaError_t error = cudaGraphicsGLRegisterBuffer(resource, buffer, flags);
    CopiedBuffer* copied = CopiedBuffer::instead_of(error, buffer);
    if (!copied) return error;
    *resource = reinterpret_cast<cudaGraphicsResource_t>(copied);
    return cudaSuccess;
}

inline cudaError_t unregister_resource(cudaGraphicsResource_t resource) {
    const CopiedBuffer* copied = CopiedBuffer::find(resource);
    if (!copied) return cudaGraphicsUnregisterResource(resource);
    CopiedBuffer::remove(copied);
    return cudaSuccess;
}

inline cudaError_t set_map_flags(cudaGraphicsResource_t resource, unsigned flags) {
    return CopiedBuffer::find(resource) ? cudaSuccess : cudaGraphicsResourceSetMapFlags(resource, flags);
}

inline cudaError_t map_resources(int count, cudaGraphicsResource_t* resources,
                                 cudaStream_t stream = nullptr) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < count && error == cudaSuccess; ++i) {
        CopiedBuffer* copied = CopiedBuffer::find(resources[i]);
        error = copied ? copied->map(stream) : cudaGraphicsMapResources(1, &resources[i], stream);
    }
    return error;
}

inline cudaError_t unmap_resources(int count, cudaGraphicsResource_t* resources,
                                   cudaStream_t stream = nullptr) {
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < count && error == cudaSuccess; ++i) {
        CopiedBuffer* copied = CopiedBuffer::find(resources[i]);
        error = copied ? copied->unmap(stream) : cudaGraphicsUnmapResources(1, &resources[i], stream);
    }
    return error;
}

template <class Pointer>
cudaError_t mapped_pointer(Pointer** pointer, std::size_t* size, cudaGraphicsResource_t resource) {
    void* memory = nullptr;
    if (const CopiedBuffer* copied = CopiedBuffer::find(resource)) {
        memory = copied->memory();
        *size = copied->size();
    } else if (const cudaError_t error = cudaGraphicsResourceGetMappedPointer(&memory, size, resource)) {
        return error;
    }
    *pointer = static_cast<Pointer*>(memory);
    return cudaSuccess;
}

/// Replaces cudaGLSetGLDevice(), with which old programs chose the device that shares buffers with OpenGL.
/// Today every device that can share buffers with OpenGL does so without that call. The call itself would
/// fail if OpenGL has no context yet, and would leave no usable device.
inline cudaError_t set_gl_device(int device) { return cudaSetDevice(device); }

// Replacements for the interoperability functions of CUDA 1 and 2.

inline cudaError_t register_object(unsigned buffer) {
    const cudaError_t error = cudaGLRegisterBufferObject(buffer);
    return CopiedBuffer::instead_of(error, buffer) ? cudaSuccess : error;
}

inline cudaError_t unregister_object(unsigned buffer) {
    const CopiedBuffer* copied = CopiedBuffer::find(buffer);
    if (!copied) return cudaGLUnregisterBufferObject(buffer);
    CopiedBuffer::remove(copied);
    return cudaSuccess;
}

inline cudaError_t map_object(void** pointer, unsigned buffer) {
    CopiedBuffer* copied = CopiedBuffer::find(buffer);
    if (!copied) return cudaGLMapBufferObject(pointer, buffer);
    *pointer = copied->memory();
    return copied->map(nullptr);
}

inline cudaError_t unmap_object(unsigned buffer) {
    CopiedBuffer* copied = CopiedBuffer::find(buffer);
    return copied ? copied->unmap(nullptr) : cudaGLUnmapBufferObject(buffer);
}

}  // namespace cudabook::book
