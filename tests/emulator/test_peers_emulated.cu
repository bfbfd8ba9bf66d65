// Kernels that use memory of another emulated GPU without access. The tests need two GPUs, which
// CUDABOOK_EMULATED_GPUS=h200,h200 names.
#include <gtest/gtest.h>

#include <string>

#include "common/cuda/launch.cuh"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class PeersWithoutAccess : public test::Gpu {
  protected:
    void SetUp() override {
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        if (count < 2) GTEST_SKIP() << "needs two GPUs";
        CUDA_CHECK(cudaSetDevice(1));
    }
    void TearDown() override {
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        for (int gpu = count; gpu-- > 0;) {
            static_cast<void>(cudaSetDevice(gpu));
            CUDA_CHECK(cudaDeviceReset());
        }
    }

    /// Launches a kernel on GPU 0 with this memory, and expects that it fails with the reason `why`.
    static void expect_refused(int* memory, const std::string& why);
};

__global__ void write_to_peer(int* to) { *to = 1; }

void PeersWithoutAccess::expect_refused(int* memory, const std::string& why) {
    CUDA_CHECK(cudaSetDevice(0));
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = 1;
    CUDA_CHECK(cudaLaunchKernelEx(&config, write_to_peer, memory));
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress) << "the error lasts";
    const std::string text = cudaGetErrorString(cudaErrorIllegalAddress);
    EXPECT_NE(text.find("write_to_peer: device 0 has no access to memory of device 1: " + why),
              std::string::npos)
        << text;
}

TEST_F(PeersWithoutAccess, MemoryOfCudaMalloc) {
    int* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, sizeof *memory));
    expect_refused(memory, "cudaDeviceEnablePeerAccess(1, 0) would give it");
}

TEST_F(PeersWithoutAccess, MemoryOfAPool) {
    int* memory = nullptr;
    CUDA_CHECK(cudaMallocAsync(&memory, sizeof *memory, nullptr));
    expect_refused(memory, "cudaMemPoolSetAccess() would give it");
}

TEST_F(PeersWithoutAccess, AResetEndsAccess) {
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CUDA_CHECK(cudaSetDevice(1));
    CUDA_CHECK(cudaDeviceReset());
    int* memory = nullptr;
    CUDA_CHECK(cudaMalloc(&memory, sizeof *memory));
    expect_refused(memory, "cudaDeviceEnablePeerAccess(1, 0) would give it");
}

TEST_F(PeersWithoutAccess, ManagedMemoryNeedsNone) {
    int* memory = nullptr;
    CUDA_CHECK(cudaMallocManaged(&memory, sizeof *memory));
    CUDA_CHECK(cudaSetDevice(0));
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = 1;
    EXPECT_EQ(cudaLaunchKernelEx(&config, write_to_peer, memory), cudaSuccess);
    CUDA_CHECK(cudaDeviceSynchronize());
    EXPECT_EQ(*memory, 1);
}

}  // namespace
}  // namespace cudabook
