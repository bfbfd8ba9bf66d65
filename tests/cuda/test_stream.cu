// common/cuda/stream.cuh: order on a stream, the stopwatch, and graphs that are replayed or fail.
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

using test::error_text;

__global__ void add(int* value, int what) { *value += what; }

__global__ void times(int* value, int what) { *value *= what; }

/// Keeps a thread busy for this many clock cycles.
__global__ void spin(long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

class CudaStreamTest : public test::Gpu {
  protected:
    void SetUp() override {
        test::Gpu::SetUp();
        if (is_there()) value_ = DeviceArray<int>{std::span<const int>(std::vector<int>{0})};
    }
    [[nodiscard]] int value() const { return value_.download().front(); }

    void enqueue_add(const Stream& stream, int what) { launch(add, 1, 1, stream, value_.data(), what); }
    void enqueue_times(const Stream& stream, int what) { launch(times, 1, 1, stream, value_.data(), what); }

    DeviceArray<int> value_;
};

class CudaStream : public CudaStreamTest {};

TEST_F(CudaStream, WorksInOrder) {
    const Stream stream;
    enqueue_add(stream, 3);
    enqueue_times(stream, 5);
    enqueue_add(stream, 1);
    stream.synchronize();
    EXPECT_EQ(value(), 16);
}

TEST_F(CudaStream, IsInOrderWithPlainCopies) {
    const Stream stream;
    for (int i = 0; i < 20; ++i) {
        value_.upload(std::vector<int>{i});
        launch(spin, 1, 1, stream, 1000000LL);
        enqueue_add(stream, 100);
        EXPECT_EQ(value(), i + 100);  // with no synchronize() before
    }
}

TEST_F(CudaStream, SynchronizeWaits) {
    const MappedArray<int> seen(1);
    *seen.data() = 0;
    const Stream stream;
    launch(spin, 1, 1, stream, 20000000LL);
    launch(add, 1, 1, stream, seen.device_data(), 1);
    stream.synchronize();
    EXPECT_EQ(*seen.data(), 1);
}

class CudaStopwatch : public CudaStreamTest {};

TEST_F(CudaStopwatch, CountsTheWorkBetween) {
    // A GPU's clock is between 10 MHz and 4 GHz.
    const Stream stream;
    Stopwatch stopwatch;
    stopwatch.start(stream);
    launch(spin, 1, 1, stream, 8000000LL);
    const double ms = stopwatch.stop(stream);
    EXPECT_GT(ms, 2);
    EXPECT_LT(ms, 800);
}

TEST_F(CudaStopwatch, LeavesOutTheWorkBefore) {
    const Stream stream;
    Stopwatch stopwatch;
    launch(spin, 1, 1, stream, 80000000LL);
    stopwatch.start(stream);
    enqueue_add(stream, 1);
    const double ms = stopwatch.stop(stream);
    EXPECT_GT(ms, 0);
    EXPECT_LT(ms, 20);
}

TEST_F(CudaStopwatch, CanBeUsedAgain) {
    const Stream stream;
    Stopwatch stopwatch;
    for (int i = 0; i < 3; ++i) {
        stopwatch.start(stream);
        launch(spin, 1, 1, stream, 4000000LL);
        EXPECT_GT(stopwatch.stop(stream), 1);
    }
}

class CudaGraph : public CudaStreamTest {};

TEST_F(CudaGraph, RunsOnlyWhenLaunched) {
    const Stream stream;
    const Graph graph(stream, [&] { enqueue_add(stream, 1); });
    stream.synchronize();
    EXPECT_EQ(value(), 0);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(value(), 1);
}

TEST_F(CudaGraph, IsReplayedInOrder) {
    const Stream stream;
    const Graph graph(stream, [&] {
        enqueue_times(stream, 2);
        enqueue_add(stream, 1);
    });
    int expected = 0;
    for (int i = 0; i < 20; ++i) {
        graph.launch(stream);
        expected = expected * 2 + 1;
    }
    EXPECT_EQ(value(), expected);
}

TEST_F(CudaGraph, IsInOrderWithOtherWork) {
    const Stream stream;
    const Graph graph(stream, [&] { enqueue_times(stream, 3); });
    enqueue_add(stream, 2);
    graph.launch(stream);
    enqueue_add(stream, 1);
    graph.launch(stream);
    EXPECT_EQ(value(), 21);
}

TEST_F(CudaGraph, OfAThousandLaunches) {
    const Stream stream;
    const Graph graph(stream, [&] {
        for (int i = 0; i < 1000; ++i) enqueue_add(stream, 1);
    });
    for (int i = 0; i < 3; ++i) graph.launch(stream);
    EXPECT_EQ(value(), 3000);
}

TEST_F(CudaGraph, OfNothing) {
    const Stream stream;
    const Graph graph(stream, [] {});
    graph.launch(stream);
    stream.synchronize();
}

TEST_F(CudaGraph, OnAnotherStream) {
    const Stream captured;
    const Graph graph(captured, [&] { enqueue_add(captured, 7); });
    const Stream other;
    graph.launch(other);
    EXPECT_EQ(value(), 7);
}

TEST_F(CudaGraph, TwoDoNotDisturbEachOther) {
    const Stream stream;
    const Graph first(stream, [&] { enqueue_add(stream, 1); });
    const Graph second(stream, [&] { enqueue_times(stream, 10); });
    first.launch(stream);
    second.launch(stream);
    first.launch(stream);
    EXPECT_EQ(value(), 11);
}

/// After a failed capture, the stream still accepts work and another capture.
class CudaGraphFails : public CudaStreamTest {
  protected:
    void expect_usable(const Stream& stream) {
        value_.upload(std::vector<int>{0});
        enqueue_add(stream, 1);
        const Graph graph(stream, [&] { enqueue_times(stream, 5); });
        graph.launch(stream);
        stream.synchronize();
        EXPECT_EQ(value(), 5);
    }
};

TEST_F(CudaGraphFails, ByAnExceptionWithinTheCapture) {
    const Stream stream;
    EXPECT_EQ(error_text<std::runtime_error>([&] {
                  const Graph graph(stream, [&] {
                      enqueue_add(stream, 1);
                      throw std::runtime_error("no more");
                  });
              }),
              "no more");
    EXPECT_EQ(value(), 0);
    expect_usable(stream);
}

TEST_F(CudaGraphFails, ByACallThatCannotBeCaptured) {
    const Stream stream;
    const std::string error = error_text<CudaError>([&] {
        const Graph graph(stream, [&] {
            enqueue_add(stream, 1);
            stream.synchronize();
        });
    });
    EXPECT_NE(error.find("cudaStreamSynchronize"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(value(), 0);
    expect_usable(stream);
}

TEST_F(CudaGraphFails, ByACallWithAnIgnoredError) {
    const Stream stream;
    const std::string error = error_text<CudaError>(
        [&] { const Graph graph(stream, [&] { static_cast<void>(cudaStreamSynchronize(stream.get())); }); });
    EXPECT_NE(error.find("cudaStreamEndCapture"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    expect_usable(stream);
}

TEST_F(CudaGraphFails, ByAnInvalidLaunch) {
    const Stream stream;
    const std::string error = error_text<CudaError>(
        [&] { const Graph graph(stream, [&] { launch(add, 1, 4096, stream, value_.data(), 1); }); });
    EXPECT_NE(error.find("cudaErrorInvalid"), std::string::npos) << error;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    expect_usable(stream);
}

}  // namespace
}  // namespace cudabook
