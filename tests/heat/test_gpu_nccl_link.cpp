// heat_notexture/parts/workers/gpu/nccl_link.cuh, with fake NCCL functions. They move no data, begin
// operations as NCCL does, and record calls that NCCL would not survive.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#if __has_include(<nccl.h>) && !defined(CUDABOOK_EMULATION)
#include <nccl.h>
#endif

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cuda/stream.cuh"
#include "heat_notexture/parts/workers/gpu/nccl_link.cuh"
#include "heat_notexture/parts/workers/threads.hpp"
#include "tests/support/gpu.hpp"

/// The communicator (Nccl::Comm) of the fake functions.
struct ncclComm {
    std::atomic<int> callers = 0;
    int exchanges = 0;  ///< begun so far
    bool aborted = false;
};

namespace cudabook {
namespace {

/// The fake connection of some workers, and a record of what they did.
struct Played {
    std::mutex mutex;
    std::size_t workers = 0;
    std::size_t fails_in_exchange = 0;  ///< the number of the ncclGroupEnd call that fails; 0 if none
    std::vector<std::unique_ptr<ncclComm>> comms;
    std::size_t group_ends = 0;
    std::atomic<const char*> wrong = "nothing";
};
Played* played = nullptr;

constexpr int failure = 2;
thread_local ncclComm* in_group = nullptr;

/// A call of a communicator's function. Records simultaneous calls, and calls after ncclCommAbort.
class Call {
  public:
    explicit Call(ncclComm* comm) : comm_(comm), lock_(played->mutex, std::defer_lock) {
        if (comm->callers++ != 0) wrong("two threads use a communicator");
        lock_.lock();
        if (comm->aborted) wrong("a communicator is used after ncclCommAbort");
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { --comm_->callers; }

  private:
    static void wrong(const char* what) { played->wrong = what; }
    ncclComm* comm_;
    std::unique_lock<std::mutex> lock_;
};

/// No function here waits: a collective operation is in progress until all workers have begun it.
int progress(const ncclComm* comm) {
    if (played->comms.size() < played->workers) return Nccl::in_progress;
    for (const auto& other : played->comms)
        if (other->exchanges < comm->exchanges) return Nccl::in_progress;
    return Nccl::success;
}

std::shared_ptr<const Nccl> play() {
    auto nccl = std::make_shared<Nccl>();
    nccl->get_unique_id = [](Nccl::Id*) { return Nccl::success; };
    nccl->comm_init_rank = [](Nccl::Comm* comm, int, Nccl::Id, int, Nccl::Config* config) {
        const std::scoped_lock lock(played->mutex);
        if (config->blocking != 0) played->wrong = "ncclCommInitRankConfig is to wait";
        played->comms.push_back(std::make_unique<ncclComm>());
        *comm = played->comms.back().get();
        return Nccl::in_progress;
    };
    nccl->comm_get_async_error = [](Nccl::Comm comm, int* state) {
        const Call call(comm);
        *state = progress(comm);
        return Nccl::success;
    };
    nccl->comm_destroy = [](Nccl::Comm comm) {
        const Call call(comm);
        return Nccl::success;
    };
    nccl->comm_abort = [](Nccl::Comm comm) {
        const Call call(comm);
        comm->aborted = true;
        return Nccl::success;
    };
    nccl->group_start = [] { return Nccl::success; };
    nccl->send = [](const void*, std::size_t, int, int, Nccl::Comm comm, cudaStream_t) {
        const Call call(comm);
        in_group = comm;
        return Nccl::success;
    };
    nccl->receive = [](void*, std::size_t, int, int, Nccl::Comm comm, cudaStream_t) {
        const Call call(comm);
        return Nccl::success;
    };
    nccl->group_end = [] {
        const Call call(in_group);
        ++in_group->exchanges;
        return ++played->group_ends == played->fails_in_exchange ? failure : Nccl::in_progress;
    };
    nccl->error_string = [](int) { return "a failure of NCCL"; };
    return nccl;
}

/// The links of three workers, with the fake functions.
class NcclLinkSmall : public test::Gpu {
  protected:
    static constexpr int workers = 3;

