// Sources: NVIDIA's data sheets and architecture white papers of the GPUs (multiprocessors, memory, clocks,
// L2); CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (the limits per block
// and per multiprocessor). Peer access: the data sheets say which GPUs have NVLink; GeForce drivers do not
// permit peer access over PCIe.
#include "common/program/gpus.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace cudabook {

namespace {

constexpr int kib = 1 << 10;
constexpr int mib = 1 << 20;
constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

constexpr EmulatedGpu gpus[] = {
    {.name = "t4",
     .product = "Tesla T4",
     .major = 7,
     .minor = 5,
     .multiprocessors = 40,
     .memory_bytes = 16 * gib,
     .shared_bytes_per_block_optin = 64 * kib,
     .shared_bytes_per_multiprocessor = 64 * kib,
     .shared_bytes_reserved_per_block = 0,
     .threads_per_multiprocessor = 1024,
     .blocks_per_multiprocessor = 16,
     .l2_bytes = 4 * mib,
     .clock_khz = 1590000,
     .memory_clock_khz = 5001000,
     .memory_bus_bits = 256,
     .peer_access = PeerAccess::pcie},
    {.name = "rtx3060",
     .product = "NVIDIA GeForce RTX 3060",
     .major = 8,
     .minor = 6,
     .multiprocessors = 28,
     .memory_bytes = 12 * gib,
     .shared_bytes_per_block_optin = 99 * kib,
     .shared_bytes_per_multiprocessor = 100 * kib,
     .threads_per_multiprocessor = 1536,
     .blocks_per_multiprocessor = 16,
     .l2_bytes = 2304 * kib,
     .clock_khz = 1777000,
     .memory_clock_khz = 7501000,
     .memory_bus_bits = 192},
    {.name = "rtx4090",
     .product = "NVIDIA GeForce RTX 4090",
     .major = 8,
     .minor = 9,
     .multiprocessors = 128,
     .memory_bytes = 24 * gib,
     .shared_bytes_per_block_optin = 99 * kib,
     .shared_bytes_per_multiprocessor = 100 * kib,
     .threads_per_multiprocessor = 1536,
     .blocks_per_multiprocessor = 24,
     .l2_bytes = 72 * mib,
     .clock_khz = 2520000,
     .memory_clock_khz = 10501000,
     .memory_bus_bits = 384},
    {.name = "a100",
     .product = "NVIDIA A100-SXM4-80GB",
     .major = 8,
     .minor = 0,
     .multiprocessors = 108,
     .memory_bytes = 80 * gib,
     .shared_bytes_per_block_optin = 163 * kib,
     .shared_bytes_per_multiprocessor = 164 * kib,
     .threads_per_multiprocessor = 2048,
     .blocks_per_multiprocessor = 32,
     .l2_bytes = 40 * mib,
     .clock_khz = 1410000,
     .memory_clock_khz = 1593000,
     .memory_bus_bits = 5120,
     .peer_access = PeerAccess::nvlink},
    {.name = "h100",
     .product = "NVIDIA H100 80GB HBM3",
     .major = 9,
     .minor = 0,
     .multiprocessors = 132,
     .memory_bytes = 80 * gib,
     .shared_bytes_per_block_optin = 227 * kib,
     .shared_bytes_per_multiprocessor = 228 * kib,
     .threads_per_multiprocessor = 2048,
     .blocks_per_multiprocessor = 32,
     .l2_bytes = 50 * mib,
     .clock_khz = 1980000,
     .memory_clock_khz = 2619000,
     .memory_bus_bits = 5120,
     .peer_access = PeerAccess::nvlink},
    {.name = "h200",
     .product = "NVIDIA H200",
     .major = 9,
     .minor = 0,
     .multiprocessors = 132,
     .memory_bytes = 141 * gib,
     .shared_bytes_per_block_optin = 227 * kib,
     .shared_bytes_per_multiprocessor = 228 * kib,
     .threads_per_multiprocessor = 2048,
     .blocks_per_multiprocessor = 32,
     .l2_bytes = 60 * mib,
     .clock_khz = 1980000,
     .memory_clock_khz = 3201000,
     .memory_bus_bits = 6016,
     .peer_access = PeerAccess::nvlink},
    {.name = "b200",
     .product = "NVIDIA B200",
     .major = 10,
     .minor = 0,
     .multiprocessors = 148,
     .memory_bytes = 180 * gib,
     .shared_bytes_per_block_optin = 227 * kib,
     .shared_bytes_per_multiprocessor = 228 * kib,
     .threads_per_multiprocessor = 2048,
     .blocks_per_multiprocessor = 32,
     .l2_bytes = 126 * mib + 512 * kib,
     .clock_khz = 1965000,
     .memory_clock_khz = 3996000,
     .memory_bus_bits = 7680,
     .peer_access = PeerAccess::nvlink},
};

}  // namespace

std::span<const EmulatedGpu> emulated_gpus() { return gpus; }

const EmulatedGpu* find_emulated_gpu(std::string_view name) {
    const auto* found = std::ranges::find(gpus, name, &EmulatedGpu::name);
    return found == std::end(gpus) ? nullptr : found;
}

std::string emulated_gpu_names() {
    std::string names;
    for (const EmulatedGpu& gpu : gpus) names += fmt::format("{}{}", names.empty() ? "" : ", ", gpu.name);
    return names;
}

}  // namespace cudabook
