// The loops of RowKernels. row_kernels.cpp includes this file for each SIMD level, in a namespace that has
// Highway's operations (`hn`), the types of a register and their tags, its number of `lanes`, the number of
// `registers` of a block, and `fma`.

constexpr std::ptrdiff_t block = registers * lanes;
static_assert(block % 8 == 0, "the bits of a block are whole bytes");

inline Floats filled(float cell) { return hn::Set(floats, cell); }

/// Returns the lanes from `first` on of a, followed by those of b. Highway shifts within 128 bits only.
template <int first>
inline Floats lanes_from(Floats a, Floats b) {
#if HWY_TARGET == HWY_SCALAR
    return first == 0 ? a : b;
#elif HWY_TARGET == HWY_AVX3
    return hn::BitCast(floats,
                       Bits{_mm512_alignr_epi32(hn::BitCast(bits, b).raw, hn::BitCast(bits, a).raw, first)});
#elif HWY_TARGET == HWY_AVX2
    const Floats middle = hn::ConcatLowerUpper(floats, b, a);
    return hn::CombineShiftRightLanes<first % 4>(floats, first < 4 ? middle : b, first < 4 ? a : middle);
#else
    return hn::CombineShiftRightLanes<first>(floats, b, a);
#endif
}

/// Moves the even lanes of a block to the first half of its registers, and the odd lanes to the second half:
/// the lowest bit of a cell's place becomes the highest bit.
inline void divide(Floats (&cells)[registers]) {
    Floats halves[registers];
    for (std::ptrdiff_t i = 0; i < registers; i += 2) {
#if HWY_TARGET == HWY_SCALAR
        halves[i / 2] = cells[i];
        halves[(i + registers) / 2] = cells[i + 1];
#else
        halves[i / 2] = hn::ConcatEven(floats, cells[i + 1], cells[i]);
        halves[(i + registers) / 2] = hn::ConcatOdd(floats, cells[i + 1], cells[i]);
#endif
    }
    std::copy(halves, halves + registers, cells);
}

/// Converts the registers of a block from plain order to block order.
inline void spread(Floats (&cells)[registers]) {
    for (std::ptrdiff_t n = 1; n < registers; n *= 2) divide(cells);
}

/// Converts the registers of a block from block order to plain order.
inline void gather(Floats (&cells)[registers]) {
    for (std::ptrdiff_t n = 1; n < lanes; n *= 2) divide(cells);
}

inline Floats with_sources(Floats cells, Floats sources) {
    return hn::IfThenElse(hn::Eq(sources, filled(0)), cells, sources);
}

/// The bits of a float as an unsigned integer, less one: positive floats stay in order, and 0 becomes the
/// largest of all.
inline Bits order(Floats cells) { return hn::Sub(hn::BitCast(bits, cells), hn::Set(bits, 1)); }
constexpr std::uint32_t order(float cell) { return std::bit_cast<std::uint32_t>(cell) - 1; }

/// Whether cells with this order are so small that they must be rounded.
inline auto is_small(Bits order_of_cells) {
#if HWY_TARGET == HWY_AVX2  // it compares signed numbers only
    return hn::Eq(hn::Min(order_of_cells, hn::Set(bits, order(least_normal) - 1)), order_of_cells);
#else
    return hn::Lt(order_of_cells, hn::Set(bits, order(least_normal)));
#endif
}

/// Does the last fma of a step of scaled cells. If a result is small, repeats the fma in float64, which is
/// exact. Adding and subtracting `rounder` then rounds the result to a multiple of 2^-149, scaled.
[[gnu::noinline, gnu::cold]] void step_in_float64(float (&cells)[lanes], const float (&inner)[lanes],
                                                  float speed) {
    constexpr double rounder = 1.5 * 0x1p52 * 0x1p-149 * double{scale};
    for (std::ptrdiff_t i = 0; i < lanes; ++i) {
        const double sum = double{speed} * double{inner[i]} + double{cells[i]};
        cells[i] = std::fma(speed, inner[i], cells[i]);
        if (!(cells[i] >= least_normal)) cells[i] = static_cast<float>((sum + rounder) - rounder);
    }
}

