#include "occupancy/gpu/additions.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/occupancy.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/counts.hpp"
#include "common/program/fault.hpp"
#include "occupancy/kernels/1_compiler.cuh"
#include "occupancy/kernels/2_blocks.cuh"
#include "occupancy/kernels/3_long_lived.cuh"
#include "occupancy/kernels/4_barrier.cuh"

namespace cudabook::occupancy {

namespace {

constexpr bool emulated = gpu_kind == DeviceKind::emulated;

using AddKernel = void (*)(Operands);

struct VectorAdd {
    const char* name;
    const char* what;
    AddKernel kernel;
    std::optional<int> threads;  ///< the threads of a block; if nullopt, the runtime proposes the number
    /// The default number of blocks, as a multiple of the number that the GPU holds at once.
    double waves;
    int elements_of_thread;
};

const VectorAdd table[] = {
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
        // Excludes the results and counts of the other launches.
        forget_counts();
        CUDA_CHECK(cudaMemsetAsync(sums_.data(), 0xff, sums_.size() * sizeof(std::int32_t), stream_.get()));
        addition.ms = launch_blocks(blocks_);
        addition.warps = warps(blocks_);
        addition.sums = sums_.download();
        addition.sums.resize(elements_of(blocks_));
        flip_bit_if_asked(row_.name, std::span(addition.sums));
        addition.occupancy = occupancy_of(
            {reinterpret_cast<const void*>(row_.kernel), threads_, shared_bytes_}, device_.index);
        addition.warps_of_block = warps_of_block();
        addition.most_warps = most_warps(addition.occupancy);
        return addition;
    }

  private:
    [[nodiscard]] int warps_of_block() const { return (threads_ + 31) / 32; }

    /// The most warps on a multiprocessor. A block begins as a whole, but its warps end one by one, and the
    /// next block gets the registers and the slot of each warp at once (seen on an H200). The shared memory
    /// of a block, and its slot among the resident blocks, are kept until its last warp has ended.
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

    /// Launches the kernel, and returns its time in ms.
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

    /// Launches the kernel until the GPU's clocks are up. The last launch has a block for each
    /// multiprocessor, so that place_of() gives each multiprocessor a place.
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

    /// The multiprocessor's place, counted from 0, among the multiprocessors that have written notes. PTX
    /// does not promise that the numbers have no gaps.
    int place_of(unsigned multiprocessor) {
        return places_.try_emplace(multiprocessor, static_cast<int>(places_.size())).first->second;
    }

    /// The timeline from the notes of the last launch's warps.
    [[nodiscard]] Timeline warps(int blocks) {
        std::vector<Note> notes = notes_.download();
        notes.resize(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(warps_of_block()));
        auto first = std::numeric_limits<unsigned long long>::max();
        for (const Note& note : notes)
            if (note.begin_ns != 0) first = std::min(first, note.begin_ns);
        // A time that a warp has not noted becomes -1; why_impossible() reports such a warp.
        const auto us = [first](unsigned long long ns) {
            return ns < first ? -1.0 : static_cast<double>(ns - first) / 1000;
        };
        Timeline found;
        for (const Note& note : notes)
            found.push_back({place_of(note.multiprocessor), us(note.begin_ns), us(note.end_ns)});
        return found;
    }

    /// Measures the time of a block on each multiprocessor, in a launch with `blocks_each` blocks for each
    /// multiprocessor, and adds this time to `machine`.
    void add_block_us(Machine& machine, int blocks_each) {
        struct Sum {
            double us = 0;
            int warps = 0;
            [[nodiscard]] double mean() const {
                constexpr double least = 0.001;  // for a block that is too short for the clock
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
        // A multiprocessor that had no block gets the mean of all. So does every multiprocessor of an
        // emulated GPU, because it is a thread of the host.
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

}  // namespace

std::vector<Kernel> additions() {
    std::vector<Kernel> kernels;
    for (const VectorAdd& row : table)
        kernels.push_back({.name = row.name,
                           .memory = "global",
                           .what = row.what,
                           .device = DeviceKind::cuda,
                           .add = [&row](const Device& device, const Request& request) {
                               CUDA_CHECK(cudaSetDevice(device.index));
                               return Adder(row, device, request).run();
                           }});
    return kernels;
}

}  // namespace cudabook::occupancy
