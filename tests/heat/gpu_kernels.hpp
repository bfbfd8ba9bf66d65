// The kernels of heat and heat_notexture as test parameters, and the fixture of their tests on a GPU.
#pragma once

#include <cstdlib>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/gpu_kind.hpp"
#include "common/program/device.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/kernel.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook::heat {

using test::emulated;

struct SampleKernel {
    std::string sample;
    Kernel kernel;
    friend void PrintTo(const SampleKernel& k, std::ostream* out) {
        *out << k.sample << ' ' << k.kernel.name;
    }
};

inline std::vector<SampleKernel> kernels_of_both_samples() {
    std::vector<SampleKernel> all;
    for (const Kernel& kernel : heat_notexture::gpu().kernels) all.push_back({"heat_notexture", kernel});
    for (const Kernel& kernel : heat_texture::gpu().kernels) all.push_back({"heat", kernel});
    return all;
}

/// A fixture for tests on a GPU. Without a GPU the tests are skipped or, with CUDABOOK_REQUIRE_GPU=1 in the
/// environment, fail.
template <class Parameter>
class OnGpu : public testing::TestWithParam<Parameter> {
  protected:
    void SetUp() override {
        const FoundDevice found = first_usable(heat_notexture::gpu().find_devices(), gpu_kind);
        if (found.device) return;
        const char* required = std::getenv("CUDABOOK_REQUIRE_GPU");
        if (required != nullptr && std::string_view(required) == "1") FAIL() << found.why_none;
        GTEST_SKIP() << found.why_none;
    }
};

}  // namespace cudabook::heat
