// Graphs that a program builds node by node, executable graphs and their changes. stream.cpp captures streams
// into graphs.
#include "emulator/runtime/graph.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "emulator/engine/block.hpp"
#include "emulator/runtime/created.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph_memory.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/stream.hpp"

namespace cudabook::emulation {

/// The value that says which bodies of a conditional node run.
struct ConditionalHandle {
    std::atomic<unsigned> value;
    unsigned initial;
    bool is_assigned;  ///< each run of the handle's graph begins with the initial value
};

namespace {

using Nodes = std::vector<cudaGraphNode_t>;

/// Returns whether an attribute concerns only speed.
bool is_without_effect(cudaLaunchAttributeID attribute) {
    return attribute == cudaLaunchAttributeAccessPolicyWindow ||
           attribute == cudaLaunchAttributeSynchronizationPolicy ||
           attribute == cudaLaunchAttributePriority || attribute == cudaLaunchAttributeMemSyncDomainMap ||
           attribute == cudaLaunchAttributeMemSyncDomain;
}

std::mutex handles_mutex;
std::map<cudaGraphConditionalHandle, std::weak_ptr<ConditionalHandle>> handles;

std::shared_ptr<ConditionalHandle> handle_of(cudaGraphConditionalHandle number) {
    const std::lock_guard lock(handles_mutex);
    const auto found = handles.find(number);
    return found == handles.end() ? nullptr : found->second.lock();
}

/// Returns the index of each node in the graph.
std::unordered_map<cudaGraphNode_t, std::size_t> places_of(const CUgraph_st& graph) {
    std::unordered_map<cudaGraphNode_t, std::size_t> places;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) places[graph.nodes[i].get()] = i;
    return places;
}

/// Calls visit(index) for each node, after the calls for the nodes that it depends on. choose(ready) removes
/// and returns the next index. Returns true if all nodes were visited, that is, if there is no cycle.
template <class Choose, class Visit>
bool visit_in_order(const CUgraph_st& graph, Choose choose, Visit visit) {
    const auto places = places_of(graph);
    std::vector<std::size_t> awaited(graph.nodes.size());
    std::vector<std::vector<std::size_t>> followers(graph.nodes.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        awaited[i] = graph.nodes[i]->after.size();
        for (const cudaGraphNode_t before : graph.nodes[i]->after) followers[places.at(before)].push_back(i);
        if (awaited[i] == 0) ready.push_back(i);
    }
    std::size_t visited = 0;
    while (!ready.empty()) {
        const std::size_t now = choose(ready);
        visit(now);
        ++visited;
        for (const std::size_t next : followers[now])
            if (--awaited[next] == 0) ready.push_back(next);
    }
    return visited == graph.nodes.size();
}

/// Sorts the nodes topologically, and otherwise in the order in which they were added. Returns false if
/// there is a cycle.
bool sort(CUgraph_st& graph) {
    const auto places = places_of(graph);
    const auto is_in_place = [&](const auto& node) {
        return std::ranges::all_of(node->after,
                                   [&](auto* before) { return places.at(before) < places.at(node.get()); });
    };
    if (std::ranges::all_of(graph.nodes, is_in_place)) return true;
    std::vector<std::size_t> order;
    const auto earliest = [](std::vector<std::size_t>& ready) {
        const auto first = std::ranges::min_element(ready);
        const std::size_t now = *first;
        ready.erase(first);
        return now;
    };
    if (!visit_in_order(graph, earliest, [&](std::size_t i) { order.push_back(i); })) return false;
    std::vector<std::unique_ptr<CUgraphNode_st>> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(graph.nodes[i]));
    graph.nodes = std::move(sorted);
    return true;
}

/// The graphs in a node: a child graph, or the bodies of a conditional node.
std::vector<std::shared_ptr<CUgraph_st>> graphs_in(const Task& task) {
    if (const auto* child = std::get_if<ChildGraphTask>(&task.parameters)) return {child->graph};
    if (const auto* conditional = std::get_if<ConditionalTask>(&task.parameters)) return conditional->bodies;
    return {};
}