/// Rounds the small new temperatures in a register of each row. `cells` are the old temperatures.
[[gnu::always_inline]] inline void round(Floats (&results)[batch_rows], const Floats (&inner)[batch_rows],
                                         const Floats (&cells)[batch_rows], float speed) {
    // The floats from `rounder` to 2 · `rounder` are the multiples of 2^-149, scaled as all temperatures are.
    // If the old temperature is below `rounder`, its sum with `rounder` is exact, and only the fma rounds.
    // Otherwise, if the speed is 1/4, the old temperature has no share in the result. A small result is then
    // a multiple of 2^-151 at least: it is exact, or a tie that was rounded to even. So adding `rounder`
    // rounds it correctly.
    const Floats rounder = filled(least_normal);
    auto large_before = hn::MaskFromVec(filled(0));
#pragma GCC unroll 3
    for (int r = 0; r < batch_rows; ++r) {
        const auto small = hn::RebindMask(floats, is_small(order(results[r])));
        const auto large = hn::Ge(cells[r], rounder);
        const Floats sum = hn::IfThenElse(large, hn::Add(results[r], rounder),
                                          fma(filled(speed), inner[r], hn::Add(cells[r], rounder)));
        large_before = hn::Or(large_before, hn::And(small, large));
        results[r] = hn::IfThenElse(small, hn::Sub(sum, rounder), results[r]);
    }
    if (speed == 0.25F || hn::AllFalse(floats, large_before)) return;
#pragma GCC unroll 3
    for (int r = 0; r < batch_rows; ++r) {
        HWY_ALIGN float cells_of_row[lanes];
        HWY_ALIGN float inner_of_row[lanes];
        hn::Store(cells[r], floats, cells_of_row);
        hn::Store(inner[r], floats, inner_of_row);
        step_in_float64(cells_of_row, inner_of_row, speed);
        results[r] = hn::Load(floats, cells_of_row);
    }
}

/// Returns `inner` in the lanes that the step updates. Returns 0 in the other lanes, because nothing flows
/// into a source. The bits of the lanes begin at bit `first`.
inline Floats where_updated(const std::uint8_t* updated, std::ptrdiff_t first, Floats inner) {
#if HWY_TARGET == HWY_AVX3
    auto mask = hn::LoadMaskBits(floats, updated + first / 8);
    asm("" : "+k"(mask.raw));  // otherwise GCC 12 loads the mask by a general register, which takes longer
    return hn::IfThenElseZero(mask, inner);
#else
    const Bits bit = hn::Shl(hn::Set(bits, 1), hn::Iota(bits, 0));
    const Bits some = hn::Set(bits, static_cast<std::uint32_t>(updated[first / 8] >> (first % 8)));
    const auto is_source = hn::Eq(hn::And(some, bit), hn::Zero(bits));
    return hn::IfThenZeroElse(hn::RebindMask(floats, is_source), inner);
#endif
}

/// Does a step of a block in all rows of a batch. For each row that is stepped, `before` has the old register
/// before the block, and gets the last old register of the block.
[[gnu::always_inline]] inline void step_block(const Batch& batch, std::ptrdiff_t x, bool small, bool sourced,
                                              Floats (&before)[batch_rows]) {
    constexpr std::ptrdiff_t last = block - lanes;
    Floats left[batch_rows];
    Floats cells[batch_rows];
    Floats behind[batch_rows];
#pragma GCC unroll 3
    for (int r = 0; r < batch_rows; ++r) {
        const float* row = batch.rows[r + 1] + x;
        cells[r] = hn::Load(floats, row);
        behind[r] = lanes_from<1>(cells[r], hn::Load(floats, row + block));
        left[r] = lanes_from<lanes - 1>(before[r], hn::Load(floats, row + last));
    }
#pragma GCC unroll 8
    for (std::ptrdiff_t j = 0; j < registers; ++j) {
        const std::ptrdiff_t at = x + j * lanes;
        Floats top = hn::Load(floats, batch.rows[0] + at);
        Floats inner[batch_rows];
        Floats results[batch_rows];
#pragma GCC unroll 3
        for (int r = 0; r < batch_rows; ++r) {
            const Floats bottom =
                r + 1 < batch_rows ? cells[r + 1] : hn::Load(floats, batch.rows[batch_rows + 1] + at);
            const Floats right =
                j + 1 < registers ? hn::Load(floats, batch.rows[r + 1] + at + lanes) : behind[r];
            const Floats sum = hn::Add(hn::Add(hn::Add(top, bottom), left[r]), right);
            inner[r] = fma(filled(-4), cells[r], sum);
            if (sourced) inner[r] = where_updated(batch.updated[r], at, inner[r]);
            results[r] = fma(filled(batch.speed), inner[r], cells[r]);
            top = left[r] = cells[r];
            cells[r] = right;
        }
        if (small) {
            Bits smallest = order(results[0]);
#pragma GCC unroll 3
            for (int r = 1; r < batch_rows; ++r) smallest = hn::Min(smallest, order(results[r]));
            if (!hn::AllFalse(bits, is_small(smallest))) round(results, inner, left, batch.speed);
        }
#pragma GCC unroll 3
        for (int r = 0; r < batch_rows; ++r) hn::Store(results[r], floats, batch.rows[r] + at);
    }
#pragma GCC unroll 3
    for (int r = 0; r < batch_rows; ++r) before[r] = left[r];
}

