// Functions that a GPU approximates and the emulated GPU rounds to nearest, and a call that it refuses.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/program/errors.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

class EmulatedTypes : public test::Gpu {};

constexpr std::size_t approximations = 12;

template <class Number>
__global__ void approximate(Number* to) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const auto x = std::bit_cast<Number>(static_cast<unsigned short>(i));
    Number* const mine = to + approximations * i;
    mine[0] = hexp(x);
    mine[1] = hexp2(x);
    mine[2] = hexp10(x);
    mine[3] = hlog(x);
    mine[4] = hlog2(x);
    mine[5] = hlog10(x);
    mine[6] = hsin(x);
    mine[7] = hcos(x);
    mine[8] = htanh(x);
    mine[9] = hrcp(x);
    mine[10] = hrsqrt(x);
    mine[11] = hsqrt(x);
}

/// Returns whether the number is the nearest to the exact value.
template <class Number>
bool is_nearest(Number number, long double exact) {
    const float value = number;
    if (std::isnan(exact)) return std::isnan(value);
    const auto of_bits = [](unsigned bits) {
        return static_cast<long double>(
            static_cast<float>(std::bit_cast<Number>(static_cast<unsigned short>(bits))));
    };
    const auto magnitude = static_cast<long double>(std::abs(value));
    const long double wanted = std::abs(exact);
    if (magnitude != 0 && wanted != 0 && std::signbit(value) != std::signbit(exact)) return false;
    if (magnitude == wanted) return true;
    const unsigned positive = std::bit_cast<unsigned short>(number) & 0x7fff;
    // In place of infinity stands the number that would be next after the largest.
    const unsigned infinity = std::isinf(of_bits(0x7c00)) ? 0x7c00 : 0x7f80;
    const auto place = [&](unsigned at) {
        return at < infinity ? of_bits(at) : 2 * of_bits(infinity - 1) - of_bits(infinity - 2);
    };
    const long double below = positive == 0 ? 0 : (place(positive) + place(positive - 1)) / 2;
    const long double above = positive >= infinity ? INFINITY : (place(positive) + place(positive + 1)) / 2;
    return wanted >= below && wanted <= above;
}

template <class Number>
void expect_nearest() {
    const DeviceArray<Number> output(approximations * 65536);
    launch(approximate<Number>, 256, 256, Stream(), output.data());
    const std::vector<Number> got = output.download();
    for (unsigned i = 0; i < 65536; ++i) {
        const long double x = static_cast<float>(std::bit_cast<Number>(static_cast<unsigned short>(i)));
        if (std::isnan(x)) continue;
        const std::array<long double, approximations> exact = {
            std::exp(x), std::exp2(x), std::pow(10.0L, x), std::log(x), std::log2(x),     std::log10(x),
            std::sin(x), std::cos(x),  std::tanh(x),       1 / x,       1 / std::sqrt(x), std::sqrt(x)};
        for (std::size_t n = 0; n < approximations; ++n)
            ASSERT_TRUE(is_nearest(got[approximations * i + n], exact[n]))
                << n << " of " << x << ": " << static_cast<float>(got[approximations * i + n])
                << " instead of " << exact[n];
    }
}

TEST_F(EmulatedTypes, HalfIsRoundedToNearest) { expect_nearest<__half>(); }
TEST_F(EmulatedTypes, Bfloat16IsRoundedToNearest) { expect_nearest<__nv_bfloat16>(); }

__global__ void add_vector_to_shared() {
    __shared__ float4 sum;
    atomicAdd(&sum, make_float4(1, 2, 3, 4));
}

TEST_F(EmulatedTypes, VectorsAreAddedInGlobalMemoryAlone) {
    const std::string text = test::error_text<CudaError>([] {
        const Stream stream;
        launch(add_vector_to_shared, 1, 1, stream);
        stream.synchronize();
    });
    EXPECT_NE(text.find("atomicAdd() of float4 needs global memory"), std::string::npos) << text;
    CUDA_CHECK(cudaDeviceReset());
}

}  // namespace
}  // namespace cudabook
