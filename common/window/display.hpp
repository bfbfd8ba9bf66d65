// Where the frames of a program are shown. C++17.
#pragma once

namespace cudabook {

/// Whether frames are shown in a window or not at all.
enum class Display { window, headless };

}  // namespace cudabook