inline void step(const Batch& batch) {
    const Batch all = batch;  // a copy, because writing to a row cannot change it
    Floats before[batch_rows];
#pragma GCC unroll 3
    for (int r = 0; r < batch_rows; ++r) before[r] = hn::Load(floats, all.rows[r + 1] - lanes);
    for (std::ptrdiff_t i = 0; i < all.blocks; ++i) {
        const bool small = (all.small >> i & 1U) != 0;
        const bool sourced = (all.sourced >> i & 1U) != 0;
        if (small && sourced)
            step_block(all, i * block, true, true, before);
        else if (small)
            step_block(all, i * block, true, false, before);
        else if (sourced)
            step_block(all, i * block, false, true, before);
        else
            step_block(all, i * block, false, false, before);
    }
}

inline BlockMask load(float* row, const float* cells, const float* sources, BlockMask sourced, int blocks,
                      float limit, int reach) {
    // The lanes with cells at most `reach` cells from the previous block (begin) and the next block (end).
    const int near = (reach + int{registers} - 1) / int{registers};
    const std::uint32_t near_begin = (1U << near) - 1;
    const std::uint32_t near_end = near_begin << (lanes - near);
    BlockMask small = 0;
    for (std::ptrdiff_t i = 0; i < blocks; ++i) {
        const BlockMask bit = BlockMask{1} << i;
        const bool has_sources = (sourced & bit) != 0;
        Bits smallest = hn::Set(bits, ~0U);
        for (std::ptrdiff_t at = i * block; at < (i + 1) * block; at += lanes) {
            Floats some = hn::LoadU(floats, cells + at);
            if (has_sources) some = with_sources(some, hn::LoadU(floats, sources + at));
            smallest = hn::Min(smallest, order(some));
            hn::Store(some, floats, row + at);
        }
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(bits, hn::Lt(smallest, hn::Set(bits, order(limit))), bytes);
        const std::uint32_t below_limit = bytes[0] | std::uint32_t{bytes[1]} << 8U;
        if (below_limit != 0) small |= bit;
        if ((below_limit & near_begin) != 0) small |= bit >> 1U;
        if ((below_limit & near_end) != 0) small |= bit << 1U;
    }
    return small;
}

inline void store_past_caches(float* to, const float* row, int blocks) {
    for (std::ptrdiff_t at = 0; at < blocks * block; at += lanes)
        hn::Stream(hn::Load(floats, row + at), floats, to + at);
}

inline void block_to_blocks(float* row, const float* from) {
    Floats cells[registers];
    for (std::ptrdiff_t j = 0; j < registers; ++j) cells[j] = hn::LoadU(floats, from + j * lanes);
    spread(cells);
    for (std::ptrdiff_t j = 0; j < registers; ++j) hn::StoreU(cells[j], floats, row + j * lanes);
}

inline void block_from_blocks(float* to, const float* row) {
    Floats cells[registers];
    for (std::ptrdiff_t j = 0; j < registers; ++j) cells[j] = hn::LoadU(floats, row + j * lanes);
    gather(cells);
    for (std::ptrdiff_t j = 0; j < registers; ++j) hn::StoreU(cells[j], floats, to + j * lanes);
}

inline void to_blocks(float* row, const float* cells, int n) {
    std::ptrdiff_t x = 0;
    for (; x + block <= n; x += block) block_to_blocks(row + x, cells + x);
    if (x == n) return;
    float last[block] = {};
    std::copy(cells + x, cells + n, last);
    block_to_blocks(row + x, last);
}

