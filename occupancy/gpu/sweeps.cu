#include "occupancy/gpu/sweeps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>

#include "common/cuda/array.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/numbers/crc32.hpp"
#include "common/program/fault.hpp"
#include "occupancy/gpu/calculator.hpp"
#include "occupancy/kernels/5_memory_bound.cuh"
#include "occupancy/kernels/6_arithmetic_bound.cuh"
#include "occupancy/kernels/fill.cuh"
#include "occupancy/sweep.hpp"

namespace cudabook::occupancy {

namespace {

constexpr bool emulated = gpu_kind == DeviceKind::emulated;

/// The launches of a sweep: the same small blocks at every occupancy. Reserved, unused shared memory sets the
/// occupancy.
struct SweepShape {
    int threads;      ///< the threads of a block
    int most_blocks;  ///< the most blocks on a multiprocessor
    int blocks;       ///< the blocks of a launch
};

SweepShape sweep_shape(const GpuModel& gpu) {
    // 480 is a multiple of 1 to 6, 8, 10, 12, 15, 16, 20, 24, 30 and 32. With these numbers of blocks on a
    // multiprocessor, the last wave is as full as the other waves.
    constexpr int multiple = 480;
    const int threads = (gpu.threads_per_multiprocessor / gpu.blocks_per_multiprocessor + 31) / 32 * 32;
    const int most = gpu.threads_per_multiprocessor / threads;
    return {threads, most, (emulated ? most : multiple) * gpu.multiprocessors};
}

/// The shared memory per block with which a multiprocessor holds `blocks` blocks: the multiprocessor's
/// shared memory divided by `blocks`, or 0 if so many blocks fill the multiprocessor without shared memory.
std::size_t shared_bytes_for(const GpuModel& gpu, const SweepShape& shape, int blocks) {
    constexpr std::size_t unit = 256;
    if (blocks == shape.most_blocks) return 0;
    const std::size_t share = gpu.shared_bytes_per_multiprocessor / static_cast<std::size_t>(blocks);
    return std::min(share - gpu.shared_bytes_reserved_per_block, gpu.shared_bytes_per_block_optin) / unit *
           unit;
}

/// A kernel's sweep: `start` launches the kernel with a given number of bytes of shared memory per block, and
/// `check` returns whether the results in `sums` are right.
template <class Sum, class... Parameters, class Start, class Check>
Sweep sweep(const Device& device, const std::optional<TimeBudget>& budget, int under_way, double work,
            void (*kernel)(Parameters...), const DeviceArray<Sum>& sums, const Stream& stream, Start start,
            Check check) {
    const GpuModel gpu = model_of(device);
    const SweepShape shape = sweep_shape(gpu);
    // The carve-out for shared memory is the largest, so that the L1 cache has the same size at every
    // occupancy.
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    Sweep found{.under_way = under_way, .points = {}, .checksum = 0, .right = true};
    Stopwatch stopwatch;
    const std::vector<int> steps = sweep_steps(shape.most_blocks, budget && !emulated);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::size_t shared_bytes = shared_bytes_for(gpu, shape, steps[i]);
        const auto once = [&] {
            stopwatch.start(stream);
            start(shape, shared_bytes);
            return stopwatch.stop(stream);
        };
        Point point;
        CUDA_CHECK(cudaMemsetAsync(sums.data(), 0xff, sums.size() * sizeof(Sum), stream.get()));
        const double ms = once();
        found.right = check(found) && found.right;
        point.time = budget ? measure(once, budget->share(steps.size() - i)) : summarise({ms});
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&point.blocks, kernel, shape.threads,
                                                                 shared_bytes));
        point.warps = point.blocks * shape.threads / 32;
        point.percent = 100.0 * point.blocks * shape.threads / gpu.threads_per_multiprocessor;
        point.work = work;
        found.points.push_back(point);
    }
    return found;
}

constexpr int words_of_thread = emulated ? 16 : 128;
constexpr int fmas_of_thread = emulated ? 64 : 8192;

template <int under_way>
Sweep memory_sweep(const Device& device, const std::optional<TimeBudget>& budget,
                   const DeviceArray<unsigned>& words, const DeviceArray<unsigned>& sums,
                   const Stream& stream) {
    const auto kernel = memory_bound_kernel<under_way>;
    const std::uint32_t expected = expected_sum_of_words(words.size());
    return sweep(
        device, budget, under_way, static_cast<double>(words.size() * sizeof(unsigned)), kernel, sums, stream,
        [&](const SweepShape& shape, std::size_t shared_bytes) {
            launch_with_shared(kernel, shape.blocks, shape.threads, shared_bytes, stream,
                               static_cast<const unsigned*>(words.data()), words_of_thread, sums.data());
        },
        [&](Sweep& found) {
            std::vector<unsigned> parts = sums.download();
            flip_bit_if_asked("memory_bound", std::span(parts));
            found.checksum = std::accumulate(parts.begin(), parts.end(), std::uint32_t{0});
            return found.checksum == expected;
        });
}

