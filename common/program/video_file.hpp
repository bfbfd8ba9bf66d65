// Pictures as a video, through the program ffmpeg.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "common/program/output_file.hpp"

namespace cudabook {

/// A video (H.264; the name's extension says in what container) that is there whole after commit(), or not at
/// all. ffmpeg runs from the construction on. Errors, in each function: MachineError.
class VideoFile {
  public:
    /// Frames of width × height pixels. A last column and row, black, make odd numbers even.
    VideoFile(const std::filesystem::path& path, int width, int height, int frames_per_second = 60);
    VideoFile(const VideoFile&) = delete;
    VideoFile& operator=(const VideoFile&) = delete;
    ~VideoFile();

    /// A frame: RGBA, 4 bytes a pixel, row-major; row 0 becomes the bottom row of the picture.
    void add(const unsigned char* rgba);

    /// Ends the video and gives it its name.
    void commit();

  private:
    class Ffmpeg;

    [[noreturn]] void fail();

    OutputFile file_;
    std::size_t frame_bytes_;
    bool empty_ = true;
    std::unique_ptr<Ffmpeg> ffmpeg_;  // ends before the file goes
};

}  // namespace cudabook
