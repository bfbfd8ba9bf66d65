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
    std::vector<std::string> patterns;  ///< the patterns in the rows
    std::vector<std::string> kernels;   ///< the kernels in the columns
    std::vector<std::size_t> elements;  ///< the element sizes of the blocks, in bytes
    bool more_is_better = true;
    std::map<std::tuple<std::size_t, std::string, std::string>, double>
        values;  ///< by element size, pattern and kernel
};

/// Draws the slide with 1920 × 1080 pixels. Each cell shows its value. The colour scale is logarithmic and
/// goes from dark red (the slide's worst value) to green (the best value). If there are several kernels, the
/// best cell of each row has a frame.
Bitmap draw(const Slide& slide);

}  // namespace cudabook::access_patterns
