// common/numbers/colour_map.hpp on the device: the same bytes as on the host.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/launch.cuh"
#include "common/numbers/colour_map.hpp"
#include "tests/support/gpu.hpp"

namespace cudabook {
namespace {

__global__ void colour_all(Rgba* to, const float* temperatures, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = colour_of(temperatures[i]);
}

void expect_same(const std::vector<float>& temperatures) {
    const DeviceArray<float> from{std::span(temperatures)};
    const DeviceArray<Rgba> to(temperatures.size());
    const Stream stream;
    launch(colour_all, static_cast<unsigned>((temperatures.size() + 255) / 256), 256, stream, to.data(),
           static_cast<const float*>(from.data()), static_cast<unsigned>(temperatures.size()));
    const std::vector<Rgba> found = to.download();
    for (std::size_t i = 0; i < temperatures.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(found[i]),
                  std::bit_cast<std::uint32_t>(colour_of(temperatures[i])))
            << "t = " << temperatures[i] << ", bits " << std::hex
            << std::bit_cast<std::uint32_t>(temperatures[i]);
}

class ColourMapOnGpu : public test::Gpu {};

TEST_F(ColourMapOnGpu, FractionsFromZeroToOne) {
    std::vector<float> temperatures;
    for (int i = 0; i <= 1 << 22; ++i) temperatures.push_back(static_cast<float>(i) * 0x1p-22F);
    expect_same(temperatures);
}

TEST_F(ColourMapOnGpu, EveryKindOfFloat) {
    // A prime step through all bit patterns: both signs, subnormals, large ones, infinities and NaNs.
    std::vector<float> temperatures;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32U; bits += 1021)
        temperatures.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    expect_same(temperatures);
}

TEST_F(ColourMapOnGpu, BoundariesAndNearbyFloats) {
    // The temperatures at which int(360 t) changes, and the ends.
    std::vector<float> temperatures{0.0F, -0.0F, 1.0F, 0.5F, -1.0F, 2.0F};
    for (int degree = 0; degree <= 360; ++degree) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(degree) / 360);
        for (std::uint32_t beside = 0; beside < 33; ++beside)
            temperatures.push_back(std::bit_cast<float>(bits + beside - (bits >= 16 ? 16 : 0)));
    }
    for (const float special :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
          std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}) {
        temperatures.push_back(special);
        temperatures.push_back(-special);
    }
    expect_same(temperatures);
}

}  // namespace
}  // namespace cudabook