inline void from_blocks(float* cells, const float* row, int n) {
    std::ptrdiff_t x = 0;
    for (; x + block <= n; x += block) block_from_blocks(cells + x, row + x);
    if (x == n) return;
    float last[block];
    block_from_blocks(last, row + x);
    std::copy(last, last + (n - x), cells + x);
}

/// One step of a whole grid, from the formula in solver.hpp.
inline void reference(float* __restrict out, float* __restrict in, const float* sources, int width,
                      int height, float speed) {
    const std::ptrdiff_t w = width;
    for (std::ptrdiff_t i = 0; i < w * height; ++i)
        if (sources[i] != 0) in[i] = sources[i];
    for (std::ptrdiff_t y = 0; y < height; ++y)
        for (std::ptrdiff_t x = 0; x < w; ++x) {
            const float* cell = in + y * w + x;
            const float top = y > 0 ? cell[-w] : *cell;
            const float bottom = y < height - 1 ? cell[w] : *cell;
            const float left = x > 0 ? cell[-1] : *cell;
            const float right = x < w - 1 ? cell[1] : *cell;
            const float sum = ((top + bottom) + left) + right;
            out[y * w + x] = std::fma(speed, std::fma(-4.0F, *cell, sum), *cell);
        }
}

inline auto is_less(Floats numbers, float than) { return hn::Lt(numbers, filled(than)); }
inline Floats plus(Floats numbers, float number) { return hn::Add(numbers, filled(number)); }

/// A channel of colour_of(), without branches. `hue` is from 0 to 360, a whole number, as is the result.
inline Floats channel(Floats low, Floats high, Floats hue) {
    const Floats slope = hn::IfThenElse(is_less(hue, 60), hue, hn::Sub(filled(240), hue));
    const Floats sloped = hn::Add(low, hn::Div(hn::Mul(hn::Sub(high, low), slope), filled(60)));
    Floats value = hn::IfThenElse(is_less(hue, 240), sloped, low);
    value = hn::IfThenElse(is_less(hue, 180), high, value);
    value = hn::IfThenElse(is_less(hue, 60), sloped, value);
    return hn::Trunc(hn::Mul(filled(255), value));
}

inline Ints colours_of(Floats t) {
    const Floats above = hn::IfThenElseZero(hn::Gt(t, filled(0)), t);
    const Floats lightness = hn::IfThenElse(is_less(above, 1), above, filled(1));
    const Floats twice = hn::Mul(filled(2), lightness);
    const Floats turn = hn::Trunc(hn::Mul(filled(360), lightness));
    const Floats hue = hn::IfThenElse(is_less(turn, 180), plus(turn, 180), plus(turn, -180));
    const Floats high =
        hn::IfThenElse(hn::Le(lightness, filled(0.5F)), twice, hn::Sub(plus(lightness, 1), lightness));
    const Floats low = hn::Sub(twice, high);
    const Floats red_hue = hn::IfThenElse(is_less(hue, 241), plus(hue, 120), plus(hue, -240));
    const Floats blue_hue = hn::IfThenElse(is_less(hue, 120), plus(hue, 240), plus(hue, -120));
    const Floats green_and_blue =
        hn::Add(channel(low, high, hue), hn::Mul(filled(256), channel(low, high, blue_hue)));
    const Floats colour = hn::Add(channel(low, high, red_hue), hn::Mul(filled(256), green_and_blue));
    constexpr auto alpha = static_cast<std::int32_t>(255U << 24U);
    return hn::Or(hn::ConvertTo(ints, colour), hn::Set(ints, alpha));
}

inline void draw(unsigned char* rgba, const float* cells, std::size_t count) {
    static_assert(std::endian::native == std::endian::little, "red is the lowest byte");
    HWY_ALIGN std::int32_t colours[lanes];
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        hn::Store(colours_of(hn::LoadU(floats, cells + i)), ints, colours);
        std::memcpy(rgba + 4 * i, colours, sizeof colours);
    }
    if (i == count) return;
    HWY_ALIGN float last[lanes] = {};
    std::copy(cells + i, cells + count, last);
    hn::Store(colours_of(hn::Load(floats, last)), ints, colours);
    std::memcpy(rgba + 4 * i, colours, 4 * (count - i));
}

constexpr RowKernels kernels_of(const char* simd) {
    return {simd,
            static_cast<int>(lanes),
            static_cast<int>(registers),
            to_blocks,
            from_blocks,
            load,
            step,
            store_past_caches,
            reference,
            draw};
}
