// Streams, events and captures. A stream's work waits until a call needs its results. If the stream is
// being captured, the work is added to a graph instead.
#include "emulator/runtime/stream.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/engine/block.hpp"
#include "emulator/runtime/contexts.hpp"
#include "emulator/runtime/created.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/pending_work.hpp"

/// A capture: its graph, and the stream that began it. Another stream joins the capture by waiting for an
/// event of the capture.
struct Capture {
    cudaStream_t begun_by = nullptr;
    const cudabook::emulation::GpuState* gpu = nullptr;
    std::unique_ptr<CUgraph_st> own_graph = nullptr;  ///< null if the graph is the program's own
    cudaGraph_t graph = nullptr;
    unsigned long long number = 0;
    std::atomic<bool> is_valid = true;  ///< another thread may make it false
    bool ended = false;
    std::vector<cudaGraphNode_t> of_others = {};  ///< the nodes of streams that have joined
};

struct CUstream_st {
    unsigned flags = cudaStreamDefault;
    const cudabook::emulation::GpuState* gpu = nullptr;
    std::shared_ptr<Capture> capture = nullptr;  ///< null or ended if the stream is not being captured
    std::vector<cudaGraphNode_t> after = {};     ///< the dependencies of the stream's next node
    cudabook::emulation::Attributes attributes = {};
    cudabook::emulation::WorkNumber last = 0;  ///< the stream's last work
};

struct CUevent_st {
    bool has_time = true;
    std::shared_ptr<cudabook::emulation::EventRecord> record =
        std::make_shared<cudabook::emulation::EventRecord>();
    const cudabook::emulation::GpuState* gpu = nullptr;  ///< the GPU of the stream that recorded the event
    std::shared_ptr<Capture> capture = nullptr;  ///< of the last record; null if that record was external
                                                 ///< or outside of a capture
    std::vector<cudaGraphNode_t> after = {};     ///< the nodes of the capture that come before the event
};

