// The kinds of device.
#pragma once

namespace cudabook {

enum class DeviceKind { cpu, cuda };

}  // namespace cudabook
