// A file that is written completely or not at all: it has a temporary name until it is complete.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "disk.hpp"
#include "errors.hpp"

namespace cudabook {

/// A file that appears under its name only at commit(), when it is complete. The constructor tests, before
/// the work begins, whether the file can be written. An old file at `path` stays until commit(). The new file
/// gets the old file's permissions, access list and, as far as this process may set them, owner and group.
/// commit() renames the new file to `path`. If that fails because the folder is not writable or the old file
/// is a mount point, commit() overwrites the old file's content with the complete new content. A path that is
/// not a regular file (a device, a pipe) is written directly. Errors: MachineError.
class OutputFile {
  public:
    explicit OutputFile(const std::filesystem::path& path) : shown_(path.string()) {
        if (path.empty()) fail("a file needs a name");
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (std::filesystem::is_directory(status)) fail("it is a folder");
        direct_ = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
        path_ = path;  // for a pipe behind /dev/stdout or >(command), no other path works
        if (!direct_) {
            path_ = std::filesystem::weakly_canonical(path, error);  // the target of a link
            if (error) fail(error.message());
            struct stat old {};
            if (stat(path_.c_str(), &old) == 0) {
                old_ = old;
                static_cast<void>(open_old());
            }
        }
        stream();
        if (!direct_) discard();
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile() {
        if (!direct_) discard();
    }

    /// The open file.
    std::FILE* stream() {
        if (!file_) file_ = direct_ ? FilePointer(std::fopen(path_.c_str(), "wb")) : open_temporary();
        if (!file_) fail(std::strerror(errno));
        return file_.get();
    }

    /// The path at which the file is written until commit(). It has the extension of the final path.
    [[nodiscard]] const std::filesystem::path& path() const { return direct_ ? path_ : temporary_; }

    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), stream()) != text.size()) fail(std::strerror(errno));
    }

    /// Closes the file and gives it its final name.
    void commit() {
        std::FILE* file = stream();
        if (std::fflush(file) != 0 || std::ferror(file) != 0) fail(std::strerror(errno));
        const FilePointer content(old_ ? std::fopen(temporary_.c_str(), "rb") : nullptr);
        if (old_ && !content) fail(std::strerror(errno));
        if (std::fclose(file_.release()) != 0) fail(std::strerror(errno));
        if (direct_) return;
        if (old_) copy_permissions();
        std::error_code error;
        std::filesystem::rename(temporary_, path_, error);
        if (!error) return;
        if (!old_) fail(error.message());
        write_over(content.get());
        discard();
    }

    /// Throws MachineError with a message about this file.
    [[noreturn]] void fail(std::string_view why) const {
        throw MachineError("cannot write '" + shown_ + "': " + std::string(why));
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using FilePointer = std::unique_ptr<std::FILE, Close>;

    /// Opens a new file in the folder of the final path. If that fails and there is an old file, opens the
    /// new file in a temporary folder, because commit() can then overwrite the content of the old file.
    [[nodiscard]] FilePointer open_temporary() {
        std::filesystem::path name = path_.filename();
        name += ".";
        name += std::to_string(std::random_device{}());
        name += ".part";
        name += path_.extension();
        const mode_t mode = old_ ? 0600 : 0666;  // the old file may be private
        std::error_code ignored;
        int first_error = 0;
        for (const auto& folder : {path_.parent_path(), std::filesystem::temp_directory_path(ignored),
                                   std::filesystem::path("/dev/shm")}) {
            if (folder.empty()) continue;
            temporary_ = folder / name;
            const int number = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (number >= 0) return FilePointer(fdopen(number, "wb"));
            if (first_error == 0) first_error = errno;
            if (!old_) break;
        }
        errno = first_error;
        return nullptr;
    }

    /// Opens the existing file without changing its content.
    [[nodiscard]] FilePointer open_old() const {
        const int number = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (number < 0) fail(std::strerror(errno));
        return FilePointer(fdopen(number, "wb"));
    }

    /// Gives the temporary file the owner, group, permissions and access list of the old file.
    void copy_permissions() const {
        copy_access_list(path_.c_str(), temporary_.c_str());
        mode_t mode = old_->st_mode & 0777U;
        // If the group cannot be kept, the new group gets only the permissions of "others".
        if (chown(temporary_.c_str(), old_->st_uid, old_->st_gid) != 0 &&
            chown(temporary_.c_str(), static_cast<uid_t>(-1), old_->st_gid) != 0)
            mode = (mode & 0707U) | (mode & 7U) << 3U;
        chmod(temporary_.c_str(), mode);
    }

    /// Overwrites the old file's content. Reserves the disk space first, so that the old content stays if
    /// there is too little space.
    void write_over(std::FILE* content) const {
        const auto size = static_cast<off_t>(std::filesystem::file_size(temporary_));
        const auto old_size = static_cast<off_t>(std::filesystem::file_size(path_));
        FilePointer file = open_old();
        if (const int error = size > 0 ? reserve_space(fileno(file.get()), size) : 0; error != 0) {
            [[maybe_unused]] const int is_as_it_was = ftruncate(fileno(file.get()), old_size);
            fail(std::strerror(error));
        }
        std::array<char, 1U << 16U> part{};
        while (const std::size_t count = std::fread(part.data(), 1, part.size(), content))
            if (std::fwrite(part.data(), 1, count, file.get()) != count) fail(std::strerror(errno));
        if (std::fflush(file.get()) != 0 || ftruncate(fileno(file.get()), size) != 0 ||
            std::fclose(file.release()) != 0)
            fail(std::strerror(errno));
    }

    void discard() {
        file_.reset();
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
    }

    std::string shown_;  ///< the path as the user wrote it
    std::filesystem::path path_;
    std::filesystem::path temporary_;
    std::optional<struct stat> old_;  ///< the properties of the old file, if it is a regular file
    bool direct_ = false;
    FilePointer file_;
};

}  // namespace cudabook
