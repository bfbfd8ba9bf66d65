// common/cuda/ptx/tf32.cuh for the emulated GPU.
#pragma once

#include "emulator/textures/conversions.hpp"

namespace cudabook::ptx {

inline float to_tf32(float value) { return emulation::rounded_to_tf32(value); }

}  // namespace cudabook::ptx
