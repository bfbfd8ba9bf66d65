// The GPU: the backend for the program, from the parts in gpu/.
#include "common/cuda/device.cuh"
#include "occupancy/gpu/additions.hpp"
#include "occupancy/gpu/calculator.hpp"
#include "occupancy/gpu/sweeps.hpp"
#include "occupancy/occupancy.hpp"

namespace cudabook::occupancy {

GpuBackend gpu() {
    GpuBackend backend{.find_devices = cuda_devices,
                       .kernels = additions(),
                       .calculator = calculator,
                       .model_of = model_of,
                       .copy_gb_per_s = device_copy_gb_per_s,
                       .fma_tflops = fma_tflops};
    for (Kernel& kernel : sweeps()) backend.kernels.push_back(kernel);
    return backend;
}

}  // namespace cudabook::occupancy