namespace cudabook::emulation {

namespace {

/// All streams and events that CUDA threads make are this stream and this event. A block's launches run in
/// the order of the calls, so a kernel's streams never need to wait.
CUstream_st stream_of_kernels{cudaStreamNonBlocking};
CUevent_st event_of_kernels{false};

/// The captures that this thread has begun in a mode that forbids it to wait.
thread_local std::vector<std::shared_ptr<Capture>> captures;

/// The mode that cudaThreadExchangeStreamCaptureMode() has set.
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

/// The captures of all threads that blocking streams have begun.
std::mutex blocking_mutex;
std::vector<std::shared_ptr<Capture>> blocking_captures;

/// Returns whether this is one of the streams that always exist.
bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           stream == cudaStreamTailLaunch || stream == cudaStreamFireAndForget;
}

bool has_been_destroyed(cudaStream_t stream) {
    return !is_default(stream) && stream != &stream_of_kernels &&
           !Created<cudaStream_t>::all().contains(stream);
}

/// Returns an error if there is no such event. `use` is for the message: "a record".
cudaError_t check_event(cudaEvent_t event, std::string_view use) {
    if (event == nullptr) return result(cudaErrorInvalidResourceHandle);
    if (event == &event_of_kernels || Created<cudaEvent_t>::all().contains(event)) return cudaSuccess;
    return refuse_work(cudaErrorInvalidResourceHandle,
                       fmt::format("{} of an event that has been destroyed", use));
}

/// Returns the capture of a stream, or null if the stream is not being captured.
std::shared_ptr<Capture> capture_of(cudaStream_t stream) {
    return is_default(stream) || has_been_destroyed(stream) || stream->capture == nullptr ||
                   stream->capture->ended
               ? nullptr
               : stream->capture;
}

/// The order of the work of a GPU's streams. Work in the legacy stream is done after all earlier work in
/// blocking streams, and before all later work in them.
struct OrderOnGpu {
    WorkNumber legacy = 0;             ///< the legacy stream's last work
    std::vector<WorkNumber> blocking;  ///< the last work of each blocking stream after `legacy`
};
std::mutex order_mutex;

/// The caller holds order_mutex.
OrderOnGpu& order_on(const GpuState& gpu) {
    static auto* const all = new std::map<const GpuState*, OrderOnGpu>;  // lasts until the process ends
    return (*all)[&gpu];
}

bool is_legacy(cudaStream_t stream) { return is_default(stream) && stream != cudaStreamPerThread; }
bool is_blocking(cudaStream_t stream) {
    return stream == cudaStreamPerThread || (!is_default(stream) && stream->flags == cudaStreamDefault);
}

/// Returns the GPU whose work the stream does.
const GpuState& gpu_of(cudaStream_t stream) { return is_default(stream) ? current_state() : *stream->gpu; }

/// Returns the number of the stream's last work. The caller holds order_mutex.
WorkNumber& last_of(cudaStream_t stream) {
    thread_local std::map<const GpuState*, WorkNumber> of_this_thread;
    if (is_legacy(stream)) return order_on(current_state()).legacy;
    return stream == cudaStreamPerThread ? of_this_thread[&current_state()] : stream->last;
}

/// Returns the work that must be done before new work of the stream. The caller holds order_mutex.
std::vector<WorkNumber> what_comes_before(cudaStream_t stream) {
    const OrderOnGpu& on_gpu = order_on(gpu_of(stream));
    std::vector<WorkNumber> before{last_of(stream)};
    if (is_legacy(stream))
        before.insert(before.end(), on_gpu.blocking.begin(), on_gpu.blocking.end());
    else if (is_blocking(stream))
        before.push_back(on_gpu.legacy);
    std::erase_if(before, is_done);
    return before;
}

/// Notes the stream's new last work. The caller holds order_mutex.
void note_last(cudaStream_t stream, WorkNumber number) {
    WorkNumber& last = last_of(stream);
    OrderOnGpu& on_gpu = order_on(gpu_of(stream));
    if (is_legacy(stream)) {
        on_gpu.blocking.clear();
    } else if (is_blocking(stream)) {
        std::erase_if(on_gpu.blocking, [&](WorkNumber other) { return other == last || is_done(other); });
        on_gpu.blocking.push_back(number);
    }
    last = number;
}

/// Does all work of the stream, and all other work that must be done before new work of the stream.
void finish_stream(cudaStream_t stream) {
    if (is_doing_work()) return;
    std::vector<WorkNumber> before;
    {
        const std::lock_guard lock(order_mutex);
        before = what_comes_before(stream);
    }
    finish(before);
}

/// Returns whether all this work was done. If not, does it, so that a program that polls makes progress.
bool was_done(const std::vector<WorkNumber>& numbers) {
    const bool all_done = std::ranges::all_of(numbers, is_done);
    finish(numbers);
    return all_done;
}

Attributes& attributes_of(cudaStream_t stream) {
    thread_local CUstream_st of_default;
    return is_default(stream) ? of_default.attributes : stream->attributes;
}

/// Makes the capture invalid. Returns the error for a call that is not allowed during a capture.
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

/// Returns whether the stream that has begun the capture has waited for all work of the other streams.
bool is_joined(const Capture& capture) {
    std::vector<cudaGraphNode_t> to_visit = capture.begun_by->after;
    std::unordered_set<cudaGraphNode_t> before(to_visit.begin(), to_visit.end());
    while (!to_visit.empty()) {
        const cudaGraphNode_t node = to_visit.back();
        to_visit.pop_back();
        for (const cudaGraphNode_t other : node->after)
            if (before.insert(other).second) to_visit.push_back(other);
    }
    return std::ranges::all_of(capture.of_others,
                               [&](cudaGraphNode_t node) { return before.contains(node); });
}

/// Makes the captures of the current GPU's blocking streams invalid, because work in the legacy stream
/// would wait for these streams. Returns true if there were such captures.
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

}  // namespace

