// A grid in parts, on several GPUs or on one, gives the checksum of the undivided grid: with every kernel and
// every link between GPUs. The suites HeatPartsSmall are quick enough for compute-sanitizer.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/cuda/error.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/numbers/crc32.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/parts/part_solver.hpp"
#include "heat_notexture/parts/rows.hpp"
#include "heat_notexture/parts/workers/gpu/message_link.cuh"
#include "heat_notexture/parts/workers/gpu/nccl_link.cuh"
#include "heat_notexture/parts/workers/gpu/peer_link.cuh"
#include "heat_notexture/parts/workers/threads.hpp"
#include "tests/heat/gpu_kernels.hpp"
#include "tests/support/wrapped_worker.hpp"

namespace cudabook::heat {
namespace {

Kernel default_kernel() {
    const GpuBackend backend = heat_notexture::gpu();
    return *std::ranges::find(backend.kernels, backend.fastest, &Kernel::name);
}

int gpu_count() { return static_cast<int>(heat_notexture::gpu().find_devices().all.size()); }

/// A kind of link between GPUs.
struct Way {
    const char* name;
    bool needs_gpus_of_their_own;
    std::function<std::unique_ptr<DeviceLink>(Worker&, int device)> connect;
    friend void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }
};

/// Sends and receives memory of GPUs, like a CUDA-aware MPI.
class TakesDeviceMemory final : public test::WrappedWorker {
  public:
    using WrappedWorker::WrappedWorker;
    [[nodiscard]] bool takes_device_memory() const override { return true; }
    void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        std::vector<std::vector<std::byte>> copies;
        std::vector<Outgoing> to;
        std::vector<Incoming> from;
        for (const Outgoing& message : outgoing) {
            auto& copy = copies.emplace_back(message.bytes.size());
            copy_bytes(copy.data(), message.bytes.data(), copy.size());
            to.push_back({message.to, message.tag, copy});
        }
        for (const Incoming& message : incoming)
            from.push_back({message.from, message.tag, copies.emplace_back(message.bytes.size())});
        WrappedWorker::exchange(to, from);
        for (std::size_t i = 0; i < incoming.size(); ++i)
            copy_bytes(incoming[i].bytes.data(), from[i].bytes.data(), from[i].bytes.size());
    }

  private:
    static void copy_bytes(void* to, const void* from, std::size_t bytes) {
        EXPECT_EQ(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), cudaSuccess);
    }
};

std::vector<Way> all_ways() {
    const auto by_peers = [](bool peers) {
        return
            [peers](Worker& worker, int device) { return std::make_unique<PeerLink>(worker, device, peers); };
    };
    const auto by_messages = [](Worker& worker, int) { return std::make_unique<MessageLink>(worker, false); };
    std::vector<Way> ways{{"PeersOn", false, by_peers(true)},
                          {"Messages", false, by_messages},
                          {"Host", false, [](Worker&, int) { return nullptr; }}};
    if (emulated) {
        ways.push_back({"DeviceMessages", false, [](Worker& worker, int) {
                            thread_local std::optional<TakesDeviceMemory> through;
                            through.emplace(worker);
                            return std::make_unique<MessageLink>(*through, true);
                        }});
    } else {
        ways.push_back({"PeersOff", false, by_peers(false)});
        if (load_nccl())
            ways.push_back({"Nccl", true, [](Worker& worker, int) {
                                return std::make_unique<NcclLink>(worker, load_nccl());
                            }});
    }
    return ways;
}

std::uint32_t checksum_of_one(int width, int height, int steps) {
    const auto kernels = cpu_kernels();
    const auto solver =
        std::ranges::find(kernels, "blocked", &Kernel::name)->make(book_scene(width, height), {});
    solver->advance(steps);
    return cudabook::checksum(solver->temperatures());
}

class HeatPartsSmall : public OnGpu<std::tuple<SampleKernel, Way>> {};

std::string name_of_case(const testing::TestParamInfo<std::tuple<SampleKernel, Way>>& info) {
    const auto& [kernel, way] = info.param;
    return kernel.sample + "_" + kernel.kernel.name + "_" + way.name;
}
INSTANTIATE_TEST_SUITE_P(Samples, HeatPartsSmall,
                         testing::Combine(testing::ValuesIn(kernels_of_both_samples()),
                                          testing::ValuesIn(all_ways())),
                         name_of_case);

// Parts one above another, high enough for strips and lower, and parts side by side. In the last grid kernel
// `streamed` has rounds of up to 24 steps, without strips.
TEST_P(HeatPartsSmall, GiveTheChecksumOfOne) {
    const Kernel& kernel = std::get<0>(GetParam()).kernel;
    const Way& way = std::get<1>(GetParam());
    const int high = 43 + 10 * kernel.most_steps;  // half of this height and a halo are enough for strips
    struct Case {
        int width, height, workers;
    };
    bool ran = false;
    for (const Case& grid :
         {Case{33, high, 2}, Case{70, 20, 2}, Case{503, 187, 4}, Case{5, 3, 3}, Case{384, 97, 2}}) {
        if (grid.width == 384 && kernel.name != "streamed") continue;
        const Partition partition(grid.width, grid.height, grid.workers);
        const int gpus = gpu_count();
        if (way.needs_gpus_of_their_own && gpus < partition.parts()) continue;
        ran = true;
        const std::uint32_t expected = checksum_of_one(grid.width, grid.height, 40);
        const int depth = std::min(kernel.most_steps, *partition.deepest_halo());
        run_on_threads(partition.parts(), [&](Worker& worker) {
            const int device = worker.index() % gpus;
            CUDA_CHECK(cudaSetDevice(device));
            const std::unique_ptr<DeviceLink> link = way.connect(worker, device);
            PartSolver part(worker, partition, depth, kernel, {.device = device}, link.get());
            part.advance(0);
            part.advance(33);
            part.advance(7);
            EXPECT_EQ(checksum(worker, partition, &part), expected) << grid.width << "x" << grid.height;
            return ExitStatus::ok;
        });
    }
    if (!ran) GTEST_SKIP() << "takes at least two GPUs";
}

