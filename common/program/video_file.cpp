#include "common/program/video_file.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/program/errors.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX has it in no header

namespace cudabook {

namespace {

/// Owns a file descriptor that no child process inherits.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) { fcntl(number, F_SETFD, FD_CLOEXEC); }
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    [[nodiscard]] int number() const { return number_; }
    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

  private:
    int number_;
};

/// The files and attributes that a child process is started with.
class SpawnSettings {
  public:
    SpawnSettings(int in, int err) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_adddup2(&files_, err, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&files_, in, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);  // Ctrl-C must not reach the child
    }
    ~SpawnSettings() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&files_);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    /// Starts the program words[0] from the PATH; returns 0 or an errno value.
    int spawn(pid_t& child, std::vector<std::string> words) const {
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        argv.push_back(nullptr);
        return posix_spawnp(&child, argv[0], &files_, &attributes_, argv.data(), environ);
    }

  private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

/// A running ffmpeg process; its stderr goes to an unnamed temporary file.
class VideoFile::Ffmpeg {
  public:
    /// Errors: MachineError.
    explicit Ffmpeg(std::vector<std::string> arguments) : Ffmpeg(new_pipe(), std::move(arguments)) {}
    ~Ffmpeg() {
        if (child_ < 0) return;
        kill(child_, SIGKILL);
        wait();
    }
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;

    /// Returns whether all bytes were written.
    bool write(const unsigned char* bytes, std::size_t count) const {
        const auto before = std::signal(SIGPIPE, SIG_IGN);
        while (count > 0) {
            const ssize_t written = ::write(input_.number(), bytes, count);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) break;
            bytes += written;
            count -= static_cast<std::size_t>(written);
        }
        std::signal(SIGPIPE, before);
        return count == 0;
    }

    /// Closes the input and waits for the process to end. Returns whether it succeeded.
    bool finish() {
        input_.close();
        if (child_ >= 0) status_ = wait();
        return WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
    }

    /// The first line of ffmpeg's stderr, which is the cause of the other lines, without "[component @
    /// address]".
    [[nodiscard]] std::string first_error() const {
        std::array<char, 1024> line{};
        const ssize_t length = pread(fileno(errors_.get()), line.data(), line.size(), 0);
        std::string text(line.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
        text = text.substr(0, text.find_first_of("\r\n"));
        while (text.starts_with('[') && text.find("] ") != std::string::npos)
            text = text.substr(text.find("] ") + 2);
        return text.empty() ? "it ended too early and gave no reason" : text;
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    struct Pipe {
        Descriptor out;
        Descriptor in;
    };

    Ffmpeg(Pipe pipe, std::vector<std::string> arguments)
        : input_(std::move(pipe.in)), errors_(std::tmpfile()) {
        if (!errors_)
            throw MachineError(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
        arguments.insert(arguments.begin(), "ffmpeg");
        const SpawnSettings settings(pipe.out.number(), fileno(errors_.get()));
        const int error = settings.spawn(child_, std::move(arguments));
        if (error == 0) return;
        child_ = -1;
        if (error == ENOENT)
            throw MachineError(
                "--video needs the program ffmpeg on the PATH; install it (apt install ffmpeg) or use "
                "--png-every");
        throw MachineError(fmt::format("cannot start ffmpeg: {}", std::strerror(error)));
    }

    static Pipe new_pipe() {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0)
            throw MachineError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        return {Descriptor(ends[0]), Descriptor(ends[1])};
    }

    int wait() {
        int status = -1;
        while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
        return status;
    }

    Descriptor input_;
    std::unique_ptr<std::FILE, Close> errors_;
    pid_t child_ = -1;
    int status_ = -1;
};

namespace {

/// Creates the temporary file that ffmpeg will write, and returns its path.
const std::filesystem::path& created(OutputFile& file) {
    file.stream();
    return file.path();
}

std::vector<std::string> arguments(const std::filesystem::path& path, int width, int height,
                                   int frames_per_second) {
    std::vector<std::string> words{"-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-y"};
    const auto add = [&words](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    add({"-f", "rawvideo", "-pixel_format", "rgba"});
    add({"-video_size", fmt::format("{}x{}", width, height)});
    add({"-framerate", fmt::format("{}", frames_per_second), "-i", "pipe:0"});
    // If the colour matrix is not given, players assume BT.709 or BT.601 by the picture's size.
    add({"-vf", "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709,format=yuv420p"});
    add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"});
    add({"-c:v", "libx264", "-crf", "18", "file:" + path.string()});
    return words;
}

}  // namespace

VideoFile::VideoFile(const std::filesystem::path& path, int width, int height, int frames_per_second)
    : file_(path),
      frame_bytes_(std::size_t{4} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      ffmpeg_(std::make_unique<Ffmpeg>(arguments(created(file_), width, height, frames_per_second))) {}

VideoFile::~VideoFile() = default;

void VideoFile::add(const unsigned char* rgba) {
    if (!ffmpeg_->write(rgba, frame_bytes_)) fail();
    empty_ = false;
}

void VideoFile::commit() {
    if (empty_) file_.fail("no frame was added to it");
    if (!ffmpeg_->finish()) fail();
    file_.commit();
}

void VideoFile::fail() {
    ffmpeg_->finish();
    file_.fail(fmt::format("ffmpeg: {}", ffmpeg_->first_error()));
}

}  // namespace cudabook
