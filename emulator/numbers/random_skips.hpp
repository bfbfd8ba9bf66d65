// Skips many numbers of a cuRAND sequence at once. Sources: G. Marsaglia, Xorshift RNGs, 2003 (XORWOW);
// P. L'Ecuyer et al., An Object-Oriented Random-Number Package with Many Long Streams and Substreams, 2002
// (MRG32k3a).
#pragma once

#include <array>
#include <cstdint>

namespace cudabook::emulation {

/// The state of XORWOW without its counter.
using XorwowState = std::array<std::uint32_t, 5>;

/// The state of MRG32k3a, which has two halves.
struct MrgState {
    std::array<std::uint32_t, 3> s1;
    std::array<std::uint32_t, 3> s2;
};
inline constexpr std::uint32_t mrg_modulus_1 = 4294967087;
inline constexpr std::uint32_t mrg_modulus_2 = 4294944443;

/// Returns the state after `count` * 2^log2 more numbers. log2 is at most 128. Any thread of the host may
/// call this at any time.
XorwowState skip(const XorwowState& state, std::uint64_t count, unsigned log2);
MrgState skip(const MrgState& state, std::uint64_t count, unsigned log2);

}  // namespace cudabook::emulation
