// The loops of RowKernels. row_kernels.cpp includes this file once for each SIMD level, in a namespace that
// defines the types of a register (`Floats`, `Bits`), its number of `lanes`, the number of `registers` of a
// block, `fma`, fma where a bit is set and 0 elsewhere (`fma_where`), writing a register past the caches
// (`put_past_caches`), and the lanes whose numbers are below a limit (`below`).

constexpr std::ptrdiff_t block = registers * lanes;
static_assert(block % 8 == 0, "the bits of a block are whole bytes");

inline Floats get(const float* from) { return *reinterpret_cast<const Floats*>(from); }
inline void put(float* to, Floats cells) { *reinterpret_cast<Floats*>(to) = cells; }
inline Floats get_unaligned(const float* from) {
    Floats cells;
    std::memcpy(&cells, from, sizeof cells);
    return cells;
}
inline void put_unaligned(float* to, Floats cells) { std::memcpy(to, &cells, sizeof cells); }
inline Floats filled(float cell) { return cell - Floats{}; }

/// Returns the lanes of a and b with these numbers; the numbers of b's lanes follow the numbers of a's lanes.
template <int... index>
inline Floats shuffled(Floats a, Floats b, std::integer_sequence<int, index...>) {
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, index...);
#else  // GCC 11
    return __builtin_shuffle(a, b, Bits{index...});
#endif
}
inline Floats last_before(Floats before, Floats cells) {
    return shuffled(before, cells, Indices<lanes>::LastBefore());
}
inline Floats first_after(Floats cells, Floats after) {
    return shuffled(cells, after, Indices<lanes>::FirstAfter());
}
inline Floats even(Floats a, Floats b) { return shuffled(a, b, Indices<lanes>::Even()); }
inline Floats odd(Floats a, Floats b) { return shuffled(a, b, Indices<lanes>::Odd()); }
inline Floats low(Floats a, Floats b) { return shuffled(a, b, Indices<lanes>::Low()); }
inline Floats high(Floats a, Floats b) { return shuffled(a, b, Indices<lanes>::High()); }

/// Returns the bits of p in reverse: the place of register p of a block after the recursive division into
/// even and odd lanes in spread().
constexpr std::ptrdiff_t divided(std::ptrdiff_t p) {
    std::ptrdiff_t place = 0;
    for (std::ptrdiff_t bit = 1; bit < registers; bit *= 2) place = 2 * place + (p & bit ? 1 : 0);
    return place;
}

/// Converts the registers of a block from plain order to block order.
inline void spread(Floats (&cells)[registers]) {
    for (std::ptrdiff_t length = registers; length > 1; length /= 2) {
        Floats halves[registers];
        for (std::ptrdiff_t i = 0; i < registers; i += 2) {
            const std::ptrdiff_t to = i / length * length + i % length / 2;
            halves[to] = even(cells[i], cells[i + 1]);
            halves[to + length / 2] = odd(cells[i], cells[i + 1]);
        }
        std::copy(halves, halves + registers, cells);
    }
    Floats divided_cells[registers];
    for (std::ptrdiff_t p = 0; p < registers; ++p) divided_cells[divided(p)] = cells[p];
    std::copy(divided_cells, divided_cells + registers, cells);
}

/// Converts the registers of a block from block order to plain order.
inline void gather(Floats (&cells)[registers]) {
    Floats halves[registers];
    for (std::ptrdiff_t p = 0; p < registers; ++p) halves[p] = cells[divided(p)];
    for (std::ptrdiff_t length = 2; length <= registers; length *= 2) {
        for (std::ptrdiff_t i = 0; i < registers; i += 2) {
            const std::ptrdiff_t from = i / length * length + i % length / 2;
            cells[i] = low(halves[from], halves[from + length / 2]);
            cells[i + 1] = high(halves[from], halves[from + length / 2]);
        }
        std::copy(cells, cells + registers, halves);
    }
}

inline Floats with_sources(Floats cells, Floats sources) { return sources != 0 ? sources : cells; }

/// The bits of a float as an unsigned integer, less one: positive floats stay in order, and 0 becomes the
/// largest of all.
inline Bits order(Floats cells) { return reinterpret_cast<Bits>(cells) - 1; }
constexpr std::uint32_t order(float cell) { return std::bit_cast<std::uint32_t>(cell) - 1; }
inline Bits least(Bits a, Bits b) { return a < b ? a : b; }

/// The last fma of a step, speed · inner + cells, rounded in float64 if the result is small.
[[gnu::noinline, gnu::cold]] Floats rounded(Floats inner, Floats cells, float speed) {
    for (int lane = 0; lane < lanes; ++lane)
        cells[lane] = rounded_in_float64(inner[lane], cells[lane], speed);
    return cells;
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
    Bits large_before{};
    for (int r = 0; r < batch_rows; ++r) {
        const auto small = order(results[r]) < order(least_normal);
        const auto large = cells[r] >= rounder;
        const Floats sum = large ? results[r] + rounder : fma(filled(speed), inner[r], cells[r] + rounder);
        large_before |= reinterpret_cast<Bits>(small & large);
        results[r] = small ? sum - rounder : results[r];
    }
    if (speed != 0.25F && below(~large_before, ~0U) != 0)
        for (int r = 0; r < batch_rows; ++r) results[r] = rounded(inner[r], cells[r], speed);
}

