#include "common/picture/text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/picture/font.hpp"
#include "common/picture/font_file.hpp"

#if CUDABOOK_HAS_STB
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
#endif

namespace cudabook {

namespace {

std::u32string code_points(std::string_view utf8) {
    std::u32string points;
    for (const char character : utf8) {
        const auto byte = static_cast<unsigned char>(character);
        const int ones = std::countl_one(byte);
        if (ones == 1 && !points.empty())
            points.back() = points.back() << 6U | (byte & 0x3FU);
        else
            points += static_cast<char32_t>(byte & (0x7FU >> static_cast<unsigned>(ones)));
    }
    return points;
}

/// The ASCII text that the dot font draws for this text.
std::string in_ascii(std::string_view text) {
    std::string ascii;
    for (const char32_t point : code_points(text)) {
        if (point == U'µ')
            ascii += 'u';
        else if (point == U'⁹')
            ascii += "^9";
        else
            ascii += point < 0x7F ? static_cast<char>(point) : '\x7F';
    }
    return ascii;
}

int dots_scale(int size) { return std::max(1, size / glyph_height); }

}  // namespace

#if CUDABOOK_HAS_STB

struct Lettering::Outlines {
    std::string file;
    stbtt_fontinfo font{};
    int capital = 0;  ///< the height of an H in the font's units

    static std::shared_ptr<const Outlines> of(const char* name) {
        auto read = std::make_shared<Outlines>();
        std::ifstream stream(name, std::ios::binary);
        read->file.assign(std::istreambuf_iterator<char>(stream), {});
        if (read->file.size() < 4) return nullptr;
        const auto* bytes = reinterpret_cast<const unsigned char*>(read->file.data());
        const int offset = stbtt_GetFontOffsetForIndex(bytes, 0);
        if (offset < 0 || stbtt_InitFont(&read->font, bytes, offset) == 0) return nullptr;
        stbtt_GetCodepointBox(&read->font, 'H', nullptr, nullptr, nullptr, &read->capital);
        return read->capital > 0 ? read : nullptr;
    }

    /// Calls each(glyph, x), where x is the start of the glyph, and returns the end of the text, both in
    /// pixels.
    template <class Each>
    float lay_out(std::string_view text, float scale, Each each) const {
        float pen = 0;
        for (const char32_t point : code_points(text)) {
            const int glyph = stbtt_FindGlyphIndex(&font, static_cast<int>(point));
            each(glyph, pen);
            int advance = 0;
            stbtt_GetGlyphHMetrics(&font, glyph, &advance, nullptr);
            pen += scale * static_cast<float>(advance);
        }
        return pen;
    }

    [[nodiscard]] float scale(int size) const {
        return static_cast<float>(size) / static_cast<float>(capital);
    }

    [[nodiscard]] int width(std::string_view text, int size) const {
        return static_cast<int>(std::ceil(lay_out(text, scale(size), [](int, float) {})));
    }

    /// Calls blend(x, y, share) for the pixels of the text's glyphs. `share`, 0 to 255, is the covered share
    /// of the pixel.
    template <class Blend>
    void draw(int x, int y, std::string_view text, int size, Blend blend) const {
        std::vector<unsigned char> shares;
        const float of_unit = scale(size);
        lay_out(text, of_unit, [&](int glyph, float pen) {
            const float whole = std::floor(pen);
            int left = 0;
            int top = 0;
            int right = 0;
            int bottom = 0;
            stbtt_GetGlyphBitmapBoxSubpixel(&font, glyph, of_unit, of_unit, pen - whole, 0, &left, &top,
                                            &right, &bottom);
            const int width = right - left;
            shares.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(bottom - top), 0);
            stbtt_MakeGlyphBitmapSubpixel(&font, shares.data(), width, bottom - top, width, of_unit, of_unit,
                                          pen - whole, 0, glyph);
            auto share = shares.begin();
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    blend(x + static_cast<int>(whole) + column, y + size + row, *share++);
        });
    }
};

#else

struct Lettering::Outlines {
    static std::shared_ptr<const Outlines> of(const char*) { return nullptr; }
    [[nodiscard]] int width(std::string_view, int) const { return 0; }
    template <class Blend>
    void draw(int, int, std::string_view, int, Blend) const {}
};

#endif

Lettering::Lettering(const char* file) : outlines_(file == nullptr ? nullptr : Outlines::of(file)) {}

int Lettering::width(std::string_view text, int size) const {
    return outlines_ ? outlines_->width(text, size) : text_width(in_ascii(text), dots_scale(size));
}

void Lettering::draw(Bitmap& bitmap, int x, int y, std::string_view text, Rgba colour, int size) const {
    if (outlines_) {
        outlines_->draw(x, y, text, size, [&](int i, int j, int share) {
            if (i < 0 || j < 0 || i >= bitmap.width || j >= bitmap.height) return;
            const auto mixed = [share](int under, int over) {
                return static_cast<unsigned char>((under * (255 - share) + over * share + 127) / 255);
            };
            Rgba& pixel = bitmap.at(i, j);
            pixel.red = mixed(pixel.red, colour.red);
            pixel.green = mixed(pixel.green, colour.green);
            pixel.blue = mixed(pixel.blue, colour.blue);
        });
        return;
    }
    const int scale = dots_scale(size);
    draw_text(
        x, y + (size - glyph_height * scale) / 2, in_ascii(text), scale,
        [&](int left, int top, int width, int height) { fill(bitmap, left, top, width, height, colour); });
}

const Lettering& lettering() {
    static const Lettering of_system(font_file());
    return of_system;
}

}  // namespace cudabook
