// The CPU: the references, computed by the formulas, and the kernel `threads`, which runs blocks as a GPU
// does: each OpenMP thread acts as a multiprocessor that holds one block.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/program/fault.hpp"
#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

std::vector<std::int32_t> expected_sums(const Vectors& vectors, int passes) {
    std::vector<std::int32_t> sums = vectors.first;
    constexpr std::size_t piece = 4096;  // sums that stay in the L1 cache
    const auto pieces = static_cast<std::ptrdiff_t>((sums.size() + piece - 1) / piece);
#pragma omp parallel for schedule(dynamic)
    for (std::ptrdiff_t p = 0; p < pieces; ++p) {
        const std::size_t begin = static_cast<std::size_t>(p) * piece;
        const std::size_t end = std::min(begin + piece, sums.size());
        for (std::size_t pass = 0; pass < static_cast<std::size_t>(passes); ++pass) {
            // Starts at byte `at`, and wraps at the end of the vector.
            std::size_t at = (begin + pass * second_step) % vectors.second.size();
            for (std::size_t i = begin; i < end; at = 0) {
                const std::size_t run = std::min(end - i, vectors.second.size() - at);
                for (std::size_t j = 0; j < run; ++j) sums[i + j] += vectors.second[at + j];
                i += run;
            }
        }
    }
    return sums;
}

float expected_chains(int thread, int chains, int fmas) {
    float sum = 0;
    for (int chain = 0; chain < chains; ++chain) {
        auto value = static_cast<float>(thread + chain);
        for (int i = 0; i < fmas / chains; ++i) value = std::fma(value, 0.999F, 0.5F);
        sum += value;
    }
    return sum;
}

std::uint32_t expected_sum_of_words(std::uint64_t words) {
    const std::uint64_t even = words % 2 == 0 ? words : words - 1;
    const std::uint64_t odd = words % 2 == 0 ? words - 1 : words;
    return static_cast<std::uint32_t>(even / 2 * odd * 2654435761U);
}

namespace {

constexpr int block_threads = 512;
constexpr double cpu_waves = 3.5;

/// Computes the sums of a block. It adds element by element, while the reference adds pass by pass.
void add_block(const Vectors& vectors, int block, int threads, int passes, std::span<std::int32_t> sums) {
    const std::size_t begin = static_cast<std::size_t>(block) * static_cast<std::size_t>(threads);
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(threads); ++i) {
        std::int32_t sum = vectors.first[i];
        auto at = static_cast<unsigned>(i);
        for (int pass = 0; pass < passes; ++pass, at += second_step)
            sum += vectors.second[at & (second_size - 1)];
        sums[i] = sum;
    }
}

Timeline add_blocks(Addition& addition, int blocks) {
    Timeline timeline(static_cast<std::size_t>(blocks));
    const double start = steady_ms();
    const auto now_us = [start] { return 1000 * (steady_ms() - start); };
#pragma omp parallel for schedule(dynamic, 1)
    for (int block = 0; block < blocks; ++block) {
        Span& noted = timeline[static_cast<std::size_t>(block)];
        noted = {omp_get_thread_num(), now_us(), 0};
        add_block(addition.vectors, block, addition.threads, addition.passes, addition.sums);
        noted.end_us = now_us();
    }
    const double first = std::ranges::min(timeline, {}, &Span::begin_us).begin_us;
    for (Span& block : timeline) {
        block.begin_us -= first;
        block.end_us -= first;
    }
    return timeline;
}

Addition add_on_threads(const Device&, const Request& request) {
    Addition addition;
    addition.threads = request.threads.value_or(block_threads);
    addition.passes = request.passes.value_or(2048);
    const int threads = omp_get_max_threads();
    addition.blocks = request.blocks.value_or(static_cast<int>(cpu_waves * threads));
    const auto elements = [&](int blocks) {
        return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(addition.threads);
    };
    addition.vectors = make_vectors(elements(std::max(addition.blocks, threads)));
    addition.sums.resize(addition.vectors.first.size());
    double sum = 0;
    for (const Span& block : add_blocks(addition, threads)) sum += block.end_us - block.begin_us;
    addition.machine = alike(threads, {std::max(0.001, sum / threads)});
    std::ranges::fill(addition.sums, -1);  // overwrites the results of the measured blocks
    addition.ms = wall_ms([&] { addition.warps = add_blocks(addition, addition.blocks); });
    addition.vectors.first.resize(elements(addition.blocks));
    addition.sums.resize(elements(addition.blocks));
    flip_bit_if_asked("threads", std::span(addition.sums));
    return addition;
}

}  // namespace

std::vector<Kernel> cpu_kernels() {
    return {{.name = "threads",
             .memory = "host",
             .what = "the vector addition's blocks, handed out to the CPU's threads",
             .device = DeviceKind::cpu,
             .add = add_on_threads}};
}

}  // namespace cudabook::occupancy
