// The kind of the GPUs that this program's CUDA code runs on. emulator/include/ has this header's
// twin, for the emulated GPU; nothing else tells the two apart.
#pragma once

#include "common/program/device_kind.hpp"

namespace cudabook {

inline constexpr DeviceKind gpu_kind = DeviceKind::cuda;

}  // namespace cudabook
