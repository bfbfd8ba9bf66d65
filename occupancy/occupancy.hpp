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
/// The distance in bytes between the bytes that a thread adds in two successive passes. It is an odd multiple
/// of 32 bytes, so that the passes visit all units of 32 bytes.
inline constexpr unsigned second_step = 129 * 32;

struct Vectors {
    std::vector<std::int32_t> first;
    std::vector<std::int8_t> second;  ///< second_size bytes
};
Vectors make_vectors(std::size_t elements);

/// Returns, for each i, first[i] + second[i % size] + second[(i + step) % size] + ... with `passes` bytes of
/// `second`, computed by a plain loop. size is second_size, and step is second_step.
std::vector<std::int32_t> expected_sums(const Vectors& vectors, int passes);

/// The command line's request for a vector addition. If a value is nullopt, the kernel chooses the value.
struct Request {
    std::optional<int> blocks;
    std::optional<int> threads;  ///< the threads of a block
    std::optional<int> passes;
    std::size_t shared_bytes = 0;  ///< reserved for a block and not used
};

/// A vector addition that has run.
struct Addition {
    int blocks = 0;
    int threads = 0;  ///< the threads of a block
    int passes = 0;
    Vectors vectors = {};
    std::vector<std::int32_t> sums = {};
    Machine machine = {};  ///< the data for the prediction, measured by other launches
    int warps_of_block = 1;
    int most_warps = 1;   ///< the most warps that a multiprocessor holds
    Timeline warps = {};  ///< the observed times of the warps
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

/// The time of a kernel's work at one occupancy.
struct Point {
    int blocks = 0;  ///< the blocks on a multiprocessor
    int warps = 0;   ///< the warps on a multiprocessor
    double percent = 0;
    Measurement time = {};
    double work = 0;  ///< the bytes read, or the floating-point operations done
};

/// A kernel's times at several occupancies, with one number of loads or chains in flight in each thread.
struct Sweep {
    int under_way = 0;  ///< the loads, or chains of operations, in flight in a thread
    std::vector<Point> points = {};
    std::uint32_t checksum = 0;  ///< the checksum of the results
    bool right = false;          ///< whether the results are right at every occupancy
};

/// A kernel of this program: a vector addition or a sweep.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    /// Runs the vector addition. The function is empty if the kernel is a sweep.
    std::function<Addition(const Device&, const Request&)> add = nullptr;
    /// Measures the time at several occupancies and checks the results. Without a budget, the kernel runs
    /// only at the lowest and the highest occupancy; with a budget, at many. The function is empty if the
    /// kernel is a vector addition.
    std::function<std::vector<Sweep>(const Device&, const std::optional<TimeBudget>&)> sweep = nullptr;
    std::string unit = {};  ///< the unit of a sweep's rate: gb_per_s or tflops
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    /// Returns the toolkit's calculator, which says how many blocks of a kernel a multiprocessor holds. The
    /// function is empty in a build with neither CUDA nor the emulated GPU.
    std::function<Calculate(const GpuModel&)> calculator = nullptr;
    std::function<GpuModel(const Device&)> model_of = nullptr;
    std::function<double(int device)> copy_gb_per_s = nullptr;
    std::function<double(const Device&)> fma_tflops = nullptr;
};

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
GpuBackend gpu();

/// Returns the CPU's kernel, `threads`.
std::vector<Kernel> cpu_kernels();

/// Returns the result of thread number `thread` of a block of kernel arithmetic_bound: the sum of `chains`
/// chains of fmas, with `fmas` fmas in all.
float expected_chains(int thread, int chains, int fmas);

/// Returns the sum of the words i · 2654435761 for i from 0 to `words` - 1, mod 2^32.
std::uint32_t expected_sum_of_words(std::uint64_t words);

}  // namespace cudabook::occupancy
