#include "emulator/engine/launch.hpp"

#include <cuda_occupancy.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
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
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "emulator/checks/accesses.hpp"
#include "emulator/checks/stream_races.hpp"
#include "emulator/counting/counter.hpp"
#include "emulator/engine/block.hpp"
#include "emulator/engine/cluster.hpp"
#include "emulator/engine/grid_barrier.hpp"
#include "emulator/engine/launch_bounds.hpp"
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
#include "emulator/runtime/graph.hpp"
#include "emulator/runtime/peers.hpp"
#include "emulator/runtime/stream.hpp"

namespace cudabook::emulation {

namespace {

/// The compute capability for which the device code is compiled, once for all emulated GPUs.
constexpr int code_capability = 90;

/// The registers of a thread. A compiler for GPUs would decide their number; with this number, registers
/// never limit a launch.
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

bool is_set(const dim3& cluster) { return cluster.x != 0 || cluster.y != 0 || cluster.z != 0; }

/// Returns the sizes of a kernel's __cluster_dims__, as the source has them; empty if it has none.
std::vector<std::string> declared_cluster(const void* kernel) {
    const std::string name = mangled_name_of(kernel);
    const std::size_t tag = name.find(cluster_tag);
    std::vector<std::string> sizes;
    if (tag == std::string::npos) return sizes;
    const std::size_t digits = name.find_last_not_of("0123456789", tag - 1) + 1;
    std::string_view rest(name);  // cut to the tag, whose length stands before it in a mangled name
    rest = rest.substr(tag, std::strtoul(name.data() + digits, nullptr, 10)).substr(cluster_tag.size());
    for (; sizes.size() < 2; rest.remove_prefix(sizes.back().size() + 1))
        sizes.emplace_back(rest.substr(0, rest.find('_')));
    sizes.emplace_back(rest);
    return sizes;
}

/// Returns the cluster's size that the kernel's __cluster_dims__ or its attributes set; 0 if neither does. A
/// size that is not a number counts as 0.
dim3 required_cluster(const GpuState& state, const void* kernel) {
    const std::vector<std::string> sizes = declared_cluster(kernel);
    if (sizes.empty()) return state.settings_of(kernel).cluster;
    const auto number = [&](std::size_t i) {
        return static_cast<unsigned>(std::strtoul(sizes[i].c_str(), nullptr, 10));
    };
    return {number(0), number(1), number(2)};
}

/// Returns the cluster's size that the launch asks for; 0 if it asks for none.
dim3 given_cluster(const cudaLaunchConfig_t& config) {
    dim3 cluster{0, 0, 0};
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config.attrs[i];
        if (attribute.id == cudaLaunchAttributeClusterDimension)
            cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
    }
    return cluster;
}

/// Returns the size of the launch's clusters; 0 if it has none.
dim3 cluster_of(const cudaLaunchConfig_t& config, const void* kernel) {
    const dim3 cluster = given_cluster(config);
    return is_set(cluster) ? cluster : required_cluster(current_state(), kernel);
}

/// The most blocks of a cluster: most_portable by default, and most_of_a_cluster if the kernel allows
/// non-portable sizes. Source: CUDA C++ Programming Guide and Hopper Tuning Guide, "Thread Block Clusters".
constexpr unsigned most_portable = 8;
constexpr unsigned most_of_a_cluster = 16;

constexpr const char* no_clusters = "clusters need a GPU of compute capability 9.0";

unsigned most_blocks_of_cluster(const GpuState& state, const void* kernel) {
    return state.settings_of(kernel).large_clusters_allowed ? most_of_a_cluster : most_portable;
}

/// Returns why the launch's clusters are refused; nothing if they are not.
std::optional<Failure> why_no_clusters(const cudaLaunchConfig_t& config, const void* kernel) {
    const GpuState& state = current_state();
    const dim3 cluster = cluster_of(config, kernel);
    const auto refused = [&](std::string_view why) {
        return Failure{cudaErrorInvalidClusterSize, fmt::format("clusters of {} x {} x {} blocks: {}",
                                                                cluster.x, cluster.y, cluster.z, why)};
    };
    if (!is_set(cluster)) return std::nullopt;
    if (state.gpu.major < 9) return Failure{cudaErrorNotSupported, no_clusters};
    if (const std::vector<std::string> sizes = declared_cluster(kernel);
        std::ranges::any_of(sizes, [](const std::string& size) { return std::atoi(size.c_str()) == 0; }))
        return refused(fmt::format(
            "for the emulated GPU, __cluster_dims__({}) must consist of numbers or macros for numbers",
            fmt::join(sizes, ", ")));
    const dim3 required = required_cluster(state, kernel);
    if (is_set(required) && (cluster.x != required.x || cluster.y != required.y || cluster.z != required.z))
        return refused(
            fmt::format("the kernel's are of {} x {} x {} blocks", required.x, required.y, required.z));
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return refused("a size is 0");
    const dim3& grid = config.gridDim;
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0)
        return refused("each size of the grid must be a multiple of the cluster's");
    if (const unsigned most = most_blocks_of_cluster(state, kernel);
        std::uint64_t{cluster.x} * cluster.y * cluster.z > most)
        return refused(most == most_portable ? "8 blocks are the most, or 16 with "
                                               "cudaFuncAttributeNonPortableClusterSizeAllowed"
                                             : "16 blocks are the most");
    return std::nullopt;
}

