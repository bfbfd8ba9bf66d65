// The kind of the GPUs that this program's CUDA code runs on. emulator/include/ has a header of the same name
// for the emulated GPU. The samples distinguish the two kinds of GPU only by this constant.
#pragma once

#include "common/program/device_kind.hpp"

namespace cudabook {

inline constexpr DeviceKind gpu_kind = DeviceKind::cuda;

}  // namespace cudabook
