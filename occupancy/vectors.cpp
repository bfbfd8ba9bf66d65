// The vectors that are added.
#include <algorithm>

#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

Vectors make_vectors(std::size_t elements) {
    constexpr std::uint32_t multiplier = 2654435761U;
    Vectors vectors{std::vector<std::int32_t>(elements), std::vector<std::int8_t>(second_size)};
    for (std::size_t i = 0; i < elements; ++i)
        vectors.first[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(i) * multiplier >> 8U);
    for (std::size_t i = 0; i < second_size; ++i)
        vectors.second[i] =
            static_cast<std::int8_t>((static_cast<std::uint32_t>(i + 1) * multiplier >> 24U) - 128);
    return vectors;
}

}  // namespace cudabook::occupancy