/// Returns why a cooperative launch is refused: all its blocks must be resident at the same time. Returns
/// nothing if it is not refused.
std::optional<Failure> why_not_resident(const cudaLaunchConfig_t& config, const void* kernel) {
    const auto& [x, y, z] = config.blockDim;
    int blocks = 0;
    if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, static_cast<int>(x * y * z), config.dynamicSmemBytes);
        error != cudaSuccess)
        return Failure{error, "the occupancy of the kernel is unknown"};
    const dim3& grid = config.gridDim;
    const std::uint64_t most =
        static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(current_state().gpu.multiprocessors);
    const std::uint64_t wanted = std::uint64_t{grid.x} * grid.y * grid.z;
    if (wanted > most)
        return Failure{cudaErrorCooperativeLaunchTooLarge,
                       fmt::format("at most {} blocks can be resident at the same time", most)};
    constexpr std::uint64_t most_identities = 8192;  // each takes 0.8 MB of ThreadSanitizer's memory
    if (thread_sanitizer && wanted * x * y * z > most_identities)
        return Failure{cudaErrorNotSupported,
                       fmt::format("--check=race can follow {} threads at the same time, and the blocks of a "
                                   "cooperative grid have {}: launch fewer blocks",
                                   most_identities, wanted * x * y * z)};
    return std::nullopt;
}

/// The most bytes of a kernel's parameters, since CUDA 12.1.
constexpr std::size_t most_parameter_bytes = 32764;

/// The most bytes of a kernel's `__shared__` variables, without dynamic shared memory.
constexpr std::size_t most_static_shared_bytes = 49152;

/// Returns why the launch is refused; nothing if it is not. The errors are CUDA 13's; in earlier versions,
/// the error for an impossible size of a block or grid was cudaErrorInvalidConfiguration.
std::optional<Failure> why_not(const cudaLaunchConfig_t& config, const void* kernel) {
    const auto& [x, y, z] = config.blockDim;
    const dim3& grid = config.gridDim;
    if (kernel == nullptr) return Failure{cudaErrorInvalidDeviceFunction, "there is no such kernel"};
    if (x == 0 || y == 0 || z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0)
        return Failure{cudaErrorInvalidValue, "a size is 0"};
    if (x > 1024 || y > 1024 || z > 64 || std::uint64_t{x} * y * z > 1024)
        return Failure{cudaErrorInvalidValue, "1024 x 1024 x 64 threads are the most, and 1024 in all"};
    if (const int most = most_threads_of(kernel); x * y * z > static_cast<unsigned>(most))
        return Failure{cudaErrorInvalidValue,
                       fmt::format("its __launch_bounds__ allow {} threads a block: launch fewer, or give "
                                   "the kernel higher bounds",
                                   most)};
    if (grid.x > 0x7fffffff || grid.y > 0xffff || grid.z > 0xffff)
        return Failure{cudaErrorInvalidValue, "2147483647 x 65535 x 65535 blocks are the most"};
    const std::size_t static_shared = static_shared_of(kernel);
    if (static_shared > most_static_shared_bytes)
        return Failure{
            cudaErrorInvalidValue,
            fmt::format("its __shared__ variables take {} bytes, and nvcc allows {}: for more, declare "
                        "an array as extern __shared__, give its bytes to the launch, and raise the "
                        "kernel's limit by cudaFuncSetAttribute()",
                        static_shared, most_static_shared_bytes)};
    const int most_shared = std::max(0, dynamic_shared_limit(current_state(), kernel, static_shared));
    if (config.dynamicSmemBytes > static_cast<std::size_t>(most_shared))
        return Failure{cudaErrorInvalidValue,
                       fmt::format("{} bytes of dynamic shared memory exceed the limit of {}",
                                   config.dynamicSmemBytes, most_shared)};
    if (auto failure = why_no_clusters(config, kernel)) return failure;
    return is_cooperative(config) ? why_not_resident(config, kernel) : std::nullopt;
}

