// The bytes of a file, with bounds checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::emulation {

/// An error that says what is wrong with a file.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The message for a file that ends too early or contradicts itself.
inline constexpr const char* broken_file = "it is incomplete or broken";

/// All bytes of a file, or a part of them. Errors: FileError, also for an access outside these bytes.
class FileImage {
  public:
    explicit FileImage(std::string_view bytes) : bytes_(bytes) {}

    /// Maps the file into memory, where it stays until the program ends.
    static FileImage of(const std::string& path);

    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    [[nodiscard]] FileImage part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset) throw FileError(broken_file);
        return FileImage(bytes_.substr(offset, size));
    }

    /// Returns the text from an offset up to the character `end`, but without this character.
    [[nodiscard]] std::string_view text(std::uint64_t offset, char end) const {
        const std::size_t after = bytes_.find(end, offset);
        if (after == std::string_view::npos) throw FileError(broken_file);
        return bytes_.substr(offset, after - offset);
    }

    /// Returns the bytes as values of a type. The bytes need not be aligned.
    template <class T>
    [[nodiscard]] std::vector<T> values() const {
        std::vector<T> values(bytes_.size() / sizeof(T));
        bytes_.copy(reinterpret_cast<char*>(values.data()), values.size() * sizeof(T));
        return values;
    }

    /// Returns the value at an offset.
    template <class T>
    [[nodiscard]] T value(std::uint64_t offset) const {
        return part(offset, sizeof(T)).values<T>().front();
    }

  private:
    std::string_view bytes_;
};

}  // namespace cudabook::emulation
