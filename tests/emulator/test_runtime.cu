// Answers of CUDA's runtime about which its guide is silent or easily misread. They are the same on a GPU and
// on the emulated GPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::all_lanes;

class CudaRuntime : public test::Gpu {};

/// Lanes that have ended no longer count, whether they end before or after the other lanes vote.
__global__ void vote_of_those_left(unsigned* votes) {
    const unsigned lane = threadIdx.x % 32;
    if (lane < 4 || lane >= 20) return;
    unsigned* const mine = votes + 5 * threadIdx.x;
    __syncwarp();
    int all = 0;
    mine[0] = __ballot_sync(all_lanes, lane % 2 == 0);
    mine[1] = static_cast<unsigned>(__all_sync(all_lanes, lane >= 4));
#if __CUDA_ARCH__ >= 800
    mine[2] = __reduce_add_sync(all_lanes, lane);
#else
    mine[2] = (4 + 19) * 8;  // older GPUs lack this instruction
#endif
    mine[3] = __shfl_sync(all_lanes, threadIdx.x, 4);
    mine[4] = __match_all_sync(all_lanes, 7, &all);
}

TEST_F(CudaRuntime, LanesThatHaveEnded) {
    const DeviceArray<unsigned> votes{std::span<const unsigned>(std::vector<unsigned>(5 * 64))};
    launch(vote_of_those_left, 1, 64, Stream(), votes.data());
    const std::vector<unsigned> got = votes.download();
    for (const std::size_t i : {4, 19, 36, 51}) {
        EXPECT_EQ(got[5 * i], 0x00055550U) << i;
        EXPECT_EQ(got[5 * i + 1], 1U) << i;
        EXPECT_EQ(got[5 * i + 2], (4U + 19U) * 8) << i;
        EXPECT_EQ(got[5 * i + 3], i / 32 * 32 + 4) << i;
        EXPECT_EQ(got[5 * i + 4], 0x000ffff0U) << i;
    }
}

__global__ void triple_plus_one(int* number) { *number = 3 * *number + 1; }

/// One stream forks from another and joins it again; the work of both streams is one graph.
TEST_F(CudaRuntime, CaptureOfTwoStreams) {
    const Stream first;
    const Stream second;
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreate(&event));
    const DeviceArray<int> number{std::span<const int>(std::vector<int>(1))};
    {
        const Graph graph(first, [&] {
            launch(triple_plus_one, 1, 1, first, number.data());
            CUDA_CHECK(cudaEventRecord(event, first.get()));
            CUDA_CHECK(cudaStreamWaitEvent(second.get(), event));
            launch(triple_plus_one, 1, 1, second, number.data());
            cudaStreamCaptureStatus status{};
            CUDA_CHECK(cudaStreamIsCapturing(second.get(), &status));
            EXPECT_EQ(status, cudaStreamCaptureStatusActive);
            CUDA_CHECK(cudaEventRecord(event, second.get()));
            CUDA_CHECK(cudaStreamWaitEvent(first.get(), event));
        });
        EXPECT_EQ(number.download().front(), 0) << "nothing has run";
        graph.launch(first);
        first.synchronize();
        EXPECT_EQ(number.download().front(), 4);
    }
    launch(triple_plus_one, 1, 1, second, number.data());
    second.synchronize();
    EXPECT_EQ(number.download().front(), 13) << "the second stream is not captured any more";
    CUDA_CHECK(cudaEventDestroy(event));
}

/// The first stream waits for the first kernel of the second stream, and not for its second kernel.
TEST_F(CudaRuntime, CaptureThatIsNotJoined) {
    const Stream first;
    const Stream second;
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreate(&event));
    const DeviceArray<int> number{std::span<const int>(std::vector<int>(1))};
    CUDA_CHECK(cudaStreamBeginCapture(first.get(), cudaStreamCaptureModeThreadLocal));
    CUDA_CHECK(cudaEventRecord(event, first.get()));
    CUDA_CHECK(cudaStreamWaitEvent(second.get(), event));
    launch(triple_plus_one, 1, 1, second, number.data());
    CUDA_CHECK(cudaEventRecord(event, second.get()));
    launch(triple_plus_one, 1, 1, second, number.data());
    CUDA_CHECK(cudaStreamWaitEvent(first.get(), event));
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureUnjoined);
    launch(triple_plus_one, 1, 1, second, number.data());
    second.synchronize();
    EXPECT_EQ(number.download().front(), 1) << "the streams are not captured any more";
    CUDA_CHECK(cudaEventDestroy(event));
}

