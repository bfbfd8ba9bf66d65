// The window of texture_unit on a virtual display: the user's input gives the same picture as the same input
// by a script, headless.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/png_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/with_display.hpp"
#include "tests/texture_unit/pattern.hpp"
#include "texture_unit/demo/demo.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook::texture_unit {
namespace {

constexpr Size window_size{320, 200};

class WindowTexture : public test::WithDisplay {
  protected:
    LastFrame run(Display display, const std::vector<Input>& inputs,
                  std::optional<int> frames = std::nullopt) {
        WindowSetup setup{.device = "the CPU", .size = window_size, .display = display, .frames = frames};
        for (const Input& input : inputs) setup.script.push_back({1, input});
        const auto renderer = make_cpu_renderer(levels_, window_size);
        return run_window(setup, levels_, *renderer);
    }

    /// Opens the window with a hidden panel, lets the user act, and presses Q.
    LastFrame run_with(const std::function<void()>& user) {
        std::exception_ptr failed;
        std::thread acting([&] {
            try {
                if (soon([] { return server_->window() != 0; })) {
                    server_->xdotool("windowfocus --sync " + window_number());
                    user();
                    server_->xdotool("key q");
                }
            } catch (...) {
                failed = std::current_exception();
            }
        });
        const LastFrame last = run(Display::window, {Key{'I'}});
        acting.join();
        if (failed) std::rethrow_exception(failed);
        return last;
    }

    /// The window's content for these inputs.
    test::Screenshot expected(const std::vector<Input>& inputs) {
        const LastFrame last = run(Display::headless, inputs);
        test::Screenshot shot{window_size.width, window_size.height, {}};
        for (int y = window_size.height - 1; y >= 0; --y) {
            for (int x = 0; x < window_size.width; ++x) {
                const unsigned char* const pixel =
                    &last.rgba[static_cast<std::size_t>(y * window_size.width + x) * 4];
                shot.pixels.push_back(static_cast<std::uint32_t>(pixel[0] << 16 | pixel[1] << 8 | pixel[2]));
            }
        }
        return shot;
    }

    /// Expects the window's content after one more input, which the user makes by `xdotool`.
    void expect_after(const std::string& xdotool, const Input& input) {
        inputs_.push_back(input);
        server_->xdotool(xdotool);
        const test::Screenshot shot = expected(inputs_);
        EXPECT_TRUE(soon([&] { return screenshot() == shot; })) << xdotool;
    }

    /// The half with the panel and without the outline of a texel at the mouse.
    static std::vector<std::uint32_t> left_half(const test::Screenshot& shot) {
        std::vector<std::uint32_t> pixels;
        for (std::size_t i = 0; i < shot.pixels.size(); ++i)
            if (i % window_size.width < window_size.width / 2) pixels.push_back(shot.pixels[i]);
        return pixels;
    }

    std::vector<Image> levels_ = mip_levels(test::random_image(24, 16));
    std::vector<Input> inputs_;
};

TEST_F(WindowTexture, ShowsWhatTheScriptShowsHeadless) {
    run_with([&] {
        expect_after("mousemove 200 80", Pointer{{200, 119}});
        expect_after("click 4", Wheel{1, {200, 119}});
        expect_after("click 5", Wheel{-1, {200, 119}});
        for (const char key : {'x', 'y', 't', 'm', 'b', 'g', 'l', 'n', 'r'}) {
            const auto name = static_cast<char>(key - 'a' + 'A');
            expect_after(std::string("key ") + key, Key{name});
        }
        expect_after("key shift+x", Key{'X', true});
        expect_after("key shift+y", Key{'Y', true});
        expect_after("key shift+t", Key{'T', true});
        expect_after("key plus", Key{'+'});
        expect_after("key minus", Key{'-'});
        expect_after("mousedown 1 mousemove 230 60 mouseup 1",
                     Drag{Button::left, false, {200, 119}, {230, 139}});
    });
}

TEST_F(WindowTexture, PanelSaysWhatIsUnderTheMouse) {
    if (CUDABOOK_HAS_PANEL == 0) GTEST_SKIP() << "built without Dear ImGui";
    run_with([&] {
        server_->xdotool("mousemove 300 190 key i");
        const test::Screenshot bare = expected({Pointer{{300, 9}}});
        test::Screenshot shot;
        EXPECT_TRUE(soon([&] {
            shot = screenshot();
            return shot != bare && shot.pixels.back() == bare.pixels.back();
        }));
        server_->xdotool("mousemove 280 190");
        EXPECT_TRUE(soon([&] { return left_half(screenshot()) != left_half(shot); })) << "another text";
    });
}

TEST_F(WindowTexture, EndsAfterItsFrames) {
    EXPECT_EQ(run(Display::window, {}, 3).frames, 3);
    EXPECT_EQ(server_->window(), 0U);
}

TEST_F(WindowTexture, PaintsNothingWithoutInput) {
    const LastFrame last = run_with([&] {
        for (int i = 0; i < 5; ++i) expect_after("key t", Key{'T'});
    });
    EXPECT_LE(last.frames, 8)
        << "the first, the script's, one for each key and for the mouse's move onto the window";
}

/// The program with a script: the same picture in a window and headless.
TEST_F(WindowTexture, OfTheProgram) {
    const test::TemporaryFolder folder;
    const auto script = folder.file("script", "1 key x\n1 key m\n2 wheel 6 900 400\n3 mouse 800 300\n");
    std::vector<std::vector<Rgba>> pictures;
    for (const std::vector<std::string>& where :
         {std::vector<std::string>{"--window", "--frames", "3", "--device", "cpu"}, {"--device", "cpu"}}) {
        const auto png = folder / "window.png";
        std::vector<std::string> words{"--script", script, "--png", png};
        words.insert(words.end(), where.begin(), where.end());
        const test::Ending ending =
            test::run("texture_unit", words, {.unset = {}, .set = {"ASAN_OPTIONS=detect_leaks=0"}});
        EXPECT_EQ(ending.status, 0) << ending.err;
        pictures.push_back(test::Picture(png).pixels);
    }
    EXPECT_EQ(pictures[0].size(), 1280U * 800U);
    EXPECT_TRUE(pictures[0] == pictures[1]);
}

}  // namespace
}  // namespace cudabook::texture_unit
