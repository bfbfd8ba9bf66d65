#include "emulator/runtime/kernel_heap.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

#include <cuda_runtime_api.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/engine/block.hpp"

namespace cudabook::emulation {

namespace {

struct Heap {
    std::mutex mutex;
    std::map<std::uintptr_t, std::size_t> bytes;  ///< of the allocation that begins at an address
    std::size_t used = 0;
    std::atomic<bool> has_been_used{false};
};

Heap& heap() {
    static auto* const the = new Heap;  // lasts until the process ends, because static variables may free
    return *the;
}

std::size_t most_bytes() {
    std::size_t bytes = 0;
    cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
    return bytes;
}

/// Returns what `allocate` gives, or null if the heap has no room.
template <class Allocate>
void* allocate_for_kernel(std::size_t bytes, Allocate allocate) {
    constexpr std::size_t unit = 16;
    const std::size_t taken = (bytes + unit - 1) / unit * unit;
    const std::size_t most = most_bytes();
    Heap& here = heap();
    const std::lock_guard lock(here.mutex);
    if (taken < bytes || here.used > most || taken > most - here.used) return nullptr;
    void* const memory = allocate(bytes);
    if (memory == nullptr) return nullptr;
    here.bytes[reinterpret_cast<std::uintptr_t>(memory)] = taken;
    here.used += taken;
    here.has_been_used = true;
    mark_unwritten(memory, bytes);
    mark_as_of_gpu(memory, bytes);
    return memory;
}

/// The memory is about to be freed.
void forget_allocation(void* memory) {
    tell_held_read();  // of this memory, perhaps
    Heap& here = heap();
    if (!here.has_been_used) return;
    const std::lock_guard lock(here.mutex);
    const auto found = here.bytes.find(reinterpret_cast<std::uintptr_t>(memory));
    if (found == here.bytes.end()) return;
    unmark(memory, found->second);
    here.used -= found->second;
    here.bytes.erase(found);
}

}  // namespace

bool is_in_kernel_heap(const void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    Heap& here = heap();
    const std::lock_guard lock(here.mutex);
    const auto after = here.bytes.upper_bound(address);
    return after != here.bytes.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

}  // namespace cudabook::emulation

using namespace cudabook::emulation;

extern "C" {
void* cudabook_malloc(std::size_t bytes);
void cudabook_free(void* memory);
void* cudabook_new(std::size_t bytes);
void* cudabook_new_array(std::size_t bytes);
void cudabook_delete(void* memory);
void cudabook_delete_array(void* memory);
void cudabook_delete_sized(void* memory, std::size_t bytes);
void cudabook_delete_array_sized(void* memory, std::size_t bytes);

void* cudabook_malloc(std::size_t bytes) {
    return is_cuda_thread() ? allocate_for_kernel(bytes, [](std::size_t size) { return std::malloc(size); })
                            : std::malloc(bytes);
}
void cudabook_free(void* memory) {
    forget_allocation(memory);
    std::free(memory);
}
void* cudabook_new(std::size_t bytes) {
    const auto allocate = [](std::size_t size) { return ::operator new(size); };
    return is_cuda_thread() ? allocate_for_kernel(bytes, allocate) : allocate(bytes);
}
void* cudabook_new_array(std::size_t bytes) {
    const auto allocate = [](std::size_t size) { return ::operator new[](size); };
    return is_cuda_thread() ? allocate_for_kernel(bytes, allocate) : allocate(bytes);
}
void cudabook_delete(void* memory) {
    forget_allocation(memory);
    ::operator delete(memory);
}
void cudabook_delete_array(void* memory) {
    forget_allocation(memory);
    ::operator delete[](memory);
}
void cudabook_delete_sized(void* memory, std::size_t bytes) {
    forget_allocation(memory);
    ::operator delete(memory, bytes);
}
void cudabook_delete_array_sized(void* memory, std::size_t bytes) {
    forget_allocation(memory);
    ::operator delete[](memory, bytes);
}
}
