// common/window/: the place of a picture in a window, input, and full screen. test_animation.cpp tests what
// the window shows.
#include "common/window/window.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#if CUDABOOK_HAS_WINDOW
#include "tests/support/with_display.hpp"
#endif

namespace cudabook {
namespace {

TEST(PlaceOfPicture, AsLargeAsTheAspectRatioAllowsAndCentred) {
    const auto expect = [](Size grid, Size box, int left, int bottom, int width, int height) {
        const Rectangle r = place(grid, box);
        EXPECT_EQ(r.left, left);
        EXPECT_EQ(r.bottom, bottom);
        EXPECT_EQ(r.size.width, width);
        EXPECT_EQ(r.size.height, height);
    };
    expect({4, 3}, {4, 3}, 0, 0, 4, 3);
    expect({4, 3}, {100, 60}, 10, 0, 80, 60);
    expect({4, 3}, {40, 60}, 0, 15, 40, 30);
    expect({1 << 30, 1}, {10, 10}, 0, 4, 10, 1);
    expect({4, 3}, {0, 0}, 0, 0, 1, 1);
}

#if CUDABOOK_HAS_WINDOW

class WindowAlone : public test::WithDisplay {
  protected:
    void SetUp() override {
        WithDisplay::SetUp();
        if (!server_) return;
        window_ = open_window({200, 100});
        window_->show();
        window_->draw({}, false, false);
        ASSERT_TRUE(soon([] { return server_->window() != 0; }));
        server_->xdotool("windowfocus --sync " + window_number());
        window_->poll();
    }

    /// Waits for this many events of the window, and returns them; moves of the mouse only on demand.
    std::vector<WindowEvent> events(std::size_t count, bool with_moves = false) {
        std::vector<WindowEvent> events;
        EXPECT_TRUE(soon([&] {
            for (const WindowEvent& event : window_->poll())
                if (with_moves || !std::holds_alternative<Pointer>(event)) events.push_back(event);
            return events.size() >= count;
        }));
        return events;
    }

    /// Presses a key and expects it to be the next event.
    void expect_nothing_before_a_key() {
        server_->xdotool("key z");
        EXPECT_EQ(events(1), std::vector<WindowEvent>{Key{'Z'}});
    }

    [[nodiscard]] bool shows_size(int width, int height) {
        return soon([&] {
            window_->poll();
            window_->draw({}, false, false);
            const test::Screenshot shot = screenshot();
            return shot.width == width && shot.height == height;
        });
    }

