#include "heat_notexture/kernel.hpp"

#include <algorithm>
#include <cstddef>

namespace cudabook::heat {

std::vector<Kernel> in_turn(const std::vector<Kernel>& one, const std::vector<Kernel>& other) {
    std::vector<Kernel> both;
    for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
        if (i < one.size()) both.push_back(one[i]);
        if (i < other.size()) both.push_back(other[i]);
    }
    return both;
}

}  // namespace cudabook::heat
