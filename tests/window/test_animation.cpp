// common/window/animation.hpp: the loop headless and (the suites Window…) in a window, on a virtual display.
#include "common/window/animation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if CUDABOOK_HAS_WINDOW
#include <GL/gl.h>

#include "tests/support/with_display.hpp"

#ifdef __SANITIZE_ADDRESS__
// Mesa's driver keeps some memory until exit; if it were unloaded, the leak checker would report that memory.
extern "C" int dlclose(void*) { return 0; }
#endif
#endif

namespace cudabook {
namespace {

/// An animation that records its callbacks; `frame` is called at each tick.
struct Recorded {
    Recorded(int width, int height, Display display) : bitmap{width, height, this} {
        bitmap.set_display(display);
        bitmap.click_drag([](void* self, int x0, int y0, int x1, int y1) {
            static_cast<Recorded*>(self)->drags.push_back({x0, y0, x1, y1});
        });
    }

    /// Also records input; `repaint` is called after input while the animation is paused.
    void record_inputs() {
        bitmap.click_drag([](void* data, const Drag& piece) { self(data).note("drag", piece.from.x); });
        bitmap.on_key(
            [](void* data, Key key) { self(data).note(std::string("key ") + key.character, key.shift); });
        bitmap.on_repaint([](void* data) {
            self(data).note("repaint", 0);
            self(data).repaint();
        });
    }

    static Recorded& self(void* data) { return *static_cast<Recorded*>(data); }

    /// The events, and the number of frames before each.
    void note(const std::string& what, int number) {
        notes.push_back(what + " " + std::to_string(number) + " after " +
                        std::to_string(bitmap.frames_done()));
    }

    void run() {
        bitmap.anim_and_exit(
            [](void* data, int tick) {
                auto& self = *static_cast<Recorded*>(data);
                self.ticks.push_back(tick);
                self.frame(tick);
            },
            [](void* data) { ++static_cast<Recorded*>(data)->exits; });
    }

    CPUAnimBitmap bitmap;
    std::function<void(int)> frame = [](int) {};
    std::vector<int> ticks;
    std::vector<std::array<int, 4>> drags;
    std::function<void()> repaint = [] {};
    std::vector<std::string> notes;
    int exits = 0;
};

/// The message of the MachineError that `work` throws; empty if it throws none.
std::string machine_error(const std::function<void()>& work) {
    try {
        work();
    } catch (const MachineError& error) {
        return error.what();
    }
    return "";
}

TEST(Animation, TicksCountFromOneToTheFrameLimit) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_frame_limit(5);
    animation.run();
    EXPECT_EQ(animation.ticks, (std::vector{1, 2, 3, 4, 5}));
    EXPECT_EQ(animation.bitmap.frames_done(), 5);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::frame_limit);
    EXPECT_EQ(animation.exits, 1);
}

TEST(Animation, NoFrames) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_frame_limit(0);
    animation.run();
    EXPECT_TRUE(animation.ticks.empty());
    EXPECT_EQ(animation.bitmap.frames_done(), 0);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::frame_limit);
    EXPECT_EQ(animation.exits, 1);
}

TEST(Animation, RunsAgainFromTheFirstTick) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_frame_limit(2);
    animation.run();
    animation.run();
    EXPECT_EQ(animation.ticks, (std::vector{1, 2, 1, 2}));
    EXPECT_EQ(animation.exits, 2);
}

TEST(Animation, ExitCallbackMayBeMissing) {
    int frames = 0;
    CPUAnimBitmap bitmap{1, 1, &frames};
    bitmap.set_display(Display::headless);
    bitmap.set_frame_limit(3);
    bitmap.anim_and_exit([](void* data, int) { ++*static_cast<int*>(data); }, nullptr);
    EXPECT_EQ(frames, 3);
}

TEST(Animation, FrameMayEndTheAnimationByTheLimit) {
    Recorded animation{1, 1, Display::headless};
    animation.frame = [&](int ticks) {
        if (ticks == 7) animation.bitmap.set_frame_limit(7);
    };
    animation.run();
    EXPECT_EQ(animation.bitmap.frames_done(), 7);
}

TEST(Animation, InterruptEndsItAfterTheFrame) {
    const InterruptGuard guard;
    Recorded animation{4, 3, Display::headless};
    animation.frame = [](int ticks) {
        if (ticks == 3) std::raise(SIGINT);
    };
    animation.run();
    EXPECT_EQ(animation.bitmap.frames_done(), 3);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::interrupt);
    EXPECT_EQ(animation.exits, 1);
    clear_interrupt();
}

TEST(Animation, ExceptionOfTheFramePassesThrough) {
    Recorded animation{4, 3, Display::headless};
    animation.frame = [](int) { throw std::domain_error("no more"); };
    EXPECT_THROW(animation.run(), std::domain_error);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::not_yet);
    EXPECT_EQ(animation.exits, 0);
}

