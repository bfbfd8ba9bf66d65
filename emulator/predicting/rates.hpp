// The rates of the GPUs whose times are predicted.
#pragma once

#include "common/program/gpus.hpp"

namespace cudabook::emulation {

/// What a GPU can do, and how long it takes. Rates per clock are those of a multiprocessor.
struct GpuRates {
    double clock_ghz;
    unsigned multiprocessors;
    unsigned warps_of_multiprocessor;

    double fp32_warps;  ///< instructions of a warp per clock
    double fp64_warps;  ///< the same of the other pipes
    double integer_warps;
    double special_warps;  ///< also conversions

    double memory_gb_per_s;
    double l2_gb_per_s;
    double l2_lines;  ///< lines of 128 bytes per clock of which a multiprocessor can load sectors from L2
    double l2_store_lines;  ///< lines per clock to which it can store
    double l2_bytes;        ///< what L2 holds
    double l1_bytes;        ///< what a multiprocessor holds, shared memory included

    double shared_latency;  ///< in clocks, as the other latencies: what a wait adds to the time, fitted
    double l1_latency;
    double fetch_latency;   ///< what a fetch takes longer than a load
    double l2_latency;      ///< what a load takes longer if L1 lacks it
    double memory_latency;  ///< what a load takes longer if L2 lacks it, too
    double launch_us;       ///< a kernel in a graph that does nothing
};

/// Returns the rates of a GPU.
GpuRates rates_of(const EmulatedGpu& gpu);

}  // namespace cudabook::emulation
