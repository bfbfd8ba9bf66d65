#include "occupancy/calculator/gpu_model.hpp"

#include "common/program/gpus.hpp"

namespace cudabook::occupancy {

std::vector<GpuModel> published_gpus() {
    const auto size = [](int bytes) { return static_cast<std::size_t>(bytes); };
    std::vector<GpuModel> models;
    for (const EmulatedGpu& gpu : emulated_gpus())
        models.push_back({.name = std::string(gpu.name),
                          .product = std::string(gpu.product),
                          .major = gpu.major,
                          .minor = gpu.minor,
                          .multiprocessors = gpu.multiprocessors,
                          .threads_per_multiprocessor = gpu.threads_per_multiprocessor,
                          .blocks_per_multiprocessor = gpu.blocks_per_multiprocessor,
                          .registers_per_block = gpu.registers_per_block,
                          .registers_per_multiprocessor = gpu.registers_per_multiprocessor,
                          .shared_bytes_per_block = size(gpu.shared_bytes_per_block),
                          .shared_bytes_per_block_optin = size(gpu.shared_bytes_per_block_optin),
                          .shared_bytes_per_multiprocessor = size(gpu.shared_bytes_per_multiprocessor),
                          .shared_bytes_reserved_per_block = size(gpu.shared_bytes_reserved_per_block)});
    return models;
}

std::optional<GpuModel> published_gpu(std::string_view name) {
    for (GpuModel& model : published_gpus())
        if (model.name == name) return model;
    return std::nullopt;
}

}  // namespace cudabook::occupancy