/// Returns a copy of the graph, with the nodes in topological order. Each node knows from which node it was
/// copied. Returns null if there is a cycle in the graph or in a graph within its nodes.
std::shared_ptr<CUgraph_st> copy_of(const CUgraph_st& graph) {
    auto copy = std::make_shared<CUgraph_st>();
    copy->handles = graph.handles;
    std::unordered_map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const auto& node : graph.nodes) {
        Task task = node->task;
        const auto copy_inner = [](std::shared_ptr<CUgraph_st>& inner) {
            if (inner != nullptr) inner = copy_of(*inner);
            if (inner != nullptr) inner->belongs_to_node = true;
            return inner != nullptr;
        };
        if (auto* child = std::get_if<ChildGraphTask>(&task.parameters);
            child != nullptr && !copy_inner(child->graph))
            return nullptr;
        if (auto* conditional = std::get_if<ConditionalTask>(&task.parameters))
            for (auto& body : conditional->bodies)
                if (!copy_inner(body)) return nullptr;
        const cudaGraphNode_t copied = add_node(*copy, std::move(task), {});
        copied->copied_from = node->number;
        copied->enabled = node->enabled;
        copies[node.get()] = copied;
    }
    for (const auto& node : graph.nodes)
        for (const cudaGraphNode_t before : node->after) copies[node.get()]->after.push_back(copies[before]);
    return sort(*copy) ? copy : nullptr;
}

/// Returns the node of the copy that was copied from the node with this number, or null.
cudaGraphNode_t copy_in(const CUgraph_st& copy, std::uint64_t number) {
    for (const auto& node : copy.nodes) {
        if (node->copied_from == number) return node.get();
        for (const auto& inner : graphs_in(node->task))
            if (const cudaGraphNode_t found = copy_in(*inner, number)) return found;
    }
    return nullptr;
}

/// Compares two graphs whose nodes are in topological order. Returns the result for cudaGraphExecUpdate(),
/// with the first node of `graph` that differs.
cudaGraphExecUpdateResultInfo difference(const CUgraph_st& old, const CUgraph_st& graph) {
    if (old.nodes.size() != graph.nodes.size())
        return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    const auto old_places = places_of(old);
    const auto places = places_of(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const CUgraphNode_st& before = *old.nodes[i];
        const CUgraphNode_st& now = *graph.nodes[i];
        if (before.task.type != now.task.type)
            return {cudaGraphExecUpdateErrorNodeTypeChanged, graph.nodes[i].get(), nullptr};
        std::vector<std::size_t> old_after;
        std::vector<std::size_t> after;
        for (const cudaGraphNode_t node : before.after) old_after.push_back(old_places.at(node));
        for (const cudaGraphNode_t node : now.after) after.push_back(places.at(node));
        std::ranges::sort(old_after);
        std::ranges::sort(after);
        if (old_after != after)
            return {cudaGraphExecUpdateErrorTopologyChanged, graph.nodes[i].get(), nullptr};
        const auto old_inner = graphs_in(before.task);
        const auto inner = graphs_in(now.task);
        if (old_inner.size() != inner.size())
            return {cudaGraphExecUpdateErrorParametersChanged, graph.nodes[i].get(), nullptr};
        for (std::size_t g = 0; g < inner.size(); ++g)
            if (const auto found = difference(*old_inner[g], *inner[g]);
                found.result != cudaGraphExecUpdateSuccess)
                return found;
    }
    return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

/// Moves the tasks of `graph` into `old`, a graph with the same nodes and dependencies.
void take_tasks(CUgraph_st& old, CUgraph_st& graph) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto old_inner = graphs_in(old.nodes[i]->task);
        const auto inner = graphs_in(graph.nodes[i]->task);
        if (inner.empty()) {
            old.nodes[i]->task = std::move(graph.nodes[i]->task);
            continue;
        }
        if (auto* conditional = std::get_if<ConditionalTask>(&old.nodes[i]->task.parameters))
            conditional->handle = std::get<ConditionalTask>(graph.nodes[i]->task.parameters).handle;
        for (std::size_t g = 0; g < inner.size(); ++g) take_tasks(*old_inner[g], *inner[g]);
    }
    old.handles = graph.handles;
}

void run_conditional(const ConditionalTask& task) {
    const auto& [handle, type, bodies, for_caller] = task;
    switch (type) {
        case cudaGraphCondTypeIf:
            if (handle->value != 0)
                run_graph(*bodies[0]);
            else if (bodies.size() > 1)
                run_graph(*bodies[1]);
            break;
        case cudaGraphCondTypeWhile:
            while (handle->value != 0 && current_state().lasting_error() == cudaSuccess)
                run_graph(*bodies[0]);
            break;
        case cudaGraphCondTypeSwitch:
            if (handle->value < bodies.size()) run_graph(*bodies[handle->value]);
            break;
    }
}

/// Adds a node to the graph. make(task) makes the node's task.
template <class Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                Make make) {
    if (node == nullptr || graph == nullptr || (after == nullptr && count > 0))
        return result(cudaErrorInvalidValue);
    Nodes dependencies(after, after + count);
    if (std::ranges::any_of(dependencies, [&](auto* one) { return one == nullptr || one->graph != graph; }))
        return result(cudaErrorInvalidValue);
    Task task;
    if (const cudaError_t error = make(task); error != cudaSuccess) return error;
    *node = add_node(*graph, std::move(task), std::move(dependencies));
    return result(cudaSuccess);
}