// ----- scripted input

using Notes = std::vector<std::string>;

constexpr Key space{' '};
constexpr Key single{'.'};

TEST(Animation, InputsComeBeforeTheFrameOfTheirTick) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_frame_limit(3);
    animation.bitmap.set_script({{1, Key{'K', true}},
                                 {3, Drag{Button::left, false, {1, 2}, {3, 0}}},
                                 {3, Drag{Button::right, true, {2, 2}, {3, 0}}},
                                 {3, Key{'+'}},
                                 {4, Key{'K'}}});
    animation.run();
    EXPECT_EQ(animation.notes,
              (Notes{"key K 1 after 0", "drag 1 after 2", "drag 2 after 2", "key + 0 after 2"}));
    EXPECT_EQ(animation.drags, (std::vector{std::array{1, 2, 3, 0}}))
        << "the whole drag with the left button";
    EXPECT_EQ(animation.ticks, (std::vector{1, 2, 3}));
}

TEST(Animation, SpacePausesAndGoesOn) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_frame_limit(4);
    animation.bitmap.set_script({{2, space}, {5, Key{'K'}}, {9, space}, {10, Key{'K'}}});
    animation.frame = [&](int) { EXPECT_FALSE(animation.bitmap.paused()); };
    animation.repaint = [&] { EXPECT_TRUE(animation.bitmap.paused()); };
    animation.run();
    EXPECT_EQ(animation.notes,
              (Notes{"repaint 0 after 1", "key K 0 after 1", "repaint 0 after 1", "key K 0 after 2"}))
        << "ticks also count while paused";
    EXPECT_EQ(animation.bitmap.frames_done(), 4);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::frame_limit);
}

TEST(Animation, SingleFrames) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_script({{2, single}, {6, Key{'A'}}, {7, single}, {7, single}, {11, Key{'B'}}});
    animation.run();
    EXPECT_EQ(animation.notes,
              (Notes{"key A 0 after 2", "repaint 0 after 2", "key B 0 after 4", "repaint 0 after 4"}));
    EXPECT_EQ(animation.bitmap.frames_done(), 4);
}

TEST(Animation, PausedForEverIsTheEnd) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_script({{3, space}});
    animation.run();
    EXPECT_EQ(animation.bitmap.frames_done(), 2);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
    EXPECT_EQ(animation.exits, 1);
    animation.run();
    EXPECT_EQ(animation.ticks, (std::vector{1, 2, 1, 2})) << "from the beginning";
}

TEST(Animation, EscAndQEndItBeforeTheFrame) {
    for (const Key key : {Key{Key::escape}, Key{'Q'}}) {
        Recorded animation{4, 3, Display::headless};
        animation.bitmap.set_script({{3, key}});
        animation.run();
        EXPECT_EQ(animation.bitmap.frames_done(), 2);
        EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
    }
}

TEST(Animation, TheWheelAndTheMouseWithoutAButton) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.on_wheel([](void* data, const Wheel& wheel) {
        Recorded::self(data).note("wheel " + std::to_string(wheel.at.x), static_cast<int>(wheel.steps));
    });
    animation.bitmap.on_pointer([](void* data, Cell at) { Recorded::self(data).note("mouse", at.y); });
    animation.bitmap.set_script({{1, Pointer{{1, 2}}}, {2, Wheel{-3, {2, 1}}}});
    animation.bitmap.set_frame_limit(2);
    animation.run();
    EXPECT_EQ(animation.notes, (std::vector<std::string>{"mouse 2 after 0", "wheel 2 -3 after 1"}));
}

TEST(Animation, PausedItIgnoresMovesThatNobodyAsksFor) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_script({{1, Key{' '}}, {2, Pointer{{1, 2}}}, {3, Wheel{1, {1, 2}}}, {4, Key{'.'}}});
    animation.bitmap.set_frame_limit(1);
    animation.run();
    EXPECT_EQ(animation.notes, (std::vector<std::string>{"repaint 0 after 0"})) << "for the space alone";
}

TEST(Animation, InAStillPictureSpaceAndDotAreKeys) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_still();
    animation.bitmap.set_script({{1, Key{' '}}, {2, Key{'.'}}});
    animation.bitmap.set_frame_limit(3);
    animation.run();
    EXPECT_EQ(animation.bitmap.frames_done(), 3);
    EXPECT_EQ(animation.notes, (std::vector<std::string>{"key   0 after 0", "key . 0 after 1"}));
}

TEST(Animation, ItsOwnKeysAreNotPassedOn) {
    Recorded animation{4, 3, Display::headless};
    animation.record_inputs();
    animation.bitmap.set_frame_limit(3);
    std::vector<TimedInput> script;
    for (const char key : {'F', 'V', 'I', 'H', ' ', ' ', 'F', 'A'}) script.push_back({2, Key{key}});
    animation.bitmap.set_script(script);
    animation.run();
    EXPECT_EQ(animation.notes, (Notes{"key A 0 after 1"}));
}

