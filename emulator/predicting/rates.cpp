// Sources: the widths of the pipes are those of the CUDA C++ Programming Guide, "Throughput of Native
// Arithmetic Instructions", the sizes of L1 those of its "Technical Specifications per Compute Capability".
// The rest was measured on an H200, or fitted to such measurements (results/nvidia-h200/, docs/predict.md);
// for other GPUs it is scaled by the published clock, multiprocessors, bandwidth of the memory, and size of
// L2.
#include "emulator/predicting/rates.hpp"

namespace cudabook::emulation {

namespace {

/// The share of the published bandwidth that a kernel reaches: results/nvidia-h200/access_patterns.json,
/// read_gb_per_s.
constexpr double reached_bandwidth = 4436.0 / 4815;

constexpr double l2_bytes_per_clock = 42;  ///< of a multiprocessor, in loads of a stride of a sector

/// The share of L2 that holds a kernel's data, assumed: an array of 32 MB nearly fits into the 60 MB of an
/// H200 (results/access_patterns-cache-nvidia-h200.csv).
constexpr double l2_share = 0.7;

double fp32_warps(int capability) { return capability == 75 || capability == 80 ? 2 : 4; }

double fp64_warps(int capability) {
    if (capability >= 90) return 2;
    return capability == 80 ? 1 : 1.0 / 16;
}

double l1_kib(int capability) {
    switch (capability) {
        case 75:
            return 96;
        case 80:
            return 192;
        case 86:
        case 89:
            return 128;
        default:
            return 256;
    }
}

}  // namespace

GpuRates rates_of(const EmulatedGpu& gpu) {
    const int capability = 10 * gpu.major + gpu.minor;
    const double clock_ghz = gpu.clock_khz / 1e6;
    const double published_bandwidth = 2e-6 * gpu.memory_clock_khz * gpu.memory_bus_bits / 8;
    return {.clock_ghz = clock_ghz,
            .multiprocessors = static_cast<unsigned>(gpu.multiprocessors),
            .warps_of_multiprocessor = static_cast<unsigned>(gpu.threads_per_multiprocessor) / 32,
            .fp32_warps = fp32_warps(capability),
            .fp64_warps = fp64_warps(capability),
            .integer_warps = 2,
            .special_warps = 0.5,
            .memory_gb_per_s = reached_bandwidth * published_bandwidth,
            .l2_gb_per_s = l2_bytes_per_clock * clock_ghz * gpu.multiprocessors,
            .l2_lines = 0.584,
            .l2_store_lines = 0.221,
            .l2_bytes = l2_share * gpu.l2_bytes,
            .l1_bytes = l1_kib(capability) * 1024,
            .shared_latency = 8.59,
            .l1_latency = 277,
            .fetch_latency = 64.1,
            .l2_latency = 31.9,
            .memory_latency = 446,
            .launch_us = 1.47};
}

}  // namespace cudabook::emulation
