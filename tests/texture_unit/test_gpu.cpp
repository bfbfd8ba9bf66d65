// The kernels of the sample texture_unit on the GPU, against the model and exact arithmetic; and what a
// benchmark counts for them.
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>

#include "common/program/measurement.hpp"
#include "tests/support/gpu.hpp"
#include "texture_unit/comparison.hpp"
#include "texture_unit/table/table.hpp"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {
namespace {

void expect_pictures(const Device& device, int size) {
    References references(size);
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.draw) continue;
        const Compared compared = compare(kernel, device, references);
        EXPECT_EQ(compared.image.width, size) << kernel.name;
        EXPECT_EQ(compared.image.height, size) << kernel.name;
        EXPECT_TRUE(compared.result.verified.value_or(false))
            << kernel.name << ", " << size << " pixels along a side";
    }
}

class TextureUnitSmall : public test::Gpu {};

TEST_F(TextureUnitSmall, EveryKernelDrawsAPixel) { expect_pictures(device(), 1); }

TEST_F(TextureUnitSmall, EveryKernelDrawsSizesThatNoBlockDivides) {
    expect_pictures(device(), 7);
    expect_pictures(device(), 37);
}

TEST_F(TextureUnitSmall, AWrongBitIsFoundInEveryPicture) {
    References references(7);
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.draw) continue;
        setenv("CUDABOOK_TEST_FAULT", kernel.name.c_str(), 1);
        const Result result = compare(kernel, device(), references).result;
        unsetenv("CUDABOOK_TEST_FAULT");
        EXPECT_FALSE(result.verified.value_or(true)) << kernel.name;
    }
}

TEST_F(TextureUnitSmall, TheChaptersExamples) {
    const TableResult chapter =
        chapter_table([](const auto&... what) { return gpu().fetch(device(), what...); });
    EXPECT_TRUE(chapter.ok) << chapter.text;
    const TableResult limits = limits_table(gpu().limits(device()));
    EXPECT_TRUE(limits.ok) << limits.text;
}

class TextureUnit : public test::Gpu {};

TEST_F(TextureUnit, PicturesHaveTheCommittedChecksums) {
    References references(default_size);
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.draw) continue;
        const Result result = compare(kernel, device(), references).result;
        EXPECT_TRUE(result.verified.value_or(false)) << kernel.name;
        if (!kernel.exact) {
            EXPECT_EQ(result.checksum, lesson(kernel.lesson).checksum) << kernel.name;
        }
    }
}

TEST_F(TextureUnit, Ceilings) {
    const Ceilings ceilings = gpu().ceilings(device());
    EXPECT_GT(ceilings.copy_gb_per_s, 0);
    EXPECT_GT(ceilings.gfetches_per_s, 0);
    EXPECT_GT(ceilings.linear_gfetches_per_s, 0);
}

TEST_F(TextureUnit, EveryLessonHasAKernelThatFetchesAndATwin) {
    std::set<std::string> names;
    for (const Kernel& kernel : gpu().kernels) {
        EXPECT_TRUE(names.insert(kernel.name).second) << kernel.name << " is there twice";
        EXPECT_EQ(kernel.draw == nullptr, kernel.ask != nullptr) << kernel.name;
        if (kernel.draw) {
            EXPECT_NO_THROW(static_cast<void>(lesson(kernel.lesson))) << kernel.name;
            EXPECT_EQ(kernel.measure != nullptr, lesson(kernel.lesson).job != nullptr) << kernel.name;
        }
    }
    for (const Lesson& lesson : lessons()) {
        EXPECT_TRUE(names.contains(lesson.name)) << lesson.name;
        EXPECT_TRUE(names.contains(lesson.name + "_exact") || names.contains(lesson.name + "_global"))
            << lesson.name << " has no twin by hand";
    }
}

TEST_F(TextureUnit, CostIsThatOfTheJob) {
    constexpr int size = 64;
    for (const Kernel& kernel : gpu().kernels) {
        if (!kernel.measure) continue;
        const Scene job = lesson(kernel.lesson).job(size);
        const Cost cost = kernel.measure(device(), job, TimeBudget(0));
        EXPECT_GT(cost.time.median, 0) << kernel.name;
        EXPECT_EQ(cost.pixels, job.pixels()) << kernel.name;
        EXPECT_GE(cost.bytes, job.pixels() * sizeof(float)) << kernel.name << " writes its picture";
        const bool unit =
            kernel.memory != "global" && kernel.memory != "shared" && kernel.memory != "constant";
        EXPECT_EQ(cost.fetches > 0, unit) << kernel.name;
        EXPECT_EQ(cost.fetches % cost.pixels, 0U) << kernel.name;
    }
}

}  // namespace
}  // namespace cudabook::texture_unit