TEST(Animation, EveryFrameIsWantedOnTheHost) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_frame_limit(3);
    animation.frame = [&](int) {
        EXPECT_TRUE(animation.bitmap.wanted());
        for (const bool on_device : {false, true}) {
            const Canvas canvas = animation.bitmap.canvas(on_device);
            EXPECT_EQ(canvas.rgba, animation.bitmap.get_ptr());
            EXPECT_EQ(canvas.memory, DeviceKind::cpu);
            EXPECT_EQ(animation.bitmap.path_to_window(), "copy");
        }
    };
    animation.run();
}

TEST(Animation, ExceptionOfAKeyPassesThrough) {
    Recorded animation{4, 3, Display::headless};
    animation.bitmap.set_script({{2, Key{'A'}}});
    animation.bitmap.on_key([](void*, Key) { throw std::domain_error("no such key"); });
    EXPECT_THROW(animation.run(), std::domain_error);
    EXPECT_EQ(animation.ticks, (std::vector{1}));
}

TEST(Animation, PictureIsBlackAndPageAligned) {
    const CPUAnimBitmap bitmap{333, 257};
    ASSERT_EQ(bitmap.image_size(), 333 * 257 * 4);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bitmap.get_ptr()) % 65536, 0U);
    const std::vector<unsigned char> pixels(bitmap.get_ptr(), bitmap.get_ptr() + bitmap.image_size());
    EXPECT_EQ(pixels, std::vector<unsigned char>(pixels.size(), 0));
}

TEST(Animation, ImageSizeDoesNotFitIntoAnInt) {
    const CPUAnimBitmap bitmap{32768, 16385};
    EXPECT_EQ(bitmap.image_size(), 2147614720);
    EXPECT_EQ(bitmap.get_ptr()[bitmap.image_size() - 1], 0);
}

TEST(Animation, PictureTooLargeForMemory) {
    EXPECT_NE(
        machine_error([] { CPUAnimBitmap(2147483647, 2147483647); }).find("2147483647x2147483647 pixels"),
        std::string::npos);
}

TEST(Animation, SizeBelowOne) {
    EXPECT_THROW(CPUAnimBitmap(0, 1), std::invalid_argument);
    EXPECT_THROW(CPUAnimBitmap(1, -1), std::invalid_argument);
}

#if !CUDABOOK_HAS_WINDOW

TEST(Animation, BuiltWithoutAWindow) {
    Recorded animation{4, 3, Display::window};
    const std::string missing =
        "no window: libcudabook_window.so is missing; build cudabook where GLFW and GLEW are installed "
        "(Debian: "
        "apt-get install libglfw3-dev libglew-dev)";
    EXPECT_EQ(machine_error([&] { animation.run(); }), missing + "; --headless runs without a window");
    EXPECT_EQ(animation.exits, 0);
    std::string reason;
    EXPECT_FALSE(display_available(&reason));
    EXPECT_EQ(reason, missing);
}

#else

using test::ScopedVariable;

void expect_no_display() {
    std::string reason;
    EXPECT_FALSE(display_available(&reason));
    EXPECT_FALSE(display_available());
    EXPECT_EQ(reason.find("no display: "), 0U) << reason;
    EXPECT_NE(reason.find("DISPLAY"), std::string::npos) << reason;

    Recorded animation{4, 3, Display::window};
    EXPECT_EQ(machine_error([&] { animation.run(); }), reason + "; --headless runs without a window");
    EXPECT_EQ(animation.exits, 0);
}

TEST(AnimationWithoutDisplay, NoVariable) {
    const ScopedVariable x{"DISPLAY", nullptr}, wayland{"WAYLAND_DISPLAY", nullptr},
        sockets{"XDG_RUNTIME_DIR", nullptr};
    expect_no_display();
}

TEST(AnimationWithoutDisplay, DeadServer) {
    const ScopedVariable x{"DISPLAY", ":4711"}, wayland{"WAYLAND_DISPLAY", "wayland-4711"};
    expect_no_display();
}

class WindowAnimation : public test::WithDisplay {
  protected:
    /// Runs the animation in a window until `done(ticks)`, called at each frame; fails after two minutes.
    static void run_until(Recorded& animation, const std::function<bool(int)>& done) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        animation.frame = [&](int ticks) {
            if (done(ticks)) animation.bitmap.set_frame_limit(ticks);
            if (std::chrono::steady_clock::now() > deadline)
                throw std::runtime_error("the window took too long");
        };
        animation.run();
        EXPECT_EQ(server_->window(), 0U) << "the window is still there";
        EXPECT_EQ(animation.exits, 1);
    }

    /// Runs the animation and calls end(), which must end it, in the second frame.
    static void run_until_user(Recorded& animation, const std::function<void()>& end) {
        run_until(animation, [&](int ticks) {
            if (ticks == 2) end();
            return false;
        });
        EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
    }

    /// Waits until the window shows `expected`. Returns false if it never does.
    static bool shows(const test::Screenshot& expected) {
        return soon([&] { return server_->screenshot(server_->window()) == expected; });
    }
};

