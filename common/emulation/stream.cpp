// Streams, events and graphs. Work is done when it is enqueued, or kept while its stream is captured.
#include "common/emulation/stream.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/emulation/device.hpp"

using Work = std::vector<std::function<void()>>;

struct CUstream_st {
    std::optional<Work> capture;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    bool capture_is_valid = true;
};

struct CUevent_st {
    bool has_time = true;
    std::optional<std::chrono::steady_clock::time_point> recorded;
};

struct CUgraph_st {
    std::shared_ptr<const Work> work;
};

struct CUgraphExec_st {
    std::shared_ptr<const Work> work;
};

namespace cudabook::emulation {

namespace {

/// The streams that this thread captures, in a mode in which it may not wait.
thread_local std::vector<cudaStream_t> captured;

/// The error of a call that must not be made while a stream is captured.
cudaError_t invalidate(CUstream_st& stream) {
    stream.capture_is_valid = false;
    return cudaErrorStreamCaptureUnsupported;
}

}  // namespace

cudaError_t synchronous() {
    if (captured.empty()) return cudaSuccess;
    return invalidate(*captured.back());
}

void invalidate_capture(cudaStream_t stream) {
    if (stream != nullptr && stream->capture) stream->capture_is_valid = false;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (stream == nullptr || !stream->capture) {
        work();
        return result(cudaSuccess);
    }
    if (!stream->capture_is_valid) return result(cudaErrorStreamCaptureInvalidated);
    stream->capture->push_back(std::move(work));
    return cudaSuccess;
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

// ----- Streams

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *stream = new CUstream_st;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return flags > cudaStreamNonBlocking ? result(cudaErrorInvalidValue) : cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (stream == nullptr) return result(cudaErrorInvalidResourceHandle);
    std::erase(captured, stream);
    delete stream;
    return result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (stream != nullptr && stream->capture) return result(invalidate(*stream));
    return result(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t /*stream*/, cudaEvent_t event, unsigned /*flags*/) {
    return result(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() { return result(synchronous()); }

// ----- Captures and graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (stream == nullptr) return result(cudaErrorStreamCaptureUnsupported);
    if (stream->capture) return result(cudaErrorIllegalState);
    stream->capture.emplace();
    stream->mode = mode;
    stream->capture_is_valid = true;
    if (mode != cudaStreamCaptureModeRelaxed) captured.push_back(stream);
    return result(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = nullptr;
    if (stream == nullptr || !stream->capture) return result(cudaErrorIllegalState);
    std::erase(captured, stream);
    Work work = *std::exchange(stream->capture, std::nullopt);
    if (!stream->capture_is_valid) return result(cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st{std::make_shared<const Work>(std::move(work))};
    return result(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const bool active = stream != nullptr && stream->capture;
    *status = !active                    ? cudaStreamCaptureStatusNone
              : stream->capture_is_valid ? cudaStreamCaptureStatusActive
                                         : cudaStreamCaptureStatusInvalidated;
    return result(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long /*flags*/) {
    if (graph == nullptr) return result(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{graph->work};
    return result(cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    if (executable == nullptr) return result(cudaErrorInvalidValue);
    return enqueue(stream, [work = executable->work] {
        for (const auto& part : *work) part();
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return result(graph == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete executable;
    return result(executable == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

// ----- Events

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0, std::nullopt};
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return result(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    return enqueue(stream, [event] { event->recorded = std::chrono::steady_clock::now(); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    return result(synchronous());
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    if (start == nullptr || end == nullptr || !start->has_time || !end->has_time || !start->recorded ||
        !end->recorded)
        return result(cudaErrorInvalidResourceHandle);
    // No GPU's events are closer to each other than a clock tick.
    const std::chrono::duration<float, std::milli> elapsed = *end->recorded - *start->recorded;
    *ms = elapsed.count();
    return result(cudaSuccess);
}
