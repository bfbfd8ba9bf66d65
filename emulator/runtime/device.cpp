#include "emulator/runtime/device.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/checks/sanitizer.hpp"

#if CUDABOOK_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

#include "common/program/errors.hpp"
#include "common/program/memory.hpp"
#include "emulator/checks/fail_at_end.hpp"
#include "emulator/checks/memory_marks.hpp"
#include "emulator/checks/source_line.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/arena.hpp"
#include "emulator/runtime/contexts.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/graph_memory.hpp"
#include "emulator/runtime/kernel_heap.hpp"
#include "emulator/runtime/peers.hpp"
#include "emulator/runtime/pending_work.hpp"
#include "emulator/runtime/pools.hpp"
#include "emulator/runtime/stream.hpp"

namespace cudabook::emulation {

namespace {

/// Returns the GPUs that CUDABOOK_EMULATED_GPUS names; if it is not set, as many GPUs as CUDABOOK_GPUS
/// says. Errors: MachineError if a name or the number is wrong.
std::vector<std::unique_ptr<GpuState>> named_gpus() {
    const char* variable = std::getenv("CUDABOOK_EMULATED_GPUS");
    std::string of_one_kind;
    if (variable == nullptr || *variable == '\0') {
        const auto count = number_in_environment<std::uint64_t>("CUDABOOK_GPUS").value_or(1);
        constexpr std::uint64_t most = 64;
        if (count == 0 || count > most)
            throw MachineError(fmt::format("CUDABOOK_GPUS: '{}': the number must be 1 to {}", count, most));
        for (std::uint64_t i = 0; i < count; ++i) of_one_kind += i == 0 ? "h200" : ",h200";
        variable = of_one_kind.c_str();
    }
    std::string_view names = variable;
    std::vector<std::unique_ptr<GpuState>> gpus;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        const EmulatedGpu* const gpu = find_emulated_gpu(name);
        if (gpu == nullptr)
            throw MachineError(fmt::format("CUDABOOK_EMULATED_GPUS: '{}': the emulated GPUs are {}", name,
                                           emulated_gpu_names()));
        gpus.push_back(std::make_unique<GpuState>(*gpu));
    }
    return gpus;
}

std::size_t bytes_of_host() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Returns the limit of each GPU's memory in bytes, from CUDABOOK_EMULATED_MB. Errors: MachineError.
std::size_t bytes_asked_for() {
    const auto mb = number_in_environment<std::uint32_t>("CUDABOOK_EMULATED_MB");
    return mb ? std::size_t{*mb} << 20U : std::numeric_limits<std::size_t>::max();
}

/// Returns the memory that the host had available when this was first called. The available memory of later
/// calls would not do, because the host subtracts an allocation only when the memory is used.
std::size_t available_at_first() {
    static const std::size_t bytes = available_memory();
    return bytes;
}

/// An allocation that CUDA knows.
struct Allocation {
    std::size_t bytes;
    cudaMemoryType type;
    GpuState* gpu;      ///< null for host memory and variables
    bool owned = true;  ///< false if the memory existed before CUDA knew it
    [[no_unique_address]] Callers allocated_from = Callers::here();
};

std::mutex mutex;
std::map<std::uintptr_t, Allocation> allocations;
std::size_t used_by_all = 0;

std::uintptr_t address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Returns the allocation that contains `memory`, or null. The caller holds the mutex.
const std::pair<const std::uintptr_t, Allocation>* allocation_of(const void* memory) {
    auto after = allocations.upper_bound(address(memory));
    if (after == allocations.begin()) return nullptr;
    const auto& found = *std::prev(after);
    return address(memory) - found.first < std::max<std::size_t>(found.second.bytes, 1) ? &found : nullptr;
}

std::atomic<bool> gpus_made = false;  ///< gpu_states() has been called
thread_local int current = 0;
thread_local cudaError_t last_error = cudaSuccess;
thread_local bool in_host_function = false;
thread_local std::pair<cudaError_t, std::string> why_refused;

/// The first error that the program has not asked for.
struct Unasked {
    std::mutex mutex;
    std::atomic<cudaError_t> error = cudaSuccess;
    std::string why;  ///< empty if the error's own text says why
    [[no_unique_address]] Callers callers;
    pid_t process = 0;
};
Unasked& unasked() {
    static auto* const the = new Unasked;  // lasts until the process ends
    return *the;
}

/// Points to unasked() from its first error on; null before.
constinit std::atomic<const Unasked*> has_error = nullptr;

/// Runs after the destructors of all objects, because they may ask for errors, too.
[[gnu::destructor]] void print_unasked() {
    if (print_kept_error()) fail_at_end_if_checked();
}

std::size_t free_bytes_of(const GpuState& gpu) {
    const std::size_t of_host = available_at_first();
    return std::min(gpu.memory_bytes - gpu.used_bytes, of_host - std::min(of_host, used_by_all));
}

}  // namespace

