// Copies of a GPU's pictures to host memory.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "common/cuda/array.cuh"
#include "common/cuda/stream.cuh"
#include "common/numbers/colour_map.hpp"

namespace cudabook::heat {

/// Copies pictures to host memory. Each picture is drawn to one of two buffers in device memory, and copied
/// from the buffer on a separate stream. So the next picture can be computed and drawn while a picture is
/// copied. Errors: CudaError.
class Pictures {
  public:
    /// cells: the cells of a picture. page_locked: whether to page-lock the host memory, so that a copy is
    /// quicker and goes on while the host does other work.
    Pictures(std::size_t cells, bool page_locked) : cells_(cells), page_locked_(page_locked) {}

    Pictures(const Pictures&) = delete;
    Pictures& operator=(const Pictures&) = delete;
    ~Pictures() { cudaStreamSynchronize(copies_.get()); }  // so no memory is unlocked during a copy to it

    /// Allocates the buffer of the next picture and page-locks its host memory `rgba`. Must be called before
    /// begin(). It is a separate call because it takes longer than drawing and copying the picture.
    void prepare(unsigned char* rgba) {
        if (begun_ == ended_) begun_ = ended_ = 0;  // single pictures need only one buffer
        Buffer& buffer = buffers_[begun_ % 2];
        if (buffer.pixels.size() == 0) buffer.pixels = DeviceArray<Rgba>(cells_);
        if (page_locked_) lock(rgba, cells_ * sizeof(Rgba));
    }

    /// Enqueues the drawing of a picture, which draw(pixels) enqueues to `stream`, and the copy of the
    /// picture to `rgba`. `rgba` must not be the memory of a picture that has been begun and not ended. At
    /// most two pictures may be begun and not ended.
    template <class Draw>
    void begin(const Stream& stream, unsigned char* rgba, Draw draw) {
        Buffer& buffer = buffers_[begun_ % 2];
        stream.wait(buffer.copied);
        draw(buffer.pixels.data());
        stream.record(buffer.drawn);
        copies_.wait(buffer.drawn);
        CUDA_CHECK(cudaMemcpyAsync(rgba, buffer.pixels.data(), cells_ * sizeof(Rgba), cudaMemcpyDeviceToHost,
                                   copies_.get()));
        copies_.record(buffer.copied);
        ++begun_;
    }

    /// Waits until the oldest picture that was begun and not ended is in host memory.
    void end() {
        if (ended_ < begun_) buffers_[ended_++ % 2].copied.synchronize();
    }

    /// The stream of the copies.
    [[nodiscard]] const Stream& copies() const { return copies_; }

  private:
    struct Buffer {
        DeviceArray<Rgba> pixels;
        Event drawn;
        Event copied;
    };

    /// Page-locks memory. The memory of the last two pictures stays locked; locks_[0] belongs to the last
    /// picture.
    void lock(unsigned char* rgba, std::size_t bytes) {
        const auto first = [](const std::optional<PageLock>& lock) {
            return static_cast<const unsigned char*>(lock->data());
        };
        if (locks_[1] && first(locks_[1]) == rgba) std::swap(locks_[0], locks_[1]);
        if (locks_[0] && first(locks_[0]) == rgba) return;
        for (auto& lock : locks_)  // locks of memory that the caller has freed since
            if (lock && first(lock) < rgba + bytes && rgba < first(lock) + bytes) lock.reset();
        std::swap(locks_[0], locks_[1]);
        locks_[0].reset();
        locks_[0].emplace(rgba, bytes);
    }

    std::size_t cells_;
    bool page_locked_;
    Stream copies_{Priority::usual, cudaStreamNonBlocking};
    std::array<Buffer, 2> buffers_;
    std::array<std::optional<PageLock>, 2> locks_;
    std::size_t begun_ = 0;
    std::size_t ended_ = 0;
};

}  // namespace cudabook::heat