class HeatPartsSmallCounts : public testing::Test {};

/// As many parts as a machine may have GPUs, on the GPUs of this machine. On the emulated GPU, each count
/// is tested with only one kind of link, and the next count with the next kind.
TEST_F(HeatPartsSmallCounts, TwoToEightGiveTheChecksumOfOne) {
    const int gpus = gpu_count();
    if (gpus == 0) GTEST_SKIP() << "no GPU";
    const Kernel kernel = default_kernel();
    const int depth = std::min(kernel.most_steps, 14);
    // The first grid is divided into rows, the second into columns and, for 4, 6 and 8 parts, also rows.
    int turn = 0;
    for (const auto& [width, height] : {std::pair(6 * depth + 50, 12 * depth + 99), std::pair(900, 187)}) {
        const std::uint32_t expected = checksum_of_one(width, height, 40);
        for (int workers = 2; workers <= 8; ++workers, ++turn) {
            std::vector<Way> ways = all_ways();
            if (emulated) ways = {ways[static_cast<std::size_t>(turn) % ways.size()]};
            for (const Way& way : ways) {
                if (way.needs_gpus_of_their_own && gpus < workers) continue;
                const Partition partition(width, height, workers);
                run_on_threads(partition.parts(), [&](Worker& worker) {
                    const int device = worker.index() % gpus;
                    CUDA_CHECK(cudaSetDevice(device));
                    const std::unique_ptr<DeviceLink> link = way.connect(worker, device);
                    PartSolver part(worker, partition, depth, kernel, {.device = device}, link.get());
                    part.advance(40);
                    EXPECT_EQ(checksum(worker, partition, &part), expected)
                        << width << "x" << height << ", " << workers << ", " << way.name;
                    return ExitStatus::ok;
                });
            }
        }
    }
}

class HeatPartsOnGpus : public testing::Test {};

/// A link that works in graphs, like NCCL's, and whose exchange waits for the other workers, like NCCL's
/// first exchange.
class WaitingLink final : public StreamLink {
  public:
    explicit WaitingLink(Worker& worker) : worker_(worker) {}
    [[nodiscard]] const char* name() const override { return "test"; }
    [[nodiscard]] bool in_graphs() const override { return true; }
    void exchange(const Stream&, std::span<const DeviceMessage> outgoing,
                  std::span<const DeviceMessage> incoming) override {
        std::vector<Outgoing> to;
        std::vector<Incoming> from;
        for (const DeviceMessage& message : outgoing) to.push_back({message.worker, 0, {}});
        for (const DeviceMessage& message : incoming) from.push_back({message.worker, 0, {}});
        worker_.exchange(to, from);
    }

  private:
    Worker& worker_;
};

// The other worker must get the error, not wait for an exchange.
TEST_F(HeatPartsOnGpus, APartThatCannotBeMadeEndsAll) {
    const int gpus = gpu_count();
    if (gpus == 0) GTEST_SKIP() << "no GPU";
    const Kernel kernel = default_kernel();
    const Partition partition(40, 500, 2);
    const auto run = [&](Worker& worker) {
        const int device = worker.index() % gpus;
        CUDA_CHECK(cudaSetDevice(device));
        WaitingLink link(worker);
        collectively(worker, [&] {
            if (worker.index() == 1) throw MachineError("no memory for the second part");
            const PartSolver part(worker, partition, kernel.most_steps, kernel, {.device = device}, &link);
        });
        return ExitStatus::ok;
    };
    try {
        run_on_threads(2, run);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const FailedTogether& failure) {
        EXPECT_STREQ(failure.what(), "no memory for the second part");
    }
}

// One worker waits for a message that the other, which has failed, will never send.
TEST_F(HeatPartsOnGpus, AWorkerThatFailsEndsTheOthers) {
    const int gpus = gpu_count();
    if (gpus == 0) GTEST_SKIP() << "no GPU";
    for (const Way& way : all_ways()) {
        if (way.needs_gpus_of_their_own && gpus < 2) continue;
        const Kernel kernel = default_kernel();
        const Partition partition(40, 500, 2);
        const auto run = [&](Worker& worker) {
            const int device = worker.index() % gpus;
            CUDA_CHECK(cudaSetDevice(device));
            const std::unique_ptr<DeviceLink> link = way.connect(worker, device);
            PartSolver part(worker, partition, kernel.most_steps, kernel, {.device = device}, link.get());
            part.advance(1);
            if (worker.index() == 1) throw MachineError("this one fails");
            part.advance(1);
            return ExitStatus::ok;
        };
        try {
            run_on_threads(2, run);
            ADD_FAILURE() << way.name << ": nothing was thrown";
        } catch (const MachineError& error) {
            EXPECT_STREQ(error.what(), "this one fails") << way.name;
        }
    }
}

}  // namespace
}  // namespace cudabook::heat
