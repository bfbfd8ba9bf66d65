// Text on charts: DejaVu Sans, or the dots of common/picture/font.hpp.
#pragma once

#include <memory>
#include <string_view>

#include "common/picture/bitmap.hpp"

namespace cudabook {

/// Letters for lines of UTF-8. Their size is the height of a capital in pixels; what hangs below a line, as
/// in "g", is less than a third of it.
class Lettering {
  public:
    /// Of a TrueType file. If it is null or no such file, and in a build without stb_truetype: the dots,
    /// which are capitals alone.
    explicit Lettering(const char* file);

    /// The width of a line of text in pixels.
    [[nodiscard]] int width(std::string_view text, int size) const;

    /// Draws a line of text. The upper left corner of its capitals is (x, y).
    void draw(Bitmap& bitmap, int x, int y, std::string_view text, Rgba colour, int size) const;

  private:
    struct Outlines;
    std::shared_ptr<const Outlines> outlines_;
};

/// The system's font.
const Lettering& lettering();

}  // namespace cudabook
