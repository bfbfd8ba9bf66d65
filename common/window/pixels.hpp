// The pixels of an animation, in host memory. C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "../program/errors.hpp"

namespace cudabook {

/// width x height pixels, RGBA, 4 bytes each, initially black. Their address never changes. The pixels occupy
/// whole memory pages, so that CUDA can page-lock them; on ARM, a page can have 64 KiB.
class Pixels {
  public:
    /// Throws std::invalid_argument unless width and height are at least 1, MachineError if there is not
    /// enough memory.
    Pixels(int width, int height) {
        if (width < 1 || height < 1) throw std::invalid_argument("a picture needs at least 1x1 pixels");
        constexpr std::int64_t page = 65536;
        constexpr std::int64_t most = std::numeric_limits<std::ptrdiff_t>::max() - 2 * page;
        const std::int64_t row = std::int64_t{4} * width;
        if (height <= most / row) {
            bytes_ = row * height;
            // calloc's memory is zero (black), and takes no physical memory before it is used.
            memory_.reset(std::calloc(static_cast<std::size_t>(bytes_ + 2 * page), 1));
        }
        if (!memory_) {
            throw MachineError("not enough memory for a picture of " + std::to_string(width) + "x" +
                               std::to_string(height) + " pixels; choose a smaller grid");
        }
        void* aligned = memory_.get();
        auto space = static_cast<std::size_t>(bytes_ + page);
        data_ =
            static_cast<unsigned char*>(std::align(page, static_cast<std::size_t>(bytes_), aligned, space));
    }

    [[nodiscard]] unsigned char* data() const { return data_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

  private:
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    std::int64_t bytes_ = 0;
    std::unique_ptr<void, Free> memory_;
    unsigned char* data_ = nullptr;
};

}  // namespace cudabook
