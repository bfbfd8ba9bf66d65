// CUDA graphs: their nodes, and the task of each node. The work in a stream consists of tasks, too. A
// stream's task is done when a call needs its results. If the stream is being captured, the task becomes a
// node of the capture's graph instead.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <cuda_runtime_api.h>

#include "emulator/engine/launch.hpp"
#include "emulator/engine/pending_launch.hpp"

namespace cudabook::emulation {

struct ConditionalHandle;
struct GraphMemory;

/// The number of a piece of work in a stream (pending_work.hpp). Work that is enqueued later has a greater
/// number. 0 stands for no work.
using WorkNumber = std::uint64_t;

/// The attributes of a stream or of a kernel's node. They are stored, but have no effect.
using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;
cudaError_t set_attribute(Attributes& attributes, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue* value);
cudaError_t get_attribute(const Attributes& attributes, cudaLaunchAttributeID attribute,
                          cudaLaunchAttributeValue* value);

struct KernelTask {
    PendingLaunch launch{};
    std::vector<void*> places = {};  ///< the place of each argument, for cudaGraphKernelNodeGetParams()
    Attributes attributes = {};
};
struct ChildGraphTask {
    std::shared_ptr<CUgraph_st> graph = nullptr;
};
struct ConditionalTask {
    std::shared_ptr<ConditionalHandle> handle = nullptr;
    cudaGraphConditionalNodeType type{};
    std::vector<std::shared_ptr<CUgraph_st>> bodies = {};
    std::shared_ptr<std::vector<cudaGraph_t>> for_caller = nullptr;  ///< the handles of the bodies
};
/// The state of an event's last record. The event and all graph nodes for this event share this object.
struct EventRecord {
    std::optional<std::chrono::steady_clock::time_point> time = std::nullopt;
    std::atomic<WorkNumber> work = 0;        ///< the work that records the event
    std::atomic<std::uint64_t> records = 0;  ///< how many records of the event were enqueued
};
struct EventTask {
    cudaEvent_t event = nullptr;
    std::shared_ptr<EventRecord> record = nullptr;
};
struct MemoryTask {
    std::shared_ptr<GraphMemory> memory = nullptr;  ///< null for memory that no graph allocated
    void* freed = nullptr;
};

/// A piece of work: its type, its parameters, and the function that does it. Child graphs and conditional
/// nodes have no function.
struct Task {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::function<void()> run = {};
    std::variant<std::monostate, KernelTask, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                 ChildGraphTask, ConditionalTask, EventTask, MemoryTask>
        parameters = {};
    bool despite_failure = false;  ///< the work is done even if the GPU has failed
};

/// Adds the work to the stream or, if the stream is being captured, to the capture's graph. In a stream, the
/// work is done after the stream's earlier work and after the work with the numbers `after`. If the work is
/// not captured and `number` is not null, sets `number` to the work's number.
cudaError_t enqueue(cudaStream_t stream, Task task, const std::vector<WorkNumber>& after = {},
                    std::atomic<WorkNumber>* number = nullptr);

// ----- Functions that make tasks. They check their arguments as the calls for streams do, and return the
// same errors.

cudaError_t make_kernel_task(Task& task, const cudaLaunchConfig_t& config, const KernelCall& call);
/// register_kernel() must have been called for `kernel`.
cudaError_t make_kernel_task(Task& task, const cudaLaunchConfig_t& config, const void* kernel,
                             void** arguments);
cudaError_t make_copy_task(Task& task, const cudaMemcpy3DParms& copy);
cudaError_t make_copy_task(Task& task, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t make_memset_task(Task& task, const cudaMemsetParams& parameters);
cudaError_t make_host_task(Task& task, const cudaHostNodeParams& parameters);
cudaError_t make_record_task(Task& task, cudaEvent_t event);
cudaError_t make_wait_task(Task& task, cudaEvent_t event);

/// Makes a task that allocates memory of the current GPU. Sets `*memory` to the memory's address now, not
/// when the task is done.
cudaError_t make_allocation_task(Task& task, std::size_t bytes, void** memory);
cudaError_t make_free_task(Task& task, void* memory);

// ----- Graphs

/// Does a task.
void run(const Task& task);

/// Runs all nodes of a graph in the order of `graph.nodes`, which must be topological. With a schedule's
/// seed, runs the nodes in another order that the dependencies allow.
void run_graph(CUgraph_st& graph);

/// Adds a node to the graph.
cudaGraphNode_t add_node(CUgraph_st& graph, Task task, std::vector<cudaGraphNode_t> after);

}  // namespace cudabook::emulation

struct CUgraphNode_st {
    CUgraph_st* graph;
    cudabook::emulation::Task task;
    std::vector<cudaGraphNode_t> after;  ///< the node's dependencies
    std::uint64_t number;                ///< unique among all nodes
    std::uint64_t copied_from = 0;       ///< the number of the node that was copied; 0 if this is no copy
    bool enabled = true;                 ///< if false, an executable graph skips the node
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {};
    std::vector<std::shared_ptr<cudabook::emulation::ConditionalHandle>> handles = {};
    bool belongs_to_node = false;  ///< if true, the program cannot destroy the graph
    std::uint64_t runs = 0;
};

/// An executable graph. `graph` is a copy with the nodes in topological order.
struct CUgraphExec_st {
    std::shared_ptr<CUgraph_st> graph;
    unsigned long long flags;
    std::atomic<cudabook::emulation::WorkNumber> last_launch = 0;
};
