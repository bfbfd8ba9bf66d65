// What the unit reads for one coordinate, and what it makes of it: as data, and as text.
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
    int x = 0, y = 0;              ///< its index; -1: the border
    int place_x = 0, place_y = 0;  ///< the index before the address modes, which may be out of range
    int weight = 0;                ///< in 256ths
    Texel value{};
};

struct Explanation {
    float x = 0, y = 0;                              ///< the coordinates, in the units in force
    Neighbours levels;                               ///< read, and the weight of the second
    std::vector<std::array<double, 2>> positions{};  ///< in texels, in each level that is read
    std::vector<Read> reads{};                       ///< their weights add to 256
    Texel unit{};                                    ///< what the model of the unit gives
    std::array<double, 4> exact{};                   ///< the same with weights that are not rounded
};

/// `model` must be set to `look`.
Explanation explain(const LookModel& model, const Look& look, float x, float y);

/// Such as "tex2DLod(0.5312, 0.25, 1.25)": the fetch as a kernel writes it.
std::string fetch_text(const Explanation& explained, const Look& look);

/// One line for each of x and y in each level: how the position becomes an index and a weight.
std::vector<std::string> position_lines(const Explanation& explained, const Look& look);

/// Rows of cells: the texels with their weights and colours, the unit's sum, the exact one, the difference.
std::vector<std::vector<std::string>> table_of(const Explanation& explained);

}  // namespace cudabook::texture_unit
