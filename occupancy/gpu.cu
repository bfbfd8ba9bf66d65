// The GPU: the launches, and the table of the kernels.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/numbers/crc32.hpp"
#include "common/program/counts.hpp"
#include "common/program/fault.hpp"
#include "occupancy/kernels/1_compiler.cuh"
#include "occupancy/kernels/2_blocks.cuh"
#include "occupancy/kernels/3_long_lived.cuh"
#include "occupancy/kernels/4_barrier.cuh"
#include "occupancy/kernels/5_memory_bound.cuh"
#include "occupancy/kernels/6_arithmetic_bound.cuh"
#include "occupancy/kernels/fill.cuh"
#include "occupancy/occupancy.hpp"
#include "occupancy/sweep.hpp"

namespace cudabook::occupancy {

namespace {

constexpr bool emulated = gpu_kind == DeviceKind::emulated;

// ----- The calculator

cudaOccDeviceProp properties_of(const GpuModel& gpu) {
    cudaOccDeviceProp properties;
    properties.computeMajor = gpu.major;
    properties.computeMinor = gpu.minor;
    properties.maxThreadsPerBlock = 1024;
    properties.maxThreadsPerMultiprocessor = gpu.threads_per_multiprocessor;
    properties.regsPerBlock = gpu.registers_per_block;
    properties.regsPerMultiprocessor = gpu.registers_per_multiprocessor;
    properties.warpSize = 32;
    properties.numSms = gpu.multiprocessors;
    properties.sharedMemPerBlock = gpu.shared_bytes_per_block;
    properties.sharedMemPerMultiprocessor = gpu.shared_bytes_per_multiprocessor;
    properties.sharedMemPerBlockOptin = gpu.shared_bytes_per_block_optin;
    properties.reservedSharedMemPerBlock = gpu.shared_bytes_reserved_per_block;
    return properties;
}

Calculate calculator(const GpuModel& gpu) {
    return [properties = properties_of(gpu)](const Shape& shape) -> std::optional<Held> {
        cudaFuncAttributes kernel{};
        kernel.maxThreadsPerBlock = properties.maxThreadsPerBlock;
        kernel.numRegs = shape.registers;
        kernel.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
        const auto found = occupancy_of(properties, kernel, shape.threads, shape.shared_bytes);
        if (!found) return std::nullopt;
        const int warps = (shape.threads + 31) / 32;
        return Held{found->blocks, found->blocks * warps, properties.maxThreadsPerMultiprocessor / 32,
                    found->limit};
    };
}

GpuModel model_of(const Device& device) {
    const cudaOccDeviceProp properties = occupancy_properties(device.index);
    return {
        .name = "device",
        .product = device.name,
        .major = properties.computeMajor,
        .minor = properties.computeMinor,
        .multiprocessors = properties.numSms,
        .threads_per_multiprocessor = properties.maxThreadsPerMultiprocessor,
        .blocks_per_multiprocessor = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device.index),
        .registers_per_block = properties.regsPerBlock,
        .registers_per_multiprocessor = properties.regsPerMultiprocessor,
        .shared_bytes_per_block = properties.sharedMemPerBlock,
        .shared_bytes_per_block_optin = properties.sharedMemPerBlockOptin,
        .shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor,
        .shared_bytes_reserved_per_block = properties.reservedSharedMemPerBlock};
}

// ----- The vector additions

using AddKernel = void (*)(Operands);

struct VectorAdd {
    const char* name;
    const char* what;
    AddKernel kernel;
    std::optional<int> threads;  ///< of a block; empty: what the runtime proposes
    /// The blocks, unless the command line says how many: so many times as the GPU holds at once.
    double waves;
    int elements_of_thread;
};

const VectorAdd additions[] = {
    {"vector_add1",
     "a thread an element, in blocks that the runtime proposes",
     vector_add1_kernel,
     {},
     3.5,
     1},
    {"vector_add2", "blocks of 512 threads, an eighth of them in the second wave", vector_add2_kernel, 512,
     8.0 / 7, 1},
    {"vector_add3", "long-lived blocks of 320 threads, a quarter of them in the second wave",
     vector_add3_kernel, 320, 4.0 / 3, 4},
    {"vector_add4", "the same with a barrier at both ends", vector_add4_kernel, 320, 4.0 / 3, 4},
};

/// Launches of one vector addition.
class Adder {
  public:
    Adder(const VectorAdd& row, const Device& device, const Request& request)
        : row_(row), device_(device), shared_bytes_(request.shared_bytes) {
        CUDA_CHECK(cudaFuncSetAttribute(row.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes_)));
        if (request.threads || row.threads) {
            threads_ = request.threads ? *request.threads : *row.threads;
        } else {
            int least_blocks = 0;
            CUDA_CHECK(
                cudaOccupancyMaxPotentialBlockSize(&least_blocks, &threads_, row.kernel, shared_bytes_));
        }
        CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most_blocks_, row.kernel, threads_,
                                                                 shared_bytes_));
        if (most_blocks_ == 0)
            throw MachineError(
                fmt::format("--block {} --shared {}: no multiprocessor of {} holds such a block of kernel {}",
                            threads_, shared_bytes_, device.name, row.name));
        const int capacity = most_blocks_ * device.units;
        blocks_ = request.blocks ? *request.blocks : static_cast<int>(row.waves * capacity);
        const int passes_in_all = emulated ? 16 : 2048;
        passes_ = request.passes ? *request.passes : passes_in_all;
        const auto most = static_cast<std::size_t>(std::max(blocks_, capacity));
        const std::size_t threads = most * static_cast<std::size_t>(threads_);
        vectors_ = make_vectors(threads * static_cast<std::size_t>(row.elements_of_thread));
        first_ = DeviceArray<std::int32_t>(std::span<const std::int32_t>(vectors_.first));
        second_ = DeviceArray<std::int8_t>(std::span<const std::int8_t>(vectors_.second));
        sums_ = DeviceArray<std::int32_t>(vectors_.first.size());
        notes_ = DeviceArray<Note>(most * static_cast<std::size_t>(warps_of_block()));
    }

    Addition run() {
        warm_up();
        Machine machine = alike(device_.units, {});
        for (int blocks = 1; blocks <= most_blocks_; ++blocks) add_block_us(machine, blocks);
        Addition addition{.blocks = blocks_,
                          .threads = threads_,
                          .passes = passes_,
                          .vectors = std::move(vectors_),
                          .sums = {},
                          .machine = std::move(machine)};
        addition.vectors.first.resize(elements_of(blocks_));
        // What the other launches have written and asked for is not taken for this one's.
        static_cast<void>(take_counts());
        CUDA_CHECK(cudaMemsetAsync(sums_.data(), 0xff, sums_.size() * sizeof(std::int32_t), stream_.get()));
        addition.ms = launch_blocks(blocks_);
        addition.warps = warps(blocks_);
        addition.sums = sums_.download();
        addition.sums.resize(elements_of(blocks_));
        flip_bit_if_asked(row_.name, std::span(addition.sums));
        addition.occupancy =
            occupancy_of(reinterpret_cast<const void*>(row_.kernel), threads_, device_.index, shared_bytes_);
        addition.warps_of_block = warps_of_block();
        addition.most_warps = most_warps(addition.occupancy);
        return addition;
    }

  private:
    [[nodiscard]] int warps_of_block() const { return (threads_ + 31) / 32; }

    /// A block begins as a whole, but its warps end one by one, and what each had, its place and its
    /// registers, goes to the next block at once (seen on an H200). Shared memory and the place of a block
    /// are kept until its last warp has ended.
    [[nodiscard]] int most_warps(const std::optional<Occupancy>& occupancy) const {
        const bool by_block =
            occupancy && (occupancy->limit == "shared memory" || occupancy->limit == "blocks");
        return by_block ? most_blocks_ * warps_of_block()
                        : device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device_.index) / 32;
    }

    [[nodiscard]] std::size_t elements_of(int blocks) const {
        return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads_) *
               static_cast<std::size_t>(row_.elements_of_thread);
    }

    /// The launch's time in ms.
    double launch_blocks(int blocks) {
        CUDA_CHECK(cudaMemsetAsync(notes_.data(), 0, notes_.size() * sizeof(Note), stream_.get()));
        stopwatch_.start(stream_);
        launch_with_shared(row_.kernel, blocks, threads_, shared_bytes_, stream_,
                           Operands{.first = first_.data(),
                                    .second = second_.data(),
                                    .second_mask = second_size - 1,
                                    .second_step = second_step,
                                    .passes = passes_,
                                    .sums = sums_.data(),
                                    .elements = static_cast<unsigned>(elements_of(blocks)),
                                    .notes = notes_.data()});
        return stopwatch_.stop(stream_);
    }

    /// Until the clocks are up. The last launch has a block for each multiprocessor, which gives them places.
    void warm_up() {
        constexpr double enough_ms = emulated ? 0 : 50;
        const double begin = steady_ms();
        do launch_blocks(device_.units);
        while (steady_ms() - begin < enough_ms);
        std::vector<Note> notes = notes_.download();
        std::ranges::sort(notes, {}, &Note::multiprocessor);
        for (const Note& note : notes)
            if (note.begin_ns != 0) place_of(note.multiprocessor);
    }

    /// The multiprocessor's place, from 0, among those that have noted something. PTX does not promise that
    /// the numbers have no gaps.
    int place_of(unsigned multiprocessor) {
        return places_.try_emplace(multiprocessor, static_cast<int>(places_.size())).first->second;
    }

    /// What the last launch's warps have noted.
    [[nodiscard]] Timeline warps(int blocks) {
        std::vector<Note> notes = notes_.download();
        notes.resize(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(warps_of_block()));
        auto first = std::numeric_limits<unsigned long long>::max();
        for (const Note& note : notes)
            if (note.begin_ns != 0) first = std::min(first, note.begin_ns);
        // A warp that has noted nothing ends before it begins, which is found to be impossible.
        const auto us = [first](unsigned long long ns) {
            return ns < first ? -1.0 : static_cast<double>(ns - first) / 1000;
        };
        Timeline found;
        for (const Note& note : notes)
            found.push_back({place_of(note.multiprocessor), us(note.begin_ns), us(note.end_ns)});
        return found;
    }

    /// How long a block takes on each multiprocessor with so many on each, from a launch of as many.
    void add_block_us(Machine& machine, int blocks_each) {
        struct Sum {
            double us = 0;
            int warps = 0;
            [[nodiscard]] double mean() const {
                constexpr double least = 0.001;  // where the clock does not resolve a block
                return std::max(least, us / warps);
            }
        };
        Sum all;
        std::vector<Sum> of_each(machine.block_us.size());
        const int blocks = blocks_each * device_.units;
        launch_blocks(blocks);
        for (const Span& warp : warps(blocks))
            for (Sum* sum : {&all, &of_each.at(static_cast<std::size_t>(warp.multiprocessor))}) {
                sum->us += warp.end_us - warp.begin_us;
                ++sum->warps;
            }
        // One that had no block, and the emulated GPU's, which are the host's threads, take what all take.
        for (std::size_t i = 0; i < of_each.size(); ++i)
            machine.block_us[i].push_back((of_each[i].warps > 0 && !emulated ? of_each[i] : all).mean());
    }

    const VectorAdd& row_;
    Device device_;
    std::size_t shared_bytes_;
    int threads_ = 0;
    int most_blocks_ = 0;
    int blocks_ = 0;
    int passes_ = 0;
    Vectors vectors_;
    DeviceArray<std::int32_t> first_;
    DeviceArray<std::int8_t> second_;
    DeviceArray<std::int32_t> sums_;
    DeviceArray<Note> notes_;
    std::map<unsigned, int> places_;
    Stream stream_;
    Stopwatch stopwatch_;
};

