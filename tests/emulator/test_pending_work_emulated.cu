// When the work of streams is done: not at the call that enqueues it, but when a call waits for it, and
// after the work that must come before it.
#include <cuda_runtime.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/engine/launched.hpp"

namespace cudabook {
namespace {

using emulation::launched;

#define EXPECT_SUCCESS(call) EXPECT_EQ(call, cudaSuccess)

__global__ void add_number(int* to, int number) { *to += number; }
__global__ void multiply_number(int* by, int number) { *by *= number; }

class PendingWorkSmall : public testing::Test {
  protected:
    void SetUp() override {
        EXPECT_SUCCESS(cudaMallocManaged(&number_, sizeof *number_));
        *number_ = 0;
        EXPECT_SUCCESS(cudaStreamCreate(&stream_));
        EXPECT_SUCCESS(cudaStreamCreate(&other_));
        EXPECT_SUCCESS(cudaStreamCreateWithFlags(&non_blocking_, cudaStreamNonBlocking));
        EXPECT_SUCCESS(cudaEventCreate(&event_));
    }
    void TearDown() override {
        EXPECT_SUCCESS(cudaEventDestroy(event_));
        for (const cudaStream_t stream : {stream_, other_, non_blocking_})
            EXPECT_SUCCESS(cudaStreamDestroy(stream));
        cudaDeviceReset();
    }
    void add_in(cudaStream_t stream, int number) { launched(add_number)(1, 1, 0, stream)(number_, number); }
    void multiply_in(cudaStream_t stream, int number) {
        launched(multiply_number)(1, 1, 0, stream)(number_, number);
    }

    int* number_ = nullptr;  // managed
    cudaStream_t stream_ = nullptr;
    cudaStream_t other_ = nullptr;
    cudaStream_t non_blocking_ = nullptr;
    cudaEvent_t event_ = nullptr;
};

TEST_F(PendingWorkSmall, WaitsForACallThatNeedsIt) {
    add_in(nullptr, 1);
    EXPECT_EQ(*number_, 0);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*number_, 1);
    add_in(stream_, 1);
    EXPECT_EQ(*number_, 1);
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 2);
    int* memory = nullptr;
    EXPECT_SUCCESS(cudaMalloc(&memory, sizeof *memory));
    add_in(stream_, 1);
    EXPECT_EQ(*number_, 2);
    EXPECT_SUCCESS(cudaFree(memory));
    EXPECT_EQ(*number_, 3);
}

TEST_F(PendingWorkSmall, OfOtherStreamsStaysPending) {
    add_in(stream_, 1);
    add_in(other_, 10);
    EXPECT_SUCCESS(cudaStreamSynchronize(other_));
    EXPECT_EQ(*number_, 10);
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 11);
}

TEST_F(PendingWorkSmall, ComesAfterTheEventsThatItsStreamWaitsFor) {
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaEventRecord(event_, stream_));
    add_in(stream_, 100);  // after the event
    EXPECT_SUCCESS(cudaStreamWaitEvent(non_blocking_, event_, 0));
    multiply_in(non_blocking_, 7);
    EXPECT_SUCCESS(cudaStreamSynchronize(non_blocking_));
    EXPECT_EQ(*number_, 7);
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 107);
}

TEST_F(PendingWorkSmall, AStreamThatWaitsForAnEventIsWaitedForAlsoWithoutWork) {
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaEventRecord(event_, stream_));
    EXPECT_SUCCESS(cudaStreamWaitEvent(non_blocking_, event_, 0));
    EXPECT_SUCCESS(cudaStreamSynchronize(non_blocking_));
    EXPECT_EQ(*number_, 1);
}

