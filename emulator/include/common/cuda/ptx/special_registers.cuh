// common/cuda/ptx/special_registers.cuh for the emulated GPU.
#pragma once

#include "emulator/engine/block.hpp"
#include "emulator/engine/clock.hpp"

namespace cudabook::ptx {

inline unsigned multiprocessor_number() { return emulation::multiprocessor_number(); }
inline unsigned long long global_time_ns() { return emulation::clock_ns(); }

}  // namespace cudabook::ptx