// ----- Time over occupancy

/// The launches of a sweep: the same small blocks at every occupancy, which shared memory sets that is
/// reserved and not used.
struct SweepShape {
    int threads;      ///< of a block
    int most_blocks;  ///< on a multiprocessor
    int blocks;       ///< of a launch
};

SweepShape sweep_shape(const GpuModel& gpu) {
    // A multiple of 1 to 6, 8, 10, 12, 15, 16, 20, 24, 30 and 32: then the last wave is as full as the
    // others.
    constexpr int multiple = 480;
    const int threads = (gpu.threads_per_multiprocessor / gpu.blocks_per_multiprocessor + 31) / 32 * 32;
    const int most = gpu.threads_per_multiprocessor / threads;
    return {threads, most, (emulated ? most : multiple) * gpu.multiprocessors};
}

/// The shared memory with which a multiprocessor holds `blocks` blocks: all of it, or none if the blocks fill
/// the multiprocessor without it.
std::size_t shared_bytes_for(const GpuModel& gpu, const SweepShape& shape, int blocks) {
    constexpr std::size_t unit = 256;
    if (blocks == shape.most_blocks) return 0;
    const std::size_t share = gpu.shared_bytes_per_multiprocessor / static_cast<std::size_t>(blocks);
    return std::min(share - gpu.shared_bytes_reserved_per_block, gpu.shared_bytes_per_block_optin) / unit *
           unit;
}

