// The bytes of a file, read without ever leaving them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// What is wrong with a file.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// That it ends too early or contradicts itself.
inline constexpr const char* broken_file = "it is incomplete or broken";

/// All bytes of a file, or a part of them. Errors: FileError, also for what is not within them.
class FileImage {
  public:
    explicit FileImage(std::string_view bytes) : bytes_(bytes) {}

    /// Of this file; it stays in memory for as long as the program runs.
    static FileImage of(const std::string& path);

    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    [[nodiscard]] FileImage part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset) throw FileError(broken_file);
        return FileImage(bytes_.substr(offset, size));
    }

    /// The text from there to a character, without it.
    [[nodiscard]] std::string_view text(std::uint64_t offset, char end) const {
        const std::size_t after = bytes_.find(end, offset);
        if (after == std::string_view::npos) throw FileError(broken_file);
        return bytes_.substr(offset, after - offset);
    }

    /// As many values of a type as there are, which need not be aligned.
    template <class T>
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> values(bytes_.size() / sizeof(T));
        bytes_.copy(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T));
        return values;
    }

    /// The value that begins there.
    template <class T>
    [[nodiscard]] T value(std::uint64_t offset) const {
        return part(offset, sizeof(T)).values<T>().front();
    }

  private:
    std::string_view bytes_;
};

}  // namespace cudabook::emulation
