// common/book/: programs in the old style (tests/legacy/) in a window, on a virtual display.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/book/book_pictures.hpp"
#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/with_display.hpp"

namespace cudabook {
namespace {

using test::Ending, test::Picture, test::Process, test::Screenshot;
using Words = std::vector<std::string>;

class WindowBook : public test::WithDisplay {
  protected:
    /// Starts a program and waits for its window.
    void open(const std::string& program, const Words& arguments = {}, const Words& variables = {}) {
        test::Surroundings surroundings;
        surroundings.unset = {"CUDABOOK_FRAMES", "CUDABOOK_PNG"};
        surroundings.set = variables;
        process_ = std::make_unique<Process>(program, arguments, surroundings);
        ASSERT_TRUE(process_->wait_until([] {
            for (const std::uint32_t pixel : screenshot().pixels)
                if (pixel != 0) return true;
            return false;
        }));
        server_->xdotool("windowfocus --sync " + window_number());
    }

    [[nodiscard]] bool shows(int width, int height, const std::vector<Rgba>& pixels) const {
        Screenshot expected{width, height, {}};
        for (const Rgba& pixel : pixels)
            expected.pixels.push_back(
                static_cast<std::uint32_t>(pixel.red << 16 | pixel.green << 8 | pixel.blue));
        return process_->wait_until([&] { return screenshot() == expected; });
    }

    /// Waits for the program to end, which must succeed. Returns its stdout.
    std::string out() {
        const Ending ending = process_->wait();
        EXPECT_EQ(ending.status, 0) << ending.signal;
        EXPECT_EQ(ending.err, "");
        return ending.out;
    }

    std::unique_ptr<Process> process_;

  private:
    /// The programs do not search for leaks: Mesa loses some memory.
    const test::ScopedVariable no_search_for_leaks_{"ASAN_OPTIONS", "detect_leaks=0"};
};

TEST_F(WindowBook, AStillUntilEsc) {
    open("book_julia");
    EXPECT_TRUE(shows(200, 200, test::julia(200)));
    server_->resize(server_->window(), 400, 400);
    EXPECT_TRUE(process_->wait_until([] { return screenshot().width == 400; }));
    const double before = process_->cpu_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_LT(process_->cpu_seconds() - before, 0.4) << "it must wait, not spin";
    server_->xdotool("key Escape");
    EXPECT_EQ(out(), "200 x 200, 160000 bytes\nexit 42\n");
}

TEST_F(WindowBook, AStillUntilItIsClosed) {
    open("book_julia", {"64"});
    server_->press_close_button(server_->window());
    EXPECT_EQ(out(), "64 x 64, 16384 bytes\nexit 42\n");
}

TEST_F(WindowBook, DragsCountRowsFromTheTop) {
    open("book_ripple_cpu");
    server_->xdotool("mousemove 20 10 mousedown 1 mousemove 25 63 mouseup 1");
    EXPECT_TRUE(process_->wait_until([&] { return process_->out() == "drag 20 10 25 63\n"; }));
    server_->xdotool("key q");
    out();
}

TEST_F(WindowBook, TheLastFrameIsThePicture) {
    const test::TemporaryFolder folder;
    open("book_ripple_cpu", {}, {"CUDABOOK_PNG=" + (folder / "last.png").string()});
    server_->xdotool("key Escape");
    const std::string text = out();
    const int frames = std::stoi(text);
    EXPECT_EQ(text, std::to_string(frames) + " frames\n");
    const Picture picture(folder / "last.png");
    EXPECT_TRUE(picture.pixels == test::ripple(frames));
}

TEST_F(WindowBook, AFrameMayEndTheProgram) {
    for (int i = 0; i < 5; ++i) {
        test::Surroundings surroundings;
        surroundings.unset = {"CUDABOOK_FRAMES", "CUDABOOK_PNG"};
        const Ending ending = test::run("book_ripple_cpu", {"exit", "30"}, surroundings);
        EXPECT_EQ(ending.status, 5) << ending.signal;
        EXPECT_EQ(ending.err, "");
    }
}

TEST_F(WindowBook, NoneIfFramesAreSet) {
    const Ending ending = test::run("book_ripple_cpu", {}, {.unset = {}, .set = {"CUDABOOK_FRAMES=2"}});
    EXPECT_EQ(ending.status, 0);
    EXPECT_EQ(ending.out, "2 frames\n");
    EXPECT_EQ(ending.err, "");
}

TEST_F(WindowBook, Glut) {
    open("book_glut");
    EXPECT_EQ(server_->title(server_->window()), "bitmap");
    server_->xdotool("mousemove 20 30 mousedown 1 mousemove 25 31 mouseup 1 key a key Escape");
    EXPECT_EQ(out(), "button 0 down at 20 30\nbutton 0 up at 25 31\nkey 97 at 25 31\nkey 27 at 25 31\n");
}

TEST_F(WindowBook, TheLastFrameOfGlutIsThePicture) {
    const test::TemporaryFolder folder;
    open("book_own_helper", {}, {"CUDABOOK_PNG=" + (folder / "last.png").string()});
    server_->press_close_button(server_->window());
    const std::string text = out();
    const Picture picture(folder / "last.png");
    EXPECT_TRUE(picture.pixels == test::glut(std::stoi(text)));
}

#if CUDABOOK_HAS_GLUT
TEST_F(WindowBook, ProgramsThatCallMoreUseTheSystemsGlut) {
    const test::TemporaryFolder folder;
    open("book_more_glut", {}, {"CUDABOOK_PNG=" + (folder / "last.png").string()});
    if (HasFatalFailure()) FAIL() << process_->wait().err;
    // In the bottom left corner there is a white cube, and beside it the bar, which a timer draws.
    EXPECT_TRUE(process_->wait_until([] {
        const Screenshot now = screenshot();
        const std::size_t corner = now.pixels.size() - static_cast<std::size_t>(now.width);
        return now.width == 128 && now.pixels[corner] == 0xFFFFFF && now.pixels[corner + 12] == 0xFF0000;
    }));
    server_->xdotool("key F3 key F1");
    EXPECT_EQ(out(), "128 x 96\npixel buffers: 1\nspecial key 3\nspecial key 1\nclosed\nthe end\n");
    EXPECT_EQ(Picture(folder / "last.png").width, 128);
}
#endif

TEST_F(WindowBook, GlutInAHiddenWindow) {
    const test::TemporaryFolder folder;
    const test::TemporaryFolder no_egl;
    std::ofstream(no_egl / "libEGL.so.1") << "no library";
    const std::string path = folder / "glut.png";
    for (const Words& more : {Words{}, Words{"LD_LIBRARY_PATH=" + no_egl.path().string()}}) {
        Words variables{"CUDABOOK_FRAMES=3", "CUDABOOK_PNG=" + path};
        variables.insert(variables.end(), more.begin(), more.end());
        const Ending ending = test::run("book_glut", {}, {.unset = {}, .set = variables});
        EXPECT_EQ(ending.status, 0);
        EXPECT_EQ(ending.err, "");
        const Picture picture(path);
        EXPECT_EQ(picture.width, 128);
        EXPECT_TRUE(picture.pixels == test::glut(3));
    }
}

}  // namespace
}  // namespace cudabook
