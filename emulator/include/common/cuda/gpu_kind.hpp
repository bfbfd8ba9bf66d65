// Replaces common/cuda/gpu_kind.hpp for the emulated GPU.
#pragma once

#include "common/program/device_kind.hpp"

namespace cudabook {

inline constexpr DeviceKind gpu_kind = DeviceKind::emulated;

}  // namespace cudabook
