// Writes pictures as a video, through the ffmpeg program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "common/program/output_file.hpp"

namespace cudabook {

/// An H.264 video in the container that the file's extension names. The file exists only after commit(), and
/// is then complete. The constructor starts ffmpeg. Errors of every call: MachineError.
class VideoFile {
  public:
    /// Frames of width × height pixels. An odd width is made even by a black column at the end, an odd height
    /// by a black row.
    VideoFile(const std::filesystem::path& path, int width, int height, int frames_per_second = 60);
    VideoFile(const VideoFile&) = delete;
    VideoFile& operator=(const VideoFile&) = delete;
    ~VideoFile();

    /// Adds a frame: RGBA, 4 bytes a pixel, row-major; row 0 becomes the bottom row of the picture.
    void add(const unsigned char* rgba);

    /// Ends the video and gives it its final name.
    void commit();

  private:
    class Ffmpeg;

    [[noreturn]] void fail();

    OutputFile file_;
    std::size_t frame_bytes_;
    bool empty_ = true;
    std::unique_ptr<Ffmpeg> ffmpeg_;  // destroyed before file_
};

}  // namespace cudabook
