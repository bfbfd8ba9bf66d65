// The rates of the GPUs whose times are predicted.
#pragma once

#include "common/program/gpus.hpp"

namespace cudabook::emulation {

/// The rates and latencies of a GPU. Rates per clock are for one multiprocessor.
struct GpuRates {
    double clock_ghz;
    unsigned multiprocessors;
    unsigned warps_of_multiprocessor;

    double fp32_warps;  ///< warp instructions per clock
    double fp64_warps;  ///< likewise for the other pipes
    double integer_warps;
    double special_warps;  ///< also conversions

    double memory_gb_per_s;
    double l2_gb_per_s;
    double l2_lines;        ///< load requests to L2 per clock, each for sectors of one line of 128 bytes
    double l2_store_lines;  ///< store requests to L2 per clock, each to one line
    double l2_bytes;        ///< bytes of a kernel's data that L2 holds
    double l1_bytes;        ///< bytes in a multiprocessor's cache, shared memory included

    // The clocks that a wait adds to the time, fitted to measurements.
    double shared_latency;
    double l1_latency;
    double fetch_latency;   ///< added to l1_latency for a fetch
    double l2_latency;      ///< added if L1 misses
    double memory_latency;  ///< added if L2 misses, too
    double launch_us;       ///< the time of a kernel that does nothing, in a CUDA graph
};

/// Returns the rates of a GPU.
GpuRates rates_of(const EmulatedGpu& gpu);

}  // namespace cudabook::emulation
