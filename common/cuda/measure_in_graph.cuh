// Measures launches that take less time than the host needs for a launch and two events.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/stream.cuh"
#include "common/program/measurement.hpp"

namespace cudabook {

/// Measures the time in ms of the work that one call of `enqueue` enqueues. Runs the work repeatedly in a
/// CUDA graph. `bytes` is how many bytes the work reads and writes; the graph has fewer repetitions if this
/// number is larger. Errors: CudaError.
template <class Enqueue>
Measurement measure_in_graph(const Stream& stream, std::size_t bytes, const TimeBudget& budget,
                             Enqueue enqueue) {
    constexpr std::size_t bytes_of_graph = std::size_t{1} << (gpu_kind == DeviceKind::emulated ? 13U : 27U);
    const std::size_t launches = std::max<std::size_t>(1, bytes_of_graph / bytes);
    const Graph graph(stream, [&] {
        for (std::size_t i = 0; i < launches; ++i) enqueue();
    });
    Stopwatch stopwatch;
    return measure(
        [&] {
            stopwatch.start(stream);
            graph.launch(stream);
            return stopwatch.stop(stream) / static_cast<double>(launches);
        },
        budget);
}

}  // namespace cudabook
