#include "emulator/runtime/kernel_heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/gpu_state.hpp"

namespace cudabook::emulation {

namespace {

constexpr std::size_t unit = 16;  ///< the alignment of malloc() and new

struct KernelAllocation {
    std::size_t bytes;
    const GpuState* gpu;
};

struct Heaps {
    std::mutex mutex;
    /// By hidden(first address), so that LeakSanitizer reports the allocations that the program has lost.
    std::map<std::uintptr_t, KernelAllocation> allocations;
    std::map<const GpuState*, std::size_t> used;
    std::atomic<bool> are_used{false};
};

Heaps& heaps() {
    static auto* const the = new Heaps;  // lasts until the process ends, because static variables may free
    return *the;
}

/// True while a HeapOfHost lives in this thread. The functions of this file have one each, because they
/// allocate memory for themselves, for which the program's own `operator new` may call malloc().
constinit thread_local bool is_of_host = false;

/// Returns a number that is no address, from which the address can be had by the same function.
std::uintptr_t hidden(std::uintptr_t address) { return ~address; }
std::uintptr_t hidden(const void* memory) { return hidden(reinterpret_cast<std::uintptr_t>(memory)); }

bool is_for_kernel() { return is_cuda_thread() && !is_of_host; }

/// Takes `bytes` bytes of the GPU's heap. Returns false if too few are left.
bool take(const GpuState& gpu, std::size_t bytes) {
    std::size_t most = 0;
    cudaDeviceGetLimit(&most, cudaLimitMallocHeapSize);
    const std::lock_guard lock(heaps().mutex);
    std::size_t& used = heaps().used[&gpu];
    if (used > most || bytes > most - used) return false;
    used += bytes;
    return true;
}

void* allocate_for_kernel(std::size_t bytes, std::size_t alignment) {
    const HeapOfHost heap_of_host;
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    const GpuState& gpu = current_state();
    if (rounded < bytes || !take(gpu, rounded)) return nullptr;
    void* const memory = std::aligned_alloc(alignment, rounded);
    const std::lock_guard lock(heaps().mutex);
    if (memory == nullptr) {
        heaps().used[&gpu] -= rounded;
        return nullptr;
    }
    heaps().allocations[hidden(memory)] = {rounded, &gpu};
    heaps().are_used = true;
    mark_unwritten(memory, rounded);
    return memory;
}

/// Frees memory if a kernel has allocated it. Returns false if the caller must free the memory. `function`
/// is for messages.
bool free_for_kernel(void* memory, std::string_view function) {
    if (is_of_host) return false;
    const HeapOfHost heap_of_host;
    tell_held_read();  // it may be a read of this memory
    if (const auto call = allocated_by(memory); !call.empty() && !is_cuda_thread()) {
        print_line(fmt::format("{} of memory of {}: {} frees it", function, call,
                               call == "cudaMallocHost()" ? "cudaFreeHost()" : "cudaFree()"));
        std::abort();
    }
    if (!heaps().are_used) return false;
    {
        const std::lock_guard lock(heaps().mutex);
        const auto found = heaps().allocations.find(hidden(memory));
        if (found == heaps().allocations.end()) return false;
        unmark(memory, found->second.bytes);
        heaps().used[found->second.gpu] -= found->second.bytes;
        heaps().allocations.erase(found);
    }
    std::free(memory);
    return true;
}

}  // namespace

HeapOfHost::HeapOfHost() : before_(std::exchange(is_of_host, true)) {}
HeapOfHost::~HeapOfHost() { is_of_host = before_; }

bool is_in_kernel_heap(const void* memory) {
    if (!heaps().are_used) return false;
    const std::lock_guard lock(heaps().mutex);
    // The last allocation that begins at or before the address: hidden() reverses the order.
    const auto found = heaps().allocations.lower_bound(hidden(memory));
    return found != heaps().allocations.end() &&
           reinterpret_cast<std::uintptr_t>(memory) - hidden(found->first) < found->second.bytes;
}

void free_kernel_heap(const GpuState& gpu) {
    const HeapOfHost heap_of_host;
    const std::lock_guard lock(heaps().mutex);
    std::erase_if(heaps().allocations, [&gpu](const auto& allocation) {
        if (allocation.second.gpu != &gpu) return false;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a key of the map
        auto* const memory = reinterpret_cast<void*>(hidden(allocation.first));
        unmark(memory, allocation.second.bytes);
        std::free(memory);
        return true;
    });
    heaps().used.erase(&gpu);
}

}  // namespace cudabook::emulation

