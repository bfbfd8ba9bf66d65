// common/cuda/ptx/store.cuh for the emulated GPU.
#pragma once

#include <vector_types.h>

namespace cudabook::ptx {

inline void store_four(float4* to, float4 values) { *to = values; }

}  // namespace cudabook::ptx
