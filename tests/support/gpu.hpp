// The fixture of GPU tests.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "common/cuda/error.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/program/device.hpp"

namespace cudabook::test {

/// Whether these tests run on the emulated GPU. A few tests do less there, because the emulated GPU is a
/// thousand times slower.
inline constexpr bool emulated = gpu_kind == DeviceKind::emulated;

/// Returns the value of --device for the GPU that these tests run on.
inline std::string gpu_option() { return std::string(name_of(gpu_kind)); }

/// The mask of a whole warp.
inline constexpr unsigned all_lanes = 0xffffffff;

/// Returns the first usable GPU, or why there is none.
const FoundDevice& found_gpu();

/// A fixture for tests that need a GPU. The tests run on the first usable GPU. Without a GPU the tests are
/// skipped or, with CUDABOOK_REQUIRE_GPU=1 in the environment, fail.
class Gpu : public testing::Test {
  public:
    static bool is_there() { return found_gpu().device.has_value(); }
    static const Device& device() { return found_gpu().device.value(); }

  protected:
    void SetUp() override {
        if (is_there()) {
            CUDA_CHECK(cudaSetDevice(device().index));
            return;
        }
        const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
        if (required != nullptr && std::string_view(required) == "1") FAIL() << found_gpu().why_none;
        GTEST_SKIP() << found_gpu().why_none;
    }

    /// Lets the test fail if it leaves a kernel error or an uncleared CUDA error.
    void TearDown() override {
        if (!is_there()) return;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
};

}  // namespace cudabook::test
