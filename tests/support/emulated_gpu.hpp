// The fixture of tests that make a real GPU unusable for the rest of the process.
#pragma once

#include "common/cuda/gpu_kind.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::test {

/// For tests that make a real GPU unusable, so they are skipped there. The emulated GPU is reset after each
/// test.
class EmulatedGpu : public Gpu {
  protected:
    void SetUp() override {
        Gpu::SetUp();
        if (gpu_kind != DeviceKind::emulated) GTEST_SKIP() << "it would end this process's use of the GPU";
    }
    void TearDown() override {
        if (gpu_kind != DeviceKind::emulated) return;
        EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
        Gpu::TearDown();
    }
};

}  // namespace cudabook::test
