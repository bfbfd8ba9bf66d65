// The multiprocessor and the time at which a thread runs. Source: PTX ISA, "Special Registers" (%smid,
// %globaltimer).
#pragma once

namespace cudabook::ptx {

/// The number of the multiprocessor that runs this thread now.
__device__ inline unsigned multiprocessor_number() {
    unsigned number = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

/// The GPU's clock in ns, which all multiprocessors share. It advances every 32 ns or, on some GPUs, every
/// microsecond.
__device__ inline unsigned long long global_time_ns() {
    unsigned long long time = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

}  // namespace cudabook::ptx
