// common/cuda/occupancy.cuh: occupancy on well-known GPUs, compared with figures calculated by hand (which
// needs no GPU), and on the present GPU, compared with CUDA.
#include <cstddef>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "common/cuda/occupancy.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

/// A GPU's entry in the table of compute capabilities in NVIDIA's programming guide.
struct Published {
    const char* name;
    int major;
    int minor;
    int threads;               ///< per multiprocessor
    std::size_t shared_kib;    ///< per multiprocessor
    std::size_t of_block_kib;  ///< the maximum per block
};
constexpr Published t4{"T4", 7, 5, 1024, 64, 64};
constexpr Published a100{"A100", 8, 0, 2048, 164, 163};
constexpr Published rtx3060{"RTX 3060", 8, 6, 1536, 100, 99};
constexpr Published rtx4090{"RTX 4090", 8, 9, 1536, 100, 99};
constexpr Published h100{"H100", 9, 0, 2048, 228, 227};
constexpr Published b200{"B200", 10, 0, 2048, 228, 227};

cudaOccDeviceProp properties(const Published& gpu) {
    cudaOccDeviceProp properties;
    properties.computeMajor = gpu.major;
    properties.computeMinor = gpu.minor;
    properties.maxThreadsPerBlock = 1024;
    properties.maxThreadsPerMultiprocessor = gpu.threads;
    properties.regsPerBlock = 65536;
    properties.regsPerMultiprocessor = 65536;
    properties.warpSize = 32;
    properties.numSms = 1;
    properties.sharedMemPerBlock = 48 * 1024;
    properties.sharedMemPerMultiprocessor = gpu.shared_kib * 1024;
    properties.sharedMemPerBlockOptin = gpu.of_block_kib * 1024;
    properties.reservedSharedMemPerBlock = (gpu.shared_kib - gpu.of_block_kib) * 1024;  // reserved by CUDA
    return properties;
}

struct Kernel {
    int threads;  ///< per block
    int registers;
    std::size_t shared_bytes;  ///< static
    std::size_t dynamic_shared_bytes = 0;
    int carveout = cudaSharedmemCarveoutDefault;
};

/// The occupancy as "PERCENT LIMITS", or "unknown".
std::string text_of(const std::optional<Occupancy>& occupancy) {
    return occupancy ? fmt::format("{:.1f} {}", occupancy->percent, occupancy->limit) : "unknown";
}

std::string occupancy(const Published& gpu, const Kernel& kernel) {
    cudaFuncAttributes attributes{};
    attributes.maxThreadsPerBlock = 1024;
    attributes.numRegs = kernel.registers;
    attributes.sharedSizeBytes = kernel.shared_bytes;
    attributes.maxDynamicSharedSizeBytes = 48 * 1024 - static_cast<int>(kernel.shared_bytes);
    attributes.preferredShmemCarveout = kernel.carveout;
    return text_of(occupancy_of(properties(gpu), attributes, kernel.threads, kernel.dynamic_shared_bytes));
}

/// Toolkits before 12.8 do not know compute capability 10.0.
std::string if_known(const char* on_b200) { return CUDART_VERSION >= 12080 ? on_b200 : "unknown"; }

TEST(OccupancyByHand, NoSharedMemory) {
    // A multiprocessor has 1024, 2048 or 1536 threads and 65536 registers. A block needs 256 threads and
    // 8 warps × 32 lanes × 32 registers.
    constexpr Kernel kernel{256, 32, 0};
    EXPECT_EQ(occupancy(t4, kernel), "100.0 threads");
    EXPECT_EQ(occupancy(a100, kernel), "100.0 threads, registers");
    EXPECT_EQ(occupancy(rtx3060, kernel), "100.0 threads");
    EXPECT_EQ(occupancy(rtx4090, kernel), "100.0 threads");
    EXPECT_EQ(occupancy(h100, kernel), "100.0 threads, registers");
    EXPECT_EQ(occupancy(b200, kernel), if_known("100.0 threads, registers"));
}

TEST(OccupancyByHand, BlocksOfOneWarp) {
    // The GPUs' multiprocessors hold at most 16, 32, 16, 24, 32 and 32 blocks.
    constexpr Kernel kernel{32, 16, 0};
    EXPECT_EQ(occupancy(t4, kernel), "50.0 blocks");
    EXPECT_EQ(occupancy(a100, kernel), "50.0 blocks");
    EXPECT_EQ(occupancy(rtx3060, kernel), "33.3 blocks");
    EXPECT_EQ(occupancy(rtx4090, kernel), "50.0 blocks");
    EXPECT_EQ(occupancy(h100, kernel), "50.0 blocks");
    EXPECT_EQ(occupancy(b200, kernel), if_known("50.0 blocks"));
}

