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

#include "errors.hpp"

namespace cudabook {

/// The constructor tries whether the file can be written, so that it is known before the work begins; what
/// stood at `path` stays until commit(). A path that is no regular file (a device, a pipe) is written
/// directly. Errors: MachineError.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path) : shown_(path.string()) {
        if (path.empty()) fail("a file needs a name");
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (std::filesystem::is_directory(status)) fail("it is a folder");
        in_place_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
        path_ = path;  // a pipe behind /dev/stdout or >(command) has no other
        if (!in_place_) {
            path_ = std::filesystem::weakly_canonical(path, error);  // what a link leads to
            if (error) fail(error.message());
            temporary_ = path_;
            temporary_ += std::string(".") + std::to_string(std::random_device{}()) + ".part";
            temporary_ += path_.extension();
        }
        stream();
        if (!in_place_) discard();
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() {
        if (!in_place_) discard();
    }

    /// Where to write to.
    std::FILE* stream() {
        if (!file_) file_.reset(std::fopen(path().c_str(), in_place_ ? "wb" : "wbx"));
        if (!file_) fail(std::strerror(errno));
        return file_.get();
    }

    /// What the file is called until commit(); its extension is the file's own.
    [[nodiscard]] const std::filesystem::path& path() const { return in_place_ ? path_ : temporary_; }

    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), stream()) != text.size()) fail(std::strerror(errno));
    }

    /// Closes the file and gives it its name.
    void commit() {
        std::FILE* file = stream();
        if (std::fflush(file) != 0 || std::ferror(file) != 0) fail(std::strerror(errno));
        if (std::fclose(file_.release()) != 0) fail(std::strerror(errno));
        if (in_place_) return;
        std::error_code error;
        std::filesystem::rename(temporary_, path_, error);
        if (error) fail(error.message());
    }

    /// Throws what is said of this file.
    [[noreturn]] void fail(std::string_view why) const {
        throw MachineError("cannot write '" + shown_ + "': " + std::string(why));
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void discard() {
        file_.reset();
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
    }

    std::string shown_;  ///< the path as the user wrote it
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    bool in_place_ = false;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace cudabook