/// Returns the sum of the parameters' sizes, without the gaps that align them.
std::size_t parameter_bytes(const KernelCall& call) {
    std::vector<ArgumentPlace> places(call.parameters);
    call.find_places(const_cast<void*>(call.arguments), places.data());
    return std::accumulate(
        places.begin(), places.end(), std::size_t{0},
        [](std::size_t sum, const ArgumentPlace& argument) { return sum + argument.bytes; });
}

/// Returns memory for a call's arguments.
std::shared_ptr<void> memory_for_arguments(const KernelCall& call) {
    const std::align_val_t alignment{call.alignment};
    return {operator new(call.bytes, alignment),
            [alignment](void* memory) { operator delete(memory, alignment); }};
}

/// The kernels of register_kernel(), by address. Static objects may register kernels before main().
struct RegisteredKernels {
    std::mutex mutex;
    std::map<const void*, KernelCall> calls;
};
RegisteredKernels& registered() {
    static RegisteredKernels kernels;
    return kernels;
}

/// The number of this host thread's multiprocessor; only set if the grid is cooperative or has clusters.
constinit thread_local std::optional<unsigned> multiprocessor_of_block;

/// Returns the number of the first argument that is a null pointer, from 1 on, or 0 if there is none.
unsigned null_argument_of(const KernelCall& call) {
    std::vector<ArgumentPlace> places(call.parameters);
    call.find_places(const_cast<void*>(call.arguments), places.data());
    const auto is_null = [](const ArgumentPlace& argument) {
        const void* memory = &argument;
        if (argument.points_to_data) std::memcpy(&memory, argument.place, sizeof memory);
        return memory == nullptr;
    };
    const auto found = std::ranges::find_if(places, is_null);
    return found == places.end() ? 0 : static_cast<unsigned>(found - places.begin()) + 1;
}

/// One launch. Each OpenMP thread takes some of the launch's blocks at a time. But each block of a
/// cooperative grid or of a cluster has a thread of its own, because such blocks may wait for each other.
class Grid {
  public:
    Grid(const PendingLaunch& launch, std::optional<std::uint64_t> seed, const GpuState& state)
        : grid_(launch.config.gridDim),
          block_(launch.config.blockDim),
          shared_bytes_(launch.config.dynamicSmemBytes),
          call_(launch.call),
          state_(state),
          uses_shared_(shared_bytes_ > 0 || static_shared_of(call_.kernel) > 0),
          blocks_(std::uint64_t{grid_.x} * grid_.y * grid_.z),
          cluster_(is_set(launch.cluster) ? launch.cluster : dim3(1)),
          cluster_blocks_(count_of(cluster_)),
          seed_(seed) {
        if (launch.cooperative) barrier_.emplace(blocks_);
        if (is_set(launch.cluster)) {
            const std::uint64_t clusters = blocks_ / cluster_blocks_;
            const std::uint64_t cores = thread_sanitizer ? 1 : static_cast<unsigned>(omp_get_max_threads());
            const std::uint64_t together =
                barrier_ ? clusters : std::clamp<std::uint64_t>(cores / cluster_blocks_, 1, clusters);
            for (std::uint64_t i = 0; i < together; ++i) clusters_.emplace_back(cluster_, count_of(block_));
        }
        if (!seed_) return;
        // Block or cluster i is (first_ + i * step_) % size: a permutation, as step_ and size are coprime.
        const std::uint64_t size = blocks_ / cluster_blocks_;
        std::mt19937_64 random(*seed_);
        first_ = random() % size;
        do step_ = random() % size + 1;
        while (std::gcd(step_, size) != 1);
    }

    /// Runs all blocks, in order if a single thread of the host runs them. Returns the first failure.
    std::optional<Failure> run() {
        forget_atomics_in_blocks();
        if (counting != nullptr)
            work_ = counting->begin_launch({call_.kernel, blocks_, count_of(block_),
                                            shared_bytes_ + static_shared_of(call_.kernel), shared_bytes_});
        const std::uint64_t threads = blocks_ * block_.x * block_.y * block_.z;
        constexpr std::uint64_t worth_a_team = 2048;
        if ((barrier_ && blocks_ > 1) || !clusters_.empty()) {
            run_together();
        } else if (blocks_ == 1 || threads < worth_a_team) {
            take_blocks();
        } else {
            // With more threads than cores, libgomp's threads sleep between two launches (libgomp's manual,
            // GOMP_SPINCOUNT). Otherwise they would spin, and use up their time on a busy machine.
            const int cores = thread_sanitizer ? 1 : omp_get_max_threads();
            const int team = std::min(cores > 1 ? cores + 1 : 1, state_.gpu.multiprocessors);
#pragma omp parallel num_threads(team)
            take_blocks();
        }
        if (counting != nullptr && !failure_) counting->end_launch(work_.get());
        return failure_;
    }

