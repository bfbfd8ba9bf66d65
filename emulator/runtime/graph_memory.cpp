#include "emulator/runtime/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <variant>

#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/pending_work.hpp"

namespace cudabook::emulation {

namespace {

/// The bytes of memory that the graphs of a GPU use. Memory that they have freed stays reserved for them
/// until cudaDeviceGraphMemTrim().
struct Use {
    std::size_t used = 0;
    std::size_t most_used = 0;
    std::size_t reserved = 0;
    std::size_t most_reserved = 0;
};

std::mutex graph_memory_mutex;
std::map<const GpuState*, Use> uses;
std::map<const void*, GraphMemory*> graph_memories;  ///< by address

}  // namespace

/// The memory of an allocating node and of the node's copies. If the memory is still allocated when the
/// last of these nodes is destroyed, the memory belongs to the program, which must free it.
struct GraphMemory {
    void* memory;
    std::size_t bytes;
    const GpuState* gpu;
    bool is_allocated = false;

    GraphMemory(void* at, std::size_t size) : memory(at), bytes(size), gpu(&current_state()) {
        const std::lock_guard lock(graph_memory_mutex);
        graph_memories[memory] = this;
    }
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;
    ~GraphMemory() {
        bool is_free = false;
        {
            const std::lock_guard lock(graph_memory_mutex);
            graph_memories.erase(memory);
            is_free = !is_allocated;
            if (is_allocated) uses[gpu].used -= bytes;
        }
        if (is_free) free_on_gpu(memory);
    }

    /// The caller holds the mutex.
    void set(bool allocated) {
        if (allocated == is_allocated) return;
        is_allocated = allocated;
        Use& use = uses[gpu];
        use.used = allocated ? use.used + bytes : use.used - bytes;
        use.most_used = std::max(use.most_used, use.used);
        use.reserved = std::max(use.reserved, use.used);
        use.most_reserved = std::max(use.most_reserved, use.reserved);
    }
};

cudaError_t make_allocation_task(Task& task, std::size_t bytes, void** memory) {
    if (memory == nullptr || bytes == 0) return result(cudaErrorInvalidValue);
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *memory = allocate_on_gpu(bytes, HostAccess::none);
    if (*memory == nullptr) return result(cudaErrorMemoryAllocation);
    const auto allocated = std::make_shared<GraphMemory>(*memory, bytes);
    task.type = cudaGraphNodeTypeMemAlloc;
    task.run = [allocated] {
        const std::lock_guard lock(graph_memory_mutex);
        allocated->set(true);
    };
    task.parameters = MemoryTask{allocated, *memory};
    return cudaSuccess;
}

cudaError_t make_free_task(Task& task, void* memory) {
    if (!is_graph_memory(memory)) return result(cudaErrorInvalidValue);
    task.type = cudaGraphNodeTypeMemFree;
    task.run = [memory] { static_cast<void>(free_graph_memory(memory)); };
    task.parameters = MemoryTask{nullptr, memory};
    return cudaSuccess;
}

bool can_allocate(const CUgraph_st& graph, bool frees) {
    const std::lock_guard lock(graph_memory_mutex);
    return std::ranges::all_of(graph.nodes, [frees](const auto& node) {
        const auto* const task = std::get_if<MemoryTask>(&node->task.parameters);
        if (task == nullptr || task->memory == nullptr || !task->memory->is_allocated) return true;
        if (frees) task->memory->set(false);
        return frees;
    });
}

bool is_graph_memory(const void* memory) {
    const std::lock_guard lock(graph_memory_mutex);
    return graph_memories.contains(memory);
}

bool free_graph_memory(void* memory) {
    const std::lock_guard lock(graph_memory_mutex);
    const auto found = graph_memories.find(memory);
    if (found == graph_memories.end() || !found->second->is_allocated) return false;
    found->second->set(false);
    return true;
}

void destroy_graph_memory_of(const GpuState& gpu) {
    const std::lock_guard lock(graph_memory_mutex);
    std::erase_if(graph_memories, [&gpu](const auto& entry) {
        GraphMemory& memory = *entry.second;
        if (memory.gpu != &gpu) return false;
        memory.memory = nullptr;
        memory.is_allocated = false;
        return true;
    });
    uses.erase(&gpu);
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* parameters) {
    if (node == nullptr || parameters == nullptr || node->task.type != cudaGraphNodeTypeMemAlloc)
        return result(cudaErrorInvalidValue);
    const auto& memory = *std::get<MemoryTask>(node->task.parameters).memory;
    *parameters = {};
    parameters->poolProps.allocType = cudaMemAllocationTypePinned;
    const auto gpu =
        std::ranges::find_if(gpu_states(), [&](const auto& state) { return state.get() == memory.gpu; });
    parameters->poolProps.location = {cudaMemLocationTypeDevice,
                                      static_cast<int>(gpu - gpu_states().begin())};
    parameters->bytesize = memory.bytes;
    parameters->dptr = memory.memory;
    return result(cudaSuccess);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
    if (node == nullptr || memory == nullptr || node->task.type != cudaGraphNodeTypeMemFree)
        return result(cudaErrorInvalidValue);
    *static_cast<void**>(memory) = std::get<MemoryTask>(node->task.parameters).freed;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
    finish_all();
    const GpuState* const gpu = gpu_of(device);
    if (gpu == nullptr) return result(cudaErrorInvalidDevice);
    const std::lock_guard lock(graph_memory_mutex);
    uses[gpu].reserved = uses[gpu].used;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    finish_all();
    const GpuState* const gpu = gpu_of(device);
    if (gpu == nullptr) return result(cudaErrorInvalidDevice);
    if (value == nullptr || attribute > cudaGraphMemAttrReservedMemHigh) return result(cudaErrorInvalidValue);
    const std::lock_guard lock(graph_memory_mutex);
    const Use& use = uses[gpu];
    const std::size_t all[] = {use.used, use.most_used, use.reserved, use.most_reserved};
    *static_cast<unsigned long long*>(value) = all[attribute];
    return result(cudaSuccess);
}

// A program can set only the highest values, and only to 0. Then they begin again at the present values.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
    finish_all();
    const GpuState* const gpu = gpu_of(device);
    if (gpu == nullptr) return result(cudaErrorInvalidDevice);
    if (value == nullptr || *static_cast<unsigned long long*>(value) != 0)
        return result(cudaErrorInvalidValue);
    const std::lock_guard lock(graph_memory_mutex);
    Use& use = uses[gpu];
    if (attribute == cudaGraphMemAttrUsedMemHigh)
        use.most_used = use.used;
    else if (attribute == cudaGraphMemAttrReservedMemHigh)
        use.most_reserved = use.reserved;
    else
        return result(cudaErrorInvalidValue);
    return result(cudaSuccess);
}
