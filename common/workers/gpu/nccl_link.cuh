// NCCL, loaded at run time: between the GPUs of one machine or of several, one for each worker.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "common/cuda/error.cuh"
#include "common/program/errors.hpp"
#include "common/program/shared_library.hpp"
#include "common/workers/gpu/stream_link.cuh"
#include "common/workers/worker.hpp"

namespace cudabook {

/// The functions that are used here, with the types of NCCL 2's nccl.h.
class Nccl {
  public:
    struct Id {
        std::array<char, 128> bytes;
    };
    using Comm = struct ncclComm*;

    Nccl() : library_{"libnccl.so.2"} {
        find(get_unique_id, "ncclGetUniqueId");
        find(comm_init_rank, "ncclCommInitRank");
        find(comm_destroy, "ncclCommDestroy");
        find(comm_abort, "ncclCommAbort");
        find(group_start, "ncclGroupStart");
        find(group_end, "ncclGroupEnd");
        find(send, "ncclSend");
        find(receive, "ncclRecv");
        find(error_string, "ncclGetErrorString");
    }
    [[nodiscard]] bool complete() const { return complete_; }

    /// Errors: MachineError.
    void check(int result, const char* call) const {
        if (result != 0) throw MachineError(fmt::format("{}: {}", call, error_string(result)));
    }

    static constexpr int float32 = 7;
    int (*get_unique_id)(Id*) = nullptr;
    int (*comm_init_rank)(Comm*, int count, Id, int rank) = nullptr;
    int (*comm_destroy)(Comm) = nullptr;
    int (*comm_abort)(Comm) = nullptr;
    int (*group_start)() = nullptr;
    int (*group_end)() = nullptr;
    int (*send)(const void*, std::size_t count, int type, int peer, Comm, cudaStream_t) = nullptr;
    int (*receive)(void*, std::size_t count, int type, int peer, Comm, cudaStream_t) = nullptr;
    const char* (*error_string)(int) = nullptr;

  private:
    template <class Function>
    void find(Function*& function, const char* name) {
        function = library_.function<Function>(name);
        complete_ = complete_ && function != nullptr;
    }

    SharedLibrary library_;
    bool complete_ = true;
};

class NcclLink final : public StreamLink {
  public:
    /// This thread's current device is the worker's, and no other worker's. Every worker calls it, with an
    /// `nccl` that is complete. Errors: MachineError.
    NcclLink(Worker& worker, std::shared_ptr<const Nccl> nccl) : worker_(worker), nccl_(std::move(nccl)) {
        Nccl::Id id{};
        if (worker.is_first()) nccl_->check(nccl_->get_unique_id(&id), "ncclGetUniqueId");
        const auto said = worker.gather({id.bytes.data(), id.bytes.size()});
        std::memcpy(id.bytes.data(), said.front().data(), id.bytes.size());
        nccl_->check(nccl_->comm_init_rank(&comm_, worker.count(), id, worker.index()), "ncclCommInitRank");
        worker_.when_another_fails([this] { nccl_->comm_abort(std::exchange(comm_, nullptr)); });
    }
    ~NcclLink() override {
        worker_.when_another_fails({});
        if (comm_ == nullptr) return;
        std::uncaught_exceptions() > 0 ? nccl_->comm_abort(comm_) : nccl_->comm_destroy(comm_);
    }

    [[nodiscard]] const char* name() const override { return "nccl"; }
    [[nodiscard]] bool in_graphs() const override { return true; }

    void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        nccl_->check(nccl_->group_start(), "ncclGroupStart");
        for (const DeviceMessage& message : outgoing)
            nccl_->check(
                nccl_->send(message.cells, message.count, Nccl::float32, message.worker, comm_, stream.get()),
                "ncclSend");
        for (const DeviceMessage& message : incoming)
            nccl_->check(nccl_->receive(message.cells, message.count, Nccl::float32, message.worker, comm_,
                                        stream.get()),
                         "ncclRecv");
        nccl_->check(nccl_->group_end(), "ncclGroupEnd");
    }

  private:
    Worker& worker_;
    std::shared_ptr<const Nccl> nccl_;
    Nccl::Comm comm_ = nullptr;
};

}  // namespace cudabook