/// The colour of a cell, 0xRRGGBB, different for every cell of a small grid and for every frame.
std::uint32_t colour(int x, int y, int ticks) {
    const int red = x % 256, green = y % 256, blue = (x / 256 * 16 + y / 256 * 64 + ticks) % 256;
    return static_cast<std::uint32_t>(red << 16 | green << 8 | blue);
}

void paint(Recorded& animation, int width, int height, int ticks) {
    unsigned char* pixel = animation.bitmap.get_ptr();
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::uint32_t rgb = colour(x, y, ticks);
            *pixel++ = static_cast<unsigned char>(rgb >> 16);
            *pixel++ = static_cast<unsigned char>(rgb >> 8);
            *pixel++ = static_cast<unsigned char>(rgb);
            *pixel++ = static_cast<unsigned char>(x);  // alpha, which the window ignores
        }
    }
}

/// A window of this size that shows the painted grid in the rectangle at (left, top), on black.
test::Screenshot painted(int width, int height, int ticks, int window_width, int window_height, int left,
                         int top, int image_width, int image_height) {
    test::Screenshot shot{window_width, window_height, {}};
    for (int j = 0; j < window_height; ++j) {
        for (int i = 0; i < window_width; ++i) {
            const int column = i - left, row = image_height - 1 - (j - top);
            const bool inside = column >= 0 && column < image_width && row >= 0 && row < image_height;
            // The cell that contains the centre of the pixel.
            const int x = (2 * column + 1) * width / (2 * image_width),
                      y = (2 * row + 1) * height / (2 * image_height);
            shot.pixels.push_back(inside ? colour(x, y, ticks) : 0);
        }
    }
    return shot;
}

class WindowOfSize : public WindowAnimation, public testing::WithParamInterface<std::array<int, 2>> {};

INSTANTIATE_TEST_SUITE_P(WindowSizes, WindowOfSize,
                         testing::Values(std::array{333, 257}, std::array{1, 1}, std::array{2, 1},
                                         std::array{1, 3}, std::array{640, 480}, std::array{1280, 1024}),
                         [](const auto& test) {
                             return std::to_string(test.param[0]) + "x" + std::to_string(test.param[1]);
                         });

TEST_P(WindowOfSize, ShowsEveryFramePixelForPixel) {
    const auto [width, height] = GetParam();
    Recorded animation{width, height, Display::window};
    run_until(animation, [&, w = width, h = height](int ticks) {
        if (ticks > 1) {
            EXPECT_TRUE(shows(painted(w, h, ticks - 1, w, h, 0, 0, w, h))) << "frame " << ticks - 1;
        }
        paint(animation, w, h, ticks);
        return ticks == 4;
    });
    EXPECT_EQ(animation.bitmap.frames_done(), 4);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::frame_limit);
}

struct Resize {
    std::string name;
    int window_width, window_height, left, top, image_width, image_height;
};

class WindowResized : public WindowAnimation, public testing::WithParamInterface<Resize> {};

INSTANTIATE_TEST_SUITE_P(WindowSizes, WindowResized,
                         testing::Values(Resize{"BarsAtTheSides", 800, 514, 67, 0, 666, 514},
                                         Resize{"BarsAboveAndBelow", 333, 400, 0, 72, 333, 257},
                                         Resize{"OddBarsAtTheSides", 336, 257, 1, 0, 333, 257},
                                         Resize{"OddBarsAboveAndBelow", 333, 260, 0, 2, 333, 257},
                                         Resize{"Smaller", 200, 100, 35, 0, 130, 100},
                                         Resize{"Larger", 1000, 1000, 0, 114, 1000, 772},
                                         Resize{"OnePixel", 1, 1, 0, 0, 1, 1}),
                         [](const auto& test) { return test.param.name; });

TEST_P(WindowResized, KeepsTheAspectRatio) {
    const Resize& to = GetParam();
    Recorded animation{333, 257, Display::window};
    paint(animation, 333, 257, 1);
    const auto expected = painted(333, 257, 1, to.window_width, to.window_height, to.left, to.top,
                                  to.image_width, to.image_height);
    run_until(animation, [&](int ticks) {
        if (ticks == 1) server_->resize(server_->window(), to.window_width, to.window_height);
        return server_->screenshot(server_->window()) == expected;
    });
}

