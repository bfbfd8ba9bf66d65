// The interface of the connection between the workers' GPUs, in plain C++.
#pragma once

namespace cudabook {

/// Moves device memory between workers; see gpu/stream_link.cuh.
class DeviceLink {
  public:
    virtual ~DeviceLink() = default;
    DeviceLink(const DeviceLink&) = delete;
    DeviceLink& operator=(const DeviceLink&) = delete;

    /// The link's name in a report: nccl, peer, mpi, or "mpi, device memory".
    [[nodiscard]] virtual const char* name() const = 0;

  protected:
    DeviceLink() = default;
};

}  // namespace cudabook
