// The sample tex1dfetch_int2float on the GPU: every value of every format, and fetches out of range.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/support/gpu.hpp"
#include "tex1dfetch_int2float/tex1dfetch_int2float.hpp"

namespace cudabook::tex1dfetch_int2float {
namespace {

class Tex1dfetchInt2floatSmall : public test::Gpu {};

TEST_F(Tex1dfetchInt2floatSmall, EveryKernelReadsTheFormula) {
    for (const Kernel& kernel : gpu().kernels)
        for (const Format& format : formats())
            for (const int components : widths) {
                const auto width = static_cast<std::size_t>(components);
                const Readout readout = kernel.read(device(), format, components);
                ASSERT_EQ(readout.values.size(), format.values() * width);
                for (std::size_t i = 0; i < readout.values.size(); ++i) {
                    const std::uint32_t bits = stored(format, i / width, static_cast<int>(i % width));
                    ASSERT_EQ(readout.values[i], formula(format, bits))
                        << kernel.name << ", " << format.name() << ' ' << components << ", " << format.mode()
                        << ", bits " << bits;
                }
            }
}

TEST_F(Tex1dfetchInt2floatSmall, PastTheEndIsZero) {
    for (const Kernel& kernel : gpu().kernels)
        for (const Format& format : formats())
            for (const int components : widths) {
                const Readout readout = kernel.read(device(), format, components);
                // At n, n + 1, 2^27, the largest int, and -1; a plain load may read none of them.
                const std::size_t indices = kernel.memory == "texture1d" ? 5 : 0;
                ASSERT_EQ(readout.past_the_end.size(), indices * static_cast<std::size_t>(components));
                for (const std::uint32_t word : readout.past_the_end) ASSERT_EQ(word, 0U) << kernel.name;
            }
}

TEST_F(Tex1dfetchInt2floatSmall, TexelsAreInBothMemories) {
    std::string places;
    for (const Kernel& kernel : gpu().kernels)
        if (kernel.memory == "texture1d") places += kernel.place + ' ';
    EXPECT_EQ(places, "mapped device ");
}

class Tex1dfetchInt2float : public test::Gpu {};

TEST_F(Tex1dfetchInt2float, RateIsThatOfTheTimeMeasured) {
    for (const Kernel& kernel : gpu().kernels) {
        const Rate rate = kernel.measure(device(), {Element::signed_char, true}, 4);
        EXPECT_GT(rate.time.median, 0) << kernel.name;
        EXPECT_GT(rate.gb_per_s, 0) << kernel.name;
        ASSERT_TRUE(rate.occupancy.has_value()) << kernel.name;
        EXPECT_GT(rate.occupancy->percent, 0) << kernel.name;
    }
}

}  // namespace
}  // namespace cudabook::tex1dfetch_int2float
