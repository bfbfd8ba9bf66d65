// The interface of a link that moves device memory between workers, in the order of a stream's work.
#pragma once

#include <cstddef>
#include <span>

#include "common/cuda/stream.cuh"
#include "heat_notexture/parts/workers/device_link.hpp"

namespace cudabook {

/// A message of `count` cells of device memory, to or from another worker.
struct DeviceMessage {
    int worker = 0;
    float* cells = nullptr;
    std::size_t count = 0;
};

class StreamLink : public DeviceLink {
  public:
    /// Enqueues the exchange of all messages. Later work in the stream sees the received cells. In one call,
    /// a worker sends at most one message to each other worker. Errors: MachineError.
    virtual void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                          std::span<const DeviceMessage> incoming) = 0;

    /// Whether exchange() can be captured in a CUDA graph.
    [[nodiscard]] virtual bool in_graphs() const = 0;
};

}  // namespace cudabook
