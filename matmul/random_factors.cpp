// The random input.
#include <algorithm>
#include <cstdint>

#include "common/numbers/rand_blocks.hpp"
#include "matmul/matmul.hpp"

namespace cudabook::matmul {

Factors random_factors(const GemmShape& shape) {
    Factors factors{shape, std::vector<float>(shape.m * shape.k), std::vector<float>(shape.k * shape.n)};
    const std::size_t a_size = factors.a.size();
    const std::size_t size = a_size + factors.b.size();
    constexpr std::size_t piece = 256 * RandBlocks::size;  // seeking takes as long as making 50 blocks
    const auto pieces = static_cast<std::ptrdiff_t>((size + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t p = 0; p < pieces; ++p) {
        const std::size_t begin = static_cast<std::size_t>(p) * piece;
        RandBlocks stream(begin);
        for (std::size_t first = begin; first < std::min(begin + piece, size); first += RandBlocks::size) {
            const auto words = stream.next();
            for (std::size_t i = 0; i < std::min(words.size(), size - first); ++i) {
                const auto centred = static_cast<std::int32_t>(words[i]) - (1 << 30);
                const float element = static_cast<float>(centred) * 0x1p-30F;
                (first + i < a_size ? factors.a[first + i] : factors.b[first + i - a_size]) = element;
            }
        }
    }
    return factors;
}

}  // namespace cudabook::matmul
