// A link through NCCL, loaded at run time, between the GPUs of one machine or of several, one GPU for each
// worker.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/shared_library.hpp"
#include "heat_notexture/parts/workers/gpu/stream_link.cuh"
#include "heat_notexture/parts/workers/worker.hpp"

struct ncclComm;  // NCCL's

namespace cudabook {

/// The NCCL functions that are used here, with the types of nccl.h since NCCL 2.14. The functions are
/// declared here so that a program built without nccl.h can use an installed NCCL. If nccl.h exists,
/// test_gpu_nccl_link.cpp compares these declarations with nccl.h.
struct Nccl {
    struct Id {
        std::array<char, 128> bytes;
    };
    using Comm = struct ncclComm*;
    /// The first members of ncclConfig_t, as of version 2.14.
    struct Config {
        std::size_t size = sizeof(Config);
        unsigned magic = 0xcafebeef;
        unsigned version = 21400;
        int blocking = 0;
    };
    static constexpr int success = 0;
    static constexpr int in_progress = 7;
    static constexpr int float32 = 7;

    int (*get_unique_id)(Id*) = nullptr;
    int (*comm_init_rank)(Comm*, int count, Id, int rank, Config*) = nullptr;
    int (*comm_get_async_error)(Comm, int*) = nullptr;
    int (*comm_destroy)(Comm) = nullptr;
    int (*comm_abort)(Comm) = nullptr;
    int (*group_start)() = nullptr;
    int (*group_end)() = nullptr;
    int (*send)(const void*, std::size_t count, int type, int peer, Comm, cudaStream_t) = nullptr;
    int (*receive)(void*, std::size_t count, int type, int peer, Comm, cudaStream_t) = nullptr;
    const char* (*error_string)(int) = nullptr;
};

/// Loads NCCL. Returns null if libnccl.so.2 is not found or is older than 2.14.
inline std::shared_ptr<const Nccl> load_nccl() {
    struct Loaded : Nccl {
        SharedLibrary library{"libnccl.so.2"};
    };
    auto nccl = std::make_shared<Loaded>();
    bool complete = true;
    const auto find = [&]<class Function>(Function*& function, const char* name) {
        function = nccl->library.template function<Function>(name);
        complete = complete && function != nullptr;
    };
    find(nccl->get_unique_id, "ncclGetUniqueId");
    find(nccl->comm_init_rank, "ncclCommInitRankConfig");
    find(nccl->comm_get_async_error, "ncclCommGetAsyncError");
    find(nccl->comm_destroy, "ncclCommDestroy");
    find(nccl->comm_abort, "ncclCommAbort");
    find(nccl->group_start, "ncclGroupStart");
    find(nccl->group_end, "ncclGroupEnd");
    find(nccl->send, "ncclSend");
    find(nccl->receive, "ncclRecv");
    find(nccl->error_string, "ncclGetErrorString");
    return complete ? nccl : nullptr;
}

/// A link with a non-blocking communicator: NCCL's functions return at once, and the link polls NCCL until
/// the operation is done. So a worker that fails can, between two polls, abort an operation that another
/// worker has begun. CUDA graphs that contain exchanges must be destroyed before the link, because
/// ncclCommDestroy() waits for these graphs.
class NcclLink final : public StreamLink {
  public:
    /// Every worker creates an NcclLink. The current device of this thread must be the worker's GPU, which no
    /// other worker may use. Errors: MachineError; FailedTogether if another worker has failed.
    NcclLink(Worker& worker, std::shared_ptr<const Nccl> nccl) : NcclLink(std::move(nccl), worker) {
        Nccl::Id id{};
        if (worker.is_first()) check("ncclGetUniqueId", nccl_->get_unique_id(&id));
        const auto said = worker.all_gather({id.bytes.data(), id.bytes.size()});
        std::memcpy(id.bytes.data(), said.front().data(), id.bytes.size());
        Nccl::Config config;
        finish("ncclCommInitRankConfig",
               [&] { return nccl_->comm_init_rank(&comm_, worker.count(), id, worker.index(), &config); });
    }
    ~NcclLink() override {
        worker_.when_another_fails({});
        const bool failed = std::uncaught_exceptions() > 0;
        if (failed && !worker_.stop_others()) return;
        if (comm_ != nullptr) failed ? nccl_->comm_abort(comm_) : nccl_->comm_destroy(comm_);
    }

    [[nodiscard]] const char* name() const override { return "nccl"; }
    [[nodiscard]] bool in_graphs() const override { return true; }

    void exchange(const Stream& stream, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        finish("ncclSend and ncclRecv", [&] {
            int result = nccl_->group_start();
            for (const DeviceMessage& message : outgoing)
                if (is_well(result))
                    result = nccl_->send(message.cells, message.count, Nccl::float32, message.worker, comm_,
                                         stream.get());
            for (const DeviceMessage& message : incoming)
                if (is_well(result))
                    result = nccl_->receive(message.cells, message.count, Nccl::float32, message.worker,
                                            comm_, stream.get());
            const int ended = nccl_->group_end();
            return is_well(result) ? ended : result;
        });
    }

  private:
    /// The public constructor delegates to this one. So the destructor runs even if the rest of the public
    /// constructor fails.
    NcclLink(std::shared_ptr<const Nccl> nccl, Worker& worker) : worker_(worker), nccl_(std::move(nccl)) {
        worker_.when_another_fails([this] {
            const std::scoped_lock lock(mutex_);
            stopped_ = true;
            if (comm_ != nullptr) nccl_->comm_abort(std::exchange(comm_, nullptr));
        });
    }

    static bool is_well(int result) { return result == Nccl::success || result == Nccl::in_progress; }

    void check(const char* what, int result) const {
        if (result != Nccl::success)
            throw MachineError(fmt::format("{}: {}", what, nccl_->error_string(result)));
    }

    /// Calls call(), which calls NCCL, while no other thread calls NCCL for this communicator. Errors:
    /// FailedTogether if another worker has failed.
    template <class Call>
    int unless_stopped(Call call) {
        const std::scoped_lock lock(mutex_);
        if (stopped_) throw FailedTogether(ExitStatus::machine, "");
        return call();
    }

    /// Calls begin(), which begins an NCCL operation, and waits until the operation is done.
    template <class Begin>
    void finish(const char* what, Begin begin) {
        int result = unless_stopped(begin);
        while (result == Nccl::in_progress) {
            std::this_thread::yield();
            result = unless_stopped([&] {
                int of_comm = Nccl::success;
                const int asked = nccl_->comm_get_async_error(comm_, &of_comm);
                return asked == Nccl::success ? of_comm : asked;
            });
        }
        check(what, result);
    }

    Worker& worker_;
    std::shared_ptr<const Nccl> nccl_;
    std::mutex mutex_;  ///< guards comm_ and stopped_; a failing worker's thread aborts comm_
    Nccl::Comm comm_ = nullptr;
    bool stopped_ = false;
};

}  // namespace cudabook