// ----- The functions that the user's objects call. (Those with a size call no `operator delete` with a
// size, because clang++ has none.)

using namespace cudabook::emulation;

extern "C" {
void* cudabook_malloc(std::size_t bytes);
void cudabook_free(void* memory);
void* cudabook_new(std::size_t bytes);
void* cudabook_new_array(std::size_t bytes);
void* cudabook_new_aligned(std::size_t bytes, std::align_val_t alignment);
void* cudabook_new_array_aligned(std::size_t bytes, std::align_val_t alignment);
void cudabook_delete(void* memory);
void cudabook_delete_array(void* memory);
void cudabook_delete_sized(void* memory, std::size_t bytes);
void cudabook_delete_array_sized(void* memory, std::size_t bytes);
void cudabook_delete_aligned(void* memory, std::align_val_t alignment);
void cudabook_delete_array_aligned(void* memory, std::align_val_t alignment);
void cudabook_delete_sized_aligned(void* memory, std::size_t bytes, std::align_val_t alignment);
void cudabook_delete_array_sized_aligned(void* memory, std::size_t bytes, std::align_val_t alignment);

void* cudabook_malloc(std::size_t bytes) {
    return is_for_kernel() ? allocate_for_kernel(bytes, unit) : std::malloc(bytes);
}
void* cudabook_new(std::size_t bytes) {
    return is_for_kernel() ? allocate_for_kernel(bytes, unit) : ::operator new(bytes);
}
void* cudabook_new_array(std::size_t bytes) {
    return is_for_kernel() ? allocate_for_kernel(bytes, unit) : ::operator new[](bytes);
}
void* cudabook_new_aligned(std::size_t bytes, std::align_val_t alignment) {
    return is_for_kernel() ? allocate_for_kernel(bytes, static_cast<std::size_t>(alignment))
                           : ::operator new(bytes, alignment);
}
void* cudabook_new_array_aligned(std::size_t bytes, std::align_val_t alignment) {
    return is_for_kernel() ? allocate_for_kernel(bytes, static_cast<std::size_t>(alignment))
                           : ::operator new[](bytes, alignment);
}
void cudabook_free(void* memory) {
    if (!free_for_kernel(memory, "free()")) std::free(memory);
}
void cudabook_delete(void* memory) {
    if (!free_for_kernel(memory, "delete")) ::operator delete(memory);
}
void cudabook_delete_array(void* memory) {
    if (!free_for_kernel(memory, "delete[]")) ::operator delete[](memory);
}
void cudabook_delete_sized(void* memory, std::size_t /*bytes*/) { cudabook_delete(memory); }
void cudabook_delete_array_sized(void* memory, std::size_t /*bytes*/) { cudabook_delete_array(memory); }
void cudabook_delete_aligned(void* memory, std::align_val_t alignment) {
    if (!free_for_kernel(memory, "delete")) ::operator delete(memory, alignment);
}
void cudabook_delete_array_aligned(void* memory, std::align_val_t alignment) {
    if (!free_for_kernel(memory, "delete[]")) ::operator delete[](memory, alignment);
}
void cudabook_delete_sized_aligned(void* memory, std::size_t /*bytes*/, std::align_val_t alignment) {
    if (!free_for_kernel(memory, "delete")) ::operator delete(memory, alignment);
}
void cudabook_delete_array_sized_aligned(void* memory, std::size_t /*bytes*/, std::align_val_t alignment) {
    if (!free_for_kernel(memory, "delete[]")) ::operator delete[](memory, alignment);
}
}
