// The loops of RowKernels. row_kernels.cpp includes this once for each SIMD level, in a namespace that says
// what a register is (`Floats`, `Bits`), how many `lanes` it has, how to `fma`, how to put one past the
// caches, and in which lanes numbers are `below` another.

constexpr std::ptrdiff_t block = 4 * lanes;

inline Floats get(const float* from) { return *reinterpret_cast<const Floats*>(from); }
inline void put(float* to, Floats cells) { *reinterpret_cast<Floats*>(to) = cells; }
inline Floats get_unaligned(const float* from) {
    Floats cells;
    std::memcpy(&cells, from, sizeof cells);
    return cells;
}
inline void put_unaligned(float* to, Floats cells) { std::memcpy(to, &cells, sizeof cells); }
inline Floats filled(float cell) { return cell - Floats{}; }

/// The lanes of a and b with these numbers; b's go on behind a's.
template <int... index>
inline Floats shuffled(Floats a, Floats b, std::integer_sequence<int, index...>) {
    return __builtin_shufflevector(a, b, index...);
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

/// Four registers of plain order into block order.
inline void spread(Floats (&cells)[4]) {
    const Floats even_low = even(cells[0], cells[1]);
    const Floats odd_low = odd(cells[0], cells[1]);
    const Floats even_high = even(cells[2], cells[3]);
    const Floats odd_high = odd(cells[2], cells[3]);
    cells[0] = even(even_low, even_high);
    cells[1] = even(odd_low, odd_high);
    cells[2] = odd(even_low, even_high);
    cells[3] = odd(odd_low, odd_high);
}

/// The other way.
inline void gather(Floats (&cells)[4]) {
    const Floats even_low = low(cells[0], cells[2]);
    const Floats even_high = high(cells[0], cells[2]);
    const Floats odd_low = low(cells[1], cells[3]);
    const Floats odd_high = high(cells[1], cells[3]);
    cells[0] = low(even_low, odd_low);
    cells[1] = high(even_low, odd_low);
    cells[2] = low(even_high, odd_high);
    cells[3] = high(even_high, odd_high);
}

inline Floats with_sources(Floats cells, Floats sources) { return sources != 0 ? sources : cells; }

/// As unsigned integers, positive floats less one are in order, and 0 is the largest of all.
inline Bits order(Floats cells) { return reinterpret_cast<Bits>(cells) - 1; }
constexpr std::uint32_t order(float cell) { return std::bit_cast<std::uint32_t>(cell) - 1; }
inline Bits least(Bits a, Bits b) { return a < b ? a : b; }

/// The last fma of a step, speed · inner + cells, rounded in float64 where it is small.
[[gnu::noinline, gnu::cold]] Floats rounded(Floats inner, Floats cells, float speed) {
    for (int lane = 0; lane < lanes; ++lane)
        cells[lane] = rounded_in_float64(inner[lane], cells[lane], speed);
    return cells;
}

/// Rounds the new temperatures of a register in each row where they are small. `cells` are the old ones.
[[gnu::always_inline]] inline void round(Floats (&results)[batch_rows], const Floats (&inner)[batch_rows],
                                         const Floats (&cells)[batch_rows], float speed) {
    // From this number up to its double, floats are the multiples of 2^-149, scaled, as all temperatures are.
    // Where the old one is below this number, their sum is exact, and the fma alone rounds. Where it is not,
    // and the speed is 1/4, so that nothing is left of it, the small result is a multiple of 2^-151 at least:
    // it is exact, or a tie that was rounded to even, and the addition rounds it rightly.
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

/// A step of a block of all rows. `before` has the register before the block of each old row that is stepped,
/// and gets the block's last.
[[gnu::always_inline]] inline void step_block(const Batch& batch, std::ptrdiff_t x, bool small, bool sourced,
                                              Floats (&before)[batch_rows]) {
    Floats left[batch_rows];
    Floats old[batch_rows][5];
    for (int r = 0; r < batch_rows; ++r) {
        const float* row = batch.rows[r + 1] + x;
        for (std::ptrdiff_t j = 0; j < 4; ++j) old[r][j] = get(row + j * lanes);
        old[r][4] = first_after(old[r][0], get(row + block));
        left[r] = last_before(before[r], old[r][3]);
    }
#pragma GCC unroll 4
    for (std::ptrdiff_t j = 0; j < 4; ++j) {
        const std::ptrdiff_t at = x + j * lanes;
        Floats top = get(batch.rows[0] + at);
        Floats inner[batch_rows];
        Floats results[batch_rows];
#pragma GCC unroll 3
        for (int r = 0; r < batch_rows; ++r) {
            const Floats bottom = r + 1 < batch_rows ? old[r + 1][j] : get(batch.rows[batch_rows + 1] + at);
            inner[r] = fma(filled(-4), old[r][j], ((top + bottom) + left[r]) + old[r][j + 1]);
            results[r] = fma(filled(batch.speed), inner[r], old[r][j]);
            top = left[r] = old[r][j];
        }
        if (small) {
            Bits smallest = order(results[0]);
            for (int r = 1; r < batch_rows; ++r) smallest = least(smallest, order(results[r]));
            if (below(smallest, order(least_normal)) != 0) round(results, inner, left, batch.speed);
        }
        for (int r = 0; r < batch_rows; ++r)
            put(batch.rows[r] + at,
                sourced ? with_sources(results[r], get_unaligned(batch.sources[r] + at)) : results[r]);
    }
    for (int r = 0; r < batch_rows; ++r) before[r] = left[r];
}

inline void step(const Batch& batch) {
    const Batch all = batch;  // nothing that is written to a row changes it
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

inline BlockMask load(float* row, const float* cells, const float* sources, int blocks, float limit,
                      int reach) {
    // The lanes with cells from which the block before, and the one after, is no further than that.
    const int near = (reach + 3) / 4;
    const std::uint32_t near_begin = (1U << near) - 1;
    const std::uint32_t near_end = near_begin << (lanes - near);
    BlockMask small = 0;
    for (std::ptrdiff_t i = 0; i < blocks; ++i) {
        Bits smallest = ~Bits{};
        for (std::ptrdiff_t at = i * block; at < (i + 1) * block; at += lanes) {
            Floats some = get_unaligned(cells + at);
            if (sources != nullptr) some = with_sources(some, get_unaligned(sources + at));
            smallest = least(smallest, order(some));
            put(row + at, some);
        }
        const std::uint32_t below_limit = below(smallest, order(limit));
        const BlockMask bit = BlockMask{1} << i;
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
    Floats cells[4];
    for (std::ptrdiff_t j = 0; j < 4; ++j) cells[j] = get_unaligned(from + j * lanes);
    spread(cells);
    for (std::ptrdiff_t j = 0; j < 4; ++j) put_unaligned(row + j * lanes, cells[j]);
}

inline void block_from_blocks(float* to, const float* row) {
    Floats cells[4];
    for (std::ptrdiff_t j = 0; j < 4; ++j) cells[j] = get_unaligned(row + j * lanes);
    gather(cells);
    for (std::ptrdiff_t j = 0; j < 4; ++j) put_unaligned(to + j * lanes, cells[j]);
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

constexpr RowKernels kernels_of(const char* simd) {
    return {simd, static_cast<int>(lanes), to_blocks, from_blocks, load, step, store_past_caches, reference};
}