cudaError_t synchronous() {
    if (captures.empty() || thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    return invalidate(*captures.back());
}

void invalidate_capture(cudaStream_t stream) {
    if (const auto capture = capture_of(stream)) capture->is_valid = false;
}

bool is_captured(cudaStream_t stream) { return capture_of(stream) != nullptr; }

cudaError_t enqueue(cudaStream_t stream, Task task, const std::vector<WorkNumber>& after,
                    std::atomic<WorkNumber>* number) {
    use_primary_context();
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (has_been_destroyed(stream))
        return refuse_work(cudaErrorInvalidResourceHandle, "work for a stream that has been destroyed");
    const auto capture = capture_of(stream);
    if (capture == nullptr) {
        if (is_default(stream) && stream != cudaStreamPerThread && invalidate_blocking_captures())
            return result(cudaErrorStreamCaptureImplicit);
        if (is_doing_work()) {
            run(task);
            return result(cudaSuccess);
        }
        WorkNumber enqueued = 0;
        {
            const std::lock_guard lock(order_mutex);
            std::vector<WorkNumber> before = what_comes_before(stream);
            before.insert(before.end(), after.begin(), after.end());
            enqueued = keep(std::move(task), gpu_of(stream), std::move(before));
            note_last(stream, enqueued);
            if (number != nullptr) *number = enqueued;
        }
        if (launches_block())
            finish({enqueued});
        else
            finish_what_is_too_much();
        return result(cudaSuccess);
    }
    if (!capture->is_valid) return result(cudaErrorStreamCaptureInvalidated);
    const cudaGraphNode_t added = add_node(*capture->graph, std::move(task), std::move(stream->after));
    if (stream != capture->begun_by) capture->of_others.push_back(added);
    stream->after = {added};
    return cudaSuccess;
}

cudaError_t when_done(cudaError_t enqueued, cudaStream_t stream) {
    if (enqueued != cudaSuccess || is_captured(stream)) return enqueued;
    finish_stream(stream);
    const CurrentGpu current(gpu_of(stream));
    return result(cudaSuccess);
}

cudaError_t make_host_task(Task& task, const cudaHostNodeParams& parameters) {
    if (parameters.fn == nullptr) return result(cudaErrorInvalidValue);
    task = {cudaGraphNodeTypeHost,
            [parameters] { call_host_function([&] { parameters.fn(parameters.userData); }); }, parameters};
    return cudaSuccess;
}

cudaError_t make_record_task(Task& task, cudaEvent_t event) {
    if (const cudaError_t error = check_event(event, "a record"); error != cudaSuccess) return error;
    task = {cudaGraphNodeTypeEventRecord,
            [to = event->record] { to->time = std::chrono::steady_clock::now(); },
            EventTask{event, event->record}};
    return cudaSuccess;
}

// The task itself does nothing: a launch of the graph is done after the event's record.
cudaError_t make_wait_task(Task& task, cudaEvent_t event) {
    if (const cudaError_t error = check_event(event, "a wait"); error != cudaSuccess) return error;
    task = {cudaGraphNodeTypeWaitEvent, {}, EventTask{event, event->record}};
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
    use_primary_context();
    if (flags > cudaStreamNonBlocking) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *stream = new CUstream_st{flags, &current_state()};
    Created<cudaStream_t>::all().insert(*stream);
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
    if (is_default(stream) || has_been_destroyed(stream)) return result(cudaErrorInvalidResourceHandle);
    if (const auto capture = capture_of(stream); capture != nullptr && capture->begun_by == stream)
        end(*capture);
    Created<cudaStream_t>::all().erase(stream);
    delete stream;
    return result(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (const auto capture = capture_of(stream)) return result(invalidate(*capture));
    return result(when_done(cudaSuccess, stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (const auto capture = capture_of(stream)) return result(invalidate(*capture));
    const CurrentGpu current(gpu_of(stream));
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    std::vector<WorkNumber> before;
    {
        const std::lock_guard lock(order_mutex);
        before = what_comes_before(stream);
    }
    return was_done(before) ? cudaSuccess : cudaErrorNotReady;
}

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

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    if (device == nullptr) return result(cudaErrorInvalidValue);
    if (is_default(stream)) return cudaGetDevice(device);
    *device = number_of(stream->gpu);
    return result(cudaSuccess);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    if (id == nullptr) return result(cudaErrorInvalidValue);
    *id = reinterpret_cast<std::uintptr_t>(stream == nullptr ? cudaStreamLegacy : stream);
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
    const auto call = [=, &gpu = gpu_of(stream)] {
        const cudaError_t error = gpu.lasting_error();
        call_host_function([&] { callback(stream, error, data); });
    };
    return enqueue(stream, {.type = cudaGraphNodeTypeHost, .run = call, .despite_failure = true});
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    Task task;
    if (const cudaError_t error = make_host_task(task, {function, data}); error != cudaSuccess) return error;
    return enqueue(stream, std::move(task));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    if (is_cuda_thread()) return cudaSuccess;
    if (const cudaError_t error = check_event(event, "a wait"); error != cudaSuccess) return error;
    if (flags > cudaEventWaitExternal) return result(cudaErrorInvalidValue);
    const auto capture = capture_of(stream);
    if (flags == cudaEventWaitExternal) {
        if (capture == nullptr) return result(cudaErrorIllegalState);
        Task task;
        if (const cudaError_t error = make_wait_task(task, event); error != cudaSuccess) return error;
        return enqueue(stream, std::move(task));
    }
    if (event->capture == nullptr) {
        const WorkNumber record = event->record->work;
        if (capture != nullptr || is_done(record)) return result(cudaSuccess);
        return enqueue(stream, Task{}, {record});
    }
    if (event->capture->ended) return result(cudaErrorInvalidValue);
    if (is_default(stream) || (capture != nullptr && capture != event->capture)) {
        event->capture->is_valid = false;
        return result(is_default(stream) ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureMerge);
    }
    if (capture == nullptr) stream->after.clear();
    stream->capture = event->capture;
    for (const cudaGraphNode_t node : event->after)
        if (std::ranges::find(stream->after, node) == stream->after.end()) stream->after.push_back(node);
    return result(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize() {
    if (is_cuda_thread())
        fail_kernel(
            cudaErrorNotSupported,
            "cudaDeviceSynchronize() is for the host: no thread can wait for a kernel that it launches");
    use_primary_context();
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    if (!gpu_states().empty()) finish_all_of(current_state());
    return result(cudaSuccess);
}

// ----- Attributes. They have no effect.

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
    return result(set_attribute(attributes_of(stream), attribute, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
    return result(get_attribute(attributes_of(stream), attribute, value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    attributes_of(to) = attributes_of(from);
    return result(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache() { return result(cudaSuccess); }

// ----- Captures

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    auto graph = std::make_unique<CUgraph_st>();
    const cudaError_t error = cudaStreamBeginCaptureToGraph(stream, graph.get(), nullptr, nullptr, 0, mode);
    if (error == cudaSuccess) stream->capture->own_graph = std::move(graph);
    return error;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, const cudaGraphEdgeData* /*data*/,
                                          std::size_t count, cudaStreamCaptureMode mode) {
    static std::atomic<unsigned long long> last = 0;
    if (graph == nullptr || (after == nullptr && count > 0)) return result(cudaErrorInvalidValue);
    if (is_default(stream)) return result(cudaErrorStreamCaptureUnsupported);
    if (capture_of(stream) != nullptr) return result(cudaErrorIllegalState);
    stream->capture = std::make_shared<Capture>();
    stream->capture->begun_by = stream;
    stream->capture->gpu = &current_state();
    stream->capture->graph = graph;
    stream->capture->number = ++last;
    stream->after.assign(after, after + count);
    if (mode != cudaStreamCaptureModeRelaxed) captures.push_back(stream->capture);
    if (stream->flags == cudaStreamDefault) {
        const std::lock_guard lock(blocking_mutex);
        blocking_captures.push_back(stream->capture);
    }
    return result(cudaSuccess);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    if (graph != nullptr) *graph = nullptr;
    const auto capture = capture_of(stream);
    if (capture == nullptr) return result(cudaErrorIllegalState);
    if (capture->begun_by != stream) return result(cudaErrorStreamCaptureUnmatched);
    end(*capture);
    if (!capture->is_valid) return result(cudaErrorStreamCaptureInvalidated);
    if (!is_joined(*capture)) return result(cudaErrorStreamCaptureUnjoined);
    if (graph != nullptr) {
        *graph = capture->graph;
        static_cast<void>(capture->own_graph.release());
    }
    return result(cudaSuccess);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* number, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** data,
                                     std::size_t* count) {
    if (status == nullptr) return result(cudaErrorInvalidValue);
    const auto capture = capture_of(stream);
    *status = capture == nullptr  ? cudaStreamCaptureStatusNone
              : capture->is_valid ? cudaStreamCaptureStatusActive
                                  : cudaStreamCaptureStatusInvalidated;
    if (*status != cudaStreamCaptureStatusActive) return result(cudaSuccess);
    if (number != nullptr) *number = capture->number;
    if (graph != nullptr) *graph = capture->graph;
    if (after != nullptr) *after = stream->after.data();
    if (data != nullptr) *data = nullptr;
    if (count != nullptr) *count = stream->after.size();
    return result(cudaSuccess);
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData* /*data*/, std::size_t count,
                                                unsigned flags) {
    if ((after == nullptr && count > 0) || flags > cudaStreamSetCaptureDependencies)
        return result(cudaErrorInvalidValue);
    const auto capture = capture_of(stream);
    if (capture == nullptr) return result(cudaErrorIllegalState);
    for (std::size_t i = 0; i < count; ++i)
        if (after[i] == nullptr || after[i]->graph != capture->graph) return result(cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies) stream->after.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (std::ranges::find(stream->after, after[i]) == stream->after.end())
            stream->after.push_back(after[i]);
    return result(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    if (mode == nullptr || *mode > cudaStreamCaptureModeRelaxed) return result(cudaErrorInvalidValue);
    *mode = std::exchange(thread_mode, *mode);
    return result(cudaSuccess);
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
    Created<cudaEvent_t>::all().insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (is_cuda_thread()) return cudaSuccess;
    if (const cudaError_t error = check_event(event, "cudaEventDestroy()"); error != cudaSuccess)
        return error;
    Created<cudaEvent_t>::all().erase(event);
    delete event;
    return result(cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

// In a capture, an ordinary record only notes the nodes that come before the event. An external record
// becomes a node of the graph.
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    if (is_cuda_thread()) return cudaSuccess;
    if (flags > cudaEventRecordExternal) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_event(event, "a record"); error != cudaSuccess) return error;
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
    Task task;
    if (const cudaError_t error = make_record_task(task, event); error != cudaSuccess) return error;
    if (capture != nullptr) return enqueue(stream, std::move(task));
    event->gpu = &gpu_of(stream);
    // An earlier record that is still pending must not set the event's time after this record.
    task.run = [to = event->record, number = ++event->record->records] {
        if (to->records == number) to->time = std::chrono::steady_clock::now();
    };
    return enqueue(stream, std::move(task), {}, &event->record->work);
}

namespace {

/// Makes the event's GPU current, calls use(work of the event's last record), and returns use()'s error.
/// `name` is the calling function's, for messages.
template <class Use>
cudaError_t with_record_of(cudaEvent_t event, std::string_view name, const Use& use) {
    if (const cudaError_t error = check_event(event, name); error != cudaSuccess) return error;
    if (const cudaError_t error = synchronous(); error != cudaSuccess) return result(error);
    if (event->capture != nullptr) return result(cudaErrorInvalidValue);
    const CurrentGpu current(event->gpu == nullptr ? current_state() : *event->gpu);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    return use(event->record->work.load());
}

}  // namespace

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return with_record_of(event, "cudaEventSynchronize()", [](WorkNumber record) {
        finish({record});
        return result(cudaSuccess);
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    return with_record_of(event, "cudaEventQuery()", [](WorkNumber record) {
        return was_done({record}) ? cudaSuccess : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
    for (cudaEvent_t event : {start, end})
        if (const cudaError_t error = check_event(event, "cudaEventElapsedTime()"); error != cudaSuccess)
            return error;
    if (start->capture != nullptr || end->capture != nullptr) return result(cudaErrorInvalidValue);
    if (!start->has_time || !end->has_time)
        return refuse_work(cudaErrorInvalidResourceHandle,
                           "cudaEventElapsedTime() of an event that cudaEventDisableTiming made");
    const auto& [begin, begin_work, begin_records] = *start->record;
    const auto& [finish, finish_work, finish_records] = *end->record;
    if (!is_done(begin_work) || !is_done(finish_work))
        return refuse_work(cudaErrorNotReady,
                           "cudaEventElapsedTime() before cudaEventSynchronize() or another wait");
    if (!begin || !finish)
        return refuse_work(cudaErrorInvalidResourceHandle,
                           "cudaEventElapsedTime() of an event that has not been recorded");
    // Events of a GPU are at least a clock tick apart.
    const std::chrono::duration<float, std::milli> elapsed = *finish - *begin;
    *ms = elapsed.count();
    return result(cudaSuccess);
}
