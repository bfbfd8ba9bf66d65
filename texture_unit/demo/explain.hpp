// The explanation of one fetch, as data and as text: the texels that the texture unit reads, and the result.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "common/texture_model/texels.hpp"
#include "texture_unit/demo/look.hpp"
#include "texture_unit/demo/look_model.hpp"

namespace cudabook::texture_unit {

/// A texel that is read.
struct Read {
    int level = 0;
    int x = 0, y = 0;              ///< the index of the texel; -1 for the border
    int place_x = 0, place_y = 0;  ///< the index before the address modes change it; may be out of range
    int weight = 0;                ///< the weight in 256ths
    Texel value{};
};

struct Explanation {
    float x = 0, y = 0;  ///< the coordinates of the fetch: normalised or in texels
    Neighbours levels;   ///< the levels that are read, and the weight of the second level
    std::vector<std::array<double, 2>> positions{};  ///< coordinates in texels, in each level that is read
    std::vector<Read> reads{};      ///< the texels that are read; their weights add up to 256
    Texel unit{};                   ///< the result by the model of the unit
    std::array<double, 4> exact{};  ///< the result with weights that are not rounded
};

/// Explains the fetch at (x, y). `model` must have been set to `look` by read_as().
Explanation explain(const LookModel& model, const Look& look, float x, float y);

/// Returns the fetch as a kernel writes it, such as "tex2DLod(texture, 0.53120, 0.25000, 1.25)".
std::string fetch_text(const Explanation& explained, const Look& look);

/// Returns lines of text, one for each of x and y in each level, that show how the index and the weight are
/// computed from the position.
std::vector<std::string> position_lines(const Explanation& explained, const Look& look);

/// Returns a table as rows of cells: the texels with their weights and colours, the unit's sum, the exact
/// sum, and the difference.
std::vector<std::vector<std::string>> table_of(const Explanation& explained);

}  // namespace cudabook::texture_unit
