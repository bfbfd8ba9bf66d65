// common/book/: programs in the old style (tests/legacy/) that need a GPU, without a window.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/book/book_pictures.hpp"
#include "tests/book/old_programs.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

class BookGpu : public testing::Test {
  protected:
    test::Ending run(const std::string& program, const std::string& frames,
                     const std::vector<std::string>& arguments = {}) const {
        test::Surroundings surroundings;
        surroundings.set = {"CUDABOOK_FRAMES=" + frames,
                            "CUDABOOK_PNG=" + (folder_ / "picture.png").string()};
        return test::run(test::book_program(program), arguments, surroundings);
    }
    test::TemporaryFolder folder_;
};

TEST(ProgramGpu, GraphsAndPools) {
    const test::Ending ending = test::run(test::texture_program("graphs"), {});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}

TEST(ProgramGpu, HeapOfKernels) {
    const test::Ending ending = test::run(test::texture_program("kernel_heap"), {});
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}

TEST_F(BookGpu, AnimationKeepsThePreviousFrame) {
    const test::Ending ending = run("book_gpu_ripple", "4");
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "freed\n");
    EXPECT_EQ(ending.err, "");
    const test::Picture picture(folder_ / "picture.png");
    EXPECT_TRUE(picture.pixels == test::painted(128, 128, [](int x, int y) {
                    return Rgba{test::byte(x), test::byte(y), test::byte(y % 2 == 0 ? 4 : 3)};
                }));
}

TEST_F(BookGpu, ColoursBothWays) {
    const test::Ending ending = run("book_gpu_colours", "1");
    if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "same\n");
    EXPECT_EQ(ending.err, "");
    const test::Picture picture(folder_ / "picture.png");
    EXPECT_TRUE(picture.pixels ==
                test::painted(256, 256, [](int x, int) { return colour_of(static_cast<float>(x) / 256); }));
}

#if CUDABOOK_HAS_WINDOW
TEST_F(BookGpu, BuffersOfOpenGl) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"old"}}) {
        const test::Ending ending = run("book_gl_shared", "4", arguments);
        if (test::no_gpu(ending)) GTEST_SKIP() << ending.err;
        if (ending.err.find("no OpenGL without a display") != std::string::npos) GTEST_SKIP() << ending.err;
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.out, "");
        const test::Picture picture(folder_ / "picture.png");
        EXPECT_TRUE(picture.pixels == test::painted(128, 128, [](int x, int y) {
                        return Rgba{test::byte(x), test::byte(y), test::byte(y % 2 == 0 ? 4 : 3)};
                    }));
    }
}
#endif

}  // namespace
}  // namespace cudabook
