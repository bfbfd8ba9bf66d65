// A link between the GPUs of one process that has a thread for each GPU. The link copies with CUDA: directly
// from GPU to GPU if peer access is allowed and possible, else through the host.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/cuda/error.cuh"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

class PeerLink final : public StreamLink {
  public:
    /// Every worker creates a PeerLink. The worker must be a thread of this process, and the current device
    /// of the thread must be the worker's GPU, number `device`. peers: whether the GPUs may access each
    /// other's memory. Errors: CudaError.
    PeerLink(Worker& worker, int device, bool peers) : worker_(worker) {
        for (const std::int64_t other : all_gather(worker, device)) {
            int can = 0;
            if (other != device) CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, static_cast<int>(other)));
            if (!peers || can == 0) continue;
            const cudaError_t error = cudaDeviceEnablePeerAccess(static_cast<int>(other), 0);
            if (error == cudaErrorPeerAccessAlreadyEnabled)
                static_cast<void>(cudaGetLastError());
            else
                CUDA_CHECK(error);
        }
        const auto own = std::make_shared<const Events>();
        for (const std::int64_t other : all_gather(worker, reinterpret_cast<std::intptr_t>(&own)))
            events_.push_back(*reinterpret_cast<const std::shared_ptr<const Events>*>(other));
        barrier(worker);
    }

    [[nodiscard]] const char* name() const override { return "peer"; }
    [[nodiscard]] bool in_graphs() const override { return false; }

    /// Each worker's stream waits until the incoming messages are ready in the senders' streams, and copies
    /// them. Then the stream waits until the receivers have copied the outgoing messages. The host waits for
    /// the other workers' threads, not for the GPUs.
    void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        const Events& own = events_of(worker_.index());
        stream.record(own.ready);
        std::vector<const float*> offers;
        for (const DeviceMessage& message : outgoing) offers.push_back(message.cells);
        const std::vector<const float*> offered = swap(outgoing, offers, incoming);
        for (std::size_t i = 0; i < incoming.size(); ++i) {
            stream.wait(events_of(incoming[i].worker).ready);
            CUDA_CHECK(cudaMemcpyAsync(incoming[i].cells, offered[i], incoming[i].count * sizeof(float),
                                       cudaMemcpyDefault, stream.get()));
        }
        stream.record(own.fetched);
        swap(incoming, std::vector<const float*>(incoming.size()), outgoing);
        for (const DeviceMessage& message : outgoing) stream.wait(events_of(message.worker).fetched);
    }

  private:
    struct Events {
        Event ready;
        Event fetched;
    };
    [[nodiscard]] const Events& events_of(int worker) const {
        return *events_[static_cast<std::size_t>(worker)];
    }

    /// Sends said[i] to the worker of to[i]. Returns the pointers received from the workers of `from`.
    std::vector<const float*> swap(std::span<const DeviceMessage> to, const std::vector<const float*>& said,
                                   std::span<const DeviceMessage> from) {
        std::vector<const float*> heard(from.size());
        std::vector<Outgoing> outgoing;
        std::vector<Incoming> incoming;
        for (std::size_t i = 0; i < to.size(); ++i)
            outgoing.push_back({to[i].worker, 0, std::as_bytes(std::span(&said[i], 1))});
        for (std::size_t i = 0; i < from.size(); ++i)
            incoming.push_back({from[i].worker, 0, std::as_writable_bytes(std::span(&heard[i], 1))});
        worker_.exchange(outgoing, incoming);
        return heard;
    }

    Worker& worker_;
    /// The events of each worker. Their ownership is shared, because a worker that fails may be gone while
    /// other workers still wait for its events.
    std::vector<std::shared_ptr<const Events>> events_;
};

}  // namespace cudabook
