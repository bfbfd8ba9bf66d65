// A fixture for tests that would make a real GPU unusable for the rest of the process.
#pragma once

#include "common/cuda/gpu_kind.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::test {

/// On a real GPU the tests of this fixture are skipped, because they would make the GPU unusable. The
/// emulated GPU is reset after each test.
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