    /// The error of the run, or "none". Each worker calls `before`, connects, and calls `after`.
    static std::string failure_of(
        const std::function<void(Worker&)>& before,
        const std::function<void(Worker&, const std::function<void()>& exchange)>& after,
        std::size_t fails_in_exchange = 0) {
        Played now;
        now.workers = workers;
        now.fails_in_exchange = fails_in_exchange;
        played = &now;
        std::string failed = "none";
        try {
            run_on_threads(workers, [&](Worker& worker) {
                CUDA_CHECK(cudaSetDevice(device().index));
                before(worker);
                NcclLink link(worker, play());
                const Stream stream(Priority::usual, cudaStreamNonBlocking);
                after(worker, [&] {
                    const DeviceMessage message{(worker.index() + 1) % workers, nullptr, 0};
                    link.exchange(stream, {&message, 1}, {&message, 1});
                });
                return ExitStatus::ok;
            });
        } catch (const std::exception& error) {
            failed = error.what();
        }
        EXPECT_STREQ(now.wrong, "nothing");
        return failed;
    }
    static void nothing(Worker&) {}
};

TEST_F(NcclLinkSmall, ConnectsAndExchanges) {
    EXPECT_EQ(failure_of(nothing,
                         [](Worker&, const std::function<void()>& exchange) {
                             for (int i = 0; i < 100; ++i) exchange();
                         }),
              "none");
}

// Workers that have begun to connect wait for a worker that never will.
TEST_F(NcclLinkSmall, AWorkerThatFailsBeforeItConnectsEndsTheOthers) {
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(failure_of(
                      [](Worker& worker) {
                          worker.all_gather("all are here");
                          if (worker.index() != 2) return;
                          worker.all_gather("as NcclLink's identifier");
                          const auto begun = [] {
                              const std::scoped_lock lock(played->mutex);
                              return played->comms.size();
                          };
                          while (begun() < 2) std::this_thread::yield();
                          throw MachineError("this one fails");
                      },
                      [](Worker&, const std::function<void()>&) {}),
                  "this one fails");
}

TEST_F(NcclLinkSmall, AWorkerThatFailsLaterEndsTheOthersWhateverTheyDo) {
    for (int failing = 0; failing < workers; ++failing)
        for (int exchanges = 0; exchanges < 20; ++exchanges)
            EXPECT_EQ(failure_of(nothing,
                                 [&](Worker& worker, const std::function<void()>& exchange) {
                                     for (int i = 0; i < 100; ++i) {
                                         if (worker.index() == failing && i == exchanges)
                                             throw MachineError("this one fails");
                                         exchange();
                                     }
                                 }),
                      "this one fails");
}

TEST_F(NcclLinkSmall, AFailureOfNcclIsTheOneLine) {
    for (std::size_t call = 1; call <= 2 * workers; ++call)
        EXPECT_EQ(failure_of(
                      nothing,
                      [](Worker&, const std::function<void()>& exchange) {
                          for (int i = 0; i < 100; ++i) exchange();
                      },
                      call),
                  "ncclSend and ncclRecv: a failure of NCCL");
}

#ifdef NCCL_MAJOR
// The types that nccl_link.cuh declares match the types of nccl.h.
template <class Own, class Theirs>
constexpr bool as_in_nccl = sizeof(Own) == sizeof(Theirs) &&
                            alignof(Own) >= alignof(Theirs) && std::is_trivially_copyable_v<Own>;
static_assert(as_in_nccl<Nccl::Id, ncclUniqueId> && as_in_nccl<Nccl::Comm, ncclComm_t> &&
              as_in_nccl<int, ncclResult_t> && as_in_nccl<int, ncclDataType_t>);
static_assert(Nccl::success == ncclSuccess && Nccl::in_progress == ncclInProgress &&
              Nccl::float32 == ncclFloat32);
static_assert(offsetof(Nccl::Config, magic) == offsetof(ncclConfig_t, magic) &&
              offsetof(Nccl::Config, version) == offsetof(ncclConfig_t, version) &&
              offsetof(Nccl::Config, blocking) == offsetof(ncclConfig_t, blocking));
TEST(NcclTypes, AreThoseOfTheHeader) {
    const ncclConfig_t theirs = NCCL_CONFIG_INITIALIZER;
    EXPECT_EQ(Nccl::Config{}.magic, theirs.magic);
    EXPECT_EQ(Nccl::Config{}.version, static_cast<unsigned>(NCCL_VERSION(2, 14, 0)));
    EXPECT_LE(Nccl::Config{}.version, theirs.version);
}
#endif

}  // namespace
}  // namespace cudabook
