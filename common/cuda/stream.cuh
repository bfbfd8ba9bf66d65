// RAII owners of CUDA streams, events (as a stopwatch) and graphs.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "error.cuh"

namespace cudabook {

/// A CUDA event, which marks a point in the work of a stream. It records the time only if its flags are
/// cudaEventDefault. Errors: CudaError.
class Event {
  public:
    explicit Event(unsigned flags = cudaEventDisableTiming) {
        cudaEvent_t event = nullptr;
        CUDA_CHECK(cudaEventCreateWithFlags(&event, flags));
        event_.reset(event);
    }
    [[nodiscard]] cudaEvent_t get() const { return event_.get(); }
    void synchronize() const { CUDA_CHECK(cudaEventSynchronize(get())); }

  private:
    struct Destroy {
        void operator()(cudaEvent_t event) const { cudaEventDestroy(event); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

enum class Priority { usual, highest };

/// A stream. Unless the flags are cudaStreamNonBlocking, it is a blocking stream: its work is in order with
/// work on the default stream, such as DeviceArray::upload(). Threads that share a GPU need non-blocking
/// streams, because CUDA refuses work on the default stream while a blocking stream is captured. Blocks of
/// kernels in a stream of the highest priority start before blocks of other streams. Errors: CudaError.
class Stream {
  public:
    explicit Stream(Priority priority = Priority::usual, unsigned flags = cudaStreamDefault) {
        cudaStream_t stream = nullptr;
        int lowest = 0;
        int highest = 0;
        CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
        CUDA_CHECK(
            cudaStreamCreateWithPriority(&stream, flags, priority == Priority::highest ? highest : lowest));
        stream_.reset(stream);
    }

    /// record() lets an event mark the end of the work enqueued so far. wait() makes the work that is
    /// enqueued from now on wait for an event, which may have been recorded in another stream.
    void record(const Event& event) const { CUDA_CHECK(cudaEventRecord(event.get(), get())); }
    void wait(cudaEvent_t event) const { CUDA_CHECK(cudaStreamWaitEvent(get(), event, 0)); }
    void wait(const Event& event) const { wait(event.get()); }
    [[nodiscard]] cudaStream_t get() const { return stream_.get(); }
    void synchronize() const { CUDA_CHECK(cudaStreamSynchronize(get())); }

  private:
    struct Destroy {
        void operator()(cudaStream_t stream) const { cudaStreamDestroy(stream); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
};

/// Times work on a stream with two CUDA events.
class Stopwatch {
  public:
    void start(const Stream& stream) { stream.record(start_); }

    /// Waits for the work enqueued since start() and returns its duration in ms.
    double stop(const Stream& stream) {
        stream.record(stop_);
        stop_.synchronize();
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, start_.get(), stop_.get()));
        return static_cast<double>(ms);
    }

  private:
    Event start_{cudaEventDefault};
    Event stop_{cudaEventDefault};
};

/// A CUDA graph: work captured from a stream once, which can be launched any number of times. Each kernel
/// keeps the priority of the stream that it was captured from.
class Graph {
  public:
    /// Captures what `enqueue` enqueues on the stream; nothing runs yet.
    template <class Enqueue>
    Graph(const Stream& stream, Enqueue enqueue) {
        CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
        cudaGraph_t graph = nullptr;
        try {
            enqueue();
        } catch (...) {
            cudaStreamEndCapture(stream.get(), &graph);
            static_cast<void>(cudaGetLastError());  // clears the error of ending a failed capture
            if (graph != nullptr) cudaGraphDestroy(graph);
            throw;
        }
        CUDA_CHECK(cudaStreamEndCapture(stream.get(), &graph));
        const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph> owner(graph);
        cudaGraphExec_t executable = nullptr;
        CUDA_CHECK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUseNodePriority));
        executable_.reset(executable);
    }
    void launch(const Stream& stream) const { CUDA_CHECK(cudaGraphLaunch(executable_.get(), stream.get())); }

  private:
    struct DestroyGraph {
        void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
    };
    struct DestroyExecutable {
        void operator()(cudaGraphExec_t graph) const { cudaGraphExecDestroy(graph); }
    };
    std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyExecutable> executable_;
};

}  // namespace cudabook