TEST_F(PendingWorkSmall, ComesAfterAndBeforeTheLegacyStreamsUnlessItIsNonBlocking) {
    add_in(stream_, 1);
    multiply_in(nullptr, 5);  // after the addition
    add_in(other_, 2);        // after the multiplication
    add_in(non_blocking_, 1000);
    EXPECT_SUCCESS(cudaStreamSynchronize(other_));
    EXPECT_EQ(*number_, 7);
    EXPECT_SUCCESS(cudaStreamSynchronize(non_blocking_));
    EXPECT_EQ(*number_, 1007);
}

TEST_F(PendingWorkSmall, OfTheThreadsOwnStream) {
    add_in(nullptr, 1);
    multiply_in(cudaStreamPerThread, 3);
    std::thread([this] {
        multiply_in(cudaStreamPerThread, 5);  // another stream; the legacy stream's work comes before it
        EXPECT_SUCCESS(cudaStreamSynchronize(cudaStreamPerThread));
        EXPECT_EQ(*number_, 5);
    }).join();
    EXPECT_SUCCESS(cudaStreamSynchronize(cudaStreamPerThread));
    EXPECT_EQ(*number_, 15);
}

TEST_F(PendingWorkSmall, EventsAndStreamsSayWhetherItIsDone) {
    cudaEvent_t end = nullptr;
    EXPECT_SUCCESS(cudaEventCreate(&end));
    EXPECT_SUCCESS(cudaEventQuery(event_)) << "it was never recorded";
    EXPECT_SUCCESS(cudaEventRecord(event_, stream_));
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaEventRecord(end, stream_));
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, event_, end), cudaErrorNotReady);
    EXPECT_EQ(cudaStreamQuery(stream_), cudaErrorNotReady);
    while (cudaEventQuery(end) == cudaErrorNotReady) {
    }
    EXPECT_EQ(*number_, 1);
    EXPECT_SUCCESS(cudaStreamQuery(stream_));
    EXPECT_SUCCESS(cudaEventElapsedTime(&ms, event_, end));
    EXPECT_GT(ms, 0);
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotReady) << "the elapsed time's; a query's is no error to keep";
    EXPECT_SUCCESS(cudaEventDestroy(end));
}

TEST_F(PendingWorkSmall, CopiesWaitIfTheHostUsesTheirMemory) {
    int* pinned = nullptr;
    EXPECT_SUCCESS(cudaMallocHost(&pinned, sizeof *pinned));
    *pinned = -1;
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaMemcpyAsync(pinned, number_, sizeof(int), cudaMemcpyDefault, stream_));
    EXPECT_EQ(*pinned, -1);
    int pageable = -1;
    EXPECT_SUCCESS(cudaMemcpyAsync(&pageable, number_, sizeof(int), cudaMemcpyDefault, stream_));
    EXPECT_EQ(pageable, 1);
    EXPECT_EQ(*pinned, 1);
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaMemcpy(&pageable, number_, sizeof(int), cudaMemcpyDefault));
    EXPECT_EQ(pageable, 2) << "it comes after work in blocking streams";
    EXPECT_SUCCESS(cudaFreeHost(pinned));
}

TEST_F(PendingWorkSmall, AFillAndACopyOnTheGpuWaitForNothing) {
    int* to = nullptr;
    int* from = nullptr;
    EXPECT_SUCCESS(cudaMalloc(&to, sizeof *to));
    EXPECT_SUCCESS(cudaMalloc(&from, sizeof *from));
    add_in(nullptr, 1);
    EXPECT_SUCCESS(cudaMemset(from, 0, sizeof *from));
    EXPECT_SUCCESS(cudaMemcpy(to, from, sizeof *to, cudaMemcpyDeviceToDevice));
    EXPECT_EQ(*number_, 0);
    int found = -1;
    EXPECT_SUCCESS(cudaMemcpy(&found, to, sizeof found, cudaMemcpyDeviceToHost));
    EXPECT_EQ(found, 0);
    EXPECT_EQ(*number_, 1);
}

