// The state that an emulated GPU keeps between two calls.
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

/// The settings of a kernel that cudaFuncSetAttribute() changes.
struct KernelSettings {
    std::optional<int> dynamic_shared_limit = std::nullopt;  ///< bytes
    int carveout = cudaSharedmemCarveoutDefault;
    dim3 cluster{0, 0, 0};  ///< the size of a cluster in all launches; 0 if it is not set
    cudaClusterSchedulingPolicy cluster_scheduling = cudaClusterSchedulingPolicyDefault;
    bool large_clusters_allowed = false;  ///< clusters of more than 8 blocks
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

    /// Returns the error of the kernel that failed, or cudaSuccess. The error lasts until reset().
    [[nodiscard]] cudaError_t lasting_error() const;
    void fail(cudaError_t error, std::string text);

    /// Returns the text that fail() was given with this error. Returns an empty string if the GPU has not
    /// failed with this error.
    [[nodiscard]] std::string why_failed(cudaError_t error) const;

    /// Restores the state that the GPU had at process start: frees its memory, and destroys its arrays,
    /// textures and surfaces.
    void reset();

  private:
    cudaError_t failed_ = cudaSuccess;
    std::string why_failed_;
    std::map<const void*, KernelSettings> settings_;  ///< by kernel
};

/// Returns the emulated GPUs, in CUDA's order.
const std::vector<std::unique_ptr<GpuState>>& gpu_states();

/// Returns the GPU that is current in this thread.
GpuState& current_state();

/// Returns the GPU with this number, or null if there is none.
const GpuState* gpu_of(int device);

/// Returns the GPU's number for cudaSetDevice(), or -1 if gpu_states() does not contain the GPU.
int number_of(const GpuState* gpu);

/// While this object lives, the GPU is current in this thread.
class CurrentGpu {
  public:
    explicit CurrentGpu(const GpuState& state);
    ~CurrentGpu();
    CurrentGpu(const CurrentGpu&) = delete;
    CurrentGpu& operator=(const CurrentGpu&) = delete;

  private:
    int before_;
};

// reset() calls these functions, which destroy the GPU's objects.
void destroy_arrays_of(const GpuState& gpu);
void destroy_textures_of(const GpuState& gpu);
void destroy_surfaces_of(const GpuState& gpu);

}  // namespace cudabook::emulation
