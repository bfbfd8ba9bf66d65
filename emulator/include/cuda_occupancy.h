// Calculates how many blocks of a kernel a multiprocessor holds. Replaces the CUDA Toolkit's calculator of
// the same name. Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" and
// "Shared Memory" of each compute capability; CUDA C++ Best Practices Guide, "Calculating Occupancy".
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include <driver_types.h>

enum cudaOccError {
    CUDA_OCC_SUCCESS = 0,
    CUDA_OCC_ERROR_INVALID_INPUT = 1,
    CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2,
};

enum cudaOccLimitingFactor {
    OCC_LIMIT_WARPS = 1,
    OCC_LIMIT_REGISTERS = 2,
    OCC_LIMIT_SHARED_MEMORY = 4,
    OCC_LIMIT_BLOCKS = 8,
};

struct cudaOccDeviceProp {
    int computeMajor = 0;
    int computeMinor = 0;
    int maxThreadsPerBlock = 0;
    int maxThreadsPerMultiprocessor = 0;
    int regsPerBlock = 0;
    int regsPerMultiprocessor = 0;
    int warpSize = 32;
    std::size_t sharedMemPerBlock = 0;
    std::size_t sharedMemPerMultiprocessor = 0;
    int numSms = 0;
    std::size_t sharedMemPerBlockOptin = 0;
    std::size_t reservedSharedMemPerBlock = 0;
};

struct cudaOccFuncAttributes {
    explicit cudaOccFuncAttributes(const cudaFuncAttributes& attributes)
        : maxThreadsPerBlock(attributes.maxThreadsPerBlock),
          numRegs(attributes.numRegs),
          sharedSizeBytes(attributes.sharedSizeBytes),
          maxDynamicSharedSizeBytes(static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes)) {}
    int maxThreadsPerBlock;
    int numRegs;
    std::size_t sharedSizeBytes;
    std::size_t maxDynamicSharedSizeBytes;
};

struct cudaOccDeviceState {
    int carveoutConfig = cudaSharedmemCarveoutDefault;  ///< percent
};

struct cudaOccResult {
    int activeBlocksPerMultiprocessor = 0;
    unsigned limitingFactors = 0;
};

namespace cudabook::emulation {

/// The figures of a compute capability in the guide's tables.
struct MultiprocessorOf {
    int blocks;                       ///< the most resident blocks
    std::size_t shared_granularity;   ///< unit of a block's shared memory, in bytes
    std::span<const int> shared_kib;  ///< possible sizes of shared memory in the cache, in KiB
};

inline std::optional<MultiprocessorOf> multiprocessor_of(int major, int minor) {
    static constexpr int turing[] = {32, 64};
    static constexpr int small[] = {0, 8, 16, 32, 64, 100};
    static constexpr int ampere[] = {0, 8, 16, 32, 64, 100, 132, 164};
    static constexpr int hopper[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
    switch (10 * major + minor) {
        case 75:
            return MultiprocessorOf{16, 256, turing};
        case 80:
            return MultiprocessorOf{32, 128, ampere};
        case 86:
            return MultiprocessorOf{16, 128, small};
        case 87:
            return MultiprocessorOf{16, 128, ampere};
        case 89:
            return MultiprocessorOf{24, 128, small};
        case 90:
        case 100:
        case 103:
            return MultiprocessorOf{32, 128, hopper};
        case 120:
        case 121:
            return MultiprocessorOf{24, 128, small};
        default:
            return std::nullopt;
    }
}

constexpr int whole_parts(std::size_t whole, std::size_t part) {
    return part == 0 ? std::numeric_limits<int>::max() : static_cast<int>(whole / part);
}
constexpr std::size_t rounded_up(std::size_t value, std::size_t step) {
    return (value + step - 1) / step * step;
}

/// Returns how many blocks the registers of a multiprocessor suffice for. Each of its four partitions has a
/// quarter of the registers. A warp gets registers in units of 256.
inline int blocks_by_registers(const cudaOccDeviceProp& device, int registers, int warps) {
    constexpr std::size_t partitions = 4;
    constexpr std::size_t unit = 256;
    const std::size_t of_warp = rounded_up(static_cast<std::size_t>(registers) * 32, unit);
    const std::size_t of_block = of_warp * rounded_up(static_cast<std::size_t>(warps), partitions);
    if (of_block > static_cast<std::size_t>(device.regsPerBlock)) return 0;
    if (of_warp == 0) return std::numeric_limits<int>::max();
    const std::size_t warps_held =
        static_cast<std::size_t>(device.regsPerMultiprocessor) / partitions / of_warp * partitions;
    return static_cast<int>(warps_held) / warps;
}

/// Returns how many blocks a multiprocessor's shared memory suffices for. The memory's size is the smallest
/// possible size that holds a block and the preferred share; without a preference, the largest possible.
inline int blocks_by_shared_memory(const cudaOccDeviceProp& device, const MultiprocessorOf& multiprocessor,
                                   std::size_t bytes, int preferred_percent) {
    if (bytes > device.sharedMemPerBlockOptin) return 0;
    const std::size_t of_block =
        rounded_up(bytes + device.reservedSharedMemPerBlock, multiprocessor.shared_granularity);
    std::size_t held = device.sharedMemPerMultiprocessor;
    if (preferred_percent >= 0) {
        const std::size_t wanted =
            std::max(of_block, held * static_cast<std::size_t>(preferred_percent) / 100);
        for (const int kib : multiprocessor.shared_kib)
            if (static_cast<std::size_t>(kib) * 1024 >= wanted) {
                held = std::min(held, static_cast<std::size_t>(kib) * 1024);
                break;
            }
    }
    return whole_parts(held, of_block);
}

}  // namespace cudabook::emulation

inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult* result,
                                                            const cudaOccDeviceProp* device,
                                                            const cudaOccFuncAttributes* kernel,
                                                            const cudaOccDeviceState* state, int block_size,
                                                            std::size_t dynamic_shared_bytes) {
    using namespace cudabook::emulation;
    if (block_size <= 0) return CUDA_OCC_ERROR_INVALID_INPUT;
    const auto multiprocessor = multiprocessor_of(device->computeMajor, device->computeMinor);
    if (!multiprocessor) return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
    const int warps = (block_size + 31) / 32;
    const bool too_many_threads =
        block_size > std::min(device->maxThreadsPerBlock, kernel->maxThreadsPerBlock);
    const bool too_much_shared = dynamic_shared_bytes > kernel->maxDynamicSharedSizeBytes;
    const struct {
        cudaOccLimitingFactor factor;
        int blocks;
    } limits[] = {{OCC_LIMIT_WARPS, too_many_threads ? 0 : device->maxThreadsPerMultiprocessor / 32 / warps},
                  {OCC_LIMIT_REGISTERS, blocks_by_registers(*device, kernel->numRegs, warps)},
                  {OCC_LIMIT_SHARED_MEMORY,
                   too_much_shared ? 0
                                   : blocks_by_shared_memory(*device, *multiprocessor,
                                                             kernel->sharedSizeBytes + dynamic_shared_bytes,
                                                             state->carveoutConfig)},
                  {OCC_LIMIT_BLOCKS, multiprocessor->blocks}};
    *result = {};
    result->activeBlocksPerMultiprocessor =
        std::ranges::min(limits, {}, [](const auto& l) { return l.blocks; }).blocks;
    for (const auto& limit : limits)
        if (limit.blocks == result->activeBlocksPerMultiprocessor) result->limitingFactors |= limit.factor;
    return CUDA_OCC_SUCCESS;
}
