#include "emulator/engine/launch.hpp"

#include <cuda_occupancy.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "emulator/counting/counter.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/grid_barrier.hpp"
#include "emulator/engine/multiprocessor.hpp"
#include "emulator/engine/program_file.hpp"
#include "emulator/engine/shared_memory.hpp"
#include "emulator/engine/static_shared.hpp"
#include "emulator/engine/team.hpp"
#include "emulator/engine/watchdog.hpp"
#include "emulator/runtime/arena.hpp"
#include "emulator/runtime/device.hpp"
#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/gpu_state.hpp"
#include "emulator/runtime/stream.hpp"

namespace cudabook::emulation {

namespace {

/// The device code is compiled once, for this compute capability, whatever GPU is emulated.
constexpr int code_capability = 90;

/// The registers of a thread. A real compiler for GPUs would decide this; with this number they never limit a
/// launch.
constexpr int assumed_registers = 16;

std::map<std::string, std::size_t, std::less<>>& static_shared() {
    static std::map<std::string, std::size_t, std::less<>> known;
    return known;
}

std::size_t static_shared_of(const void* kernel) {
    const auto found = static_shared().find(mangled_name_of(kernel));
    return found == static_shared().end() ? 0 : found->second;
}

/// Returns the most dynamic shared memory that a launch of the kernel may ask for.
int dynamic_shared_limit(const GpuState& state, const void* kernel, std::size_t static_bytes) {
    return state.settings_of(kernel).dynamic_shared_limit.value_or(state.gpu.shared_bytes_per_block -
                                                                   static_cast<int>(static_bytes));
}

bool is_cooperative(const cudaLaunchConfig_t& config) {
    bool cooperative = false;
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeCooperative)
            cooperative = config.attrs[i].val.cooperative != 0;
    return cooperative;
}

/// Returns why a cooperative launch is refused: all its blocks must be resident at the same time.
std::optional<Failure> why_not_resident(const cudaLaunchConfig_t& config, const void* kernel) {
    const auto& [x, y, z] = config.blockDim;
    int blocks = 0;
    if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, static_cast<int>(x * y * z), config.dynamicSmemBytes);
        error != cudaSuccess)
        return Failure{error, "its occupancy is not known"};
    const dim3& grid = config.gridDim;
    const std::uint64_t most =
        static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(current_state().gpu.multiprocessors);
    if (std::uint64_t{grid.x} * grid.y * grid.z <= most) return std::nullopt;
    return Failure{cudaErrorCooperativeLaunchTooLarge, fmt::format("{} is the most at a time", most)};
}

/// Returns why the launch is refused. The errors are CUDA 13's; in earlier versions an impossible size of
/// block or grid was cudaErrorInvalidConfiguration.
std::optional<Failure> why_not(const cudaLaunchConfig_t& config, const void* kernel) {
    const auto& [x, y, z] = config.blockDim;
    const dim3& grid = config.gridDim;
    if (kernel == nullptr) return Failure{cudaErrorInvalidDeviceFunction, "there is no such kernel"};
    if (x == 0 || y == 0 || z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0)
        return Failure{cudaErrorInvalidValue, "a size is 0"};
    if (x > 1024 || y > 1024 || z > 64 || std::uint64_t{x} * y * z > 1024)
        return Failure{cudaErrorInvalidValue, "1024 x 1024 x 64 threads are the most, and 1024 in all"};
    if (grid.x > 0x7fffffff || grid.y > 0xffff || grid.z > 0xffff)
        return Failure{cudaErrorInvalidValue, "2147483647 x 65535 x 65535 blocks are the most"};
    const int most_shared =
        std::max(0, dynamic_shared_limit(current_state(), kernel, static_shared_of(kernel)));
    if (config.dynamicSmemBytes > static_cast<std::size_t>(most_shared))
        return Failure{cudaErrorInvalidValue,
                       fmt::format("{} bytes of dynamic shared memory, {} are the most",
                                   config.dynamicSmemBytes, most_shared)};
    for (unsigned i = 0; i < config.numAttrs; ++i)
        if (config.attrs[i].id == cudaLaunchAttributeClusterDimension)
            return Failure{cudaErrorNotSupported, "the emulated GPU has no clusters"};
    return is_cooperative(config) ? why_not_resident(config, kernel) : std::nullopt;
}