    /// Returns the launches by the grid's threads in the order in which they are to run: block by block,
    /// tail launches last. With a seed, the order of the blocks is random, except for tail launches.
    [[nodiscard]] std::vector<PendingLaunch> take_children() {
        std::ranges::sort(children_, {}, [this](const Child& child) {
            const bool is_tail = child.launch.config.stream == cudaStreamTailLaunch;
            const std::uint64_t turn = seed_ ? std::mt19937_64(*seed_ + child.block)() : child.block;
            return std::tuple(is_tail, is_tail ? child.block : turn, child.number);
        });
        std::vector<PendingLaunch> launches;
        for (Child& child : children_) launches.push_back(std::move(child.launch));
        return launches;
    }

  private:
    /// A launch by a thread of a block. `number` is the launch's number among the block's launches.
    struct Child {
        std::uint64_t block;
        std::size_t number;
        PendingLaunch launch;
    };

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

    /// Runs all blocks at the same time or, if there are clusters, as many clusters as clusters_ has.
    void run_together() {
        // The team is never destroyed: its threads may go on until the process ends. But ThreadSanitizer
        // allows few threads, so under ThreadSanitizer each launch has a team of its own.
        static auto* const lasting = new Team();
        Team passing;
        Team& team = thread_sanitizer ? passing : *lasting;
        const auto multiprocessors = static_cast<unsigned>(state_.gpu.multiprocessors);
        try {
            const std::size_t threads = clusters_.empty() ? blocks_ : clusters_.size() * cluster_blocks_;
            team.run(threads, [&](std::size_t i) {
                multiprocessor_of_block = static_cast<unsigned>(i) % multiprocessors;
                run_here([&] {
                    for (std::uint64_t block = i; block < blocks_ && !failed_; block += threads)
                        run_block(block);
                });
            });
        } catch (const std::system_error&) {
            fail({cudaErrorLaunchOutOfResources,
                  fmt::format("each block of a {} needs a thread of the host, and there are {}",
                              clusters_.empty() ? "cooperative grid" : "cluster", team.size())});
        }
    }

    /// Runs some blocks in this operating system's thread.
    template <class Run>
    void run_here(Run run) {
        try {
            const Watched watched(call_.kernel, this, null_argument_);
            const CurrentGpu current(state_);
            const ArraysInReach in_reach;
            const DoingWatched doing(watched_);
            release(this);
            if (Counter* counter = counter_here()) counter->begin_launch(call_.kernel, work_.get());
            run();
            Multiprocessor::of_this_thread().release_to(this);
            acquire(this);
            if (Counter* counter = counter_here()) counter->end_launch();
        } catch (const std::exception& error) {  // no memory for a thread or a stack
            fail({cudaErrorLaunchOutOfResources, error.what()});
        }
    }

    /// Runs the block with this number. The blocks are numbered cluster by cluster; without clusters, each
    /// block is a cluster.
    void run_block(std::uint64_t i) {
        const std::uint64_t in_order = i / cluster_blocks_;
        const std::uint64_t unit =
            seed_ ? (first_ + in_order * step_) % (blocks_ / cluster_blocks_) : in_order;
        const auto rank = static_cast<unsigned>(i % cluster_blocks_);
        const dim3& size = cluster_;
        const dim3 units{grid_.x / size.x, grid_.y / size.y, grid_.z / size.z};
        const uint3 block{static_cast<unsigned>(unit % units.x) * size.x + rank % size.x,
                          static_cast<unsigned>(unit / units.x % units.y) * size.y + rank / size.x % size.y,
                          static_cast<unsigned>(unit / units.x / units.y) * size.z + rank / size.x / size.y};
        const std::uint64_t number = block.x + grid_.x * (block.y + std::uint64_t{grid_.y} * block.z);
        if (work_ && !barrier_ && clusters_.empty() && !counting->runs(*work_, number)) return;
        Cluster* const cluster = clusters_.empty() ? nullptr : &clusters_[in_order % clusters_.size()];
        if (cluster != nullptr) {
            if (!cluster->begin_block(rank, shared_bytes_)) return;
        } else if (uses_shared_ || thread_sanitizer || address_sanitizer) {
            begin_shared_memory(shared_bytes_);
        }
        Multiprocessor& here = Multiprocessor::of_this_thread();
        std::optional<Failure> failure =
            here.run(call_, block, block_, grid_, this,
                     seed_ ? std::optional(*seed_ * 1'000'003 + number) : std::nullopt,
                     barrier_ ? &*barrier_ : nullptr, cluster);
        std::vector<PendingLaunch> launches = here.take_launches();
        if (failure) fail(std::move(*failure));
        if (cluster != nullptr && !failed_) cluster->end_block(rank);  // a failed block counts as not ended
        if (barrier_) barrier_->end_block();
        if (launches.empty()) return;
        const std::lock_guard lock(mutex_);
        for (std::size_t n = 0; n < launches.size(); ++n)
            children_.push_back({number, n, std::move(launches[n])});
    }