GpuState::GpuState(const EmulatedGpu& published)
    : gpu(published),
      memory_bytes(static_cast<std::size_t>(
          std::min<std::uint64_t>({published.memory_bytes, bytes_of_host(), bytes_asked_for()}))) {}

const std::vector<std::unique_ptr<GpuState>>& gpu_states() {
    static const auto* const gpus = [] {  // lasts until the process ends
        auto* const named = new std::vector(named_gpus());
        gpus_made = true;
        return named;
    }();
    return *gpus;
}

bool gpus_are_known() { return gpus_made; }

void set_current_gpu(int device) { current = device; }

KeepLastError::KeepLastError() : before_(last_error) {}
KeepLastError::~KeepLastError() { last_error = before_; }

GpuState& current_state() { return *gpu_states()[static_cast<std::size_t>(current)]; }

const GpuState* gpu_of(int device) {
    const auto& all = gpu_states();
    return device >= 0 && device < static_cast<int>(all.size()) ? all[static_cast<std::size_t>(device)].get()
                                                                : nullptr;
}

int number_of(const GpuState* gpu) {
    const auto found = std::ranges::find(gpu_states(), gpu, &std::unique_ptr<GpuState>::get);
    return found == gpu_states().end() ? -1 : static_cast<int>(found - gpu_states().begin());
}

CurrentGpu::CurrentGpu(const GpuState& state) : before_(current) { current = number_of(&state); }
CurrentGpu::~CurrentGpu() { current = before_; }

const EmulatedGpu& current_gpu() { return current_state().gpu; }

bool set_in_host_function(bool is_in_it) { return std::exchange(in_host_function, is_in_it); }

namespace {

/// Returns whether only a mistake of the program can be the reason for the error.
bool is_mistake(cudaError_t error) {
    return error == cudaErrorInvalidPitchValue || error == cudaErrorInvalidSymbol ||
           error == cudaErrorInvalidMemcpyDirection ||
           (error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorCapturedEvent);
}

cudaError_t not_permitted() {
    keep_for_the_end(cudaErrorNotPermitted, "a host function of a stream calls CUDA, which it may not");
    return cudaErrorNotPermitted;
}

}  // namespace

cudaError_t result(cudaError_t error) {
    why_refused = {};
    if (in_host_function) return not_permitted();
    if (gpu_states().empty()) return last_error = cudaErrorNoDevice;
    if (const cudaError_t lasting = current_state().lasting_error(); lasting != cudaSuccess) return lasting;
    if (error != cudaSuccess) last_error = error;
    if (is_mistake(error)) keep_for_the_end(error, "");
    return error;
}

cudaError_t refuse(cudaError_t error, std::string why) {
    const cudaError_t returned = result(error);
    if (returned == error) why_refused = {error, std::move(why)};
    return returned;
}

cudaError_t refuse_work(cudaError_t error, std::string why) {
    if (is_mistake(error)) keep_for_the_end(error, why);  // result() would keep it without `why`
    const cudaError_t returned = refuse(error, why);
    if (returned == error) keep_for_the_end(error, why);
    return returned;
}

void keep_for_the_end(cudaError_t error, const std::string& why) {
    const std::lock_guard lock(unasked().mutex);
    if (unasked().error != cudaSuccess) return;
    unasked().why = why;
    unasked().callers = Callers::here();
    unasked().process = getpid();
    unasked().error = error;
    has_error = &unasked();
    catch_faults();  // the error may be why the program crashes
}

std::pair<cudaError_t, std::string_view> kept_error() {
    const Unasked* const kept = has_error;
    if (kept == nullptr || kept->error == cudaSuccess) return {cudaSuccess, {}};
    return {kept->error, kept->why};
}

bool print_kept_error() {
    const cudaError_t error = unasked().error;
    if (error == cudaSuccess || unasked().process != getpid()) return false;  // a forked process
    std::fflush(stdout);
    const std::string why = unasked().why.empty()
                                ? fmt::format("a call of CUDA failed: {}", cudaGetErrorString(error))
                                : unasked().why;
    print_line(fmt::format("{} ({}{}, for which the program has not asked)", why, cudaGetErrorName(error),
                           unasked().callers.at_line()));
    return true;
}

void note_asked_for(cudaError_t error) {
    if (error != cudaSuccess) unasked().error.compare_exchange_strong(error, cudaSuccess);
}