/// Gives a node of this type the task that make(task) makes.
template <class Make>
cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type, Make make) {
    if (node == nullptr || node->task.type != type) return result(cudaErrorInvalidValue);
    Task task;
    if (const auto* const kernel = std::get_if<KernelTask>(&node->task.parameters)) task.parameters = *kernel;
    if (const cudaError_t error = make(task); error != cudaSuccess) return error;
    node->task = std::move(task);
    return result(cudaSuccess);
}

/// Returns an error if there is no such executable graph. `use` is for the message: "a launch".
cudaError_t check_executable(cudaGraphExec_t executable, std::string_view use) {
    if (executable == nullptr) return result(cudaErrorInvalidValue);
    if (Created<cudaGraphExec_t>::all().contains(executable)) return cudaSuccess;
    return refuse_work(cudaErrorInvalidValue,
                       fmt::format("{} of an executable graph that has been destroyed", use));
}

/// Gives the copy of the node in an executable graph the task that make(task) makes.
template <class Make>
cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type, Make make) {
    if (node == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "a change"); error != cudaSuccess)
        return error;
    finish_all();  // some work may use the node's old task
    return set(copy_in(*executable->graph, node->number), type, make);
}

/// Returns the parameters of a node, or null if the node has no parameters of this type.
template <class Parameters>
Parameters* parameters_of(cudaGraphNode_t node) {
    return node == nullptr ? nullptr : std::get_if<Parameters>(&node->task.parameters);
}

/// Writes nodes as CUDA's calls for lists of nodes do. If there is no array, writes only the number of
/// nodes. Else writes at most as many nodes as the array holds, and null to the elements that are left.
cudaError_t write_nodes(const Nodes& nodes, cudaGraphNode_t* array, std::size_t* count) {
    if (count == nullptr) return result(cudaErrorInvalidValue);
    if (array != nullptr)
        for (std::size_t i = 0; i < *count; ++i) array[i] = i < nodes.size() ? nodes[i] : nullptr;
    if (array == nullptr || *count > nodes.size()) *count = nodes.size();
    return result(cudaSuccess);
}

/// Returns the attributes that a kernel's node keeps when its parameters are set. If the kernel itself sets
/// the size of clusters, the node does not keep the attribute for it, because it may get another kernel.
std::vector<cudaLaunchAttribute> kept_attributes(const PendingLaunch& launch) {
    std::vector<cudaLaunchAttribute> kept;
    if (launch.cooperative) kept.push_back(cooperative());
    cudaFuncAttributes of_kernel{};
    if (cudaFuncGetAttributes(&of_kernel, launch.call.kernel) != cudaSuccess) return kept;
    if (launch.cluster.x == 0 || of_kernel.clusterDimMustBeSet != 0) return kept;
    cudaLaunchAttribute& cluster = kept.emplace_back();
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    return kept;
}

/// Returns a function that makes a kernel's task. If the task is already a kernel's, its attributes stay.
auto kernel_maker(const cudaKernelNodeParams* parameters) {
    return [parameters](Task& task) -> cudaError_t {
        if (parameters == nullptr) return result(cudaErrorInvalidValue);
        if (parameters->extra != nullptr)
            return refuse(cudaErrorNotSupported,
                          "the emulated GPU takes a node's arguments from kernelParams, not from extra");
        cudaLaunchConfig_t config{
            parameters->gridDim, parameters->blockDim, parameters->sharedMemBytes, nullptr, nullptr, 0};
        std::vector<cudaLaunchAttribute> kept;
        Attributes of_node;
        if (const auto* const before = std::get_if<KernelTask>(&task.parameters)) {
            kept = kept_attributes(before->launch);
            of_node = before->attributes;
        }
        config.attrs = kept.data();
        config.numAttrs = static_cast<unsigned>(kept.size());
        if (const cudaError_t error =
                make_kernel_task(task, config, parameters->func, parameters->kernelParams);
            error != cudaSuccess)
            return error;
        std::get<KernelTask>(task.parameters).attributes = std::move(of_node);
        return cudaSuccess;
    };
}
auto copy_maker(const cudaMemcpy3DParms* parameters) {
    return [parameters](Task& task) {
        return parameters == nullptr ? result(cudaErrorInvalidValue) : make_copy_task(task, *parameters);
    };
}
auto copy_maker(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return [=](Task& task) { return make_copy_task(task, to, from, bytes, kind); };
}
auto memset_maker(const cudaMemsetParams* parameters) {
    return [parameters](Task& task) {
        return parameters == nullptr ? result(cudaErrorInvalidValue) : make_memset_task(task, *parameters);
    };
}
auto host_maker(const cudaHostNodeParams* parameters) {
    return [parameters](Task& task) {
        return parameters == nullptr ? result(cudaErrorInvalidValue) : make_host_task(task, *parameters);
    };
}
auto child_maker(cudaGraph_t child) {
    return [child](Task& task) {
        const auto copy = child == nullptr ? nullptr : copy_of(*child);
        if (copy == nullptr) return result(cudaErrorInvalidValue);
        copy->belongs_to_node = true;
        task = {cudaGraphNodeTypeGraph, {}, ChildGraphTask{copy}};
        return cudaSuccess;
    };
}
auto record_maker(cudaEvent_t event) {
    return [event](Task& task) { return make_record_task(task, event); };
}
auto wait_maker(cudaEvent_t event) {
    return [event](Task& task) { return make_wait_task(task, event); };
}

