// A link that sends device memory by Worker::exchange(), which uses MPI between processes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/error.cuh"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"
#include "heat_notexture/parts/workers/worker.hpp"

namespace cudabook {

class MessageLink final : public StreamLink {
  public:
    /// directly: whether messages are sent from and received into the memory of the GPUs. Otherwise messages
    /// pass through page-locked host memory.
    MessageLink(Worker& worker, bool directly) : worker_(worker), directly_(directly) {}

    [[nodiscard]] const char* name() const override { return directly_ ? "mpi, device memory" : "mpi"; }
    [[nodiscard]] bool in_graphs() const override { return false; }

    /// The host waits for the stream, then for the other workers.
    void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        std::vector<Outgoing> to;
        std::vector<Incoming> from;
        for (std::size_t i = 0; i < outgoing.size(); ++i) {
            const std::span<float> cells = on_host(outgoing_, i, outgoing[i]);
            if (!directly_) copy(cells.data(), outgoing[i].cells, cells.size_bytes(), stream);
            to.push_back({outgoing[i].worker, 0, std::as_bytes(cells)});
        }
        for (std::size_t i = 0; i < incoming.size(); ++i)
            from.push_back(
                {incoming[i].worker, 0, std::as_writable_bytes(on_host(incoming_, i, incoming[i]))});
        stream.synchronize();
        worker_.exchange(to, from);
        if (!directly_)
            for (std::size_t i = 0; i < incoming.size(); ++i)
                copy(incoming[i].cells, from[i].bytes.data(), from[i].bytes.size(), stream);
    }

  private:
    /// Returns the memory from which the host sends message i, or into which it receives message i.
    std::span<float> on_host(std::vector<PinnedArray<float>>& arrays, std::size_t i,
                             const DeviceMessage& message) const {
        if (directly_) return {message.cells, message.count};
        if (arrays.size() == i) arrays.emplace_back(message.count);
        if (arrays[i].size() < message.count) arrays[i] = PinnedArray<float>(message.count);
        return arrays[i].values().first(message.count);
    }
    static void copy(void* to, const void* from, std::size_t bytes, const Stream& stream) {
        CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()));
    }

    Worker& worker_;
    bool directly_;
    std::vector<PinnedArray<float>> outgoing_;
    std::vector<PinnedArray<float>> incoming_;
};

}  // namespace cudabook