/// In a capture, an event only orders work. After it was recorded in a capture, the event has no time.
TEST_F(CudaRuntime, EventOfACaptureIsGoneBeforeTheGraphRuns) {
    const Stream first;
    const Stream second;
    const DeviceArray<int> number{std::span<const int>(std::vector<int>(1))};
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
    CUDA_CHECK(cudaEventCreate(&fork));
    CUDA_CHECK(cudaEventCreate(&join));
    CUDA_CHECK(cudaEventRecord(fork, first.get()));
    CUDA_CHECK(cudaEventSynchronize(fork));
    const Graph graph(first, [&] {
        CUDA_CHECK(cudaEventRecord(fork, first.get()));
        CUDA_CHECK(cudaStreamWaitEvent(second.get(), fork));
        launch(triple_plus_one, 1, 1, second, number.data());
        CUDA_CHECK(cudaEventRecord(join, second.get()));
        CUDA_CHECK(cudaStreamWaitEvent(first.get(), join));
    });
    float ms = 0;
    for (const cudaError_t error :
         {cudaEventQuery(fork), cudaEventSynchronize(fork), cudaEventElapsedTime(&ms, fork, join),
          cudaStreamWaitEvent(second.get(), fork)})
        EXPECT_EQ(error, cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    CUDA_CHECK(cudaEventDestroy(fork));
    CUDA_CHECK(cudaEventDestroy(join));
    for (int launches = 0; launches < 2; ++launches) graph.launch(first);
    first.synchronize();
    EXPECT_EQ(number.download().front(), 4);
}

TEST_F(CudaRuntime, ExternalRecordsArePiecesOfTheGraph) {
    const Stream stream;
    const DeviceArray<int> number{std::span<const int>(std::vector<int>(1))};
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    EXPECT_EQ(cudaEventRecordWithFlags(end, stream.get(), cudaEventRecordExternal), cudaErrorIllegalState);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalState);
    const Graph graph(stream, [&] {
        CUDA_CHECK(cudaEventRecordWithFlags(begin, stream.get(), cudaEventRecordExternal));
        launch(triple_plus_one, 1, 1, stream, number.data());
        CUDA_CHECK(cudaEventRecordWithFlags(end, stream.get(), cudaEventRecordExternal));
    });
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, begin, end), cudaErrorInvalidResourceHandle) << "nothing has run";
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    graph.launch(stream);
    stream.synchronize();
    CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
    EXPECT_GE(ms, 0.0F);
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
}

TEST_F(CudaRuntime, NoGraphIsInstantiatedDuringACapture) {
    const Stream first;
    const Stream second;
    for (const Stream* stream : {&first, &second})
        CUDA_CHECK(cudaStreamBeginCapture(stream->get(), cudaStreamCaptureModeGlobal));
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamEndCapture(first.get(), &graph));
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t invalid = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(second.get(), &invalid), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(invalid, nullptr);
    static_cast<void>(cudaGetLastError());
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

TEST_F(CudaRuntime, CopiesBeyondTheirMemory) {
    const DeviceArray<int> numbers(100);
    std::vector<int> host(200);
    EXPECT_EQ(cudaMemcpy(numbers.data(), host.data(), 404, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host.data(), numbers.data() + 50, 204, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(numbers.data(), 44, host.data(), 40, 40, 10, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(numbers.data() + 1, 0, 400), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    CUDA_CHECK(cudaMemset(numbers.data() + 1, 0, 396));
    CUDA_CHECK(cudaMemcpy2D(numbers.data(), 40, host.data(), 80, 40, 10, cudaMemcpyHostToDevice));
}

__device__ int variable[4];

TEST_F(CudaRuntime, VariableOfTheDevice) {
    void* address = nullptr;
    CUDA_CHECK(cudaGetSymbolAddress(&address, variable));
    CUDA_CHECK(cudaMemset(address, 1, sizeof variable));
    int value = 5;
    CUDA_CHECK(cudaMemcpy(static_cast<int*>(address) + 2, &value, sizeof value, cudaMemcpyHostToDevice));
    std::vector<int> got(4);
    CUDA_CHECK(cudaMemcpyFromSymbol(got.data(), variable, sizeof variable));
    EXPECT_EQ(got, (std::vector<int>{0x01010101, 0x01010101, 5, 0x01010101}));
    EXPECT_EQ(cudaMemcpyToSymbol(variable, got.data(), 8, 12), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(address), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(CudaRuntime, RegisteredMemoryIsTheHosts) {
    std::vector<int> host(100);
    CUDA_CHECK(cudaHostRegister(host.data(), 400, cudaHostRegisterDefault));
    EXPECT_EQ(cudaFreeHost(host.data()), cudaErrorInvalidValue);
    CUDA_CHECK(cudaHostUnregister(host.data()));
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocHost(&memory, 400));
    EXPECT_EQ(cudaHostUnregister(memory), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
    CUDA_CHECK(cudaFreeHost(memory));
    static_cast<void>(cudaGetLastError());
}

}  // namespace
}  // namespace cudabook