cudaError_t make_empty(Task& task) {
    task = {};
    return cudaSuccess;
}

cudaError_t make_conditional(Task& task, cudaConditionalNodeParams& parameters) {
    const auto handle = handle_of(parameters.handle);
    const std::size_t least = parameters.type == cudaGraphCondTypeIf && parameters.size == 2 ? 2 : 1;
    if (handle == nullptr || parameters.size < least || parameters.type > cudaGraphCondTypeSwitch ||
        (parameters.type != cudaGraphCondTypeSwitch && parameters.size > least))
        return result(cudaErrorInvalidValue);
    ConditionalTask conditional{handle, parameters.type, {}, std::make_shared<std::vector<cudaGraph_t>>()};
    for (unsigned i = 0; i < parameters.size; ++i) {
        conditional.bodies.push_back(std::make_shared<CUgraph_st>());
        conditional.bodies.back()->belongs_to_node = true;
        conditional.for_caller->push_back(conditional.bodies.back().get());
    }
    parameters.phGraph_out = conditional.for_caller->data();
    task = {cudaGraphNodeTypeConditional, {}, std::move(conditional)};
    return cudaSuccess;
}

/// Makes the task of a node whose type and parameters are in one structure.
cudaError_t make_any(Task& task, cudaGraphNodeParams& all) {
    switch (all.type) {
        case cudaGraphNodeTypeKernel: {
            const auto& of = all.kernel;
            const cudaKernelNodeParams parameters{of.func,           of.gridDim,      of.blockDim,
                                                  of.sharedMemBytes, of.kernelParams, of.extra};
            return kernel_maker(&parameters)(task);
        }
        case cudaGraphNodeTypeMemcpy:
            return make_copy_task(task, all.memcpy.copyParams);
        case cudaGraphNodeTypeMemset:
            return make_memset_task(task, all.memset);
        case cudaGraphNodeTypeHost:
            return make_host_task(task, all.host);
        case cudaGraphNodeTypeGraph:
            return child_maker(all.graph.graph)(task);
        case cudaGraphNodeTypeEmpty:
            return make_empty(task);
        case cudaGraphNodeTypeWaitEvent:
            return make_wait_task(task, all.eventWait.event);
        case cudaGraphNodeTypeEventRecord:
            return make_record_task(task, all.eventRecord.event);
        case cudaGraphNodeTypeMemAlloc:
            return make_allocation_task(task, all.alloc.bytesize, &all.alloc.dptr);
        case cudaGraphNodeTypeMemFree:
            return make_free_task(task, all.free.dptr);
        case cudaGraphNodeTypeConditional:
            return make_conditional(task, all.conditional);
        default:
            return refuse(cudaErrorNotSupported, "the emulated GPU has no nodes for external semaphores");
    }
}

}  // namespace

cudaError_t set_attribute(Attributes& attributes, cudaLaunchAttributeID attribute,
                          const cudaLaunchAttributeValue* value) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_without_effect(attribute)) return cudaErrorNotSupported;
    attributes[attribute] = *value;
    return cudaSuccess;
}

cudaError_t get_attribute(const Attributes& attributes, cudaLaunchAttributeID attribute,
                          cudaLaunchAttributeValue* value) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!is_without_effect(attribute)) return cudaErrorNotSupported;
    *value = {};
    if (const auto found = attributes.find(attribute); found != attributes.end())
        *value = found->second;
    else if (attribute == cudaLaunchAttributeSynchronizationPolicy)
        value->syncPolicy = cudaSyncPolicyAuto;
    return cudaSuccess;
}

