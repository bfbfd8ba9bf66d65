// What an emulated GPU keeps between two calls.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/program/gpus.hpp"

namespace cudabook::emulation {

/// What cudaFuncSetAttribute() sets for a kernel.
struct KernelSettings {
    std::optional<int> dynamic_shared_limit = std::nullopt;  ///< bytes
    int carveout = cudaSharedmemCarveoutDefault;
};

/// One emulated GPU of this process.
class GpuState {
  public:
    explicit GpuState(const EmulatedGpu& published);

    const EmulatedGpu& gpu;
    std::size_t memory_bytes;  ///< no more than the host has
    std::size_t used_bytes = 0;

    [[nodiscard]] KernelSettings settings_of(const void* kernel) const;
    void set(const void* kernel, const KernelSettings& settings);

    /// The error of a kernel that failed; it lasts until reset().
    [[nodiscard]] cudaError_t lasting_error() const;
    void fail(cudaError_t error, std::string text);

    /// The text of fail(), if this is its error; else empty.
    [[nodiscard]] std::string why_failed(cudaError_t error) const;

    /// As when the process began: frees its memory and destroys its arrays, textures and surfaces.
    void reset();

  private:
    cudaError_t failed_ = cudaSuccess;
    std::string why_failed_;
    std::map<const void*, KernelSettings> settings_;  ///< of kernels
};

/// The emulated GPUs, in CUDA's order.
const std::vector<std::unique_ptr<GpuState>>& gpu_states();

/// The one that is current in this thread.
GpuState& current_state();

// What reset() destroys beside memory.
void destroy_arrays_of(const GpuState& gpu);
void destroy_textures_of(const GpuState& gpu);
void destroy_surfaces_of(const GpuState& gpu);

}  // namespace cudabook::emulation
