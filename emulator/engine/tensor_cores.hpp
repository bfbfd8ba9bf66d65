// What the headers of device code need for tensor cores.
#pragma once

#include "common/tensor_core_model/sums.hpp"
#include "emulator/textures/conversions.hpp"

namespace cudabook::emulation {

/// Returns the model of how tensor cores add, for the GPU that runs the calling kernel.
const tensor_cores::Adder& tensor_core_adder();

struct NearestHalf {
    static float nearest_half(double value) { return half_value(half_bits(value)); }
};

}  // namespace cudabook::emulation