TEST_F(PendingWorkSmall, AFailureComesWithTheCallThatWaits) {
    int of_host = 0;
    launched(add_number)(1, 1, 0, stream_)(&of_host, 1);
    EXPECT_SUCCESS(cudaGetLastError());
    add_in(stream_, 1);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorIllegalAddress);
    EXPECT_EQ(*number_, 0) << "nothing runs after a failure";
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_SUCCESS(cudaDeviceReset());
    SetUp();
}

TEST_F(PendingWorkSmall, TheOldestIsDoneIfThereIsVeryMuch) {
    for (int i = 0; i < 1024; ++i) add_in(stream_, 1);
    EXPECT_EQ(*number_, 0);
    add_in(other_, 1);
    EXPECT_EQ(*number_, 1);
    for (int i = 0; i < 3000; ++i) add_in(stream_, 1);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    EXPECT_EQ(*number_, 4025);
}

TEST_F(PendingWorkSmall, OutlivesItsStream) {
    cudaStream_t stream = nullptr;
    EXPECT_SUCCESS(cudaStreamCreate(&stream));
    add_in(stream, 1);
    EXPECT_SUCCESS(cudaStreamDestroy(stream));
    EXPECT_EQ(*number_, 0);
    multiply_in(nullptr, 3);
    EXPECT_SUCCESS(cudaStreamSynchronize(nullptr));
    EXPECT_EQ(*number_, 3);
}

TEST_F(PendingWorkSmall, LaunchesOfAGraphAreDoneAsItWas) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaStreamEndCapture(stream_, &graph));
    EXPECT_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_SUCCESS(cudaGraphLaunch(executable, stream_));
    EXPECT_EQ(*number_, 0);
    cudaGraph_t changed = nullptr;
    EXPECT_SUCCESS(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    add_in(stream_, 100);
    EXPECT_SUCCESS(cudaStreamEndCapture(stream_, &changed));
    EXPECT_SUCCESS(cudaGraphExecUpdate(executable, changed, nullptr));
    EXPECT_SUCCESS(cudaGraphLaunch(executable, stream_));
    EXPECT_SUCCESS(cudaGraphExecDestroy(executable));
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 101);
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
    EXPECT_SUCCESS(cudaGraphDestroy(changed));
}

TEST_F(PendingWorkSmall, LaunchesOfAGraphComeOneAfterAnother) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaStreamEndCapture(stream_, &graph));
    EXPECT_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
    EXPECT_SUCCESS(cudaGraphLaunch(executable, stream_));
    EXPECT_SUCCESS(cudaGraphLaunch(executable, other_));
    EXPECT_SUCCESS(cudaStreamSynchronize(other_));
    EXPECT_EQ(*number_, 2);
    EXPECT_SUCCESS(cudaGraphExecDestroy(executable));
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
}

TEST_F(PendingWorkSmall, EventsOfAGraphsNodesOrderItsLaunches) {
    cudaEvent_t end = nullptr;
    EXPECT_SUCCESS(cudaEventCreate(&end));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    EXPECT_SUCCESS(cudaStreamBeginCapture(other_, cudaStreamCaptureModeGlobal));
    EXPECT_SUCCESS(cudaStreamWaitEvent(other_, event_, cudaEventWaitExternal));
    multiply_in(other_, 3);
    EXPECT_SUCCESS(cudaEventRecordWithFlags(end, other_, cudaEventRecordExternal));
    EXPECT_SUCCESS(cudaStreamEndCapture(other_, &graph));
    EXPECT_SUCCESS(cudaGraphInstantiate(&executable, graph, 0));
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaEventRecord(event_, stream_));
    EXPECT_SUCCESS(cudaGraphLaunch(executable, other_));
    EXPECT_SUCCESS(cudaEventSynchronize(end));
    EXPECT_EQ(*number_, 3);
    EXPECT_SUCCESS(cudaEventDestroy(end));
    EXPECT_SUCCESS(cudaGraphExecDestroy(executable));
    EXPECT_SUCCESS(cudaGraphDestroy(graph));
}