std::string why(cudaError_t error) {
    if (why_refused.first == error) return why_refused.second;
    return gpu_states().empty() ? std::string() : current_state().why_failed(error);
}

KernelSettings GpuState::settings_of(const void* kernel) const {
    const std::lock_guard lock(mutex);
    const auto found = settings_.find(kernel);
    return found == settings_.end() ? KernelSettings() : found->second;
}

void GpuState::set(const void* kernel, const KernelSettings& settings) {
    const std::lock_guard lock(mutex);
    settings_[kernel] = settings;
}

cudaError_t GpuState::lasting_error() const {
    const std::lock_guard lock(mutex);
    return failed_;
}

void GpuState::fail(cudaError_t error, std::string text) {
    const std::lock_guard lock(mutex);
    if (failed_ != cudaSuccess) return;
    failed_ = error;
    keep_for_the_end(error, text);
    why_failed_ = std::move(text);
}

std::string GpuState::why_failed(cudaError_t error) const {
    const std::lock_guard lock(mutex);
    return error == failed_ ? why_failed_ : std::string();
}

void GpuState::reset() {
    destroy_textures_of(*this);
    destroy_surfaces_of(*this);
    destroy_arrays_of(*this);
    destroy_pools_of(*this);
    destroy_graph_memory_of(*this);
    free_kernel_heap(*this);
    disable_peers_of(*this);
    const std::lock_guard lock(mutex);
    failed_ = cudaSuccess;
    why_failed_.clear();
    settings_.clear();
    for (auto entry = allocations.begin(); entry != allocations.end();) {
        if (entry->second.gpu != this) {
            ++entry;
            continue;
        }
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a key of the map
        free_array(reinterpret_cast<void*>(entry->first));
        used_by_all -= entry->second.bytes;
        entry = allocations.erase(entry);
    }
    used_bytes = 0;
}

void* allocate_on_gpu(std::size_t bytes, HostAccess access) {
    GpuState& gpu = current_state();
    const std::lock_guard lock(mutex);
    if (bytes > free_bytes_of(gpu)) return nullptr;
    void* memory = allocate_array(bytes, access);
    if (memory == nullptr) return nullptr;
    allocations[address(memory)] = {bytes, cudaMemoryTypeDevice, &gpu};
    gpu.used_bytes += bytes;
    used_by_all += bytes;
    return memory;
}

bool free_on_gpu(void* memory) {
    const std::lock_guard lock(mutex);
    const auto found = allocations.find(address(memory));
    if (found == allocations.end() || found->second.gpu == nullptr) return false;
    found->second.gpu->used_bytes -= found->second.bytes;
    used_by_all -= found->second.bytes;
    allocations.erase(found);
    free_array(memory);
    return true;
}

cudaMemoryType memory_type(const void* memory) {
    const std::lock_guard lock(mutex);
    const auto* found = allocation_of(memory);
    return found == nullptr ? cudaMemoryTypeUnregistered : found->second.type;
}

std::optional<PlaceOnGpu> place_on_gpu(const void* memory) {
    const std::lock_guard lock(mutex);
    const auto* found = allocation_of(memory);
    if (found == nullptr || found->second.gpu == nullptr || found->second.type != cudaMemoryTypeDevice)
        return std::nullopt;
    return PlaceOnGpu{found->second.gpu, reinterpret_cast<const void*>(found->first)};
}

bool copy_is_synchronous(const void* to, const void* from) {
    const cudaMemoryType types[] = {memory_type(to), memory_type(from)};
    return std::ranges::find(types, cudaMemoryTypeUnregistered) != std::end(types) ||
           (types[0] == cudaMemoryTypeHost && types[1] == cudaMemoryTypeHost);
}

std::string_view allocated_by(const void* memory) {
    // A function here that holds the mutex may call the program's own `operator delete`, which calls this.
    const std::unique_lock lock(mutex, std::try_to_lock);
    if (!lock.owns_lock()) return {};
    const auto found = allocations.find(address(memory));
    if (found == allocations.end() || !found->second.owned) return {};
    switch (found->second.type) {
        case cudaMemoryTypeHost:
            return "cudaMallocHost()";
        case cudaMemoryTypeManaged:
            return "cudaMallocManaged()";
        default:
            return "cudaMalloc()";
    }
}

std::string allocated_at(const void* memory) {
    const std::lock_guard lock(mutex);
    const auto* const found = allocation_of(memory);
    return found == nullptr ? std::string() : found->second.allocated_from.at_line();
}

