// common/cuda/ptx/special_registers.cuh for the emulated GPU.
#pragma once

#include "common/emulation/engine/block.hpp"
#include "common/emulation/engine/clock.hpp"

namespace cudabook::ptx {

inline unsigned multiprocessor_number() { return emulation::multiprocessor_number(); }
inline unsigned long long global_time_ns() { return emulation::clock_ns(); }

}  // namespace cudabook::ptx