    void fail(Failure failure) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::move(failure);
        failed_ = true;
        if (barrier_) barrier_->give_up();
        for (Cluster& cluster : clusters_) cluster.give_up();
    }

    dim3 grid_;
    dim3 block_;
    std::size_t shared_bytes_;
    const KernelCall& call_;
    const GpuState& state_;
    bool uses_shared_;  ///< the kernel uses shared memory
    std::uint64_t blocks_;
    dim3 cluster_;  ///< the size of a cluster; 1 if there are no clusters
    unsigned cluster_blocks_;
    std::optional<std::uint64_t> seed_;
    unsigned null_argument_ = null_argument_of(call_);
    const WatchedWork* watched_ = watched_work;  ///< the work of a stream that this launch is a part of
    std::shared_ptr<LaunchWork> work_;           ///< set if the launch's time is predicted
    std::uint64_t first_ = 0;
    std::uint64_t step_ = 1;
    std::optional<GridBarrier> barrier_;  ///< set for a cooperative grid
    std::deque<Cluster> clusters_;        ///< the clusters that run at the same time
    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::optional<Failure> failure_;
    std::vector<Child> children_;
};

/// The number of kernels' launches that have not begun yet.
std::atomic<std::size_t> pending_children{0};

/// The most levels of nested launches by kernels. Source: CUDA C++ Programming Guide, "CUDA Dynamic
/// Parallelism", "Nesting and Synchronization Depth".
constexpr int most_levels = 24;

PendingLaunch pending(const cudaLaunchConfig_t& config, const KernelCall& call) {
    PendingLaunch launch{config, call, memory_for_arguments(call), is_cooperative(config),
                         cluster_of(config, call.kernel)};
    launch.config.attrs = nullptr;
    launch.config.numAttrs = 0;
    std::memcpy(launch.arguments.get(), call.arguments, call.bytes);
    launch.call.arguments = launch.arguments.get();
    return launch;
}

/// Returns the text of a refusal: the kernel, the size of the launch, and `why`.
std::string refusal_text(const cudaLaunchConfig_t& config, const KernelCall& call, const std::string& why) {
    const dim3& grid = config.gridDim;
    const dim3& block = config.blockDim;
    return fmt::format("{}, {} x {} x {} blocks of {} x {} x {} threads: {}", name_of(call.kernel), grid.x,
                       grid.y, grid.z, block.x, block.y, block.z, why);
}

/// Returns why a child grid cannot use the memory that an argument points to: the parent's shared and local
/// memory are not the child's. Returns nothing if the child can use all arguments.
std::optional<std::string> why_not_for_child(const KernelCall& call) {
    std::vector<ArgumentPlace> places(call.parameters);
    call.find_places(const_cast<void*>(call.arguments), places.data());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const void* memory = nullptr;
        if (!places[i].points_to_data || places[i].bytes != sizeof memory) continue;
        std::memcpy(&memory, places[i].place, sizeof memory);
        const AddressSpace space = address_space_of(memory);
        if (space != AddressSpace::global)
            return fmt::format(
                "argument {} points to {} memory of the kernel that launches it, which another kernel cannot "
                "use",
                i + 1, space == AddressSpace::local ? "local" : "shared");
    }
    return std::nullopt;
}

/// Returns why a CUDA thread cannot make the launch; nothing if it can.
std::optional<Failure> why_no_child(const cudaLaunchConfig_t& config, const KernelCall& call) {
    if (const auto failure = why_not(config, call.kernel))
        return Failure{failure->error, refusal_text(config, call, failure->text)};
    if (is_cooperative(config))
        return Failure{cudaErrorNotSupported,
                       refusal_text(config, call, "a kernel cannot launch a cooperative grid")};
    if (const auto why = why_not_for_child(call))
        return Failure{cudaErrorInvalidAddressSpace, refusal_text(config, call, *why)};
    std::size_t most = 0;
    static_cast<void>(cudaDeviceGetLimit(&most, cudaLimitDevRuntimePendingLaunchCount));
    if (pending_children.load(std::memory_order_relaxed) >= most)
        return Failure{cudaErrorLaunchPendingCountExceeded,
                       fmt::format("{}: {} launches by kernels wait already; the host can allow more with "
                                   "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...)",
                                   name_of(call.kernel), most)};
    return std::nullopt;
}

/// Makes a launch by a CUDA thread.
cudaError_t launch_child(const cudaLaunchConfig_t& config, const KernelCall& call) {
    // The thread's stack is abandoned, so no memory of the heap may be owned there.
    if (auto failure = why_no_child(config, call)) fail_kernel(failure->error, std::move(failure->text));
    pending_children.fetch_add(1, std::memory_order_relaxed);
    Multiprocessor::of_this_thread().launch_later(pending(config, call));
    return cudaSuccess;
}

