// The fixture of GPU tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "common/cuda/device.cuh"

namespace cudabook::test {

/// Whether these tests run on the emulated GPU. There a few of them do less, because it is a thousand times
/// slower.
inline constexpr bool emulated = gpu_kind == DeviceKind::emulated;

/// The value of --device for the GPU that these tests run on.
inline std::string gpu_option() { return std::string(name_of(gpu_kind)); }

/// For tests that need a GPU: they run on the first usable one. Without a GPU they are skipped or, with
/// CUDABOOK_REQUIRE_GPU=1 in the environment, fail.
class Gpu : public testing::Test {
  public:
    static bool is_there() { return found().device.has_value(); }
    static const Device& device() { return found().device.value(); }

  protected:
    void SetUp() override {
        if (is_there()) {
            CUDA_CHECK(cudaSetDevice(device().index));
            return;
        }
        const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
        if (required != nullptr && std::string_view(required) == "1") FAIL() << found().why_none;
        GTEST_SKIP() << found().why_none;
    }

    /// No test may leave a kernel error or an uncleared CUDA error.
    void TearDown() override {
        if (!is_there()) return;
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }

  private:
    static const FoundDevice& found() {
        static const FoundDevice found = first_usable(cuda_devices(), gpu_kind);
        return found;
    }
};

}  // namespace cudabook::test
