// The CPU: the reference, by a plain loop, and the kernel `stream`, on all cores.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/numbers/rand_blocks.hpp"
#include "common/program/fault.hpp"
#include "tex1dfetch_big/tex1dfetch_big.hpp"

namespace cudabook::tex1dfetch_big {

std::uint32_t expected_sum(std::size_t words, const OnProgress& on_progress) {
    constexpr std::size_t order = 31;
    constexpr std::size_t block = 3072;            // words that stay in the first cache, a multiple of three
    std::array<std::uint32_t, order + block> r{};  // 31 words, and those that follow from them

    // The minimal standard generator gives 31 seeds; the first three of them come once more.
    std::array<std::uint32_t, order + 3> seeds{1};
    for (std::size_t i = 1; i < order; ++i)
        seeds[i] = static_cast<std::uint32_t>(std::uint64_t{16807} * seeds[i - 1] % 2147483647U);
    std::copy_n(seeds.begin(), 3, seeds.begin() + order);
    std::copy(seeds.begin() + 3, seeds.end(), r.begin());

    std::size_t skipped = 310;
    std::uint32_t sum = 0;
    for (std::size_t done = 0, blocks = 1; done < words; ++blocks) {
        // r[i] = r[i-3] + r[i-31]: three chains, each of which goes on from its last word.
        std::uint32_t a = r[order - 3];
        std::uint32_t b = r[order - 2];
        std::uint32_t c = r[order - 1];
        for (std::size_t i = 0; i < block; i += 3) {
            r[order + i] = a += r[i];
            r[order + i + 1] = b += r[i + 1];
            r[order + i + 2] = c += r[i + 2];
        }
        const std::size_t end = std::min(block, skipped + words - done);
        for (std::size_t i = skipped; i < end; ++i) sum += r[order + i] >> 1U;
        std::copy_n(r.end() - order, order, r.begin());
        done += end - skipped;
        skipped = 0;
        if (blocks % 4096 == 0 || done == words)
            on_progress(static_cast<double>(done) / static_cast<double>(words));
    }
    flip_bit_if_asked(serial, std::span(&sum, 1));
    return sum;
}

namespace {

std::uint32_t sum_of_stream(std::size_t words, const OnProgress& on_progress) {
    constexpr std::size_t piece = 1024 * RandBlocks::size;  // to enter the stream takes as long as 50 blocks
    // Progress is reported between two parallel regions, because it may throw and no exception may leave one.
    const std::size_t at_once = 16 * piece * static_cast<std::size_t>(omp_get_max_threads());
    std::uint32_t sum = 0;
    for (std::size_t begin = 0; begin < words; begin += at_once) {
        const std::size_t end = std::min(words, begin + at_once);
        const auto pieces = static_cast<std::ptrdiff_t>((end - begin + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (std::ptrdiff_t p = 0; p < pieces; ++p) {
            std::size_t first = begin + static_cast<std::size_t>(p) * piece;
            const std::size_t last = std::min(end, first + piece);
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

Reading read_stream(std::size_t words, const OnProgress& on_progress) {
    Reading reading{};
    reading.ms = wall_ms([&] { reading.sum = sum_of_stream(words, on_progress); });
    return reading;
}

}  // namespace cudabook::tex1dfetch_big