/// Returns why the GPU may not use memory to which an argument points. (Pointers within structures and memory
/// are not looked at.) If a kernel makes the launch, arguments may point to the host's heap, because a
/// kernel's malloc() allocates there.
std::optional<std::string> why_no_access(const KernelCall& call, const GpuState& state, bool is_by_host) {
    std::vector<ArgumentPlace> places(call.parameters);
    call.find_places(const_cast<void*>(call.arguments), places.data());
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (address_sanitizer && places[i].has_virtual_functions)
            return fmt::format("argument {} is an object with virtual functions, which are the host's",
                               i + 1);
        const void* memory = nullptr;
        if (places[i].bytes != sizeof memory) continue;
        std::memcpy(&memory, places[i].place, sizeof memory);
        if (auto why = why_no_access(state, memory)) return why;
        if (is_by_host && places[i].points_to_data && is_only_of_host(memory))
            return fmt::format(
                "argument {} points to memory of the host, which a GPU cannot use: copy its data by "
                "cudaMemcpy() to memory of cudaMalloc(), and give the kernel a pointer to that memory",
                i + 1);
    }
    return std::nullopt;
}

/// Runs a launch, and then the launches by its threads. As on a GPU, a later call of the host returns the
/// error of a failure. level: 0 for a launch by the host.
void run_launch(const PendingLaunch& launch, std::optional<std::uint64_t> seed, GpuState& state, int level) {
    const auto name = [&launch] { return name_of(launch.call.kernel); };
    if (level > most_levels)
        return state.fail(
            cudaErrorLaunchMaxDepthExceeded,
            fmt::format("{}: kernels launch kernels at more than {} levels", name(), most_levels));
    if (const auto why = why_no_access(launch.call, state, level == 0))
        return state.fail(cudaErrorIllegalAddress, fmt::format("{}: {}", name(), *why));
    Grid grid(launch, seed, state);
    const auto failure = grid.run();
    const std::vector<PendingLaunch> children = grid.take_children();
    if (failure)
        state.fail(failure->error, fmt::format("{}, {}", name(), failure->text));
    else if (const auto place = find_overwritten())
        state.fail(cudaErrorIllegalAddress,
                   fmt::format("{}: the kernel has overwritten memory {} bytes {} an array of {} bytes",
                               name(), place->distance,
                               place->where == BesideArray::Where::before ? "before" : "behind the end of",
                               place->bytes));
    for (const PendingLaunch& child : children) {
        pending_children.fetch_sub(1, std::memory_order_relaxed);
        if (state.lasting_error() == cudaSuccess) run_launch(child, seed, state, level + 1);
    }
}

/// Calls use(call) with a call of a kernel that register_kernel() knows. The call has the arguments to
/// which the pointers in `arguments` point. Returns use()'s error.
template <class Use>
cudaError_t with_call(const void* kernel, void** arguments, Use use) {
    if (kernel == nullptr) return result(cudaErrorInvalidDeviceFunction);
    KernelCall call{};
    {
        const std::lock_guard lock(registered().mutex);
        const auto found = registered().calls.find(kernel);
        if (found != registered().calls.end()) call = found->second;
    }
    if (call.kernel == nullptr)
        return refuse(cudaErrorInvalidDeviceFunction,
                      "the emulated GPU must know the kernel's parameters: write (void*)kernel with the "
                      "kernel's own name");
    if (arguments == nullptr && call.parameters > 0) return result(cudaErrorInvalidValue);
    const auto copy = memory_for_arguments(call);
    std::vector<ArgumentPlace> places(call.parameters);
    call.find_places(copy.get(), places.data());
    for (std::size_t i = 0; i < places.size(); ++i)
        std::memcpy(places[i].place, arguments[i], places[i].bytes);
    call.arguments = copy.get();
    return use(call);
}

}  // namespace

unsigned multiprocessor_number() {
    return multiprocessor_of_block.value_or(static_cast<unsigned>(omp_get_thread_num()));
}

