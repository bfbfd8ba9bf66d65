// Registers of floats at a SIMD level, in a file that Highway compiles for each level: it includes this one
// in its namespace HWY_NAMESPACE, and before it common/program/simd_levels.hpp, <hwy/highway.h> and <cmath>.

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 16> floats{};
using Floats = hn::Vec<decltype(floats)>;
constexpr std::ptrdiff_t lanes = hn::MaxLanes(floats);

/// a · b + c, rounded once, which Highway's MulAdd() is only where the level has it as one instruction.
inline Floats fma(Floats a, Floats b, Floats c) {
#if HWY_NATIVE_FMA && HWY_TARGET != HWY_WASM  // WebAssembly's may be rounded once or twice
    return hn::MulAdd(a, b, c);
#else
    HWY_ALIGN float factors[2][lanes];
    HWY_ALIGN float sums[lanes];
    hn::Store(a, floats, factors[0]);
    hn::Store(b, floats, factors[1]);
    hn::Store(c, floats, sums);
    for (std::ptrdiff_t lane = 0; lane < lanes; ++lane)
        sums[lane] = std::fma(factors[0][lane], factors[1][lane], sums[lane]);
    return hn::Load(floats, sums);
#endif
}
