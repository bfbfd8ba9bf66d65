// A small font of 5 x 7 dots: capital letters, digits and some signs.
#pragma once

#include <string_view>

namespace cudabook {

constexpr int glyph_width = 5;
constexpr int glyph_height = 7;

/// Returns true if the font draws the dot at `column` and `row` of a character. Small letters look like
/// capitals. A character that the font lacks is drawn as a box.
bool ink(char character, int column, int row);

/// The width of a line of text in pixels. Each dot is scale x scale pixels; one empty column of dots
/// separates characters.
int text_width(std::string_view text, int scale);

/// Draws a line of text whose upper left corner is (x, y): calls fill(x, y, width, height) for each dot.
template <class Fill>
void draw_text(int x, int y, std::string_view text, int scale, Fill fill) {
    for (const char character : text) {
        for (int row = 0; row < glyph_height; ++row)
            for (int column = 0; column < glyph_width; ++column)
                if (ink(character, column, row)) fill(x + column * scale, y + row * scale, scale, scale);
        x += (glyph_width + 1) * scale;
    }
}

}  // namespace cudabook
