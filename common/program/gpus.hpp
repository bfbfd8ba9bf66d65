// The GPUs that --device emulated:NAME imitates, with the published properties of each. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cudabook {

/// The largest textures and surfaces, in texels. For a layered texture or surface, the last number is the
/// number of layers. The limits are the same from compute capability 7.5 to 10.0. Sources: CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability"; cudaGetDeviceProperties on an H200.
struct TextureLimits {
    int array_1d = 131072;
    int linear_1d = 1 << 28;
    int mipmapped_1d = 32768;
    std::array<int, 2> layered_1d{32768, 2048};
    std::array<int, 2> array_2d{131072, 65536};
    std::array<int, 2> linear_2d{131072, 65000};
    int linear_2d_pitch_bytes = 2097120;
    std::array<int, 2> gather_2d{32768, 32768};
    std::array<int, 2> mipmapped_2d{32768, 32768};
    std::array<int, 3> layered_2d{32768, 32768, 2048};
    std::array<int, 3> array_3d{16384, 16384, 16384};
    std::array<int, 3> alternate_3d{8192, 8192, 32768};
    int cubemap = 32768;
    std::array<int, 2> layered_cubemap{32768, 2046};

    int surface_1d = 32768;
    std::array<int, 2> surface_layered_1d{32768, 2048};
    std::array<int, 2> surface_2d{131072, 65536};
    std::array<int, 3> surface_layered_2d{32768, 32768, 2048};
    std::array<int, 3> surface_3d{16384, 16384, 16384};
    int surface_cubemap = 32768;
    std::array<int, 2> surface_layered_cubemap{32768, 2046};

    std::size_t alignment_bytes = 512;
    std::size_t pitch_alignment_bytes = 32;
    std::size_t surface_alignment_bytes = 512;
};

/// How GPUs of one kind in one machine access each other's memory.
enum class PeerAccess { none, pcie, nvlink };

struct EmulatedGpu {
    std::string_view name;     ///< the NAME in --device emulated:NAME
    std::string_view product;  ///< the product name that cudaGetDeviceProperties returns
    int major = 0;             ///< the compute capability is major.minor
    int minor = 0;
    int multiprocessors = 0;
    std::uint64_t memory_bytes = 0;

    int shared_bytes_per_block = 48 << 10;
    int shared_bytes_per_block_optin = 0;
    int shared_bytes_per_multiprocessor = 0;
    int shared_bytes_reserved_per_block = 1024;
    int registers_per_block = 65536;
    int registers_per_multiprocessor = 65536;
    int threads_per_multiprocessor = 0;
    int blocks_per_multiprocessor = 0;

    int l2_bytes = 0;
    int clock_khz = 0;  ///< the highest clock rate
    int memory_clock_khz = 0;
    int memory_bus_bits = 0;
    PeerAccess peer_access = PeerAccess::none;
    TextureLimits textures = {};
};

/// Returns all emulated GPUs: the T4, then the gaming cards, then the data-centre GPUs. The gaming cards are
/// ordered from oldest to newest, and so are the data-centre GPUs.
std::span<const EmulatedGpu> emulated_gpus();

/// The emulated GPU `name`, or null if there is none.
const EmulatedGpu* find_emulated_gpu(std::string_view name);

/// The names of the emulated GPUs, as in "t4, rtx3060, ...".
std::string emulated_gpu_names();

}  // namespace cudabook
