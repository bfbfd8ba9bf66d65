#include "matmul/gpu/ceilings.hpp"

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/measurement.hpp"
#include "matmul/kernels/fma_ceiling.cuh"

namespace cudabook::matmul {

namespace {

/// Multiprocessors × float32 cores of each × 2 operations × the highest clock.
double fp32_peak_tflops(const Device& device) {
    const bool has_64 = device.compute_capability.starts_with("7.") || device.compute_capability == "8.0";
    const double khz = device_attribute(cudaDevAttrClockRate, device.index);
    return device.units * (has_64 ? 64.0 : 128.0) * 2 * khz / 1e9;
}

double fma_tflops(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const DeviceArray<float> never_written(1);
    const Stream stream;
    Stopwatch stopwatch;
    const int blocks = gpu_kind == DeviceKind::emulated ? 4 : 4 * device.units;
    const Measurement time = measure([&] {
        stopwatch.start(stream);
        launch<fma_ceiling_kernel>(blocks, ceiling_threads, stream, never_written.data());
        return stopwatch.stop(stream);
    });
    return 2.0 * ceiling_chains * ceiling_rounds * ceiling_threads * blocks / time.median / 1e9;
}

}  // namespace

std::vector<std::pair<std::string, double>> gpu_ceilings(const Device& device) {
    if (gpu_kind == DeviceKind::emulated) return {{"fma_tflops", fma_tflops(device)}};  // it has no clock
    return {{"fp32_peak_tflops", fp32_peak_tflops(device)}, {"fma_tflops", fma_tflops(device)}};
}

}  // namespace cudabook::matmul
