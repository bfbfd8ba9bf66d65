// Data of the GPUs whose occupancy can be calculated.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudabook::occupancy {

/// An NVIDIA GPU's properties, as in cudaDeviceProp.
struct GpuModel {
    std::string name;  ///< the value of --gpu that selects this GPU
    std::string product;
    int major = 0;  ///< the major version of the compute capability
    int minor = 0;
    int multiprocessors = 0;
    int threads_per_multiprocessor = 0;
    int blocks_per_multiprocessor = 0;
    int registers_per_block = 0;
    int registers_per_multiprocessor = 0;
    std::size_t shared_bytes_per_block = 0;        ///< the most that every kernel may use
    std::size_t shared_bytes_per_block_optin = 0;  ///< the most for a kernel that opts in to more
    std::size_t shared_bytes_per_multiprocessor = 0;
    std::size_t shared_bytes_reserved_per_block = 0;
};

/// Returns the models of the GPUs that can be emulated.
std::vector<GpuModel> published_gpus();

/// Returns the model with this name from published_gpus(), or nullopt if there is none.
std::optional<GpuModel> published_gpu(std::string_view name);

}  // namespace cudabook::occupancy
