// The format of a checkpoint: an .npz file that holds the numbers of the head and the temperatures. The head
// determines all bytes of the file except the temperatures.
#pragma once

#include <cstdint>
#include <string>

namespace cudabook::heat {

/// The numbers in a checkpoint beside the temperatures.
struct CheckpointHead {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t frames = 0;  ///< the frames that have been done
    std::int64_t steps_per_frame = 0;
    float speed = 0;
    std::uint32_t checksum = 0;  ///< the checksum of the grid
    bool operator==(const CheckpointHead&) const = default;
};

/// The bytes of a checkpoint before and after its temperatures, and the size of the temperatures in bytes.
struct CheckpointLayout {
    std::string before;
    std::uint64_t cells_bytes;
    std::string after;
};

/// Returns the layout of a checkpoint with this head.
CheckpointLayout layout_of(const CheckpointHead& head);

}  // namespace cudabook::heat
