// The size and position of a picture in a window.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cudabook {

struct Size {
    int width = 0;
    int height = 0;

    friend bool operator==(const Size& one, const Size& other) {
        return one.width == other.width && one.height == other.height;
    }
};

struct Rectangle {
    int left = 0;
    int bottom = 0;
    Size size;
};

/// Returns the largest size with the aspect ratio of `grid` that fits into `box`, at least 1x1. The size is
/// rounded up to whole pixels, so that the picture fills a window whose size came from fit() too.
inline Size fit(Size grid, Size box) {
    const auto scaled = [](std::int64_t length, int numerator, int denominator, int most) {
        const std::int64_t rounded_up = (length * numerator + denominator - 1) / denominator;
        return static_cast<int>(std::clamp<std::int64_t>(rounded_up, 1, std::max(1, most)));
    };
    return {scaled(box.height, grid.width, grid.height, box.width),
            scaled(box.width, grid.height, grid.width, box.height)};
}

/// Returns the place of a picture in `box`. The picture has the aspect ratio of `grid`, is as large as
/// possible, and is centred.
inline Rectangle place(Size grid, Size box) {
    const Size size = fit(grid, box);
    return {(box.width - size.width) / 2, (box.height - size.height) / 2, size};
}

}  // namespace cudabook