std::shared_ptr<const void> copy_of_arguments(const KernelCall& call) {
    const std::align_val_t alignment{call.alignment};
    void* const copy = operator new(call.bytes, alignment);
    std::memcpy(copy, call.arguments, call.bytes);
    return {copy, [alignment](void* memory) { operator delete(memory, alignment); }};
}

/// The multiprocessor of a block of a cooperative grid.
constinit thread_local std::optional<unsigned> multiprocessor_of_block;

/// One launch. Each OpenMP thread takes some of its blocks at a time. But each block of a cooperative grid
/// has a thread of its own, because it may wait for the others.
class Grid {
  public:
    Grid(const cudaLaunchConfig_t& config, const KernelCall& call, std::optional<std::uint64_t> seed,
         bool cooperative)
        : grid_(config.gridDim),
          block_(config.blockDim),
          shared_bytes_(config.dynamicSmemBytes),
          call_(call),
          uses_shared_(shared_bytes_ > 0 || static_shared_of(call.kernel) > 0),
          blocks_(std::uint64_t{grid_.x} * grid_.y * grid_.z),
          seed_(seed) {
        if (cooperative) barrier_.emplace(blocks_);
        if (!seed_) return;
        // A permutation of the blocks: the step has no common divisor with their number.
        std::mt19937_64 random(*seed_);
        first_ = random() % blocks_;
        do step_ = random() % blocks_ + 1;
        while (std::gcd(step_, blocks_) != 1);
    }

    /// Runs all blocks, in order if there is one thread; returns the first failure.
    std::optional<Failure> run() {
        if (counting != nullptr) counting->count_launch(call_.kernel);
        const std::uint64_t threads = blocks_ * block_.x * block_.y * block_.z;
        constexpr std::uint64_t worth_a_team = 2048;
        if (barrier_ && blocks_ > 1) {
            run_together();
        } else if (blocks_ == 1 || threads < worth_a_team) {
            take_blocks();
        } else {
            // With more threads than cores, libgomp's threads sleep between two launches (its manual,
            // GOMP_SPINCOUNT). Otherwise they would spin, and use up their time on a busy machine.
            const int cores = thread_sanitizer ? 1 : omp_get_max_threads();
            const int team = std::min(cores > 1 ? cores + 1 : 1, current_state().gpu.multiprocessors);
#pragma omp parallel num_threads(team)
            take_blocks();
        }
        return failure_;
    }

  private:
    void take_blocks() {
        const auto team = static_cast<std::uint64_t>(omp_get_num_threads());
        const std::uint64_t at_once = std::clamp<std::uint64_t>(blocks_ / (team * 16), 1, 64);
        run_here([&] {
            while (!failed_) {
                const std::uint64_t begin = next_.fetch_add(at_once);
                const std::uint64_t end = std::min(begin + at_once, blocks_);
                if (begin >= blocks_) break;
                for (std::uint64_t i = begin; i < end && !failed_; ++i) run_block(i);
            }
        });
    }

    /// Runs all blocks at the same time.
    void run_together() {
        // The team is never destroyed: its threads may go on until the process ends. But ThreadSanitizer's
        // threads are few, and given back.
        static auto* const lasting = new Team();
        Team passing;
        Team& team = thread_sanitizer ? passing : *lasting;
        const auto multiprocessors = static_cast<unsigned>(current_state().gpu.multiprocessors);
        try {
            team.run(blocks_, [&](std::size_t i) {
                multiprocessor_of_block = static_cast<unsigned>(i) % multiprocessors;
                run_here([&] { run_block(i); });
            });
        } catch (const std::system_error&) {
            fail({cudaErrorLaunchOutOfResources,
                  fmt::format("each block of a cooperative grid needs a thread of the host, and there are {}",
                              team.size())});
        }
    }