    std::unique_ptr<Window> window_;
};

TEST_F(WindowAlone, KeysAsTheyArePrinted) {
    server_->xdotool("key k shift+k space period plus minus Escape q KP_Add");
    const std::vector<WindowEvent> expected{Key{'K'}, Key{'K', true},   Key{' '}, Key{'.'}, Key{'+', true},
                                            Key{'-'}, Key{Key::escape}, Key{'Q'}, Key{'+'}};
    EXPECT_EQ(events(expected.size()), expected);
    server_->xdotool("key Return F1 1 shift+2 Left");
    expect_nothing_before_a_key();
}

TEST_F(WindowAlone, AKeyThatIsHeldDown) {
    server_->set_key_repeat(50, 10);
    server_->xdotool("keydown period");
    EXPECT_GE(events(3).size(), 3U) << "repeats";
    server_->xdotool("keyup period key z");
    ASSERT_TRUE(soon([&] {  // skips periods that were still on their way
        const auto rest = window_->poll();
        return !rest.empty() && rest.back() == WindowEvent{Key{'Z'}};
    }));
    server_->watch_keys(server_->window());
    server_->xdotool("keydown k");
    EXPECT_TRUE(soon([] { return server_->key_presses() >= 5; })) << "X repeats it";
    server_->xdotool("keyup k key z");
    EXPECT_EQ(events(2), (std::vector<WindowEvent>{Key{'K'}, Key{'Z'}})) << "the window does not";
}

TEST_F(WindowAlone, DragsInPieces) {
    server_->xdotool("mousemove 20 30 mousedown 1 mousemove 25 30 mousemove 25 40 mouseup 1");
    // The rows count from the bottom.
    const std::vector<WindowEvent> left{
        Drag{Button::left, false, {20, 69}, {20, 69}}, Drag{Button::left, false, {20, 69}, {25, 69}},
        Drag{Button::left, false, {25, 69}, {25, 59}}, Click{{20, 69}, {25, 59}}};
    EXPECT_EQ(events(left.size()), left);
    server_->xdotool("keydown shift mousedown 3 mousemove 1000 1000 mouseup 3 keyup shift mousemove 50 50");
    const std::vector<WindowEvent> right{Drag{Button::right, true, {25, 59}, {25, 59}},
                                         Drag{Button::right, true, {25, 59}, {199, 0}}};
    EXPECT_EQ(events(right.size()), right) << "outside the picture, the nearest cell";
    expect_nothing_before_a_key();
}

TEST_F(WindowAlone, TheWheelAndTheMouseWithoutAButton) {
    server_->xdotool("mousemove 20 30 click 4 click 5 mousemove 21 30 mousemove 21 31 click 4");
    const std::vector<WindowEvent> expected{Pointer{{20, 69}}, Wheel{1, {20, 69}}, Wheel{-1, {20, 69}},
                                            Pointer{{21, 69}}, Pointer{{21, 68}},  Wheel{1, {21, 68}}};
    EXPECT_EQ(events(expected.size(), true), expected);
    server_->xdotool("mousedown 1 mousemove 25 31 mouseup 1 mousemove 26 31");
    const std::vector<WindowEvent> with_a_button{Drag{Button::left, false, {21, 68}, {21, 68}},
                                                 Drag{Button::left, false, {21, 68}, {25, 68}},
                                                 Click{{21, 68}, {25, 68}}, Pointer{{26, 68}}};
    EXPECT_EQ(events(with_a_button.size(), true), with_a_button) << "a drag is no move beside";
}

TEST_F(WindowAlone, BothButtonsAtOnce) {
    server_->xdotool(
        "mousemove 20 30 mousedown 1 mousedown 3 mousemove 21 30 mouseup 1 mousemove 22 30 mouseup 3");
    const std::vector<WindowEvent> expected{Drag{Button::left, false, {20, 69}, {20, 69}},
                                            Drag{Button::right, false, {20, 69}, {20, 69}},
                                            Drag{Button::left, false, {20, 69}, {21, 69}},
                                            Drag{Button::right, false, {20, 69}, {21, 69}},
                                            Click{{20, 69}, {21, 69}},
                                            Drag{Button::right, false, {21, 69}, {22, 69}}};
    EXPECT_EQ(events(expected.size()), expected);
}

TEST_F(WindowAlone, TheWholeScreenAndBack) {
    for (int i = 0; i < 3; ++i) {
        window_->set_fullscreen(true);
        EXPECT_TRUE(shows_size(1280, 1024));
        window_->set_fullscreen(false);
        EXPECT_TRUE(shows_size(200, 100));
    }
}

TEST_F(WindowAlone, NotReadyWhileItIsMinimised) {
    const ::Window number = server_->window();
    EXPECT_TRUE(window_->ready());
    server_->minimise(number, true);
    window_->poll();
    EXPECT_FALSE(window_->ready());
    server_->minimise(number, false);
    window_->poll();
    EXPECT_TRUE(window_->ready());
}

TEST_F(WindowAlone, KnowsWhenItMustBeDrawnAgain) {
    ASSERT_TRUE(soon([&] {
        window_->draw({}, false, false);
        server_->xdotool("key z");  // earlier events of the server have then arrived too
        events(1);
        return !window_->stale();
    }));
    server_->resize(server_->window(), 333, 257);
    EXPECT_TRUE(soon([&] {
        window_->poll();
        return window_->stale();
    }));
    window_->draw({}, false, false);
    EXPECT_FALSE(window_->stale());
}

TEST_F(WindowAlone, HasATexture) { EXPECT_NE(window_->texture(), 0U); }

#endif

}  // namespace
}  // namespace cudabook