bool has_been_freed(const void* memory) {
    const auto place = beside_which_array(address(memory));
    if (place && place->where == BesideArray::Where::freed) return true;
#if CUDABOOK_ADDRESS_SANITIZER
    return memory_type(memory) == cudaMemoryTypeUnregistered && __asan_address_is_poisoned(memory) != 0;
#else
    return false;
#endif
}

bool is_only_of_host(const void* memory) {
    if (memory == nullptr || is_in_kernel_heap(memory)) return false;
    // With the sanitizers, arrays have no guards, and memory of the host may lie beside them.
    constexpr std::size_t beside = address_sanitizer || thread_sanitizer ? std::size_t{1} << 20U : 64;
    {
        const std::lock_guard lock(mutex);
        const auto after = allocations.upper_bound(address(memory));
        if (after != allocations.end() && after->first - address(memory) <= beside) return false;
        if (after != allocations.begin()) {
            const auto& [begin, allocation] = *std::prev(after);
            if (address(memory) - begin <= allocation.bytes + beside) return false;
        }
    }
    Dl_info object;
    if (beside_which_array(address(memory)) || dladdr(memory, &object) != 0) return false;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    unsigned char is_resident = 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): mincore() tells whether there is memory
    return mincore(reinterpret_cast<void*>(address(memory) / page * page), page, &is_resident) == 0;
}

std::size_t bytes_left_at(const void* memory) {
    const std::lock_guard lock(mutex);
    const auto* found = allocation_of(memory);
    return found == nullptr ? std::numeric_limits<std::size_t>::max()
                            : found->second.bytes - (address(memory) - found->first);
}

std::vector<std::pair<std::uintptr_t, std::size_t>> allocations_known_to_cuda() {
    const std::lock_guard lock(mutex);
    std::vector<std::pair<std::uintptr_t, std::size_t>> known;
    for (const auto& [begin, allocation] : allocations) known.emplace_back(begin, allocation.bytes);
    return known;
}

cudaError_t refuse_symbol(const NoSymbol& symbol) {
    return refuse(cudaErrorInvalidSymbol,
                  std::string(symbol.name) + " is no __constant__ or __device__ variable");
}

void make_known(const void* variable, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    allocations[address(variable)] = {bytes, cudaMemoryTypeDevice, nullptr, false};
}

void forget(const void* memory) {
    const std::lock_guard lock(mutex);
    allocations.erase(address(memory));
}

bool direction_is_right(cudaMemcpyKind kind, cudaMemoryType to, cudaMemoryType from) {
    const auto on_host = [](cudaMemoryType type) { return type != cudaMemoryTypeDevice; };
    const auto on_gpu = [](cudaMemoryType type) { return type != cudaMemoryTypeUnregistered; };
    switch (kind) {
        case cudaMemcpyHostToHost:
            return on_host(to) && on_host(from);
        case cudaMemcpyHostToDevice:
            return on_gpu(to) && on_host(from);
        case cudaMemcpyDeviceToHost:
            return on_host(to) && on_gpu(from);
        case cudaMemcpyDeviceToDevice:
            return on_gpu(to) && on_gpu(from);
        case cudaMemcpyDefault:
            return true;
    }
    return false;
}

}  // namespace cudabook::emulation

using namespace cudabook;
using namespace cudabook::emulation;

// ----- Errors

cudaError_t cudaGetLastError() {
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    cudaError_t error = last_error;
    if (!gpu_states().empty())
        if (const cudaError_t lasting = current_state().lasting_error(); lasting != cudaSuccess)
            error = lasting;
    note_asked_for(error);
    return error;
}

// ----- Devices

