// The system's font for text in windows and on charts.
#pragma once

#include <unistd.h>

namespace cudabook {

/// The path of the font DejaVu Sans on Debian, Fedora, Arch or openSUSE; null if there is no such file.
inline const char* font_file() {
    for (const char* file :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/usr/share/fonts/truetype/DejaVuSans.ttf"})
        if (access(file, R_OK) == 0) return file;
    return nullptr;
}

}  // namespace cudabook