TEST(OccupancyByHand, LargestBlock) {
    // As kernel `temporal` of heat. A warp takes 40 × 32 registers from one of four partitions of 16384. A
    // partition has registers for 12 warps, all four for 48, so one block of 32 warps fits. On the T4 and
    // the GeForces, the threads are also used up.
    constexpr Kernel kernel{1024, 40, 32768};
    EXPECT_EQ(occupancy(t4, kernel), "100.0 threads, registers");
    EXPECT_EQ(occupancy(a100, kernel), "50.0 registers");
    EXPECT_EQ(occupancy(rtx3060, kernel), "66.7 threads, registers");
    EXPECT_EQ(occupancy(rtx4090, kernel), "66.7 threads, registers");
    EXPECT_EQ(occupancy(h100, kernel), "50.0 registers");
    EXPECT_EQ(occupancy(b200, kernel), if_known("50.0 registers"));
}

TEST(OccupancyByHand, RegistersOfAPartition) {
    // A warp needs 136 × 32 registers: three warps fit in each of the four partitions, 12 in all, although
    // all registers together are enough for 15.
    constexpr Kernel kernel{32, 136, 0};
    EXPECT_EQ(occupancy(t4, kernel), "37.5 registers");
    EXPECT_EQ(occupancy(a100, kernel), "18.8 registers");
    EXPECT_EQ(occupancy(rtx3060, kernel), "25.0 registers");
    EXPECT_EQ(occupancy(rtx4090, kernel), "25.0 registers");
    EXPECT_EQ(occupancy(h100, kernel), "18.8 registers");
    EXPECT_EQ(occupancy(b200, kernel), if_known("18.8 registers"));
}

TEST(OccupancyByHand, DynamicSharedMemory) {
    // As kernel `pipelined` of matmul: 64 KiB, a T4's maximum per block; the other GPUs reserve 1 KiB more.
    // 64, 164, 100 and 228 KiB are enough for 1, 2, 1 and 3 blocks; the registers are enough for 2.
    constexpr Kernel kernel{256, 128, 0, 65536};
    EXPECT_EQ(occupancy(t4, kernel), "25.0 shared memory");
    EXPECT_EQ(occupancy(a100, kernel), "25.0 registers, shared memory");
    EXPECT_EQ(occupancy(rtx3060, kernel), "16.7 shared memory");
    EXPECT_EQ(occupancy(rtx4090, kernel), "16.7 shared memory");
    EXPECT_EQ(occupancy(h100, kernel), "25.0 registers");
    EXPECT_EQ(occupancy(b200, kernel), if_known("25.0 registers"));
}

TEST(OccupancyByHand, MoreThanABlockCanHave) {
    // As kernel `tf32` of matmul: 96 KiB. A block can have at most 64, 163, 99 or 227 KiB.
    constexpr Kernel kernel{256, 168, 0, 98304};
    EXPECT_EQ(occupancy(t4, kernel), "0.0 shared memory");
    EXPECT_EQ(occupancy(a100, kernel), "12.5 registers, shared memory");
    EXPECT_EQ(occupancy(rtx3060, kernel), "16.7 registers, shared memory");
    EXPECT_EQ(occupancy(rtx4090, kernel), "16.7 registers, shared memory");
    EXPECT_EQ(occupancy(h100, kernel), "12.5 registers");
    EXPECT_EQ(occupancy(b200, kernel), if_known("12.5 registers"));
}

TEST(OccupancyByHand, CarveOut) {
    // A kernel that prefers L1 cache. A T4 reserves no memory for CUDA and rounds one block's 8 KiB up to
    // 32 KiB, its smallest carve-out; the other GPUs round 9 KiB up to 16 KiB.
    constexpr Kernel kernel{128, 32, 8192, 0, cudaSharedmemCarveoutMaxL1};
    EXPECT_EQ(occupancy(t4, kernel), "50.0 shared memory");
    EXPECT_EQ(occupancy(a100, kernel), "6.2 shared memory");
    EXPECT_EQ(occupancy(rtx3060, kernel), "8.3 shared memory");
    EXPECT_EQ(occupancy(rtx4090, kernel), "8.3 shared memory");
    EXPECT_EQ(occupancy(h100, kernel), "6.2 shared memory");
    EXPECT_EQ(occupancy(b200, kernel), if_known("6.2 shared memory"));
}

