// common/book/: programs in the old style (tests/legacy/), built with only an include path and run without a
// window.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/book/book_pictures.hpp"
#include "tests/book/old_programs.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cudabook {
namespace {

using test::Ending, test::Picture, test::Surroundings;
using Words = std::vector<std::string>;

Ending run_book(const std::string& program, const Words& arguments, const Surroundings& surroundings) {
    return test::run(test::book_program(program), arguments, surroundings);
}

/// An environment with these variables and without a display.
Surroundings with(const Words& variables) {
    Surroundings surroundings;
    surroundings.unset = {"DISPLAY", "WAYLAND_DISPLAY", "CUDABOOK_FRAMES", "CUDABOOK_PNG"};
    surroundings.set = variables;
    return surroundings;
}

/// Expects one line on stderr that contains these names.
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
    const Ending ending = run_book("book_julia", {}, with({png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "200 x 200, 160000 bytes\nexit 42\n");
    expect_line(ending, {"1 frame without a window"});
    expect_picture(200, 200, test::julia(200));
}

TEST_F(CliBook, AStillIsOneFrame) {
    const Ending ending = run_book("book_julia", {"33"}, with({"CUDABOOK_FRAMES=7", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "33 x 33, 4356 bytes\nexit 42\n");
    EXPECT_EQ(ending.err, "");
    expect_picture(33, 33, test::julia(33));
}

TEST_F(CliBook, TheExitCallbackComesAfterThePicture) {
    const Ending ending = run_book("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=3", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "3 frames\n") << "the exit callback also paints it black";
    EXPECT_EQ(ending.err, "");
    expect_picture(96, 64, test::ripple(3));
}

TEST_F(CliBook, TenFramesWithoutADisplay) {
    const Ending ending = run_book("book_ripple_cpu", {}, with({}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "10 frames\n");
    expect_line(ending, {"10 frames without a window"});
}

TEST_F(CliBook, AFrameMayEndTheProgram) {
    const Ending ending = run_book("book_ripple_cpu", {"exit", "2"}, with({"CUDABOOK_FRAMES=3", png()}));
    EXPECT_EQ(ending.status, 5);
    EXPECT_EQ(ending.out, "");
    EXPECT_TRUE(test::names_in(folder_.path()).empty());
}

TEST_F(CliBook, InvalidFrames) {
    for (const std::string frames : {"", "0", "-1", "3 ", " 3", "x", "1.5", "99999999999"}) {
        const Ending ending = run_book("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=" + frames, png()}));
        EXPECT_EQ(ending.status, 2);
        EXPECT_EQ(ending.out, "");
        expect_line(ending, {"CUDABOOK_FRAMES '" + frames + "'"});
        EXPECT_TRUE(test::names_in(folder_.path()).empty());
    }
}

TEST_F(CliBook, APictureThatCannotBeWritten) {
    const std::string path = folder_ / "no" / "picture.png";
    const Ending ending =
        run_book("book_ripple_cpu", {}, with({"CUDABOOK_FRAMES=3", "CUDABOOK_PNG=" + path}));
    EXPECT_EQ(ending.status, 3);
    EXPECT_EQ(ending.out, "");
    expect_line(ending, {"CUDABOOK_PNG", path});
    EXPECT_TRUE(test::names_in(folder_.path()).empty());
}

TEST_F(CliBook, APictureOfInvalidSize) {
    const Ending ending = run_book("book_julia", {"-1"}, with({}));
    EXPECT_EQ(ending.status, 3);
    expect_line(ending, {"1x1"});
}

TEST_F(CliBook, ThreadsRandomBlocksAndSwap) {
    const Ending ending = run_book("book_threads", {}, with({}));
    EXPECT_EQ(ending.out, "265230551\nsame\n2 1\n");
    EXPECT_EQ(ending.status, 1);
    expect_line(ending, {"nothing", "book_threads.cu:44"});
}

#if CUDABOOK_HAS_CUDA || defined(CUDABOOK_OLD_PROGRAMS_ARE_EMULATED)
TEST_F(CliBook, ErrorsOfCuda) {
    const Ending ending = run_book("book_errors", {}, with({}));
    EXPECT_EQ(ending.status, 1);
    expect_line(ending, {"invalid argument", "book_errors.cu:6"});
}

#endif

#if CUDABOOK_HAS_CUDA && !defined(CUDABOOK_OLD_PROGRAMS_ARE_EMULATED)
TEST_F(CliBook, OnARuntimeWhoseCallsFail) {
    const Ending ending = test::run("legacy/without_gpu", {}, with({}));
    EXPECT_EQ(ending.status, 0) << ending.out << ending.err;
}
#endif

TEST_F(CliBook, SourcesForTwoCompilers) {
    const Ending ending = run_book("book_two_compilers", {}, with({"CUDABOOK_FRAMES=1", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "16\n");
    EXPECT_EQ(ending.err, "");
    expect_picture(64, 32, test::painted(64, 32, [](int, int) { return Rgba{7, 7, 7}; }));
}

#if CUDABOOK_HAS_WINDOW
/// Programs that call GLUT, without a display. They need EGL and a driver for EGL. Without them, the tests
/// are skipped or, with CUDABOOK_REQUIRE_DISPLAY=1 in the environment, fail.
class CliGlut : public CliBook {
  protected:
    void SetUp() override {
        const Ending ending = run_book("book_glut", {}, with({"CUDABOOK_FRAMES=1"}));
        if (ending.err.find("no OpenGL without a display") == std::string::npos) return;
        const char* required = std::getenv("CUDABOOK_REQUIRE_DISPLAY");
        if (required && std::string(required) == "1") FAIL() << ending.err;
        GTEST_SKIP() << ending.err;
    }
};

TEST_F(CliGlut, TenFramesWithoutADisplay) {
    const Ending ending = run_book("book_glut", {}, with({png()}));
    EXPECT_EQ(ending.status, 0);
    expect_line(ending, {"no display", "10 frames without a window"});
    expect_picture(128, 128, test::glut(10));
}

TEST_F(CliGlut, AsManyFramesAsAreAskedFor) {
    const Ending ending = run_book("book_glut", {}, with({"CUDABOOK_FRAMES=3", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.err, "");
    expect_picture(128, 128, test::glut(3));
}

TEST_F(CliGlut, AProgramsOwnHelper) {
    const Ending ending = run_book("book_own_helper", {}, with({"CUDABOOK_FRAMES=4", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "4 frames\n");
    EXPECT_EQ(ending.err, "");
    expect_picture(128, 128, test::glut(4));
}

TEST_F(CliGlut, APictureThatCannotBeWritten) {
    const std::string path = folder_ / "no" / "picture.png";
    const Ending ending = run_book("book_own_helper", {}, with({"CUDABOOK_PNG=" + path}));
    EXPECT_EQ(ending.status, 3);
    EXPECT_EQ(ending.out, "0 frames\n");
    expect_line(ending, {"CUDABOOK_PNG", path});
}

#if CUDABOOK_HAS_GLUT
TEST_F(CliGlut, WhatTheSystemsGlutHas) {
    const Ending ending = run_book("book_more_glut", {}, with({"CUDABOOK_FRAMES=6", png()}));
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "128 x 96\npixel buffers: 1\nclosed\nthe end\n");
    expect_line(ending, {"shapes are left out"});
    const Picture picture(folder_ / "picture.png");
    ASSERT_EQ(picture.width, 128);
    ASSERT_EQ(picture.height, 96);
    int red = 0, white = 0;
    for (const Rgba& pixel : picture.pixels) {
        red += pixel == Rgba{255, 0, 0} ? 1 : 0;
        white += pixel == Rgba{255, 255, 255} ? 1 : 0;
    }
    EXPECT_EQ(red, 4 * 5 * 32) << "the timer fires before every frame but the first";
    EXPECT_GT(white, 50) << "the text";
}
#endif

#if CUDABOOK_HAS_CUDA && !defined(CUDABOOK_OLD_PROGRAMS_ARE_EMULATED)
TEST_F(CliGlut, BuffersThatCudaCannotShare) {
    for (const Words& arguments : {Words{}, Words{"old"}}) {
        const Ending ending = run_book("book_copied_buffers", arguments, with({"CUDABOOK_FRAMES=4", png()}));
        EXPECT_EQ(ending.status, 0);
        EXPECT_EQ(ending.out, "unregistered\n");
        expect_line(ending, {"cannot share", "copied"});
        expect_picture(128, 128, test::painted(128, 128, [](int x, int y) {
                           return Rgba{test::byte(x), test::byte(y), test::byte(y % 2 == 0 ? 4 : 3)};
                       }));
    }
}
#endif

TEST_F(CliBook, GlutWhereThereIsNoEgl) {
    std::ofstream(folder_ / "libEGL.so.1") << "no library";
    const std::string path = "LD_LIBRARY_PATH=" + folder_.path().string();
    for (const Words& variables : {Words{path}, Words{path, "CUDABOOK_FRAMES=3"}}) {
        const Ending ending = run_book("book_glut", {}, with(variables));
        EXPECT_EQ(ending.status, 3);
        expect_line(ending, {"no display", "libEGL.so.1", "apt-get install libegl1"});
    }
}
#endif

}  // namespace
}  // namespace cudabook
