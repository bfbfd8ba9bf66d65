// A file that is there whole or not at all: written under a temporary name, then renamed.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "common/errors.hpp"

namespace cudabook {

/// Opens at construction, so that a file that cannot be written is known before the work begins. Without
/// commit() the temporary file is removed and what stood at `path` stays. A path that is no regular file (a
/// device, a pipe) is written directly. Errors: MachineError.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path) : shown_(path.string()) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (path.empty()) fail("a file needs a name");
        if (std::filesystem::is_directory(status)) fail("it is a folder");
        const bool in_place = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
        path_ = path;
        if (!in_place) {
            path_ = std::filesystem::weakly_canonical(path, error);  // a link stays, and what it leads to changes
            if (error) fail(error.message());
            temporary_ = path_;
            temporary_ += fmt::format(".{:08x}.part", std::random_device{}());
        }
        file_.reset(std::fopen((in_place ? path_ : temporary_).c_str(), in_place ? "wb" : "wbx"));
        if (!file_) {
            const std::string why = std::strerror(errno);
            temporary_.clear();
            fail(why);
        }
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() {
        std::error_code ignored;
        if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
    }

    [[nodiscard]] std::FILE* stream() const { return file_.get(); }

    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(std::strerror(errno));
    }

    /// Closes the file and gives it its name.
    void commit() {
        if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0) fail(std::strerror(errno));
        if (std::fclose(file_.release()) != 0) fail(std::strerror(errno));
        if (temporary_.empty()) return;
        std::error_code error;
        std::filesystem::rename(temporary_, path_, error);
        if (error) fail(error.message());
        temporary_.clear();
    }

    /// Throws what is said of this file.
    [[noreturn]] void fail(std::string_view why) const {
        throw MachineError(fmt::format("cannot write '{}': {}", shown_, why));
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string shown_;  ///< the path as the user wrote it
    std::filesystem::path path_;
    std::filesystem::path temporary_;  ///< empty once there is nothing to remove
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace cudabook
