// The lessons about surfaces of the sample texture_unit.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/emulated_gpu.hpp"
#include "tests/support/gpu.hpp"
#include "texture_unit/gpu/surface_lessons.hpp"

namespace cudabook::texture_unit {
namespace {

class CudaSurfaceLessons : public test::Gpu {};
class EmulatedSurfaceLessons : public test::EmulatedGpu {};

TEST_F(CudaSurfaceLessons, TheNextLaunchFetchesWhatWasWritten) {
    for (int run = 0; run < 3; ++run) {
        const Coherency found = coherency(device());
        EXPECT_EQ(found.texels, 2048U);
        EXPECT_EQ(found.old_in_next_launch, 0U);
        EXPECT_TRUE(found.right());
        // The number of old texels in the same launch is not defined.
        const std::size_t most = test::emulated ? 0 : 1024;
        EXPECT_LE(found.old_of_own, most);
        EXPECT_LE(found.old_of_other.value_or(0), most);
    }
}

TEST_F(CudaSurfaceLessons, CountsTexelsThatAreNotNew) {
    setenv("CUDABOOK_TEST_FAULT", "coherency", 1);
    const Coherency found = coherency(device());
    unsetenv("CUDABOOK_TEST_FAULT");
    EXPECT_EQ(found.old_in_next_launch, 1U);
    EXPECT_FALSE(found.right());
}

TEST_F(CudaSurfaceLessons, BoundaryModes) {
    const std::vector<Boundary> found = boundaries(device());
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].mode, "zero");
    EXPECT_EQ(found[0].read, (std::vector{0, 0, 0, 0, 0, 0,  //
                                          0, 1, 2, 3, 4, 0,  //
                                          0, 5, 6, 7, 8, 0,  //
                                          0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(found[0].texels_after_write, (std::vector{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(found[1].mode, "clamp");
    EXPECT_EQ(found[1].read, (std::vector{1, 1, 2, 3, 4, 4,  //
                                          1, 1, 2, 3, 4, 4,  //
                                          5, 5, 6, 7, 8, 8,  //
                                          5, 5, 6, 7, 8, 8}));
    EXPECT_EQ(found[1].texels_after_write, (std::vector{1, 2, 3, 4, 5, 6, 7, 99}));
    for (const Boundary& mode : found) EXPECT_TRUE(mode.right) << mode.mode;
}

TEST_F(CudaSurfaceLessons, WrongBoundariesAreFound) {
    setenv("CUDABOOK_TEST_FAULT", "boundary", 1);
    const std::vector<Boundary> found = boundaries(device());
    unsetenv("CUDABOOK_TEST_FAULT");
    for (const Boundary& mode : found) EXPECT_FALSE(mode.right) << mode.mode;
}

TEST_F(EmulatedSurfaceLessons, TrapEndsTheKernelAndTheGpuIsReset) {
    const std::string error = trap(device());
    EXPECT_NE(error.find("cudaErrorLaunchFailure"), std::string::npos) << error;
    EXPECT_NE(error.find("surface coordinate (16 bytes, 1, 0) is not within 16 bytes x 2 x 1"),
              std::string::npos)
        << error;
    EXPECT_TRUE(coherency(device()).right());
}

/// On a real GPU, in a process of its own, because the process cannot use the GPU afterwards.
TEST_F(CudaSurfaceLessons, TrapEndsTheKernel) {
    if (test::emulated) GTEST_SKIP() << "the emulated GPU is reset instead";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            const std::string error = trap(device());
            std::fputs(error.c_str(), stderr);
            std::_Exit(error.empty() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "cudaError");
}

}  // namespace
}  // namespace cudabook::texture_unit
