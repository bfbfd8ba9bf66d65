// A window on Wayland, with weston: above all, that it can be closed while the compositor asks for no
// pictures. A separate program, because it may need another GLFW.
#include <gtest/gtest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/window/animation.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/weston.hpp"

#ifdef __SANITIZE_ADDRESS__
// Mesa's driver keeps some memory until exit; if it were unloaded, the leak checker would report that memory.
extern "C" int dlclose(void*) { return 0; }
#endif

namespace {

// Called by the next glfwPollEvents() in the main thread, after GLFW's own events.
std::function<void()> polled_event;
std::atomic<bool> event_is_there{false};
std::atomic<int> polls{0};  // calls of glfwPollEvents()

/// GLFW's function of that name.
template <class Function>
Function* glfw(const char* name) {
    static const cudabook::SharedLibrary& library = *new cudabook::SharedLibrary{"libglfw.so.3"};
    return library.function<Function>(name);
}

}  // namespace

/// Replaces GLFW's function in the window library.
extern "C" void glfwPollEvents() {
    glfw<decltype(glfwPollEvents)>("glfwPollEvents")();
    ++polls;
    if (event_is_there.exchange(false)) polled_event();
}

namespace cudabook {
namespace {

using Clock = std::chrono::steady_clock;

/// Without a compositor the tests are skipped or, with CUDABOOK_REQUIRE_DISPLAY=1 in the environment, fail.
class WindowOnWayland : public testing::TestWithParam<bool> {
  protected:
    static void SetUpTestSuite() {
        try {
            glfw_folder_ = test::glfw_for_wayland();
            weston_ = std::make_unique<test::Weston>();
        } catch (const std::runtime_error& error) {
            missing_ = error.what();
        }
    }

    static void TearDownTestSuite() { weston_.reset(); }

    void SetUp() override {
        alarm(300);  // a window that hangs ends the tests
        if (weston_) return;
        const char* required = std::getenv("CUDABOOK_REQUIRE_DISPLAY");
        if (required && std::string(required) == "1") FAIL() << missing_;
        GTEST_SKIP() << missing_;
    }

    void TearDown() override {
        if (weston_) weston_->go_on();
        alarm(0);
    }

    static CPUAnimBitmap& bitmap(void* self) { return static_cast<WindowOnWayland*>(self)->bitmap_; }

    /// Runs the animation; `frame` is called at each tick.
    void run(std::function<void(int)> frame) {
        frame_ = std::move(frame);
        bitmap_.anim_and_exit(
            [](void* self, int ticks) { static_cast<WindowOnWayland*>(self)->frame_(ticks); }, nullptr);
    }

    /// Paints the frame in one colour, 0xRRGGBB.
    void paint(std::uint32_t colour) {
        unsigned char* pixel = bitmap_.get_ptr();
        for (std::int64_t i = 0; i < bitmap_.image_size(); i += 4) {
            for (const unsigned shift : {16U, 8U, 0U}) *pixel++ = static_cast<unsigned char>(colour >> shift);
            *pixel++ = 255;
        }
    }

    /// Waits until the screen shows this colour between its left and its middle, where the mouse is. Returns
    /// false if it never does.
    static bool shows(std::uint32_t colour) {
        return soon([&] {
            const test::Screenshot shot = weston_->screenshot();
            return !shot.pixels.empty() && shot.pixels[shot.pixels.size() / 2 + 320] == colour;
        });
    }

    static bool soon(const std::function<bool()>& condition) {
        const auto deadline = Clock::now() + std::chrono::minutes(2);
        while (!condition()) {
            if (Clock::now() > deadline) return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return true;
    }

    /// Runs frames, from the second one on with a stopped compositor. Once the window has polled many times
    /// without wanting a frame, each frame calls hidden(1), hidden(2), …
    void run_hidden(const std::function<void(int)>& hidden) {
        int polls_when_wanted = 0;
        int frames = 0;
        bitmap_.set_vsync(GetParam());
        run([&](int ticks) {
            if (ticks == 2) weston_->stop();
            if (frames == 0 && (bitmap_.wanted() || ticks <= 2)) polls_when_wanted = polls;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (frames > 0 || polls - polls_when_wanted > 30) hidden(++frames);
        });
    }

    /// Calls `event` in the main thread, like an event that GLFW polls.
    static void while_polling(const std::function<void()>& event) {
        polled_event = event;
        event_is_there = true;
    }

    CPUAnimBitmap bitmap_{64, 48, this};
    std::function<void(int)> frame_;

    static inline std::unique_ptr<test::Weston> weston_;
    static inline std::string missing_;
    static inline std::string glfw_folder_;
};

INSTANTIATE_TEST_SUITE_P(WindowPaces, WindowOnWayland, testing::Values(true, false),
                         [](const auto& test) { return test.param ? "WithTheMonitor" : "AtItsOwn"; });

TEST_P(WindowOnWayland, ShowsEveryFrame) {
    bitmap_.set_vsync(GetParam());
    run([&](int ticks) {
        if (ticks > 1) {
            EXPECT_TRUE(shows(0x305070U + static_cast<unsigned>(ticks - 1)));
        }
        paint(0x305070U + static_cast<unsigned>(ticks));
        if (ticks == 4) bitmap_.set_frame_limit(4);
    });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::frame_limit);
}

TEST_P(WindowOnWayland, KeysOfTheDisplay) {
    bitmap_.set_vsync(GetParam());
    run([&](int ticks) {
        paint(0x102030);
        if (ticks != 2) return;
        EXPECT_TRUE(shows(0x102030));
        for (const char* key : {"f", "v", "f", "v"}) weston_->press(key);
        weston_->press("Escape");
    });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::user);
}

TEST_P(WindowOnWayland, HiddenItRunsOnAndIsPaintedWhenVisibleAgain) {
    run_hidden([&](int frames) {
        if (frames < 100) {
            EXPECT_FALSE(bitmap_.wanted());
        } else if (frames == 100) {
            weston_->go_on();
            EXPECT_TRUE(soon([&] { return bitmap_.wanted(); }));
            paint(0x445566);
        } else {
            EXPECT_TRUE(shows(0x445566));
            bitmap_.set_frame_limit(1);
        }
    });
}

TEST_P(WindowOnWayland, HiddenItEndsByEsc) {
    run_hidden([](int frames) {
        if (frames > 1) return;
        while_polling([] {
            GLFWwindow* window = glfw<decltype(glfwGetCurrentContext)>("glfwGetCurrentContext")();
            const auto set_key_callback = glfw<decltype(glfwSetKeyCallback)>("glfwSetKeyCallback");
            const GLFWkeyfun on_key = set_key_callback(window, nullptr);
            set_key_callback(window, on_key);
            on_key(window, GLFW_KEY_ESCAPE, 0, GLFW_PRESS, 0);
        });
    });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::user);
}

