// The explanation of one fetch: the texels that the unit reads for a coordinate, and the result, as data and
// as text.
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
    int x = 0, y = 0;              ///< its index; -1 for the border
    int place_x = 0, place_y = 0;  ///< the index before the address modes, which may be out of range
    int weight = 0;                ///< in 256ths
    Texel value{};
};

struct Explanation {
    float x = 0, y = 0;                              ///< the coordinates, in the units in force
    Neighbours levels;                               ///< the levels read, and the second's weight
    std::vector<std::array<double, 2>> positions{};  ///< in texels, in each level that is read
    std::vector<Read> reads{};                       ///< their weights add to 256
    Texel unit{};                                    ///< the result by the model of the unit
    std::array<double, 4> exact{};                   ///< the result with weights that are not rounded
};

/// Explains the fetch at (x, y). `model` must be set to `look`.
Explanation explain(const LookModel& model, const Look& look, float x, float y);

/// The fetch as a kernel writes it, such as "tex2DLod(texture, 0.53120, 0.25000, 1.25)".
std::string fetch_text(const Explanation& explained, const Look& look);

/// One line for each of x and y in each level: the computation of the index and the weight from the position.
std::vector<std::string> position_lines(const Explanation& explained, const Look& look);

/// Rows of cells: the texels with their weights and colours, the unit's sum, the exact sum, and the
/// difference.
std::vector<std::vector<std::string>> table_of(const Explanation& explained);

}  // namespace cudabook::texture_unit
