// Streams, events and graphs. Work is done when it is enqueued, or kept if its stream is being captured. A
// graph does its work in the order of the calls or, with a schedule, in another order that its streams and
// events allow.
#include "emulator/runtime/stream.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "emulator/engine/block.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/gpu_state.hpp"

/// A piece of a graph's work, and the pieces that must be done before it.
struct Piece {
    std::function<void()> run;
    std::vector<std::size_t> after;
};
using Work = std::vector<Piece>;

/// A capture: its work, in the order of the calls. Another stream joins the capture when it waits for an
/// event of the capture.
struct Capture {
    cudaStream_t begun_by = nullptr;
    const cudabook::emulation::GpuState* gpu = nullptr;
    Work work = {};
    std::atomic<bool> is_valid = true;  ///< another thread may make it false
    bool ended = false;
};

struct CUstream_st {
    unsigned flags = cudaStreamDefault;
    std::shared_ptr<Capture> capture = nullptr;  ///< null or ended if the stream is not being captured
    std::vector<std::size_t> after = {};         ///< the pieces that must come before the stream's next piece
};

using RecordedTime = std::optional<std::chrono::steady_clock::time_point>;

struct CUevent_st {
    bool has_time = true;
    /// Shared with the graphs that have an external record of it.
    std::shared_ptr<RecordedTime> recorded = std::make_shared<RecordedTime>();
    std::shared_ptr<Capture> capture = nullptr;  ///< of the last record; null if that was external or outside
                                                 ///< a capture
    std::vector<std::size_t> after = {};         ///< the pieces of the capture that come before the event
};

struct CUgraph_st {
    std::shared_ptr<const Work> work;
};

struct CUgraphExec_st {
    std::shared_ptr<const Work> work;
    std::uint64_t launches = 0;
};

