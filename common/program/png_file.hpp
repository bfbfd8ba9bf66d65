// Pictures as PNG files.
#pragma once

#include <png.h>

#include <cstdint>
#include <limits>

#include "output_file.hpp"

namespace cudabook {

/// libpng's write function, linked or loaded at run time.
using PngWriter = decltype(&png_image_write_to_stdio);

/// Writes width × height RGBA pixels, 4 bytes each, row-major, and commits the file. Row 0 becomes the bottom
/// row of the picture, as in the window. If that fails, throws MachineError, and an existing file keeps its
/// old content.
inline void write_png(OutputFile& file, const unsigned char* rgba, int width, int height, PngWriter write) {
    if (width > std::numeric_limits<std::int32_t>::max() / 4) file.fail("the picture is too wide for a PNG");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGBA;
    const png_int_32 bottom_up = -4 * width;
    if (write(&image, file.stream(), 0, rgba, bottom_up, nullptr) == 0) file.fail(image.message);
    file.commit();
}
inline void write_png(OutputFile& file, const unsigned char* rgba, int width, int height) {
    write_png(file, rgba, width, height, png_image_write_to_stdio);
}

}  // namespace cudabook
