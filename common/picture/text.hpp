// Text on charts: DejaVu Sans, or the dots of common/picture/font.hpp.
#pragma once

#include <memory>
#include <string_view>

#include "common/picture/bitmap.hpp"

namespace cudabook {

/// Draws lines of UTF-8 text. `size` is the height of a capital in pixels. The part of a letter below the
/// baseline, as in "g", is less than a third of `size`.
class Lettering {
  public:
    /// Uses the letters of a TrueType file. If the name is null or the file is not a TrueType file, and in a
    /// build without stb_truetype, uses the dot font, which has only capitals.
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
