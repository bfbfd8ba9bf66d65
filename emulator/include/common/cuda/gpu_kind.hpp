// The twin of common/cuda/gpu_kind.hpp where the GPU is emulated.
#pragma once

#include "common/program/device_kind.hpp"

namespace cudabook {

inline constexpr DeviceKind gpu_kind = DeviceKind::emulated;

}  // namespace cudabook
