// What every sample's GpuBackend holds beside its kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gl_interop.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/heat/gpu/kernels/step_arithmetic.cuh"
#include "common/heat/gpu_backend.hpp"
#include "common/program/measurement.hpp"

namespace cudabook::heat {

/// How many billions of cells a second the device's arithmetic could step: the ceiling of kernels whose cells
/// stay on the chip between two steps.
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
        launch(step_arithmetic_kernel, blocks, threads, stream, out.data(), 0.25F, pairs);
        return stopwatch.stop(stream);
    });
    return static_cast<double>(out.size()) * arithmetic_columns * arithmetic_rows * 2 * pairs / time.median /
           1e6;
}

/// A backend without kernels; `fastest` names the default one.
inline GpuBackend gpu_backend(std::string fastest) {
    return {.find_devices = cuda_devices,
            .kernels = {},
            .fastest = std::move(fastest),
            .copy_gb_per_s = device_copy_gb_per_s,
            .make_device_frames = device_frames_maker(),
            .step_arithmetic_gcells_per_s = step_arithmetic_gcells_per_s};
}

}  // namespace cudabook::heat
