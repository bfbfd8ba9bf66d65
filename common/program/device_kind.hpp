// The kinds of device that there are.
#pragma once

namespace cudabook {

enum class DeviceKind { cpu, cuda };

}  // namespace cudabook