/// Does a step of a block in all rows of a batch. For each row that is stepped, `before` has the old register
/// before the block, and gets the last old register of the block.
[[gnu::always_inline]] inline void step_block(const Batch& batch, std::ptrdiff_t x, bool small, bool sourced,
                                              Floats (&before)[batch_rows]) {
    constexpr std::ptrdiff_t last = block - lanes;
    Floats left[batch_rows];
    Floats cells[batch_rows];
    Floats behind[batch_rows];
    for (int r = 0; r < batch_rows; ++r) {
        const float* row = batch.rows[r + 1] + x;
        cells[r] = get(row);
        behind[r] = first_after(cells[r], get(row + block));
        left[r] = last_before(before[r], get(row + last));
    }
#pragma GCC unroll 8
    for (std::ptrdiff_t j = 0; j < registers; ++j) {
        const std::ptrdiff_t at = x + j * lanes;
        Floats top = get(batch.rows[0] + at);
        Floats inner[batch_rows];
        Floats results[batch_rows];
#pragma GCC unroll 3
        for (int r = 0; r < batch_rows; ++r) {
            const Floats bottom = r + 1 < batch_rows ? cells[r + 1] : get(batch.rows[batch_rows + 1] + at);
            const Floats right = j + 1 < registers ? get(batch.rows[r + 1] + at + lanes) : behind[r];
            const Floats sum = ((top + bottom) + left[r]) + right;
            // Nothing flows into a source.
            inner[r] = sourced ? fma_where(batch.updated[r], at, filled(-4), cells[r], sum)
                               : fma(filled(-4), cells[r], sum);
            results[r] = fma(filled(batch.speed), inner[r], cells[r]);
            top = left[r] = cells[r];
            cells[r] = right;
        }
        if (small) {
            Bits smallest = order(results[0]);
            for (int r = 1; r < batch_rows; ++r) smallest = least(smallest, order(results[r]));
            if (below(smallest, order(least_normal)) != 0) round(results, inner, left, batch.speed);
        }
        for (int r = 0; r < batch_rows; ++r) put(batch.rows[r] + at, results[r]);
    }
    for (int r = 0; r < batch_rows; ++r) before[r] = left[r];
}

inline void step(const Batch& batch) {
    const Batch all = batch;  // a copy, because writing to a row cannot change it
    Floats before[batch_rows];
    for (int r = 0; r < batch_rows; ++r) before[r] = get(all.rows[r + 1] - lanes);
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
        Bits smallest = ~Bits{};
        for (std::ptrdiff_t at = i * block; at < (i + 1) * block; at += lanes) {
            Floats some = get_unaligned(cells + at);
            if (has_sources) some = with_sources(some, get_unaligned(sources + at));
            smallest = least(smallest, order(some));
            put(row + at, some);
        }
        const std::uint32_t below_limit = below(smallest, order(limit));
        if (below_limit != 0) small |= bit;
        if ((below_limit & near_begin) != 0) small |= bit >> 1U;
        if ((below_limit & near_end) != 0) small |= bit << 1U;
    }
    return small;
}

inline void store_past_caches(float* to, const float* row, int blocks) {
    for (std::ptrdiff_t at = 0; at < blocks * block; at += lanes) put_past_caches(to + at, get(row + at));
}

inline void block_to_blocks(float* row, const float* from) {
    Floats cells[registers];
    for (std::ptrdiff_t j = 0; j < registers; ++j) cells[j] = get_unaligned(from + j * lanes);
    spread(cells);
    for (std::ptrdiff_t j = 0; j < registers; ++j) put_unaligned(row + j * lanes, cells[j]);
}

inline void block_from_blocks(float* to, const float* row) {
    Floats cells[registers];
    for (std::ptrdiff_t j = 0; j < registers; ++j) cells[j] = get_unaligned(row + j * lanes);
    gather(cells);
    for (std::ptrdiff_t j = 0; j < registers; ++j) put_unaligned(to + j * lanes, cells[j]);
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

inline void reference(float* out, float* in, const float* sources, int width, int height, float speed) {
    reference_step(out, in, sources, width, height, speed);
}

using Ints [[gnu::vector_size(4 * lanes)]] = std::int32_t;

/// A channel of colour_of(), without branches.
inline Ints channel(Floats low, Floats high, Ints hue) {
    hue = hue > 360 ? hue - 360 : hue;
    hue = hue < 0 ? hue + 360 : hue;
    const Floats slope = __builtin_convertvector(hue < 60 ? hue : 240 - hue, Floats);
    const Floats sloped = low + (high - low) * slope / 60.0F;
    const Floats value = hue < 60 ? sloped : hue < 180 ? high : hue < 240 ? sloped : low;
    return __builtin_convertvector(255.0F * value, Ints);
}

inline Ints colours_of(Floats t) {
    const Floats above = t > 0 ? t : filled(0);
    const Floats lightness = above < 1 ? above : filled(1);
    Ints hue = 180 + __builtin_convertvector(360.0F * lightness, Ints);
    hue = hue >= 360 ? hue - 360 : hue;
    const Floats high = lightness <= 0.5F ? 2.0F * lightness : (lightness + 1.0F) - lightness;
    const Floats low = 2.0F * lightness - high;
    constexpr auto alpha = static_cast<std::int32_t>(255U << 24U);
    return channel(low, high, hue + 120) | channel(low, high, hue) << 8 |
           channel(low, high, hue - 120) << 16 | alpha;
}

inline void draw(unsigned char* rgba, const float* cells, std::size_t count) {
    static_assert(std::endian::native == std::endian::little, "red is the lowest byte");
    const auto draw_lanes = [&](std::size_t i, std::size_t bytes) {
        Floats some{};
        std::memcpy(&some, cells + i, bytes);
        const Ints colours = colours_of(some);
        std::memcpy(rgba + 4 * i, &colours, bytes);
    };
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) draw_lanes(i, sizeof(Floats));
    if (i < count) draw_lanes(i, (count - i) * sizeof(float));
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