cudaError_t make_kernel_task(Task& task, const cudaLaunchConfig_t& config, const KernelCall& call) {
    if (const cudaError_t error = result(cudaSuccess); error != cudaSuccess) return error;
    if (config.stream == cudaStreamTailLaunch || config.stream == cudaStreamFireAndForget)
        return refuse_work(cudaErrorInvalidResourceHandle,
                           refusal_text(config, call, "the stream is for launches by kernels"));
    if (const auto failure = why_not(config, call.kernel))
        return refuse_work(failure->error, refusal_text(config, call, failure->text));
    if (call.bytes > most_parameter_bytes && parameter_bytes(call) > most_parameter_bytes)
        return refuse_work(
            cudaErrorInvalidValue,
            refusal_text(
                config, call,
                fmt::format("its parameters take {} bytes, and nvcc allows {}: put them into memory, and "
                            "give the kernel a pointer",
                            parameter_bytes(call), most_parameter_bytes)));
    static_cast<void>(launch_timeout_seconds());  // reports a malformed number here
    static_cast<void>(barriers_timeout_seconds());
    task.type = cudaGraphNodeTypeKernel;
    KernelTask kernel{pending(config, call)};
    task.run = [launch = kernel.launch, seed = schedule_seed(), &state = current_state()] {
        if (state.lasting_error() == cudaSuccess) run_launch(launch, seed, state, 0);
    };
    task.parameters = std::move(kernel);
    return cudaSuccess;
}

cudaError_t make_kernel_task(Task& task, const cudaLaunchConfig_t& config, const void* kernel,
                             void** arguments) {
    return with_call(kernel, arguments,
                     [&](const KernelCall& call) { return make_kernel_task(task, config, call); });
}

cudaError_t launch(const cudaLaunchConfig_t& config, const KernelCall& call) {
    if (is_cuda_thread()) return launch_child(config, call);
    Task task;
    if (const cudaError_t error = make_kernel_task(task, config, call); error != cudaSuccess) {
        invalidate_capture(config.stream);
        return error;
    }
    return enqueue(config.stream, std::move(task));
}

cudaError_t launch_by_address(const cudaLaunchConfig_t& config, const void* kernel, void** arguments) {
    return with_call(kernel, arguments, [&](const KernelCall& call) { return launch(config, call); });
}

void register_kernel(const KernelCall& call) {
    const std::lock_guard lock(registered().mutex);
    registered().calls[call.kernel] = call;
}

cudaError_t best_block(int* blocks, int* threads, const void* kernel, std::size_t dynamic_shared_bytes,
                       int most_threads) {
    const auto same = [](int, const void* bytes) { return *static_cast<const std::size_t*>(bytes); };
    return best_block(blocks, threads, kernel, same, &dynamic_shared_bytes, most_threads);
}