TEST_F(WindowAnimation, GridLargerThanTheMonitorIsScaledDown) {
    Recorded animation{1920, 1080, Display::window};
    paint(animation, 1920, 1080, 1);
    run_until(animation, [&](int) {
        EXPECT_TRUE(shows(painted(1920, 1080, 1, 1280, 720, 0, 0, 1280, 720)));
        return true;
    });
}

TEST_F(WindowAnimation, EscEndsIt) {
    Recorded animation{64, 48, Display::window};
    run_until_user(animation,
                   [&] { server_->xdotool("windowfocus --sync " + window_number() + " key Escape"); });
}

TEST_F(WindowAnimation, OtherKeysDoNotEndIt) {
    Recorded animation{64, 48, Display::window};
    int pressed = 0;
    run_until(animation, [&](int ticks) {
        if (ticks == 1) server_->xdotool("windowfocus --sync " + window_number() + " key a Return plus F4");
        return ++pressed == 20;
    });
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::frame_limit);
}

TEST_F(WindowAnimation, CloseButtonEndsIt) {
    Recorded animation{64, 48, Display::window};
    run_until_user(animation, [&] { server_->press_close_button(server_->window()); });
}

TEST_F(WindowAnimation, InterruptEndsIt) {
    const InterruptGuard guard;
    Recorded animation{64, 48, Display::window};
    run_until(animation, [](int ticks) {
        if (ticks == 2) std::raise(SIGTERM);
        return false;
    });
    EXPECT_EQ(animation.bitmap.frames_done(), 2);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::interrupt);
    clear_interrupt();
}

TEST_F(WindowAnimation, NoFrames) {
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_frame_limit(0);
    animation.run();
    EXPECT_TRUE(animation.ticks.empty());
    EXPECT_EQ(animation.exits, 1);
    EXPECT_EQ(server_->window(), 0U);
}

TEST_F(WindowAnimation, ExceptionOfTheFrameClosesIt) {
    Recorded animation{64, 48, Display::window};
    animation.frame = [](int) { throw std::domain_error("no more"); };
    EXPECT_THROW(animation.run(), std::domain_error);
    EXPECT_EQ(server_->window(), 0U);
}

TEST_F(WindowAnimation, OpensAgain) {
    Recorded animation{64, 48, Display::window};
    for (int run = 1; run <= 3; ++run) {
        EXPECT_TRUE(display_available());
        animation.bitmap.set_frame_limit(2);
        animation.run();
        EXPECT_EQ(animation.exits, run);
    }
}

TEST_F(WindowAnimation, TitleChangesWhileItRuns) {
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_title("first");
    run_until(animation, [&](int ticks) {
        if (ticks == 1) {
            EXPECT_EQ(server_->title(server_->window()), "first");
            animation.bitmap.set_title("second");
        }
        return server_->title(server_->window()) == "second";
    });
}

/// A drag from (x0, y0) to (x1, y1), as words for xdotool. Coordinates are in pixels from the window's top
/// left.
std::string drag(int x0, int y0, int x1, int y1) {
    const auto move = [](int x, int y) { return "mousemove " + std::to_string(x) + " " + std::to_string(y); };
    return move(x0, y0) + " mousedown 1 " + move((x0 + x1) / 2, y0) + " " + move(x1, y1) + " mouseup 1";
}

// (GLFW's X11 code ignores a mouse at exactly (0, 0), which these tests do not use.)
TEST_F(WindowAnimation, DragIsInCellsFromTheBottom) {
    Recorded animation{333, 257, Display::window};
    run_until(animation, [&](int ticks) {
        if (ticks == 1) server_->xdotool(drag(10, 20, 300, 240) + " " + drag(0, 1, 332, 256));
        return animation.drags.size() == 2;
    });
    EXPECT_EQ(animation.drags[0], (std::array{10, 236, 300, 16}));
    EXPECT_EQ(animation.drags[1], (std::array{0, 255, 332, 0}));
}

TEST_F(WindowAnimation, DragInAResizedWindow) {
    Recorded animation{333, 257, Display::window};
    paint(animation, 333, 257, 1);
    const auto resized = painted(333, 257, 1, 800, 514, 67, 0, 666, 514);
    bool dragged = false;
    run_until(animation, [&](int ticks) {
        if (ticks == 1) server_->resize(server_->window(), 800, 514);
        if (!dragged && server_->screenshot(server_->window()) == resized) {
            dragged = true;
            // From cell to cell, each two pixels wide; then from the left border to outside the window.
            server_->xdotool(drag(67 + 20, 513 - 30, 67 + 21, 513 - 31) + " " +
                             drag(3, 513 - 100, 1200, 1000));
        }
        return animation.drags.size() == 2;
    });
    EXPECT_EQ(animation.drags[0], (std::array{10, 15, 10, 15}));
    EXPECT_EQ(animation.drags[1], (std::array{0, 50, 332, 0}));
}

