// The requests to the kernels, their results, and the interface of a GPU.
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

/// The number of bytes of the second vector.
inline constexpr unsigned second_size = 1U << 20U;
/// The distance in bytes between two bytes that a thread adds in successive passes: odd in units of 32 bytes,
/// so that the passes visit all such units.
inline constexpr unsigned second_step = 129 * 32;

struct Vectors {
    std::vector<std::int32_t> first;
    std::vector<std::int8_t> second;  ///< second_size bytes
};
Vectors make_vectors(std::size_t elements);

/// first[i] + second[i % size] + second[(i + step) % size] + ..., `passes` bytes, by a plain loop.
std::vector<std::int32_t> expected_sums(const Vectors& vectors, int passes);

/// The command line's request for a vector addition. The kernel chooses the values that are empty.
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
    Machine machine = {};  ///< measured by other launches
    int warps_of_block = 1;
    int most_warps = 1;   ///< on a multiprocessor
    Timeline warps = {};  ///< as observed
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

/// The result of the same work at one occupancy.
struct Point {
    int blocks = 0;  ///< on a multiprocessor
    int warps = 0;   ///< on a multiprocessor
    double percent = 0;
    Measurement time = {};
    double work = 0;  ///< bytes read, or floating-point operations
};

/// A kernel's time over occupancy, for one number of loads or chains under way in a thread.
struct Sweep {
    int under_way = 0;  ///< loads, or chains of operations
    std::vector<Point> points = {};
    std::uint32_t checksum = 0;  ///< of the results
    bool right = false;          ///< whether the results are right at every occupancy
};

/// A kernel of this program: a vector addition or a sweep.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    /// Runs a vector addition; empty for a sweep.
    std::function<Addition(const Device&, const Request&)> add = nullptr;
    /// Measures time over occupancy; empty for a vector addition. The results are checked. Without a budget
    /// the kernel runs only at the lowest and the highest occupancy, otherwise at many.
    std::function<std::vector<Sweep>(const Device&, const std::optional<TimeBudget>&)> sweep = nullptr;
    std::string unit = {};  ///< of a sweep's rate: gb_per_s or tflops
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    /// Returns the toolkit's calculator of how many blocks of a kernel a multiprocessor holds. Empty in a
    /// build with neither CUDA nor the emulated GPU.
    std::function<Calculate(const GpuModel&)> calculator = nullptr;
    std::function<GpuModel(const Device&)> model_of = nullptr;
    std::function<double(int device)> copy_gb_per_s = nullptr;
    std::function<double(const Device&)> fma_tflops = nullptr;
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The CPU's kernel: `threads`.
std::vector<Kernel> cpu_kernels();

/// The result of a thread of arithmetic_bound's block: the sum of `chains` chains of fmas, `fmas` in all.
float expected_chains(int thread, int chains, int fmas);

/// The sum of the words i · 2654435761 for i from 0 to words - 1, mod 2^32.
std::uint32_t expected_sum_of_words(std::uint64_t words);

}  // namespace cudabook::occupancy
