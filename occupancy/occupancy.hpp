// What the kernels are asked for, what they give, and what a GPU offers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"
#include "occupancy/calculator/calculator.hpp"
#include "occupancy/calculator/gpu_model.hpp"
#include "occupancy/timeline/scheduler.hpp"
#include "occupancy/timeline/timeline.hpp"

namespace cudabook::occupancy {

// ----- The vector addition: VectorAdd1 to VectorAdd4

/// How many bytes the second vector has.
inline constexpr unsigned second_size = 1U << 20U;
/// How far apart the bytes are that one thread adds in two passes: odd in units of 32 bytes, so that it meets
/// all of them.
inline constexpr unsigned second_step = 129 * 32;

struct Vectors {
    std::vector<std::int32_t> first;
    std::vector<std::int8_t> second;  ///< second_size bytes
};
Vectors make_vectors(std::size_t elements);

/// first[i] + second[i % size] + second[(i + step) % size] + ..., `passes` bytes, by a plain loop.
std::vector<std::int32_t> expected_sums(const Vectors& vectors, int passes);

/// What the command line asks of a vector addition; what is empty is chosen by the kernel.
struct Request {
    std::optional<int> blocks;
    std::optional<int> threads;  ///< of a block
    std::optional<int> passes;
    std::size_t shared_bytes = 0;  ///< of a block, reserved and not used
};

/// A vector addition that has run.
struct Addition {
    int blocks = 0;
    int threads = 0;  ///< of a block
    int passes = 0;
    Vectors vectors = {};
    std::vector<std::int32_t> sums = {};
    Machine machine = {};  ///< measured by other launches than this one
    int warps_of_block = 1;
    int most_warps = 1;   ///< on a multiprocessor
    Timeline warps = {};  ///< seen
    double ms = 0;
    std::optional<Occupancy> occupancy = {};

    [[nodiscard]] Timeline predicted() const { return predict(machine, blocks); }
    [[nodiscard]] double prediction_error_percent() const {
        return error_percent(warps_of(predicted(), warps_of_block), warps);
    }
    [[nodiscard]] Bounds bounds() const {
        return {blocks, warps_of_block, machine.multiprocessors(), most_warps};
    }
};

// ----- Time over occupancy

/// The same work at some occupancy.
struct Point {
    int blocks = 0;  ///< on a multiprocessor
    int warps = 0;   ///< on a multiprocessor
    double percent = 0;
    Measurement time = {};
    double work = 0;  ///< bytes read, or floating-point operations
};

/// A kernel's time over occupancy for some number of things that a thread has under way.
struct Sweep {
    int under_way = 0;  ///< loads, or chains of operations
    std::vector<Point> points = {};
    std::uint32_t checksum = 0;  ///< of the results
    bool right = false;          ///< the results, at every occupancy
};

/// A way to run.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    /// Of a vector addition.
    std::function<Addition(const Device&, const Request&)> add = nullptr;
    /// Of a kernel whose time is measured over occupancy: without a budget it runs, checked, with the least
    /// and the highest occupancy, else with many.
    std::function<std::vector<Sweep>(const Device&, const std::optional<TimeBudget>&)> sweep = nullptr;
    std::string unit = {};  ///< of a sweep's rate: gb_per_s or tflops
};

/// What a GPU offers.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    /// How many blocks of a kernel a multiprocessor holds, by the toolkit's calculator; empty in a build with
    /// neither CUDA nor the emulated GPU.
    std::function<Calculate(const GpuModel&)> calculator = nullptr;
    std::function<GpuModel(const Device&)> model_of = nullptr;
    std::function<double(int device)> copy_gb_per_s = nullptr;
    std::function<double(const Device&)> fma_tflops = nullptr;
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The CPU's kernel: `threads`.
std::vector<Kernel> cpu_kernels();

/// What a thread of arithmetic_bound's block computes: `chains` chains of fmas, `fmas` in all, added up.
float expected_chains(int thread, int chains, int fmas);

/// The sum of the words i · 2654435761 for i from 0 to words - 1, mod 2^32.
std::uint32_t expected_sum_of_words(std::uint64_t words);

}  // namespace cudabook::occupancy
