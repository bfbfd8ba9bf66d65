// common/book/: programs in the old style (tests/legacy/), built with one include path and nothing else, and
// run without a window.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/book_pictures.hpp"
#include "tests/error_text.hpp"
#include "tests/picture.hpp"
#include "tests/process.hpp"
#include "tests/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::Ending, test::Picture, test::run, test::Surroundings;
using Words = std::vector<std::string>;

/// With those variables of the environment, and no display.
Surroundings with(const Words& variables) {
    Surroundings surroundings;
    surroundings.unset = {"DISPLAY", "WAYLAND_DISPLAY", "CUDABOOK_FRAMES", "CUDABOOK_PNG"};
    surroundings.set = variables;
    return surroundings;
}

/// One line on stderr that names those.
void expect_line(const Ending& ending, const Words& names) {
    ASSERT_FALSE(ending.err.empty());
    EXPECT_EQ(ending.err.back(), '\n');
    EXPECT_TRUE(test::is_one_line(ending.err.substr(0, ending.err.size() - 1))) << ending.err;
    for (const std::string& name : names) EXPECT_NE(ending.err.find(name), std::string::npos) << ending.err;
}

class CliBook : public testing::Test {
  protected:
    [[nodiscard]] std::string png() const { return "CUDABOOK_PNG=" + (folder_ / "picture.png").string(); }
    void expect_picture(int width, int height, const std::vector<Rgba>& pixels) const {
        const Picture picture(folder_ / "picture.png");
        EXPECT_EQ(picture.width, width);
        EXPECT_EQ(picture.height, height);
        EXPECT_TRUE(picture.pixels == pixels);
    }
    test::TemporaryFolder folder_;
};

TEST_F(CliBook, AStillWithoutADisplay) {
    const Ending ending = run("book_julia", {}, with({png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "200 x 200, 160000 bytes\nexit 42\n");
    expect_line(ending, {"1 frame without a window"});
    expect_picture(200, 200, test::julia(200));
}

TEST_F(CliBook, AStillIsOneFrame) {
    const Ending ending = run("book_julia", {"33"}, with({"CUDABOOK_FRAMES=7", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "33 x 33, 4356 bytes\nexit 42\n");
    EXPECT_EQ(ending.err, "");
    expect_picture(33, 33, test::julia(33));
}

TEST_F(CliBook, TheExitCallbackComesAfterThePicture) {
    const Ending ending = run("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=3", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "3 frames\n") << "which also paints it black";
    EXPECT_EQ(ending.err, "");
    expect_picture(96, 64, test::ripple(3));
}

TEST_F(CliBook, TenFramesWithoutADisplay) {
    const Ending ending = run("book_ripple_cpu", {}, with({}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "10 frames\n");
    expect_line(ending, {"10 frames without a window"});
}

TEST_F(CliBook, AFrameMayEndTheProgram) {
    const Ending ending = run("book_ripple_cpu", {"exit", "2"}, with({"CUDABOOK_FRAMES=3", png()}));
    EXPECT_EQ(ending.status, 5);
    EXPECT_EQ(ending.out, "");
    EXPECT_TRUE(test::names_in(folder_.path()).empty());
}

TEST_F(CliBook, FramesThatAreNoNumber) {
    for (const std::string frames : {"", "0", "-1", "3 ", " 3", "x", "1.5", "99999999999"}) {
        const Ending ending = run("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=" + frames, png()}));
        EXPECT_EQ(ending.status, 2);
        EXPECT_EQ(ending.out, "");
        expect_line(ending, {"CUDABOOK_FRAMES '" + frames + "'"});
        EXPECT_TRUE(test::names_in(folder_.path()).empty());
    }
}

TEST_F(CliBook, APictureThatCannotBeWritten) {
    const std::string path = folder_ / "no" / "picture.png";
    const Ending ending = run("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=3", "CUDABOOK_PNG=" + path}));
    EXPECT_EQ(ending.status, 3);
    EXPECT_EQ(ending.out, "");
    expect_line(ending, {"CUDABOOK_PNG", path});
    EXPECT_TRUE(test::names_in(folder_.path()).empty());
}

TEST_F(CliBook, APictureThatCannotBe) {
    const Ending ending = run("book_julia", {"-1"}, with({}));
    EXPECT_EQ(ending.status, 3);
    expect_line(ending, {"1x1"});
}

TEST_F(CliBook, ThreadsRandomBlocksAndSwap) {
    const Ending ending = run("book_threads", {}, with({}));
    EXPECT_EQ(ending.out, "265230551\nsame\n2 1\n");
    EXPECT_EQ(ending.status, 1);
    expect_line(ending, {"nothing", "book_threads.cu:44"});
}

#if CUDABOOK_HAS_CUDA
TEST_F(CliBook, ErrorsOfCuda) {
    const Ending ending = run("book_errors", {}, with({}));
    EXPECT_EQ(ending.status, 1);
    expect_line(ending, {"invalid argument", "book_errors.cu:6"});
}

TEST_F(CliBook, OnARuntimeWhoseCallsFail) {
    const Ending ending = run("legacy/without_gpu", {}, with({}));
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}
#endif

#if CUDABOOK_HAS_WINDOW
TEST_F(CliBook, GlutNeedsADisplay) {
    for (const Words& variables : {Words{}, Words{"CUDABOOK_FRAMES=3"}}) {
        const Ending ending = run("book_glut", {}, with(variables));
        EXPECT_EQ(ending.status, 3);
        expect_line(ending, {"no display"});
    }
}
#endif

}  // namespace
}  // namespace cudabook
