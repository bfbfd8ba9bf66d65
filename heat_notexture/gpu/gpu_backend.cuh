// The members of GpuBackend that are the same in every sample: all but the kernels.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gl_interop.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/measurement.hpp"
#include "heat_notexture/gpu_backend.hpp"
#include "heat_notexture/kernels/step_arithmetic.cuh"
#include "heat_notexture/parts/workers/gpu/message_link.cuh"
#include "heat_notexture/parts/workers/gpu/nccl_link.cuh"
#include "heat_notexture/parts/workers/gpu/peer_link.cuh"

namespace cudabook::heat {

/// Returns the speed of a step's arithmetic alone on the device, in 10^9 cells per second. It is the ceiling
/// of kernels whose cells stay on the chip between two steps.
inline double step_arithmetic_gcells_per_s(int device) {
    CUDA_CHECK(cudaSetDevice(device));
    constexpr unsigned threads = 512;
    constexpr int pairs = gpu_kind == DeviceKind::emulated ? 2 : 2000;
    const auto blocks = static_cast<unsigned>(2 * device_attribute(cudaDevAttrMultiProcessorCount, device));
    DeviceArray<float> out(std::size_t{blocks} * threads);
    const Stream stream;
    Stopwatch stopwatch;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        launch<step_arithmetic_kernel>(blocks, threads, stream, out.data(), 0.25F, pairs);
        return stopwatch.stop(stream);
    });
    return static_cast<double>(out.size()) * arithmetic_columns * arithmetic_rows * 2 * pairs / time.median /
           1e6;
}

/// Connects the GPUs of the workers. Uses NCCL if all workers have it. Otherwise uses CUDA's copies if the
/// workers are threads of one process, and MPI if they are processes.
inline std::unique_ptr<DeviceLink> connect(Worker& worker, int device, bool threads) {
    CUDA_CHECK(cudaSetDevice(device));
    if constexpr (gpu_kind == DeviceKind::cuda) {
        const std::shared_ptr<const Nccl> nccl = load_nccl();
        const auto found = all_gather(worker, nccl ? 1 : 0);
        if (std::ranges::count(found, 1) == worker.count()) return std::make_unique<NcclLink>(worker, nccl);
    }
    if (threads) return std::make_unique<PeerLink>(worker, device, true);
    const bool takes = gpu_kind == DeviceKind::cuda && worker.takes_device_memory();
    const auto take = all_gather(worker, takes ? 1 : 0);
    return std::make_unique<MessageLink>(worker, std::ranges::count(take, 1) == worker.count());
}

/// Implements GpuBackend::exchange_ms. Returns the median of nine measurements. Each measurement is the mean
/// time of ten exchanges in succession, which are launched as a graph if the link allows graphs.
inline double exchange_ms(Worker& worker, DeviceLink& link, int device, std::size_t cells) {
    CUDA_CHECK(cudaSetDevice(device));
    auto& stream_link = dynamic_cast<StreamLink&>(link);
    const int other = worker.index() ^ 1;
    const DeviceArray<float> sent(cells);
    const DeviceArray<float> received(cells);
    const DeviceMessage outgoing{other, sent.data(), cells};
    const DeviceMessage incoming{other, received.data(), cells};
    const std::size_t messages = other < worker.count() ? 1 : 0;
    const Stream stream(Priority::usual, cudaStreamNonBlocking);
    CUDA_CHECK(cudaMemsetAsync(sent.data(), 1, cells * sizeof(float), stream.get()));
    Stopwatch stopwatch;
    constexpr int exchanges = 10;
    const auto exchange = [&] {
        for (int i = 0; i < exchanges; ++i)
            stream_link.exchange(stream, {&outgoing, messages}, {&incoming, messages});
    };
    exchange();
    std::optional<Graph> graph;
    if (stream_link.in_graphs()) graph.emplace(stream, exchange);
    std::vector<double> ms;
    for (int i = -1; i < 9; ++i) {  // one to warm up
        stopwatch.start(stream);
        graph ? graph->launch(stream) : exchange();
        const double all = stopwatch.stop(stream);
        if (i >= 0) ms.push_back(all / exchanges);
    }
    return summarise(std::move(ms)).median;
}

/// Returns a backend whose kernels are still missing. `fastest` is the name of the default kernel.
inline GpuBackend gpu_backend(std::string fastest) {
    return {.find_devices = cuda_devices,
            .kernels = {},
            .fastest = std::move(fastest),
            .copy_gb_per_s = device_copy_gb_per_s,
            .to_host_ms = device_to_host_ms,
            .make_device_frames = device_frames_maker(),
            .connect = connect,
            .exchange_ms = exchange_ms,
            .step_arithmetic_gcells_per_s = step_arithmetic_gcells_per_s};
}

}  // namespace cudabook::heat