TEST_F(WindowAnimation, ClickWithoutMovingTheMouse) {
    Recorded animation{333, 257, Display::window};
    server_->xdotool("mousemove 50 60");
    run_until(animation, [&](int ticks) {
        if (ticks == 1) server_->xdotool("mousedown 1 mouseup 1 mousedown 3 mouseup 3");
        return !animation.drags.empty();
    });
    EXPECT_EQ(animation.drags, (std::vector{std::array{50, 196, 50, 196}}));
}

TEST_F(WindowAnimation, GridLargerThanATexture) {
    Recorded animation{100000, 1, Display::window};
    const std::string message = machine_error([&] { animation.run(); });
    EXPECT_NE(message.find("the grid has 100000x1"), std::string::npos) << message;
    EXPECT_NE(message.find("--headless"), std::string::npos) << message;
    EXPECT_EQ(animation.exits, 0);
}

// ----- the window and the frames run at separate rates

TEST_F(WindowAnimation, AScriptDoesTheSameAsHeadless) {
    const std::vector<TimedInput> script{
        {2, Key{'K'}}, {3, single},   {3, single},    {6, Drag{Button::right, false, {7, 8}, {9, 9}}},
        {8, space},    {9, Key{'H'}}, {12, Key{'B'}}, {14, Key{'Q'}}};
    Notes notes[2];
    for (const Display display : {Display::headless, Display::window}) {
        Recorded animation{64, 48, display};
        animation.record_inputs();
        animation.bitmap.set_script(script);
        animation.run();
        EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
        animation.note("end", 0);
        notes[display == Display::window ? 1 : 0] = animation.notes;
    }
    EXPECT_EQ(notes[0], notes[1]);
    EXPECT_EQ(notes[0].back(), "end 0 after 10");
}

TEST_F(WindowAnimation, StaysResponsiveDuringALongFrame) {
    Recorded animation{333, 257, Display::window};
    run_until(animation, [&](int ticks) {
        if (ticks == 2) {
            EXPECT_TRUE(shows(painted(333, 257, 1, 333, 257, 0, 0, 333, 257)));
            server_->resize(server_->window(), 336, 257);
            EXPECT_TRUE(shows(painted(333, 257, 1, 336, 257, 1, 0, 333, 257))) << "drawn again";
            animation.bitmap.set_title("in the frame");
            EXPECT_TRUE(soon([] { return server_->title(server_->window()) == "in the frame"; }));
            server_->xdotool("windowfocus --sync " + window_number() + " key f");
            EXPECT_TRUE(soon([] { return screenshot().width == 1280; })) << "the whole screen";
            server_->xdotool("key f");
            EXPECT_TRUE(soon([] { return screenshot().width == 336; })) << "and back";
            return true;
        }
        paint(animation, 333, 257, ticks);
        return false;
    });
}

TEST_F(WindowAnimation, FramesAreNotPaintedWhileMinimised) {
    Recorded animation{64, 48, Display::window};
    ::Window window = 0;
    int unwanted = 0;
    int painted_at = 0;
    run_until(animation, [&](int ticks) {
        if (painted_at > 0) {
            EXPECT_TRUE(shows(painted(64, 48, painted_at, 64, 48, 0, 0, 64, 48)));
            return true;
        }
        if (ticks == 1) {
            window = server_->window();
            server_->minimise(window, true);
        }
        const bool wanted = animation.bitmap.wanted();
        if (wanted) paint(animation, 64, 48, ticks);
        if (unwanted == 1000) {
            if (wanted) painted_at = ticks;
        } else {
            unwanted = wanted ? 0 : unwanted + 1;
            if (unwanted == 1000) server_->minimise(window, false);
        }
        return false;
    });
    EXPECT_EQ(unwanted, 1000);
}

TEST_F(WindowAnimation, TheLastFrameIsWanted) {
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_frame_limit(500);
    bool wanted = false;
    animation.frame = [&](int) { wanted = animation.bitmap.wanted(); };
    animation.run();
    EXPECT_TRUE(wanted);
}

TEST_F(WindowAnimation, KeysAndDragsOfTheUser) {
    Recorded animation{333, 257, Display::window};
    animation.record_inputs();
    run_until(animation, [&](int ticks) {
        if (ticks == 1)
            server_->xdotool("windowfocus --sync " + window_number() +
                             " key shift+k mousemove 5 6 mousedown 3 mousemove 9 6 mouseup 3 key a");
        return !animation.notes.empty() && animation.notes.back().starts_with("key A");
    });
    ASSERT_EQ(animation.notes.size(), 4U);
    EXPECT_TRUE(animation.notes[0].starts_with("key K 1")) << animation.notes[0];
    EXPECT_TRUE(animation.notes[1].starts_with("drag 5")) << animation.notes[1];
    EXPECT_TRUE(animation.notes[2].starts_with("drag 5")) << animation.notes[2];
    EXPECT_TRUE(animation.drags.empty()) << "the drag was with the right button";
}

