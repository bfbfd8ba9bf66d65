// The CPU: the reference, the plain loop that a benchmark compares with, and the kernel `stream`.
#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/numbers/rand_blocks.hpp"
#include "common/program/fault.hpp"
#include "tex1dfetch_big/cpu/streams.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

namespace {

using Words = std::array<std::uint32_t, Streams::order>;

/// Advances a stream, and adds up its next outputs: r[i] = r[i-3] + r[i-31], output i is r[i] >> 1.
/// Afterwards the words are in order if `outputs` is a multiple of 31.
std::uint32_t add_outputs(Words& r, std::size_t outputs) {
    std::uint32_t sum = 0;
    std::uint32_t a = r[Streams::order - 3];
    std::uint32_t b = r[Streams::order - 2];
    std::uint32_t c = r[Streams::order - 1];
    const auto next = [&](std::uint32_t& oldest) {
        oldest += a;
        a = b;
        b = c;
        c = oldest;
        sum += oldest >> 1U;
    };
    for (; outputs >= Streams::order; outputs -= Streams::order)
#pragma GCC unroll 31
        for (std::uint32_t& oldest : r) next(oldest);
    for (std::size_t i = 0; i < outputs; ++i) next(r[i]);
    return sum;
}

/// Returns the 31 words before output 0.
Words first_words() {
    // The minimal standard generator gives 31 seeds; then the first three seeds are repeated.
    std::array<std::uint32_t, Streams::order + 3> seeds{1};
    for (std::size_t i = 1; i < Streams::order; ++i)
        seeds[i] = static_cast<std::uint32_t>(std::uint64_t{16807} * seeds[i - 1] % 2147483647U);
    std::copy_n(seeds.begin(), 3, seeds.begin() + Streams::order);
    Words r{};
    std::copy(seeds.begin() + 3, seeds.end(), r.begin());
    add_outputs(r, 310);  // these outputs are dropped
    return r;
}

constexpr std::size_t piece = Streams::count * Streams::run;  ///< the outputs of `count` streams whose starts
                                                              ///< are `run` outputs apart

/// As add_outputs(), but with many streams side by side, on all cores.
std::uint32_t add_pieces(Words& r, std::size_t pieces, const StreamLoops& loops,
                         const OnProgress& on_progress) {
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    std::vector<Streams> begins(std::bit_ceil(std::min(pieces, 4 * threads)));  // starts of the pieces

    // The matrix that advances streams by a run. Column k is the result of advancing 31 words, where word k
    // is 1 and all other words are 0.
    Streams ahead{};
    for (std::size_t k = 0; k < Streams::order; ++k) ahead.words[k][k] = 1;
    loops.add_run(ahead);

    // Doubles the number of known streams: each known stream is advanced past the last known stream.
    for (std::size_t k = 0; k < Streams::order; ++k) begins[0].words[k][0] = r[k];
    for (std::size_t known = 1; known < Streams::count; known *= 2) {
        const Streams more = loops.product(ahead, begins[0]);
        for (std::size_t k = 0; k < Streams::order; ++k)
            std::copy_n(more.words[k].begin(), known, begins[0].words[k].begin() + known);
        ahead = loops.product(ahead, ahead);
    }
    for (std::size_t known = 1; known < begins.size(); known *= 2) {
        for (std::size_t p = 0; p < known; ++p) begins[known + p] = loops.product(ahead, begins[p]);
        ahead = loops.product(ahead, ahead);
    }

    // Progress is reported between two parallel regions: the callback may throw, and no exception may leave a
    // parallel region.
    const std::size_t at_once = 16 * begins.size();
    std::uint32_t sum = 0;
    for (std::size_t done = 0; done < pieces;) {
        const std::size_t end = std::min(pieces, done + at_once);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (std::size_t first = 0; first < begins.size(); ++first)
            for (std::size_t p = done + first; p < end; p += begins.size()) {
                // Each row of words begins on a cache line, so that no load of a register needs two.
                alignas(64) Streams streams = begins[first];
                sum += loops.add_run(streams);
                begins[first] = loops.product(ahead, begins[first]);
            }
        done = end;
        on_progress(static_cast<double>(done) / static_cast<double>(pieces));
    }
    for (std::size_t k = 0; k < Streams::order; ++k) r[k] = begins[pieces % begins.size()].words[k][0];
    return sum;
}

}  // namespace

std::uint32_t expected_sum(std::size_t words, const OnProgress& on_progress, std::size_t level) {
    Words r = first_words();
    std::uint32_t sum = 0;
    if (words >= piece) sum += add_pieces(r, words / piece, stream_loops()[level], on_progress);
    sum += add_outputs(r, words % piece);
    on_progress(1);
    flip_bit_if_asked("reference", std::span(&sum, 1));
    return sum;
}

namespace {

std::uint32_t sum_of_stream(std::size_t words, const OnProgress& on_progress) {
    constexpr std::size_t part = 1024 * RandBlocks::size;  // seeking takes as long as making 50 blocks
    const std::size_t at_once = 16 * part * static_cast<std::size_t>(omp_get_max_threads());
    std::uint32_t sum = 0;
    for (std::size_t begin = 0; begin < words; begin += at_once) {
        const std::size_t end = std::min(words, begin + at_once);
        const auto parts = static_cast<std::ptrdiff_t>((end - begin + part - 1) / part);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (std::ptrdiff_t p = 0; p < parts; ++p) {
            std::size_t first = begin + static_cast<std::size_t>(p) * part;
            const std::size_t last = std::min(end, first + part);
            for (RandBlocks stream(first); first < last; first += RandBlocks::size)
                for (const std::uint32_t word : stream.next().first(std::min(RandBlocks::size, last - first)))
                    sum += word;
        }
        on_progress(static_cast<double>(end) / static_cast<double>(words));
    }
    flip_bit_if_asked("stream", std::span(&sum, 1));
    return sum;
}

}  // namespace

std::vector<Kernel> cpu_kernels() {
    return {{.name = "stream",
             .memory = "host",
             .what = "made in blocks on all cores, and added up as they come",
             .device = DeviceKind::cpu}};
}

Reading read_serially(std::size_t words, const OnProgress& on_progress) {
    Reading reading{};
    reading.ms = wall_ms([&] {
        Words r = first_words();
        for (std::size_t done = 0; done < words;) {
            const std::size_t now = std::min(piece, words - done);
            reading.sum += add_outputs(r, now);
            done += now;
            on_progress(static_cast<double>(done) / static_cast<double>(words));
        }
    });
    flip_bit_if_asked(serial, std::span(&reading.sum, 1));
    return reading;
}

Reading read_stream(std::size_t words, const OnProgress& on_progress) {
    Reading reading{};
    reading.ms = wall_ms([&] { reading.sum = sum_of_stream(words, on_progress); });
    return reading;
}

}  // namespace cudabook::tex1dfetch_big
