// The kind of the GPUs that this program's CUDA code runs on. emulator/include/ has a header of the same name
// for the emulated GPU; nothing else in the samples distinguishes the two.
#pragma once

#include "common/program/device_kind.hpp"

namespace cudabook {

inline constexpr DeviceKind gpu_kind = DeviceKind::cuda;

}  // namespace cudabook