TEST_F(WindowAnimation, PausedItRepaintsOnlyChanges) {
    Recorded animation{333, 257, Display::window};
    animation.record_inputs();
    std::atomic<int> frames{0};
    std::atomic<bool> paused{false};
    int paused_at = 0;
    std::thread user;
    animation.repaint = [&] {
        paused = animation.bitmap.paused();
        const bool after_k = animation.notes.size() > 1 && animation.notes.end()[-2].starts_with("key K");
        if (after_k) paint(animation, 333, 257, 77);
    };
    run_until(animation, [&](int ticks) {
        frames = ticks;
        if (ticks == 1) {
            server_->xdotool("windowfocus --sync " + window_number() + " key space");
            user = std::thread([&] {
                EXPECT_TRUE(soon([&] { return paused.load(); }));
                paused_at = frames.load();
                server_->xdotool("key k");
                EXPECT_TRUE(shows(painted(333, 257, 77, 333, 257, 0, 0, 333, 257)));
                EXPECT_EQ(frames, paused_at);
                server_->xdotool("key period");
                EXPECT_TRUE(soon([&] { return frames == paused_at + 1; }));
                server_->xdotool("key space key q");
            });
        }
        return false;
    });
    user.join();
    EXPECT_GT(animation.bitmap.frames_done(), paused_at);
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
}

/// A fake device, with memory on the host.
class FakeDeviceFrames : public DeviceFrames {
  public:
    FakeDeviceFrames(unsigned texture, int width, int height)
        : texture_(texture), width_(width), height_(height) {
        for (auto& frame : memory_) frame.resize(static_cast<std::size_t>(4 * width * height));
    }
    unsigned char* memory(int slot) override { return memory_.at(static_cast<std::size_t>(slot)).data(); }
    void show(int slot) override {
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, memory(slot));
    }

  private:
    unsigned texture_;
    int width_;
    int height_;
    std::array<std::vector<unsigned char>, 3> memory_;
};

TEST_F(WindowAnimation, AStillPictureWaitsForInput) {
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_still();
    animation.bitmap.on_wheel(
        [](void* data, const Wheel& /*wheel*/) { Recorded::self(data).note("wheel", 0); });
    animation.bitmap.set_script({{2, Key{'A'}}, {3, Key{'A'}}});
    std::thread user;
    std::atomic<bool> wheel_painted{false};
    animation.frame = [&](int ticks) {
        if (ticks == 3)
            user = std::thread([&] {
                ASSERT_TRUE(soon([] { return server_->window() != 0; }));
                server_->xdotool("windowfocus --sync " + window_number() + " mousemove 20 30 click 4");
                ASSERT_TRUE(soon([&] { return wheel_painted.load(); }));
                server_->xdotool("key q");
            });
        if (!animation.notes.empty()) wheel_painted = true;
    };
    animation.run();
    user.join();
    EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
    EXPECT_EQ(animation.ticks, (std::vector{1, 2, 3, 4})) << "the first, the script's, and one for the wheel";
}

TEST_F(WindowAnimation, FramesInTheDevicesMemory) {
    Recorded animation{333, 257, Display::window};
    animation.bitmap.set_device_frames([](unsigned texture, int width, int height) {
        return std::make_unique<FakeDeviceFrames>(texture, width, height);
    });
    run_until(animation, [&](int ticks) {
        if (ticks > 1) {
            EXPECT_TRUE(shows(painted(333, 257, ticks - 1, 333, 257, 0, 0, 333, 257))) << ticks - 1;
        }
        paint(animation, 333, 257, ticks);
        const bool on_device = ticks % 3 != 0;
        const Canvas canvas = animation.bitmap.canvas(on_device);
        EXPECT_EQ(canvas.memory, on_device ? DeviceKind::cuda : DeviceKind::cpu);
        EXPECT_EQ(animation.bitmap.path_to_window(), on_device ? "interop" : "copy");
        if (on_device) {
            std::copy_n(animation.bitmap.get_ptr(), animation.bitmap.image_size(), canvas.rgba);
            std::fill_n(animation.bitmap.get_ptr(), animation.bitmap.image_size(),
                        static_cast<unsigned char>(0));
        }
        return ticks == 7;
    });
}

TEST_F(WindowAnimation, DeviceThatCannotShareMemory) {
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_device_frames([](unsigned, int, int) -> std::unique_ptr<DeviceFrames> {
        throw MachineError("OpenGL runs on another device");
    });
    run_until(animation, [&](int ticks) {
        EXPECT_EQ(animation.bitmap.canvas(true).memory, DeviceKind::cpu);
        return ticks == 3;
    });
}

