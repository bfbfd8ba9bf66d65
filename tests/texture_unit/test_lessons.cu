// The sample texture_unit on the GPU: every kernel's picture, its tables, and what it measures.
#include <cstddef>

#include "tests/support/gpu.hpp"
#include "texture_unit/comparison.hpp"
#include "texture_unit/table/table.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {
namespace {

class TextureUnitSmall : public test::Gpu {
  protected:
    /// Draws all pictures at this size; each must have the bits of its reference.
    static void expect_references(int size) {
        References references(size);
        for (const Kernel& kernel : gpu().kernels) {
            if (!kernel.draw) continue;
            const Result result = compare(kernel, device(), references).result;
            EXPECT_TRUE(result.verified.value_or(false)) << kernel.name << ", size " << size;
            if (size == default_size && !kernel.exact) {
                EXPECT_EQ(result.checksum, lesson(kernel.lesson).checksum) << kernel.name;
            }
        }
    }
};

/// Sizes that are no multiple of a block, and one that is smaller than a warp.
TEST_F(TextureUnitSmall, EveryPictureHasTheReferencesBits) {
    for (const int size : {1, 3, 61, 70}) expect_references(size);
}

TEST_F(TextureUnitSmall, TheChaptersExamples) {
    const TableResult chapter =
        chapter_table([](const auto&... what) { return gpu().fetch(device(), what...); });
    EXPECT_TRUE(chapter.ok) << chapter.text;
    const TableResult limits = limits_table(gpu().limits(device()));
    EXPECT_TRUE(limits.ok) << limits.text;
}

class TextureUnit : public TextureUnitSmall {};

TEST_F(TextureUnit, PicturesHaveTheCommittedChecksums) { expect_references(default_size); }

/// Without content, at a small size.
TEST_F(TextureUnit, EveryKernelIsMeasured) {
    constexpr int size = 32;
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.measure) continue;
        const Scene job = lesson(kernel.lesson).job(size);
        const Cost cost = kernel.measure(device(), job, TimeBudget(1));
        EXPECT_GT(cost.time.median, 0) << kernel.name;
        EXPECT_EQ(cost.pixels, static_cast<std::size_t>(size) * size) << kernel.name;
        EXPECT_GE(cost.bytes, cost.pixels * sizeof(float)) << kernel.name;
        EXPECT_EQ(cost.fetches > 0,
                  kernel.memory != "global" && kernel.memory != "shared" && kernel.memory != "constant")
            << kernel.name;
    }
}

TEST_F(TextureUnit, Ceilings) {
    const Ceilings ceilings = gpu().ceilings(device());
    EXPECT_GT(ceilings.copy_gb_per_s, 0);
    EXPECT_GT(ceilings.gfetches_per_s, 0);
    EXPECT_GT(ceilings.linear_gfetches_per_s, 0);
}

}  // namespace
}  // namespace cudabook::texture_unit