namespace {

/// Calls use(type, record) for each node with an event in the graph and in the graphs within its nodes.
template <class Use>
void for_each_event(const CUgraph_st& graph, const Use& use) {
    for (const auto& node : graph.nodes) {
        const auto& parameters = node->task.parameters;
        if (const auto* const event = std::get_if<EventTask>(&parameters))
            use(node->task.type, *event->record);
        else if (const auto* const child = std::get_if<ChildGraphTask>(&parameters))
            for_each_event(*child->graph, use);
        else if (const auto* const conditional = std::get_if<ConditionalTask>(&parameters))
            for (const auto& body : conditional->bodies) for_each_event(*body, use);
    }
}

}  // namespace

cudaGraphNode_t add_node(CUgraph_st& graph, Task task, Nodes after) {
    static std::atomic<std::uint64_t> last = 0;
    graph.nodes.push_back(
        std::make_unique<CUgraphNode_st>(CUgraphNode_st{&graph, std::move(task), std::move(after), ++last}));
    return graph.nodes.back().get();
}

void run(const Task& task) {
    const ArraysInReach in_reach;
    if (const auto* child = std::get_if<ChildGraphTask>(&task.parameters))
        run_graph(*child->graph);
    else if (const auto* conditional = std::get_if<ConditionalTask>(&task.parameters))
        run_conditional(*conditional);
    else if (task.run)
        task.run();
}

void run_graph(CUgraph_st& graph) {
    for (const auto& handle : graph.handles)
        if (handle->is_assigned) handle->value = handle->initial;
    const auto run_node = [&graph](std::size_t i) {
        if (graph.nodes[i]->enabled) run(graph.nodes[i]->task);
    };
    ++graph.runs;
    if (const auto seed = schedule_seed()) {
        std::minstd_rand random(static_cast<std::minstd_rand::result_type>(*seed + graph.runs));
        const auto any = [&random](std::vector<std::size_t>& ready) {
            std::swap(ready[random() % ready.size()], ready.back());
            const std::size_t now = ready.back();
            ready.pop_back();
            return now;
        };
        static_cast<void>(visit_in_order(graph, any, run_node));
    } else {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) run_node(i);
    }
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