TEST_F(WindowAnimation, DisplayErrorsPassThrough) {
    class Failing : public DeviceFrames {
        unsigned char* memory(int) override { return &byte_; }
        void show(int) override { throw MachineError("the device is gone"); }
        unsigned char byte_ = 0;
    };
    Recorded animation{64, 48, Display::window};
    animation.bitmap.set_device_frames([](unsigned, int, int) { return std::make_unique<Failing>(); });
    animation.frame = [&](int) { animation.bitmap.canvas(true); };
    EXPECT_EQ(machine_error([&] { animation.run(); }), "the device is gone");
    EXPECT_EQ(server_->window(), 0U);
}

/// Both threads fail, the window's thread after `window_may_fail`: the callback's error must be rethrown.
TEST_F(WindowAnimation, ACallbacksErrorComesBeforeTheWindows) {
    static std::atomic<bool> window_may_fail, window_failed;
    class Failing : public DeviceFrames {
        unsigned char* memory(int) override { return &byte_; }
        void show(int) override {
            while (!window_may_fail) std::this_thread::yield();
            window_failed = true;
            throw MachineError("the device is gone");
        }
        unsigned char byte_ = 0;
    };
    struct AtTheEndOfTheThread {
        ~AtTheEndOfTheThread() { window_may_fail = true; }
    };
    for (const bool window_fails_first : {false, true}) {
        window_may_fail = window_failed = false;
        Recorded animation{64, 48, Display::window};
        animation.bitmap.set_device_frames([](unsigned, int, int) { return std::make_unique<Failing>(); });
        animation.frame = [&](int ticks) {
            static thread_local AtTheEndOfTheThread of_this_thread;
            static_cast<void>(&of_this_thread);  // constructs it
            animation.bitmap.canvas(true);
            if (ticks == 1) return;
            window_may_fail = window_fails_first;
            while (window_fails_first && !window_failed) std::this_thread::yield();
            throw std::domain_error("no more");
        };
        EXPECT_THROW(animation.run(), std::domain_error);
        EXPECT_EQ(server_->window(), 0U);
    }
}

TEST_F(WindowAnimation, PanelOnTheFirstFrameAndHiddenByI) {
    if (CUDABOOK_HAS_PANEL == 0) GTEST_SKIP() << "built without Dear ImGui";
    Recorded animation{333, 257, Display::window};
    Panel panel;
    panel.title = "a title";
    panel.keys = {{"K", "a key"}};
    animation.bitmap.set_panel(panel);
    paint(animation, 333, 257, 1);
    const test::Screenshot bare = painted(333, 257, 1, 333, 257, 0, 0, 333, 257);
    test::Screenshot with_panel;
    run_until(animation, [&](int ticks) {
        if (ticks != 2) return false;
        EXPECT_TRUE(soon([&] {
            with_panel = screenshot();
            return with_panel != bare && with_panel.pixels.back() != 0;
        }));
        EXPECT_EQ(with_panel.pixels.back(), bare.pixels.back()) << "outside the panel there is the picture";
        server_->xdotool("windowfocus --sync " + window_number() + " key h");
        EXPECT_TRUE(soon([&] { return screenshot() != with_panel; })) << "the list of keys appears too";
        server_->xdotool("key i key h");
        EXPECT_TRUE(shows(bare));
        server_->xdotool("key i");
        EXPECT_TRUE(shows(with_panel));
        return true;
    });
}

/// Random sizes and keys, then the close button: the animation must end normally.
TEST_F(WindowAnimation, RandomInput) {
    std::mt19937 random(1);
    for (int run = 0; run < 6; ++run) {
        Recorded animation{333, 257, Display::window};
        animation.record_inputs();
        animation.bitmap.set_panel({"a title", {"a line"}, 0.5, "half", "", {{"K", "a key"}}});
        const int end = static_cast<int>(random() % 30);
        std::thread user;
        run_until(animation, [&](int ticks) {
            paint(animation, 333, 257, ticks);
            if (ticks == 1)
                user = std::thread([&, window = server_->window()] {
                    for (int i = 0; i < end; ++i) {
                        server_->resize(window, 1 + static_cast<int>(random() % 700),
                                        1 + static_cast<int>(random() % 700));
                        if (i % 5 == 3) server_->minimise(window, true);
                        if (i % 5 == 4) server_->minimise(window, false);
                        if (i % 7 == 6 && i % 5 != 3)
                            server_->xdotool("windowfocus " + std::to_string(window) +
                                             " key f h i v space period click 1");
                    }
                    server_->press_close_button(window);
                });
            return false;
        });
        user.join();
        EXPECT_EQ(animation.bitmap.ended_by(), AnimationEnd::user);
    }
}

TEST_F(WindowAnimation, DisplayWithoutOpenGl) {
    const test::XServer without{test::XServer::OpenGl::no};
    std::string reason;
    EXPECT_FALSE(display_available(&reason));
    EXPECT_NE(reason.find("no OpenGL 3.3"), std::string::npos) << reason;
}

#endif

}  // namespace
}  // namespace cudabook