TEST_F(PendingWorkSmall, AWaitInTheLegacyStreamHoldsBlockingStreamsBack) {
    add_in(non_blocking_, 1);
    EXPECT_SUCCESS(cudaEventRecord(event_, non_blocking_));
    EXPECT_SUCCESS(cudaStreamWaitEvent(nullptr, event_, 0));
    multiply_in(stream_, 3);
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 3);
}

TEST_F(PendingWorkSmall, ACallbackIsCalledAfterAFailureToo) {
    int of_host = 0;
    cudaError_t found = cudaSuccess;
    launched(add_number)(1, 1, 0, stream_)(&of_host, 1);
    EXPECT_SUCCESS(cudaStreamAddCallback(
        stream_,
        [](cudaStream_t, cudaError_t error, void* data) { *static_cast<cudaError_t*>(data) = error; }, &found,
        0));
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorIllegalAddress);
    EXPECT_EQ(found, cudaErrorIllegalAddress);
    EXPECT_SUCCESS(cudaDeviceReset());
    SetUp();
}

TEST_F(PendingWorkSmall, AFillOfMemoryThatTheHostSeesIsDoneAtTheCall) {
    *number_ = 5;
    EXPECT_SUCCESS(cudaMemset(number_, 0, sizeof *number_));
    EXPECT_EQ(*number_, 0);
    *number_ = 5;
    EXPECT_SUCCESS(cudaMemsetAsync(number_, 0, sizeof *number_, stream_));
    EXPECT_EQ(*number_, 5);
    EXPECT_SUCCESS(cudaStreamSynchronize(stream_));
    EXPECT_EQ(*number_, 0);
}

TEST_F(PendingWorkSmall, AnEarlierRecordDoesNotChangeTheTimeOfALaterOne) {
    cudaEvent_t end = nullptr;
    EXPECT_SUCCESS(cudaEventCreate(&end));
    EXPECT_SUCCESS(cudaEventRecord(end, stream_));
    EXPECT_SUCCESS(cudaEventRecord(end, other_));
    EXPECT_SUCCESS(cudaEventRecord(event_, non_blocking_));
    EXPECT_SUCCESS(cudaEventSynchronize(end));
    EXPECT_SUCCESS(cudaEventSynchronize(event_));
    float before = 0;
    EXPECT_SUCCESS(cudaEventElapsedTime(&before, event_, end));
    EXPECT_SUCCESS(cudaDeviceSynchronize());  // the first record is done now
    float after = 1;
    EXPECT_SUCCESS(cudaEventElapsedTime(&after, event_, end));
    EXPECT_EQ(after, before);
    EXPECT_SUCCESS(cudaEventDestroy(end));
}

TEST_F(PendingWorkSmall, AnotherThreadMayWaitForIt) {
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaEventRecord(event_, stream_));
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            if (cudaEventSynchronize(event_) == cudaSuccess && *number_ == 1) ++right;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
}

// No call of CUDA waits here.
TEST_F(PendingWorkSmall, IsDoneIfTheHostSleepsUntilAHostFunctionWakesIt) {
    struct Called {
        std::mutex mutex;
        std::condition_variable changed;
        bool is = false;
    } called;
    add_in(stream_, 1);
    EXPECT_SUCCESS(cudaLaunchHostFunc(
        stream_,
        [](void* data) {
            auto& [mutex, changed, is] = *static_cast<Called*>(data);
            const std::lock_guard lock(mutex);
            is = true;
            changed.notify_all();
        },
        &called));
    std::unique_lock lock(called.mutex);
    called.changed.wait(lock, [&] { return called.is; });
    EXPECT_EQ(*number_, 1);
}

// No call of CUDA waits here.
TEST_F(PendingWorkSmall, IsDoneIfTheHostReadsItsMemoryInALoop) {
    add_in(stream_, 1);
    while (std::atomic_ref(*number_) != 1) {
    }
    EXPECT_SUCCESS(cudaDeviceSynchronize());
}

}  // namespace
}  // namespace cudabook
