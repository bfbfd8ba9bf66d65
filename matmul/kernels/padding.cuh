// The values in shared memory for elements beyond the edges of A and B.
#pragma once

namespace cudabook::matmul {

// Their product changes no sum: fma(-0, +0, sum) is sum, even if the sum is -0.
constexpr float a_padding = -0.0F;
constexpr float b_padding = 0.0F;

}  // namespace cudabook::matmul