    /// Runs some blocks in this operating system's thread.
    template <class Run>
    void run_here(Run run) {
        try {
            const Watched watched(call_.kernel, this);
            release(this);
            if (Counter* counter = counter_here()) counter->begin_launch(call_.kernel);
            run();
            Multiprocessor::of_this_thread().release_to(this);
            acquire(this);
            if (Counter* counter = counter_here()) counter->end_launch();
        } catch (const std::exception& error) {  // no memory for a thread or a stack
            fail({cudaErrorLaunchOutOfResources, error.what()});
        }
    }

    void run_block(std::uint64_t i) {
        const std::uint64_t number = seed_ ? (first_ + i % blocks_ * step_) % blocks_ : i;
        const uint3 block{static_cast<unsigned>(number % grid_.x),
                          static_cast<unsigned>(number / grid_.x % grid_.y),
                          static_cast<unsigned>(number / grid_.x / grid_.y)};
        if (uses_shared_ || thread_sanitizer || address_sanitizer) begin_shared_memory(shared_bytes_);
        std::optional<Failure> failure = Multiprocessor::of_this_thread().run(
            call_, block, block_, grid_, this,
            seed_ ? std::optional(*seed_ * 1'000'003 + number) : std::nullopt,
            barrier_ ? &*barrier_ : nullptr);
        if (failure) fail(std::move(*failure));
        if (barrier_) barrier_->end_block();
    }

    void fail(Failure failure) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::move(failure);
        failed_ = true;
        if (barrier_) barrier_->give_up();
    }

    dim3 grid_;
    dim3 block_;
    std::size_t shared_bytes_;
    const KernelCall& call_;
    bool uses_shared_;  ///< the kernel uses shared memory
    std::uint64_t blocks_;
    std::optional<std::uint64_t> seed_;
    std::uint64_t first_ = 0;
    std::uint64_t step_ = 1;
    std::optional<GridBarrier> barrier_;  ///< of a cooperative grid
    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::optional<Failure> failure_;
};

}  // namespace

unsigned multiprocessor_number() {
    return multiprocessor_of_block.value_or(static_cast<unsigned>(omp_get_thread_num()));
}

cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call) {
    if (is_cuda_thread())
        fail_kernel(cudaErrorNotSupported,
                    fmt::format("a kernel cannot launch a kernel on the emulated GPU: launch {} on the host",
                                name_of(call.kernel)));
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (const auto failure = why_not(config, call.kernel)) {
        invalidate_capture(config.stream);
        const dim3& grid = config.gridDim;
        const dim3& block = config.blockDim;
        return refuse(failure->error,
                      fmt::format("{}, {} x {} x {} blocks of {} x {} x {} threads: {}", name_of(call.kernel),
                                  grid.x, grid.y, grid.z, block.x, block.y, block.z, failure->text));
    }
    cudaLaunchConfig_t kept = config;
    kept.attrs = nullptr;
    kept.numAttrs = 0;
    const bool cooperative = is_cooperative(config);
    GpuState& state = current_state();
    const std::optional<std::uint64_t> seed = schedule_seed();
    static_cast<void>(launch_timeout_seconds());  // an error in its number must not be a kernel's failure
    static_cast<void>(barriers_timeout_seconds());
    // A failure is reported to the next call that asks, as on a GPU.
    return enqueue(config.stream, [kept, call = call, arguments = copy_of_arguments(call), seed, cooperative,
                                   &state]() mutable {
        if (state.lasting_error() != cudaSuccess) return;
        call.arguments = arguments.get();
        if (const auto failure = Grid(kept, call, seed, cooperative).run())
            state.fail(failure->error, fmt::format("{}, {}", name_of(call.kernel), failure->text));
        else if (const auto place = find_overwritten())
            state.fail(
                cudaErrorIllegalAddress,
                fmt::format("{}: after it, memory is overwritten {} bytes {} an array of {} bytes",
                            name_of(call.kernel), place->distance,
                            place->where == BesideArray::Where::before ? "before" : "behind the end of",
                            place->bytes));
    });
}

cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads) {
    int best = 0;
    for (int size = most_threads > 0 ? std::min(most_threads, 1024) : 1024; size > 0;
         size = (size - 1) / 32 * 32) {
        int held = 0;
        if (const cudaError_t error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, size, dynamic_shared_bytes);
            error != cudaSuccess)
            return error;
        if (held * size <= best) continue;
        best = held * size;
        *threads = size;
        *blocks = held * current_gpu().multiprocessors;
    }
    return best > 0 ? cudaSuccess : result(cudaErrorInvalidConfiguration);
}

KnownStaticShared::KnownStaticShared(const StaticShared* table, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        std::size_t& bytes = static_shared()[table[i].kernel];
        bytes = std::max(bytes, table[i].bytes);
    }
}

}  // namespace cudabook::emulation

using namespace cudabook;
using namespace cudabook::emulation;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
    const GpuState& state = current_state();
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_of(kernel);
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = assumed_registers;
    attributes->ptxVersion = code_capability;
    attributes->binaryVersion = code_capability;
    attributes->maxDynamicSharedSizeBytes = dynamic_shared_limit(state, kernel, attributes->sharedSizeBytes);
    attributes->preferredShmemCarveout = state.settings_of(kernel).carveout;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
    GpuState& state = current_state();
    KernelSettings settings = state.settings_of(kernel);
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize: {
            const int most =
                state.gpu.shared_bytes_per_block_optin - static_cast<int>(static_shared_of(kernel));
            if (value < 0 || value > most) return result(cudaErrorInvalidValue);
            settings.dynamic_shared_limit = value;
            break;
        }
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100) return result(cudaErrorInvalidValue);
            settings.carveout = value;
            break;
        default:
            return result(cudaErrorInvalidValue);
    }
    state.set(kernel, settings);
    return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
    thread_local std::string found;
    found = mangled_name_of(kernel);
    *name = found.c_str();
    return result(found.empty() ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t dynamic_shared_bytes) {
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess)
        return error;
    const EmulatedGpu& gpu = current_gpu();
    const auto size = [](int bytes) { return static_cast<std::size_t>(bytes); };
    const cudaOccDeviceProp device{.computeMajor = gpu.major,
                                   .computeMinor = gpu.minor,
                                   .maxThreadsPerBlock = 1024,
                                   .maxThreadsPerMultiprocessor = gpu.threads_per_multiprocessor,
                                   .regsPerBlock = gpu.registers_per_block,
                                   .regsPerMultiprocessor = gpu.registers_per_multiprocessor,
                                   .sharedMemPerBlock = size(gpu.shared_bytes_per_block),
                                   .sharedMemPerMultiprocessor = size(gpu.shared_bytes_per_multiprocessor),
                                   .numSms = gpu.multiprocessors,
                                   .sharedMemPerBlockOptin = size(gpu.shared_bytes_per_block_optin),
                                   .reservedSharedMemPerBlock = size(gpu.shared_bytes_reserved_per_block)};
    const cudaOccFuncAttributes kernel_attributes(attributes);
    const cudaOccDeviceState state{attributes.preferredShmemCarveout};
    cudaOccResult found;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &device, &kernel_attributes, &state, threads,
                                                dynamic_shared_bytes) != CUDA_OCC_SUCCESS)
        return result(cudaErrorInvalidValue);
    *blocks = found.activeBlocksPerMultiprocessor;
    return cudaSuccess;
}
