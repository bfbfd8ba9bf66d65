// One picture of a whole run: a block for each element size, with a row for each pattern and a column for
// each kernel.
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

/// Draws the slide with 1920 × 1080 pixels. A cell shows its number. The colour goes from the slide's worst
/// number, dark red, to its best, green; equal factors are equal steps. If there are several kernels, the
/// best cell of each row has a frame.
Bitmap draw(const Slide& slide);

}  // namespace cudabook::access_patterns
