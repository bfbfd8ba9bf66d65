// The GPUs whose occupancy can be calculated. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::occupancy {

/// An NVIDIA GPU's properties, as in cudaDeviceProp.
struct GpuModel {
    std::string name;  ///< as in --gpu
    std::string product;
    int major = 0;  ///< of the compute capability
    int minor = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    int blocks_per_multiprocessor = 0;
    int registers_per_block = 0;
    int registers_per_multiprocessor = 0;
    std::size_t shared_bytes_per_block = 0;        ///< for every kernel
    std::size_t shared_bytes_per_block_optin = 0;  ///< for a kernel that opts in
    std::size_t shared_bytes_per_multiprocessor = 0;
    std::size_t shared_bytes_reserved_per_block = 0;
};

/// The GPUs that can be emulated, as models.
std::vector<GpuModel> published_gpus();

/// The published GPU with this name, if there is one.
std::optional<GpuModel> published_gpu(std::string_view name);

}  // namespace cudabook::occupancy