namespace cudabook::emulation {

namespace {

/// The stream and the event of all CUDA threads that make one. The launches of a block run in the order of
/// the calls, so no stream of a kernel has to wait.
CUstream_st stream_of_kernels{cudaStreamNonBlocking};
CUevent_st event_of_kernels{false};

/// The captures that this thread has begun in a mode that forbids it to wait.
thread_local std::vector<std::shared_ptr<Capture>> captures;

/// The captures, of all threads, that a blocking stream has begun.
std::mutex blocking_mutex;
std::vector<std::shared_ptr<Capture>> blocking_captures;

/// Returns whether this is a default stream, which no call created.
bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

/// Returns the capture of a stream, or null if the stream is not being captured.
std::shared_ptr<Capture> capture_of(cudaStream_t stream) {
    return is_default(stream) || stream->capture == nullptr || stream->capture->ended ? nullptr
                                                                                      : stream->capture;
}

/// Makes the capture invalid. Returns the error of a call that is not allowed during a capture.
cudaError_t invalidate(Capture& capture) {
    capture.is_valid = false;
    return cudaErrorStreamCaptureUnsupported;
}

void end(Capture& capture) {
    capture.ended = true;
    const auto is_this = [&](const auto& begun) { return begun.get() == &capture; };
    std::erase_if(captures, is_this);
    const std::lock_guard lock(blocking_mutex);
    std::erase_if(blocking_captures, is_this);
}

/// For work in the legacy stream, which would wait for the blocking streams of its GPU. Makes the captures of
/// such streams invalid. Returns whether there were any.
bool invalidate_blocking_captures() {
    const std::lock_guard lock(blocking_mutex);
    bool found = false;
    for (const auto& capture : blocking_captures) {
        if (capture->gpu != &current_state()) continue;
        capture->is_valid = false;
        found = true;
    }
    return found;
}

/// Does the work in an order that depends on the seed and keeps the dependencies.
void run_shuffled(const Work& work, std::uint64_t seed) {
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(seed));
    std::vector<std::size_t> awaited(work.size());
    std::vector<std::vector<std::size_t>> followers(work.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < work.size(); ++i) {
        awaited[i] = work[i].after.size();
        for (const std::size_t before : work[i].after) followers[before].push_back(i);
        if (awaited[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        std::swap(ready[random() % ready.size()], ready.back());
        const std::size_t now = ready.back();
        ready.pop_back();
        work[now].run();
        for (const std::size_t next : followers[now])
            if (--awaited[next] == 0) ready.push_back(next);
    }
}

}  // namespace

cudaError_t synchronous() {
    if (captures.empty()) return cudaSuccess;
    return invalidate(*captures.back());
}

void invalidate_capture(cudaStream_t stream) {
    if (const auto capture = capture_of(stream)) capture->is_valid = false;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const auto capture = capture_of(stream);
    if (capture == nullptr) {
        if (is_default(stream) && stream != cudaStreamPerThread && invalidate_blocking_captures())
            return result(cudaErrorStreamCaptureImplicit);
        work();
        return result(cudaSuccess);
    }
    if (!capture->is_valid) return result(cudaErrorStreamCaptureInvalidated);
    capture->work.push_back({std::move(work), std::exchange(stream->after, {capture->work.size()})});
    return cudaSuccess;
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

// ----- Streams

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    if (is_cuda_thread()) {
        *stream = &stream_of_kernels;
        return flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (flags > cudaStreamNonBlocking) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *stream = new CUstream_st{flags};
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
    *lowest = *highest = 0;
    return result(cudaSuccess);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (is_cuda_thread()) return cudaSuccess;
    if (is_default(stream)) return result(cudaErrorInvalidResourceHandle);
    if (const auto capture = capture_of(stream); capture != nullptr && capture->begun_by == stream)
        end(*capture);
    delete stream;
    return result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (const auto capture = capture_of(stream)) return result(invalidate(*capture));
    return result(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    if (flags == nullptr) return result(cudaErrorInvalidValue);
    *flags = is_default(stream) ? cudaStreamDefault : stream->flags;
    return result(cudaSuccess);
}

cudaError_t cudaStreamGetPriority(cudaStream_t /*stream*/, int* priority) {
    if (priority == nullptr) return result(cudaErrorInvalidValue);
    *priority = 0;
    return result(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t /*stream*/, void* memory, std::size_t /*bytes*/,
                                     unsigned /*flags*/) {
    return result(memory_type(memory) == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
    if (callback == nullptr || flags != 0) return result(cudaErrorInvalidValue);
    if (const auto capture = capture_of(stream)) return result(invalidate(*capture));
    return enqueue(stream, [=] { callback(stream, cudaSuccess, data); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (function == nullptr) return result(cudaErrorInvalidValue);
    return enqueue(stream, [=] { function(data); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    if (event->capture == nullptr) return result(cudaSuccess);
    if (event->capture->ended) return result(cudaErrorInvalidValue);
    const auto capture = capture_of(stream);
    if (is_default(stream) || (capture != nullptr && capture != event->capture)) {
        event->capture->is_valid = false;
        return result(is_default(stream) ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureMerge);
    }
    if (capture == nullptr) stream->after.clear();
    stream->capture = event->capture;
    stream->after.insert(stream->after.end(), event->after.begin(), event->after.end());
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
    if (is_cuda_thread())
        fail_kernel(
            cudaErrorNotSupported,
            "cudaDeviceSynchronize() is for the host: no thread can wait for a kernel that it launches");
    return result(synchronous());
}

// ----- Captures and graphs

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (is_default(stream)) return result(cudaErrorStreamCaptureUnsupported);
    if (capture_of(stream) != nullptr) return result(cudaErrorIllegalState);
    stream->capture = std::make_shared<Capture>();
    stream->capture->begun_by = stream;
    stream->capture->gpu = &current_state();
    stream->after.clear();
    if (mode != cudaStreamCaptureModeRelaxed) captures.push_back(stream->capture);
    if (stream->flags == cudaStreamDefault) {
        const std::lock_guard lock(blocking_mutex);
        blocking_captures.push_back(stream->capture);
    }
    return result(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = nullptr;
    const auto capture = capture_of(stream);
    if (capture == nullptr) return result(cudaErrorIllegalState);
    if (capture->begun_by != stream) return result(cudaErrorStreamCaptureUnmatched);
    end(*capture);
    if (!capture->is_valid) return result(cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st{std::make_shared<const Work>(std::move(capture->work))};
    return result(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const auto capture = capture_of(stream);
    *status = capture == nullptr  ? cudaStreamCaptureStatusNone
              : capture->is_valid ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
    return result(cudaSuccess);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long /*flags*/) {
    if (graph == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    *executable = new CUgraphExec_st{graph->work};
    return result(cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    if (is_cuda_thread())
        fail_kernel(cudaErrorNotSupported,
                    "a kernel cannot launch a graph on the emulated GPU: launch it on the host");
    if (executable == nullptr) return result(cudaErrorInvalidValue);
    return enqueue(stream, [work = executable->work, launch = ++executable->launches] {
        if (const auto seed = schedule_seed())
            run_shuffled(*work, *seed + launch);
        else
            for (const Piece& piece : *work) piece.run();
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
    if (is_cuda_thread()) {
        *event = &event_of_kernels;
        return flags == cudaEventDisableTiming ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *event = new CUevent_st{(flags & cudaEventDisableTiming) == 0};
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (is_cuda_thread()) return cudaSuccess;
    delete event;
    return result(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

// In a capture, an ordinary record only notes what comes before the event. An external record is a piece of
// the graph.
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (is_cuda_thread()) return cudaSuccess;
    if (flags > cudaEventRecordExternal) return result(cudaErrorInvalidValue);
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    const auto capture = capture_of(stream);
    if (capture != nullptr && flags == cudaEventRecordDefault) {
        if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
        if (!capture->is_valid) return result(cudaErrorStreamCaptureInvalidated);
        event->capture = capture;
        event->after = stream->after;
        return cudaSuccess;
    }
    if (capture == nullptr && flags == cudaEventRecordExternal) return result(cudaErrorIllegalState);
    event->capture = nullptr;
    return enqueue(stream, [to = event->recorded] { *to = std::chrono::steady_clock::now(); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    return result(event->capture == nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    if (start == nullptr || end == nullptr) return result(cudaErrorInvalidResourceHandle);
    if (start->capture != nullptr || end->capture != nullptr) return result(cudaErrorInvalidValue);
    if (!start->has_time || !end->has_time || !*start->recorded || !*end->recorded)
        return result(cudaErrorInvalidResourceHandle);
    // Events of a GPU are at least a clock tick apart.
    const std::chrono::duration<float, std::milli> elapsed = **end->recorded - **start->recorded;
    *ms = elapsed.count();
    return result(cudaSuccess);
}
