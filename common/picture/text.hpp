// Text on charts, in DejaVu Sans or, if this font is missing, in the dot font of common/picture/font.hpp.
#pragma once

#include <memory>
#include <string_view>

#include "common/picture/bitmap.hpp"

namespace cudabook {

/// Draws lines of UTF-8 text. `size` is the height of a capital in pixels. The part of a letter below the
/// baseline, as in "g", is less than a third of `size`.
class Lettering {
  public:
    /// Uses the letters of a TrueType file. Uses the dot font, which has only capitals, if `file` is null or
    /// not a TrueType file, or if the build has no stb_truetype.
    explicit Lettering(const char* file);

    /// The width of a line of text in pixels.
    [[nodiscard]] int width(std::string_view text, int size) const;

    /// Draws a line of text. The upper left corner of its capitals is (x, y).
    void draw(Bitmap& bitmap, int x, int y, std::string_view text, Rgba colour, int size) const;

  private:
    struct Outlines;
    std::shared_ptr<const Outlines> outlines_;
};

/// The lettering of the system's font.
const Lettering& lettering();

}  // namespace cudabook