cudaError_t best_block(int* blocks, int* threads, const void* kernel,
                       std::size_t (*bytes_of)(int threads, const void* function), const void* function,
                       int most_threads) {
    int best = 0;
    const int allowed = most_threads_of(kernel);
    for (int size = most_threads > 0 ? std::min(most_threads, allowed) : allowed; size > 0;
         size = (size - 1) / 32 * 32) {
        int held = 0;
        if (const cudaError_t error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, size, bytes_of(size, function));
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
    attributes->maxThreadsPerBlock = most_threads_of(kernel);
    attributes->numRegs = assumed_registers;
    attributes->ptxVersion = code_capability;
    attributes->binaryVersion = code_capability;
    attributes->maxDynamicSharedSizeBytes = dynamic_shared_limit(state, kernel, attributes->sharedSizeBytes);
    const KernelSettings settings = state.settings_of(kernel);
    attributes->preferredShmemCarveout = settings.carveout;
    const dim3 cluster = required_cluster(state, kernel);
    attributes->clusterDimMustBeSet = is_set(cluster) ? 1 : 0;
    attributes->requiredClusterWidth = static_cast<int>(cluster.x);
    attributes->requiredClusterHeight = static_cast<int>(cluster.y);
    attributes->requiredClusterDepth = static_cast<int>(cluster.z);
    attributes->clusterSchedulingPolicyPreference = settings.cluster_scheduling;
    attributes->nonPortableClusterSizeAllowed = settings.large_clusters_allowed ? 1 : 0;
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
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth: {
            dim3 cluster = required_cluster(state, kernel);
            unsigned& size = attribute == cudaFuncAttributeRequiredClusterWidth    ? cluster.x
                             : attribute == cudaFuncAttributeRequiredClusterHeight ? cluster.y
                                                                                   : cluster.z;
            const auto wanted = static_cast<unsigned>(value);
            if (value < 0 || (!declared_cluster(kernel).empty() && size != wanted))
                return result(cudaErrorInvalidValue);
            size = wanted;
            settings.cluster = cluster;
            break;
        }
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            settings.large_clusters_allowed = value != 0;
            break;
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            if (value < cudaClusterSchedulingPolicyDefault ||
                value > cudaClusterSchedulingPolicyLoadBalancing)
                return result(cudaErrorInvalidValue);
            settings.cluster_scheduling = static_cast<cudaClusterSchedulingPolicy>(value);
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

namespace {

/// Computes a kernel's occupancy on the current GPU with the functions of cuda_occupancy.h.
struct Occupancy {
    cudaOccDeviceProp device;
    cudaOccFuncAttributes kernel;
    cudaOccDeviceState state;

    explicit Occupancy(const cudaFuncAttributes& attributes) : kernel(attributes) {
        // CUDA returns an occupancy also for larger blocks than the kernel's __launch_bounds__ allow.
        kernel.maxThreadsPerBlock = most_of_a_block;
        const EmulatedGpu& gpu = current_gpu();
        const auto size = [](int bytes) { return static_cast<std::size_t>(bytes); };
        device = {.computeMajor = gpu.major,
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
        state = {attributes.preferredShmemCarveout};
    }

    /// Returns the blocks of a multiprocessor, or nothing if the sizes are impossible.
    [[nodiscard]] std::optional<int> blocks(int threads, std::size_t dynamic_shared_bytes) const {
        cudaOccResult found;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &device, &kernel, &state, threads,
                                                    dynamic_shared_bytes) != CUDA_OCC_SUCCESS)
            return std::nullopt;
        return found.activeBlocksPerMultiprocessor;
    }
};

}  // namespace

int cudabook::emulation::blocks_of_multiprocessor(const void* kernel, int threads,
                                                  std::size_t dynamic_shared_bytes, int registers) {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) return 0;
    attributes.numRegs = registers;
    return Occupancy(attributes).blocks(threads, dynamic_shared_bytes).value_or(0);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t dynamic_shared_bytes) {
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess)
        return error;
    const auto found = Occupancy(attributes).blocks(threads, dynamic_shared_bytes);
    if (!found) return result(cudaErrorInvalidValue);
    *blocks = *found;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int threads,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
    if (flags > cudaOccupancyDisableCachingOverride) return result(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, dynamic_shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* kernel, int blocks,
                                                      int threads) {
    if (bytes == nullptr || blocks <= 0) return result(cudaErrorInvalidValue);
    cudaFuncAttributes attributes{};
    if (const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel); error != cudaSuccess)
        return error;
    if (Occupancy(attributes).blocks(threads, 0).value_or(0) < blocks) return result(cudaErrorInvalidValue);
    // As on an H200, this ignores the memory that the system reserves per block, so fewer blocks may fit.
    constexpr std::size_t unit = 128;
    const auto of_block =
        static_cast<std::size_t>(current_gpu().shared_bytes_per_multiprocessor / blocks) / unit * unit;
    const std::size_t left = of_block - std::min(of_block, attributes.sharedSizeBytes);
    *bytes = std::min(left, static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes));
    return cudaSuccess;
}

namespace {

/// The multiprocessors of a graphics processing cluster, which can run a cluster of blocks. Their number is
/// not published, and not the same on all GPUs of one product; 18 is the most of an H100 (NVIDIA H100
/// Tensor Core GPU Architecture).
constexpr int multiprocessors_of_gpc = 18;

/// Returns how many blocks of the launch a multiprocessor can hold, or why the launch's clusters are refused.
std::variant<int, Failure> blocks_or_refusal(const cudaLaunchConfig_t& config, const void* kernel) {
    int blocks = 0;
    if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, kernel, static_cast<int>(count_of(config.blockDim)), config.dynamicSmemBytes);
        error != cudaSuccess)
        return Failure{error, "the occupancy of the kernel is unknown"};
    if (current_gpu().major < 9) return Failure{cudaErrorNotSupported, no_clusters};
    if (auto failure = why_no_clusters(config, kernel)) return std::move(*failure);
    return blocks;
}

}  // namespace

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel,
                                                 const cudaLaunchConfig_t* config) {
    if (size == nullptr || config == nullptr) return result(cudaErrorInvalidValue);
    const auto blocks = blocks_or_refusal(*config, kernel);
    if (const auto* const failure = std::get_if<Failure>(&blocks))
        return refuse(failure->error, failure->text);
    const auto most = static_cast<int>(most_blocks_of_cluster(current_state(), kernel));
    *size = std::get<int>(blocks) == 0 ? 0 : most;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel,
                                           const cudaLaunchConfig_t* config) {
    if (clusters == nullptr || config == nullptr) return result(cudaErrorInvalidValue);
    const auto blocks = blocks_or_refusal(*config, kernel);
    if (const auto* const failure = std::get_if<Failure>(&blocks))
        return refuse(failure->error, failure->text);
    const dim3 cluster = cluster_of(*config, kernel);
    const int size = is_set(cluster) ? static_cast<int>(count_of(cluster)) : 1;
    *clusters = 0;
    for (int left = current_gpu().multiprocessors; left > 0; left -= multiprocessors_of_gpc)
        *clusters += std::get<int>(blocks) * std::min(left, multiprocessors_of_gpc) / size;
    return cudaSuccess;
}