cudaError_t cudaGetDeviceCount(int* count) {
    *count = static_cast<int>(gpu_states().size());
    return *count == 0 ? last_error = cudaErrorNoDevice : cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    if (gpu_states().empty()) return last_error = cudaErrorNoDevice;
    if (device < 0 || device >= static_cast<int>(gpu_states().size()))
        return last_error = cudaErrorInvalidDevice;
    current = device;
    choose_primary_context();
    return result(cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
    *device = current;
    return result(cudaSuccess);
}

cudaError_t cudaDeviceReset() {
    if (gpu_states().empty()) return last_error = cudaErrorNoDevice;
    finish_all();
    current_state().reset();
    leave_primary_context();
    last_error = cudaSuccess;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

// ----- Memory. The functions that free memory do nothing in a CUDA thread. There, the destructor of a
// kernel's by-value argument may call them, but only the destructor of the host's object must free the
// memory.

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    const std::lock_guard lock(mutex);
    *free_bytes = free_bytes_of(current_state());
    *total_bytes = current_state().memory_bytes;
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    if (memory == nullptr) return result(cudaErrorInvalidValue);
    use_primary_context();
    if (const cudaError_t error = result(synchronous()); error != cudaSuccess) return error;
    *memory = bytes == 0 ? nullptr : allocate_on_gpu(bytes, HostAccess::none);
    if (*memory != nullptr || bytes == 0) return result(cudaSuccess);
    note_failed_allocation(bytes);
    return result(cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width_bytes, std::size_t height) {
    constexpr std::size_t alignment = 512;
    *pitch = (width_bytes + alignment - 1) / alignment * alignment;
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(*pitch, height, &bytes)) return result(cudaErrorMemoryAllocation);
    return cudaMalloc(memory, bytes);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    if (memory == nullptr) return result(cudaErrorInvalidValue);
    void* first = nullptr;
    std::size_t pitch = 0;
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return result(cudaErrorMemoryAllocation);
    const cudaError_t error = cudaMallocPitch(&first, &pitch, extent.width, rows);
    if (error == cudaSuccess) *memory = make_cudaPitchedPtr(first, pitch, extent.width, extent.height);
    return error;
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned /*flags*/) {
    const cudaError_t error = cudaMalloc(memory, bytes);
    if (error != cudaSuccess || bytes == 0) return error;
    share_with_host(*memory);
    unmark(*memory, bytes);  // uninstrumented functions of libraries may write it
    const std::lock_guard lock(mutex);
    allocations[address(*memory)].type = cudaMemoryTypeManaged;
    return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
    if (is_cuda_thread())
        return memory == nullptr || free_on_gpu(memory) ? cudaSuccess : cudaErrorInvalidValue;
    if (in_host_function) return not_permitted();
    use_primary_context();
    finish_all();
    if (is_graph_memory(memory))
        return result(free_graph_memory(memory) ? cudaSuccess : cudaErrorInvalidValue);
    if (memory == nullptr) return result(cudaSuccess);
    free_in_pool(memory);
    if (free_on_gpu(memory)) return result(cudaSuccess);
    return refuse_work(cudaErrorInvalidValue,
                       "cudaFree() of memory that is not from cudaMalloc(), or has been freed");
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
    return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
    if (memory == nullptr || flags > 7) return result(cudaErrorInvalidValue);
    use_primary_context();
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (bytes <= available_memory()) *memory = allocate_array(bytes, HostAccess::allowed);
    if (*memory == nullptr) return result(cudaErrorMemoryAllocation);
    const std::lock_guard lock(mutex);
    allocations[address(*memory)] = {bytes, cudaMemoryTypeHost, nullptr};
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) {
    if (is_cuda_thread()) return cudaSuccess;
    if (in_host_function) return not_permitted();
    if (memory == nullptr) return result(cudaSuccess);
    finish_all();
    {
        const std::lock_guard lock(mutex);
        const auto found = allocations.find(address(memory));
        if (found != allocations.end() && found->second.type == cudaMemoryTypeHost && found->second.owned) {
            allocations.erase(found);
            free_array(memory);
            memory = nullptr;
        }
    }
    return result(memory == nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned /*flags*/) {
    if (memory == nullptr || bytes == 0) return result(cudaErrorInvalidValue);
    bool is_new = false;
    {
        const std::lock_guard lock(mutex);
        is_new =
            allocation_of(memory) == nullptr &&
            allocations.try_emplace(address(memory), Allocation{bytes, cudaMemoryTypeHost, nullptr, false})
                .second;
    }
    return result(is_new ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void* memory) {
    finish_all();
    cudaError_t error = cudaSuccess;
    {
        const std::lock_guard lock(mutex);
        const auto found = allocations.find(address(memory));
        if (found == allocations.end() || found->second.type != cudaMemoryTypeHost)
            error = cudaErrorHostMemoryNotRegistered;
        else if (found->second.owned)
            error = cudaErrorInvalidValue;
        else
            allocations.erase(found);
    }
    return result(error);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned /*flags*/) {
    const bool known = memory_type(host) == cudaMemoryTypeHost;
    if (known) *device = host;
    return result(known ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
    *attributes = {};
    attributes->device = -1;
    attributes->hostPointer = const_cast<void*>(memory);  // also for memory that CUDA does not know
    {
        const std::lock_guard lock(mutex);
        if (const auto* found = allocation_of(memory)) {
            const Allocation& allocation = found->second;
            attributes->type = allocation.type;
            attributes->devicePointer = const_cast<void*>(memory);
            if (allocation.type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
            attributes->device = allocation.gpu == nullptr ? current : number_of(allocation.gpu);
        }
    }
    return result(cudaSuccess);
}