TEST(OccupancyByHand, GpuThatTheToolkitDoesNotKnow) {
    constexpr Published future{"a future GPU", 99, 0, 2048, 228, 227};
    EXPECT_EQ(occupancy(future, {256, 32, 0}), "unknown");
    EXPECT_EQ(occupancy(future, {256, 32, 0, 65536}), "unknown");
}

__global__ void takes_little(int* to) { *to = 1; }

__global__ void takes_shared_memory(int* to) {
    __shared__ int values[256];
    values[threadIdx.x] = to[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = values[255 - threadIdx.x];
}

__global__ void prefers_the_cache(int* to) {
    __shared__ int values[2048];
    values[threadIdx.x] = to[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = values[2047 - threadIdx.x];
}

/// Each thread needs about 100 registers.
__global__ void takes_registers(float* to) {
    float values[100];
#pragma unroll
    for (int i = 0; i < 100; ++i) values[i] = to[i * 1024 + threadIdx.x];
#pragma unroll
    for (int i = 0; i < 100; ++i) to[(99 - i) * 1024 + threadIdx.x] = values[i] * values[(i + 50) % 100];
}

class CudaOccupancy : public test::Gpu {
  protected:
    static Occupancy of(const void* kernel, int threads, std::size_t dynamic_shared_bytes = 0) {
        return occupancy_of({kernel, threads, dynamic_shared_bytes}, device().index).value();
    }
};

TEST_F(CudaOccupancy, SmallKernelFillsTheMultiprocessor) {
    const Occupancy occupancy = of(reinterpret_cast<const void*>(takes_little), 256);
    EXPECT_EQ(occupancy.percent, 100);
    EXPECT_GT(occupancy.registers, 0);
    EXPECT_LE(occupancy.registers, 255);
    EXPECT_EQ(occupancy.shared_bytes, 0);
    EXPECT_EQ(occupancy.limit, "threads");
}

TEST_F(CudaOccupancy, BlocksOfOneWarpDoNot) {
    const Occupancy occupancy = of(reinterpret_cast<const void*>(takes_little), 32);
    EXPECT_GT(occupancy.percent, 0);
    EXPECT_LT(occupancy.percent, 100);
    EXPECT_EQ(occupancy.limit, "blocks");
}

TEST_F(CudaOccupancy, SharedMemoryIsCounted) {
    EXPECT_EQ(of(reinterpret_cast<const void*>(takes_shared_memory), 256).shared_bytes, 1024);
}

TEST_F(CudaOccupancy, SharedMemoryLimits) {
    const Occupancy occupancy = of(reinterpret_cast<const void*>(takes_shared_memory), 32, 20000);
    EXPECT_EQ(occupancy.shared_bytes, 21024);
    EXPECT_EQ(occupancy.limit, "shared memory");
}

TEST_F(CudaOccupancy, AgreesWithCuda) {
    CUDA_CHECK(cudaFuncSetAttribute(prefers_the_cache, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxL1));
    const int most_shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device().index);
    for (const void* kernel :
         {reinterpret_cast<const void*>(takes_little), reinterpret_cast<const void*>(takes_registers),
          reinterpret_cast<const void*>(takes_shared_memory),
          reinterpret_cast<const void*>(prefers_the_cache)}) {
        cudaFuncAttributes attributes{};
        CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
        for (const std::size_t dynamic : {0, 1, 1000, 20000, 49152, 65536, 98304, 163840}) {
            if (attributes.sharedSizeBytes + dynamic > static_cast<std::size_t>(most_shared)) continue;
            if (dynamic > 0)
                CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                static_cast<int>(dynamic)));
            for (int threads = 32; threads <= attributes.maxThreadsPerBlock; threads += 32) {
                int blocks = 0;
                CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic));
                const double percent =
                    100.0 * blocks * threads /
                    device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device().index);
                EXPECT_EQ(of(kernel, threads, dynamic).percent, percent)
                    << attributes.numRegs << " registers, " << attributes.sharedSizeBytes << " + " << dynamic
                    << " bytes, " << threads << " threads";
            }
        }
    }
}

}  // namespace
}  // namespace cudabook
