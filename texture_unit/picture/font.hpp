// A small font of 5 x 7 dots: capital letters, digits and some signs.
#pragma once

#include <string_view>

#include "texture_unit/image.hpp"

namespace cudabook::texture_unit {

constexpr int glyph_width = 5;
constexpr int glyph_height = 7;

/// Whether a dot of a character is drawn. Small letters look like capitals; a character that the font does
/// not have is a box.
bool ink(char character, int column, int row);

/// The width of a line of text in texels: each dot is scale x scale texels, and between characters one column
/// of dots is left out.
int text_width(std::string_view text, int scale);

/// Draws a line of text whose upper left corner is (x, y). What is outside the picture is left out.
void draw_text(Image& image, int x, int y, std::string_view text, const Texel& colour, int scale);

}  // namespace cudabook::texture_unit