std::vector<Sweep> memory_bound(const Device& device, const std::optional<TimeBudget>& budget) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const SweepShape shape = sweep_shape(model_of(device));
    const std::size_t threads =
        static_cast<std::size_t>(shape.blocks) * static_cast<std::size_t>(shape.threads);
    const DeviceArray<unsigned> words(threads * words_of_thread);
    const DeviceArray<unsigned> sums(threads);
    const Stream stream;
    launch<fill_kernel>(8 * device.units, 256, stream, words.data(), words.size());
    const auto share = [&](std::size_t left) {
        return budget ? std::optional(budget->share(left)) : std::nullopt;
    };
    return {memory_sweep<1>(device, share(4), words, sums, stream),
            memory_sweep<2>(device, share(3), words, sums, stream),
            memory_sweep<4>(device, share(2), words, sums, stream),
            memory_sweep<8>(device, share(1), words, sums, stream)};
}

template <int chains>
Sweep arithmetic_sweep(const Device& device, const std::optional<TimeBudget>& budget,
                       const DeviceArray<float>& sums, const Stream& stream) {
    const auto kernel = arithmetic_bound_kernel<chains>;
    const SweepShape shape = sweep_shape(model_of(device));
    std::vector<float> expected;
    for (int thread = 0; thread < shape.threads; ++thread)
        expected.push_back(expected_chains(thread, chains, fmas_of_thread));
    return sweep(
        device, budget, chains, 2.0 * fmas_of_thread * static_cast<double>(sums.size()), kernel, sums, stream,
        [&](const SweepShape& of, std::size_t shared_bytes) {
            launch_with_shared(kernel, of.blocks, of.threads, shared_bytes, stream, fmas_of_thread,
                               sums.data());
        },
        [&](Sweep& found) {
            std::vector<float> parts = sums.download();
            flip_bit_if_asked("arithmetic_bound", std::span(parts));
            found.checksum = checksum(parts);
            bool right = true;
            for (std::size_t i = 0; i < parts.size(); ++i)
                right = right && parts[i] == expected[i % expected.size()];
            return right;
        });
}

std::vector<Sweep> arithmetic_bound(const Device& device, const std::optional<TimeBudget>& budget) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const SweepShape shape = sweep_shape(model_of(device));
    const DeviceArray<float> sums(static_cast<std::size_t>(shape.blocks) *
                                  static_cast<std::size_t>(shape.threads));
    const Stream stream;
    const auto share = [&](std::size_t left) {
        return budget ? std::optional(budget->share(left)) : std::nullopt;
    };
    return {arithmetic_sweep<1>(device, share(3), sums, stream),
            arithmetic_sweep<2>(device, share(2), sums, stream),
            arithmetic_sweep<4>(device, share(1), sums, stream)};
}

}  // namespace

std::vector<Kernel> sweeps() {
    return {{.name = "memory_bound",
             .memory = "global",
             .what = "loads, over the occupancy and the loads under way in a thread",
             .device = DeviceKind::cuda,
             .sweep = memory_bound,
             .unit = "gb_per_s"},
            {.name = "arithmetic_bound",
             .memory = "registers",
             .what = "fmas, over the occupancy and the chains of fmas in a thread",
             .device = DeviceKind::cuda,
             .sweep = arithmetic_bound,
             .unit = "tflops"}};
}

double fma_tflops(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    constexpr int threads = 256;
    const int blocks = (emulated ? 1 : 8 * 8) * device.units;
    const DeviceArray<float> sums(static_cast<std::size_t>(blocks) * threads);
    const Stream stream;
    Stopwatch stopwatch;
    double most = 0;
    // The fastest number of chains depends on the GPU.
    for (const auto kernel : {arithmetic_bound_kernel<4>, arithmetic_bound_kernel<8>}) {
        const Measurement time = measure([&] {
            stopwatch.start(stream);
            launch(kernel, blocks, threads, stream, fmas_of_thread, sums.data());
            return stopwatch.stop(stream);
        });
        most = std::max(most, 2.0 * fmas_of_thread * static_cast<double>(sums.size()) / time.median / 1e9);
    }
    return most;
}

}  // namespace cudabook::occupancy
