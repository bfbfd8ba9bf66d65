// Moves device memory between workers, in order with the other work of a stream.
#pragma once

#include <cstddef>
#include <span>

#include "common/cuda/stream.cuh"
#include "heat_notexture/parts/workers/device_link.hpp"

namespace cudabook {

/// `count` cells of device memory that go to a worker, or come from it.
struct DeviceMessage {
    int worker = 0;
    float* cells = nullptr;
    std::size_t count = 0;
};

class StreamLink : public DeviceLink {
  public:
    /// Enqueues the exchange of all these messages. Later work in the stream sees the received cells. Two
    /// workers exchange at most one message each way at a time. Errors: MachineError.
    virtual void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                          std::span<const DeviceMessage> incoming) = 0;

    /// Whether exchange() can be captured in a graph.
    [[nodiscard]] virtual bool in_graphs() const = 0;
};

}  // namespace cudabook
