// One picture of a whole run: patterns by kernels, a block for each size of elements.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/picture/bitmap.hpp"

namespace cudabook::access_patterns {

struct Slide {
    std::string title;
    std::vector<std::string> patterns;  ///< the rows
    std::vector<std::string> kernels;   ///< the columns
    std::vector<std::size_t> elements;  ///< the blocks: bytes of an element
    bool more_is_better = true;
    std::map<std::tuple<std::size_t, std::string, std::string>, double>
        values;  ///< by element, pattern, kernel
};

/// 1920 × 1080 pixels. A cell has its number; its colour goes from the worst number of the slide, dark red,
/// to the best, green, in equal steps for equal factors; the best of a row of several has a frame.
Bitmap draw(const Slide& slide);

}  // namespace cudabook::access_patterns