TEST_P(WindowOnWayland, HiddenItEndsByTheCloseButton) {
    run_hidden([](int frames) {
        if (frames > 1) return;
        while_polling([] {
            GLFWwindow* window = glfw<decltype(glfwGetCurrentContext)>("glfwGetCurrentContext")();
            glfw<decltype(glfwSetWindowShouldClose)>("glfwSetWindowShouldClose")(window, 1);
        });
    });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::user);
}

TEST_P(WindowOnWayland, HiddenItEndsByASignal) {
    const InterruptGuard guard;
    run_hidden([](int frames) {
        if (frames == 1) std::raise(SIGINT);
    });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::interrupt);
    clear_interrupt();
}

TEST_P(WindowOnWayland, HiddenItEndsAtTheFrameLimit) {
    run_hidden([&](int) { bitmap_.set_frame_limit(1); });
    EXPECT_EQ(bitmap_.ended_by(), AnimationEnd::frame_limit);
}

TEST_P(WindowOnWayland, HiddenItRethrowsErrors) {
    EXPECT_THROW(run_hidden([](int) { throw std::domain_error("no more"); }), std::domain_error);
}

TEST_P(WindowOnWayland, HiddenHeatReportsAfterASignal) {
    const auto is_black = [] {
        const test::Screenshot shot = weston_->screenshot();
        return std::ranges::all_of(shot.pixels, [](std::uint32_t pixel) { return pixel == 0; });
    };
    ASSERT_TRUE(soon(is_black)) << "the screen of the previous test";
    const std::string old_path = std::getenv("LD_LIBRARY_PATH") ? std::getenv("LD_LIBRARY_PATH") : "";
    std::vector<std::string> words{"--device", "cpu", "--window", "--width", "64",
                                   "--height", "48",  "--json",   "-"};
    if (!GetParam()) words.emplace_back("--no-vsync");
    test::Process heat("heat", words,
                       {.unset = {},
                        .set = {"LD_LIBRARY_PATH=" + glfw_folder_ + ":" + old_path,
                                "ASAN_OPTIONS=detect_leaks=0"}});  // Mesa leaks some memory
    ASSERT_TRUE(heat.wait_until([&] { return !is_black(); })) << heat.wait().err;
    weston_->stop();
    const double worked = heat.cpu_seconds();
    ASSERT_TRUE(heat.wait_until([&] { return heat.cpu_seconds() - worked > 0.3; }));
    heat.send(SIGINT);
    const test::Ending ending = heat.wait();
    EXPECT_EQ(ending.signal, 0);
    EXPECT_EQ(ending.status, 0) << ending.err;
    const auto report = test::report_of(ending.out);
    EXPECT_EQ(report["ok"], true) << ending.out;
}

/// Without a display, the error is one line that names both variables.
TEST(WindowOnNoWayland, SaysWhatIsMissing) {
    try {
        test::glfw_for_wayland();
    } catch (const std::runtime_error& error) {
        GTEST_SKIP() << error.what();
    }
    const test::ScopedVariable x{"DISPLAY", nullptr}, wayland{"WAYLAND_DISPLAY", "wayland-4711"};
    std::string reason;
    EXPECT_FALSE(display_available(&reason));
    EXPECT_EQ(reason.find("no display: "), 0U) << reason;
    EXPECT_NE(reason.find("WAYLAND_DISPLAY"), std::string::npos) << reason;
}

}  // namespace
}  // namespace cudabook