/// A kernel's sweep: `start` launches it with so much shared memory, `check` whether its results, which go to
/// `sums`, are right.
template <class Sum, class... Parameters, class Start, class Check>
Sweep sweep(const Device& device, const std::optional<TimeBudget>& budget, int under_way, double work,
            void (*kernel)(Parameters...), const DeviceArray<Sum>& sums, const Stream& stream, Start start,
            Check check) {
    const GpuModel gpu = model_of(device);
    const SweepShape shape = sweep_shape(gpu);
    // So that every occupancy has the same cache.
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
    launch(fill_kernel, 8 * device.units, 256, stream, words.data(), words.size());
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

/// Enough chains in all the threads that the GPU holds: nothing is waited for. Which number of them is the
/// quickest depends on the GPU.
double fma_tflops(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    constexpr int threads = 256;
    const int blocks = (emulated ? 1 : 8 * 8) * device.units;
    const DeviceArray<float> sums(static_cast<std::size_t>(blocks) * threads);
    const Stream stream;
    Stopwatch stopwatch;
    double most = 0;
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

}  // namespace

GpuBackend gpu() {
    GpuBackend backend{.find_devices = cuda_devices,
                       .kernels = {},
                       .calculator = calculator,
                       .model_of = model_of,
                       .copy_gb_per_s = device_copy_gb_per_s,
                       .fma_tflops = fma_tflops};
    for (const VectorAdd& row : additions)
        backend.kernels.push_back({.name = row.name,
                                   .memory = "global",
                                   .what = row.what,
                                   .device = DeviceKind::cuda,
                                   .add = [&row](const Device& device, const Request& request) {
                                       CUDA_CHECK(cudaSetDevice(device.index));
                                       return Adder(row, device, request).run();
                                   }});
    backend.kernels.push_back({.name = "memory_bound",
                               .memory = "global",
                               .what = "loads, over the occupancy and the loads under way in a thread",
                               .device = DeviceKind::cuda,
                               .sweep = memory_bound,
                               .unit = "gb_per_s"});
    backend.kernels.push_back({.name = "arithmetic_bound",
                               .memory = "registers",
                               .what = "fmas, over the occupancy and the chains of fmas in a thread",
                               .device = DeviceKind::cuda,
                               .sweep = arithmetic_bound,
                               .unit = "tflops"});
    return backend;
}

}  // namespace cudabook::occupancy