// ----- Graphs

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    if (graph == nullptr || flags != 0) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *graph = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    if (graph == nullptr || graph->belongs_to_node) return result(cudaErrorInvalidValue);
    delete graph;
    return result(cudaSuccess);
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    if (clone == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const auto copy = copy_of(*graph);
    if (copy == nullptr) return result(cudaErrorInvalidValue);
    *clone = new CUgraph_st{std::move(copy->nodes), copy->handles};
    for (const auto& node : (*clone)->nodes) node->graph = *clone;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
    if (node == nullptr || original == nullptr || clone == nullptr) return result(cudaErrorInvalidValue);
    const cudaGraphNode_t found = copy_in(*clone, original->number);
    if (found == nullptr) return result(cudaErrorInvalidValue);
    *node = found;
    return result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (graph == nullptr) return result(cudaErrorInvalidValue);
    Nodes all;
    for (const auto& node : graph->nodes) all.push_back(node.get());
    return write_nodes(all, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (graph == nullptr) return result(cudaErrorInvalidValue);
    Nodes roots;
    for (const auto& node : graph->nodes)
        if (node->after.empty()) roots.push_back(node.get());
    return write_nodes(roots, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
    if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr))
        return result(cudaErrorInvalidValue);
    Nodes begins;
    Nodes ends;
    for (const auto& node : graph->nodes)
        for (const cudaGraphNode_t before : node->after) {
            begins.push_back(before);
            ends.push_back(node.get());
        }
    if (from != nullptr && data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
    std::size_t of_ends = *count;
    static_cast<void>(write_nodes(ends, to, &of_ends));
    return write_nodes(begins, from, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* data, std::size_t* count) {
    if (node == nullptr || count == nullptr) return result(cudaErrorInvalidValue);
    if (dependencies != nullptr && data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
    return write_nodes(node->after, dependencies, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* data, std::size_t* count) {
    if (node == nullptr || count == nullptr) return result(cudaErrorInvalidValue);
    Nodes found;
    for (const auto& other : node->graph->nodes)
        if (std::ranges::find(other->after, node) != other->after.end()) found.push_back(other.get());
    if (dependents != nullptr && data != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
    return write_nodes(found, dependents, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* /*data*/,
                                     std::size_t count) {
    if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr)))
        return result(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i)
        if (from[i] == nullptr || to[i] == nullptr || from[i]->graph != graph || to[i]->graph != graph ||
            from[i] == to[i] || std::ranges::find(to[i]->after, from[i]) != to[i]->after.end())
            return result(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return result(cudaSuccess);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* /*data*/,
                                        std::size_t count) {
    if (graph == nullptr || (count > 0 && (from == nullptr || to == nullptr)))
        return result(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i)
        if (to[i] == nullptr || to[i]->graph != graph ||
            std::ranges::find(to[i]->after, from[i]) == to[i]->after.end())
            return result(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) std::erase(to[i]->after, from[i]);
    return result(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    if (node == nullptr) return result(cudaErrorInvalidValue);
    CUgraph_st& graph = *node->graph;
    for (const auto& other : graph.nodes) std::erase(other->after, node);
    std::erase_if(graph.nodes, [node](const auto& one) { return one.get() == node; });
    return result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    if (node == nullptr || type == nullptr) return result(cudaErrorInvalidValue);
    *type = node->task.type;
    return result(cudaSuccess);
}

/// Writes the nodes and dependencies in Graphviz's language DOT.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned /*flags*/) {
    static constexpr const char* types[] = {
        "kernel",          "memcpy", "memset", "host",     "graph", "empty", "wait for an event",
        "record an event", "",       "",       "allocate", "free",  "",      "conditional"};
    if (graph == nullptr || path == nullptr) return result(cudaErrorInvalidValue);
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) return result(cudaErrorOperatingSystem);
    std::fputs("digraph graph_1 {\n", file);
    const auto places = places_of(*graph);
    for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
        std::fprintf(file, "  node_%zu [label=\"%zu: %s\"];\n", i, i, types[graph->nodes[i]->task.type]);
        for (const cudaGraphNode_t before : graph->nodes[i]->after)
            std::fprintf(file, "  node_%zu -> node_%zu;\n", places.at(before), i);
    }
    std::fputs("}\n", file);
    return result(std::fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}

// ----- Nodes

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
    return add(node, graph, after, count, kernel_maker(parameters));
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
    auto* const kernel = parameters_of<KernelTask>(node);
    if (kernel == nullptr || parameters == nullptr) return result(cudaErrorInvalidValue);
    const PendingLaunch& launch = kernel->launch;
    std::vector<ArgumentPlace> places(launch.call.parameters);
    launch.call.find_places(launch.arguments.get(), places.data());
    kernel->places.clear();
    for (const ArgumentPlace& argument : places) kernel->places.push_back(argument.place);
    register_kernel(launch.call);  // so that a node can be made from these parameters
    *parameters = {const_cast<void*>(launch.call.kernel),
                   launch.config.gridDim,
                   launch.config.blockDim,
                   static_cast<unsigned>(launch.config.dynamicSmemBytes),
                   kernel->places.data(),
                   nullptr};
    return result(cudaSuccess);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    return set(node, cudaGraphNodeTypeKernel, kernel_maker(parameters));
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
    auto* const kernel = parameters_of<KernelTask>(node);
    if (kernel == nullptr) return result(cudaErrorInvalidValue);
    return result(set_attribute(kernel->attributes, attribute, value));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
    const auto* const kernel = parameters_of<KernelTask>(node);
    if (kernel == nullptr) return result(cudaErrorInvalidValue);
    return result(get_attribute(kernel->attributes, attribute, value));
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    auto* const target = parameters_of<KernelTask>(to);
    const auto* const source = parameters_of<KernelTask>(from);
    if (target == nullptr || source == nullptr) return result(cudaErrorInvalidValue);
    target->attributes = source->attributes;
    return result(cudaSuccess);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
    return add(node, graph, after, count, copy_maker(parameters));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind) {
    return add(node, graph, after, count, copy_maker(to, from, bytes, kind));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
    const auto* const copy = parameters_of<cudaMemcpy3DParms>(node);
    if (copy == nullptr || parameters == nullptr) return result(cudaErrorInvalidValue);
    *parameters = *copy;
    return result(cudaSuccess);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    return set(node, cudaGraphNodeTypeMemcpy, copy_maker(parameters));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
    return set(node, cudaGraphNodeTypeMemcpy, copy_maker(to, from, bytes, kind));
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* parameters) {
    return add(node, graph, after, count, memset_maker(parameters));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
    const auto* const memset = parameters_of<cudaMemsetParams>(node);
    if (memset == nullptr || parameters == nullptr) return result(cudaErrorInvalidValue);
    *parameters = *memset;
    return result(cudaSuccess);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    return set(node, cudaGraphNodeTypeMemset, memset_maker(parameters));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
    return add(node, graph, after, count, host_maker(parameters));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
    const auto* const host = parameters_of<cudaHostNodeParams>(node);
    if (host == nullptr || parameters == nullptr) return result(cudaErrorInvalidValue);
    *parameters = *host;
    return result(cudaSuccess);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    return set(node, cudaGraphNodeTypeHost, host_maker(parameters));
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
    return add(node, graph, after, count, child_maker(child));
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
    const auto* const child = parameters_of<ChildGraphTask>(node);
    if (child == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
    *graph = child->graph.get();
    return result(cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
    return add(node, graph, after, count, make_empty);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, std::size_t count, cudaEvent_t event) {
    return add(node, graph, after, count, record_maker(event));
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    const auto* const of = parameters_of<EventTask>(node);
    if (of == nullptr || event == nullptr || node->task.type != cudaGraphNodeTypeEventRecord)
        return result(cudaErrorInvalidValue);
    *event = of->event;
    return result(cudaSuccess);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set(node, cudaGraphNodeTypeEventRecord, record_maker(event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t count, cudaEvent_t event) {
    return add(node, graph, after, count, wait_maker(event));
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
    const auto* const of = parameters_of<EventTask>(node);
    if (of == nullptr || event == nullptr || node->task.type != cudaGraphNodeTypeWaitEvent)
        return result(cudaErrorInvalidValue);
    *event = of->event;
    return result(cudaSuccess);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    return set(node, cudaGraphNodeTypeWaitEvent, wait_maker(event));
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
    return add(node, graph, after, count, [parameters](Task& task) {
        return parameters == nullptr ? result(cudaErrorInvalidValue)
                                     : make_allocation_task(task, parameters->bytesize, &parameters->dptr);
    });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    std::size_t count, void* memory) {
    return add(node, graph, after, count, [memory](Task& task) { return make_free_task(task, memory); });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* /*data*/, std::size_t count,
                             cudaGraphNodeParams* parameters) {
    return add(node, graph, after, count, [parameters](Task& task) {
        return parameters == nullptr ? result(cudaErrorInvalidValue) : make_any(task, *parameters);
    });
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
    if (parameters == nullptr || parameters->type >= cudaGraphNodeTypeMemAlloc)
        return result(cudaErrorInvalidValue);
    return set(node, parameters->type, [parameters](Task& task) { return make_any(task, *parameters); });
}

// ----- Conditional nodes

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags) {
    if (handle == nullptr || graph == nullptr || flags > cudaGraphCondAssignDefault)
        return result(cudaErrorInvalidValue);
    static cudaGraphConditionalHandle last = 0;
    auto made = std::make_shared<ConditionalHandle>();
    made->value = made->initial = initial;
    made->is_assigned = flags == cudaGraphCondAssignDefault;
    graph->handles.push_back(made);
    const std::lock_guard lock(handles_mutex);
    *handle = ++last;
    handles[last] = made;
    return result(cudaSuccess);
}

void cudaGraphSetConditional(cudaGraphConditionalHandle number, unsigned value) {
    const auto handle = handle_of(number);
    if (handle == nullptr)
        fail_kernel(cudaErrorInvalidValue, "cudaGraphSetConditional: there is no such handle");
    handle->value = value;
}

// ----- Executable graphs

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    if (executable == nullptr || graph == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(synchronous()); error != cudaSuccess) return error;
    const auto copy = copy_of(*graph);
    if (copy == nullptr) return refuse(cudaErrorInvalidValue, "the graph's dependencies have a circle");
    *executable = new CUgraphExec_st{copy, flags};
    Created<cudaGraphExec_t>::all().insert(*executable);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
    if (parameters == nullptr) return result(cudaErrorInvalidValue);
    const cudaError_t error = cudaGraphInstantiate(executable, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out =
        error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateInvalidStructure;
    return error;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
    if (flags == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "cudaGraphExecGetFlags()");
        error != cudaSuccess)
        return error;
    *flags = executable->flags;
    return result(cudaSuccess);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    if (const cudaError_t error = check_executable(executable, "cudaGraphExecDestroy()");
        error != cudaSuccess)
        return error;
    Created<cudaGraphExec_t>::all().erase(executable);
    delete executable;
    return result(cudaSuccess);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t /*stream*/) {
    if (const cudaError_t error = check_executable(executable, "cudaGraphUpload()"); error != cudaSuccess)
        return error;
    return result(cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    if (is_cuda_thread())
        fail_kernel(cudaErrorNotSupported,
                    "a kernel cannot launch a graph on the emulated GPU: launch it on the host");
    if (const cudaError_t error = check_executable(executable, "a launch"); error != cudaSuccess)
        return error;
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    auto graph = executable->graph;
    const auto has_memory = [](const auto& node) {
        return std::holds_alternative<MemoryTask>(node->task.parameters);
    };
    if (std::ranges::any_of(graph->nodes, has_memory)) finish_all();  // then the allocated memory is known
    if (is_captured(stream)) {
        graph = copy_of(*graph);
        graph->belongs_to_node = true;
    } else if (!can_allocate(*graph, (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0)) {
        return refuse(cudaErrorInvalidValue,
                      "memory that the graph allocates was not freed since its last launch");
    }
    Task task{cudaGraphNodeTypeGraph, {}, ChildGraphTask{graph}};
    if (is_captured(stream)) return enqueue(stream, std::move(task));
    // A launch of a graph is done after the earlier launches of the same graph.
    std::vector<WorkNumber> before{executable->last_launch};
    for_each_event(*graph, [&](cudaGraphNodeType type, const EventRecord& event) {
        if (type == cudaGraphNodeTypeWaitEvent) before.push_back(event.work);
    });
    const cudaError_t error = enqueue(stream, std::move(task), before, &executable->last_launch);
    if (error == cudaSuccess)
        for_each_event(*graph, [&](cudaGraphNodeType type, EventRecord& event) {
            if (type == cudaGraphNodeTypeEventRecord) event.work = executable->last_launch.load();
        });
    return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
    if (graph == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "an update"); error != cudaSuccess)
        return error;
    finish_all();  // work with the old tasks
    const auto copy = copy_of(*graph);
    if (copy == nullptr) return result(cudaErrorInvalidValue);
    cudaGraphExecUpdateResultInfo found = difference(*executable->graph, *copy);
    if (found.errorNode != nullptr) {  // this is a node of the copy
        const std::uint64_t number = found.errorNode->copied_from;
        found.errorNode = nullptr;
        for (const auto& node : graph->nodes)
            if (node->number == number) found.errorNode = node.get();
    }
    if (info != nullptr) *info = found;
    if (found.result != cudaGraphExecUpdateSuccess) return result(cudaErrorGraphExecUpdateFailure);
    take_tasks(*executable->graph, *copy);
    return result(cudaSuccess);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    return set(executable, node, cudaGraphNodeTypeKernel, kernel_maker(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
    return set(executable, node, cudaGraphNodeTypeMemcpy, copy_maker(parameters));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return set(executable, node, cudaGraphNodeTypeMemcpy, copy_maker(to, from, bytes, kind));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
    return set(executable, node, cudaGraphNodeTypeMemset, memset_maker(parameters));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
    return set(executable, node, cudaGraphNodeTypeHost, host_maker(parameters));
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
    if (node == nullptr || child == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "a change"); error != cudaSuccess)
        return error;
    finish_all();  // work with the old tasks
    const auto* const old = parameters_of<ChildGraphTask>(copy_in(*executable->graph, node->number));
    const auto copy = copy_of(*child);
    if (old == nullptr || copy == nullptr ||
        difference(*old->graph, *copy).result != cudaGraphExecUpdateSuccess)
        return result(cudaErrorInvalidValue);
    take_tasks(*old->graph, *copy);
    return result(cudaSuccess);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
    return set(executable, node, cudaGraphNodeTypeEventRecord, record_maker(event));
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
    return set(executable, node, cudaGraphNodeTypeWaitEvent, wait_maker(event));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
    if (parameters == nullptr) return result(cudaErrorInvalidValue);
    if (parameters->type == cudaGraphNodeTypeGraph)
        return cudaGraphExecChildGraphNodeSetParams(executable, node, parameters->graph.graph);
    if (parameters->type >= cudaGraphNodeTypeMemAlloc)
        return refuse(cudaErrorNotSupported, "a node for memory or a condition cannot be changed");
    return set(executable, node, parameters->type,
               [parameters](Task& task) { return make_any(task, *parameters); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned enabled) {
    if (node == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "a change"); error != cudaSuccess)
        return error;
    const cudaGraphNode_t copy = copy_in(*executable->graph, node->number);
    if (copy == nullptr || copy->task.type > cudaGraphNodeTypeMemset) return result(cudaErrorInvalidValue);
    finish_all();  // some work may use the old setting
    copy->enabled = enabled != 0;
    return result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned* enabled) {
    if (node == nullptr || enabled == nullptr) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = check_executable(executable, "a query"); error != cudaSuccess) return error;
    const cudaGraphNode_t copy = copy_in(*executable->graph, node->number);
    if (copy == nullptr || copy->task.type > cudaGraphNodeTypeMemset) return result(cudaErrorInvalidValue);
    *enabled = copy->enabled ? 1 : 0;
    return result(cudaSuccess);
}
