// The connection between the GPUs of the workers, as plain C++ sees it.
#pragma once

namespace cudabook {

/// Moves device memory between workers; see gpu/stream_link.cuh.
class DeviceLink {
  public:
    virtual ~DeviceLink() = default;
    DeviceLink(const DeviceLink&) = delete;
    DeviceLink& operator=(const DeviceLink&) = delete;

    /// Its name in a report: nccl, peer, mpi.
    [[nodiscard]] virtual const char* name() const = 0;

  protected:
    DeviceLink() = default;
};

}  // namespace cudabook
