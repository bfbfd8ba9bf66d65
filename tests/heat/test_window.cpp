// The programs heat and heat_notexture in a window, on a virtual display: what they show, their title, how
// they end.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/numbers/crc32.hpp"
#include "common/program/device.hpp"
#include "common/window/input.hpp"
#include "heat_notexture/cpu/blocked_solver.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "heat_notexture/demo/simulation.hpp"
#include "tests/heat/room_picture.hpp"
#include "tests/support/process.hpp"
#include "tests/support/report.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/with_display.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::Process, test::Screenshot, test::XServer;

/// Tests on a virtual display. Without a display they are skipped or, with CUDABOOK_REQUIRE_DISPLAY=1 in the
/// environment, fail.
class WindowHeat : public test::WithDisplay {
  protected:
    using Words = std::vector<std::string>;

    [[nodiscard]] virtual std::string sample() const { return "heat"; }

    static test::Surroundings surroundings() {
        return {.unset = {}, .set = {"ASAN_OPTIONS=detect_leaks=0"}};  // Mesa loses some memory
    }

    /// A script that hides the panel before the first frame.
    static constexpr const char* no_panel = "1 key i\n";

    /// Starts a sample on the CPU and waits until its window shows a frame; before the first frame the window
    /// is black.
    void open(const Words& more, const std::string& script = "") {
        Words words{"--device", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        if (!script.empty()) words.insert(words.end(), {"--script", folder_.file("script", script)});
        process_ = std::make_unique<Process>(sample(), words, surroundings());
        ASSERT_TRUE(process_->wait_until([] {
            const ::Window window = server_->window();
            if (window == 0) return false;
            const Screenshot shot = server_->screenshot(window);
            return std::ranges::any_of(shot.pixels, [](std::uint32_t pixel) { return pixel != 0; });
        }));
    }

    [[nodiscard]] std::string title() const { return server_->title(server_->window()); }

    /// Waits until the window shows the picture. Returns false if it never does.
    [[nodiscard]] bool shows(int width, int height, const std::vector<Rgba>& pixels) const {
        return process_->wait_until(
            [&] { return server_->screenshot(server_->window()) == shot(width, height, pixels); });
    }

    static Screenshot shot(int width, int height, const std::vector<Rgba>& pixels) {
        Screenshot shot{width, height, {}};
        for (const Rgba& pixel : pixels)
            shot.pixels.push_back(
                static_cast<std::uint32_t>(pixel.red << 16 | pixel.green << 8 | pixel.blue));
        return shot;
    }

    /// Expects that the program, ended by the user or a signal, ends with status 0 and the report of the
    /// frames done.
    void expect_report() {
        const Ending ending = process_->wait();
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
        EXPECT_EQ(server_->window(), 0U) << "the window is still there";
        const json report = test::report_of(ending.out);
        ASSERT_TRUE(report.contains("results")) << ending.out;
        EXPECT_GT(report["results"][0]["frames"], 0);
        expect_verified(report["results"][0]);
        EXPECT_EQ(report["ok"], true);
    }

    /// Expects `verified` true, or null if no frame came after the last change.
    static void expect_verified(const json& result) {
        EXPECT_EQ(result["verified"], result["frames_verified"] == 0 ? json() : json(true));
    }

    /// Opens a paused window with a hidden panel. state_ is then the state of the program.
    void open_paused(const Words& more = {}) {
        Words words{"--window", "--width", "120", "--height", "90", "--steps-per-frame", "5", "--json", "-"};
        words.insert(words.end(), more.begin(), more.end());
        open(words, "1 key i\n3 key space\n");
        state_ = heat::book_scene(120, 90);
        step(10);
        EXPECT_TRUE(shows_state()) << "two frames";
        server_->xdotool("windowfocus --sync " + std::to_string(server_->window()));
    }

    /// Advances state_ by `steps` steps.
    void step(int steps) {
        heat::ReferenceSolver reference(state_, {});
        reference.advance(steps);
        state_.start = reference.temperatures();
    }

    /// Paints a piece of a drag in state_.
    void hold(const Drag& drag) {
        const heat::Sample sample{"heat", heat::cpu_kernels(), {"blocked", ""}, {}};
        heat::Simulation simulation(sample, sample.kernels.front(), 0, state_, 0.25F, 1, false);
        simulation.paint(drag);
        state_.start = simulation.temperatures();
        state_.sources = simulation.sources();
    }

    [[nodiscard]] bool shows_state() const { return shows(120, 90, test::picture_of(state_.start, 120)); }

    void keys(const std::string& names) { server_->xdotool("key " + names); }

    /// Ends the program by Q. Returns the first result of its report.
    json ended() {
        keys("q");
        const Ending ending = process_->wait();
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
        const json report = test::report_of(ending.out);
        EXPECT_EQ(report["ok"], true);
        expect_verified(report["results"][0]);
        EXPECT_EQ(report["results"][0]["checksum"], hex(checksum(state_.start)));
        return report["results"][0];
    }

    test::TemporaryFolder folder_;
    std::unique_ptr<Process> process_;
    heat::Scene state_;
};

const std::vector<std::string> endless{"--window", "--width", "64", "--height", "48", "--json", "-"};

/// Tests of what depends on the sample; all other code is the same.
class WindowOfBoth : public WindowHeat, public testing::WithParamInterface<const char*> {
  protected:
    [[nodiscard]] std::string sample() const override { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(WindowSamples, WindowOfBoth, testing::Values("heat", "heat_notexture"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(WindowOfBoth, OpensAtTheGridsSizeAndShowsItPixelForPixel) {
    // Without steps every frame is the room at the start.
    open({"--window", "--width", "200", "--height", "150", "--steps-per-frame", "0"}, no_panel);
    EXPECT_TRUE(shows(200, 150, test::picture_after(200, 150, 0)));
    EXPECT_EQ(title().find(sample() + " blocked (host"), 0U) << title();
}

/// Stops the program at any moment during some frames, and checks which frame its window shows.
TEST_F(WindowHeat, ShowsTheFramesOfTheReference) {
    constexpr int frames = 300;
    open({"--window", "--width", "96", "--height", "64", "--kernel", "reference", "--steps-per-frame", "100"},
         no_panel + fmt::format("{} key space\n", frames + 1));
    std::vector<Screenshot> shown;
    for (int stop = 1; stop <= 3; ++stop) {
        process_->send(SIGSTOP);
        shown.push_back(server_->screenshot(server_->window()));
        process_->send(SIGCONT);
    }
    heat::BlockedSolver solver(heat::book_scene(96, 64), {});
    std::size_t found = 0;
    for (int frame = 1; frame <= frames; ++frame) {
        solver.advance(100);
        const Screenshot expected = shot(96, 64, test::picture_of(solver.temperatures(), 96));
        while (found < shown.size() && shown[found] == expected) ++found;
    }
    EXPECT_EQ(found, shown.size()) << "is one of the frames, none of them before the one seen last";
    EXPECT_TRUE(shows(96, 64, test::picture_of(solver.temperatures(), 96))) << "the last frame";
}

TEST_P(WindowOfBoth, TitleGivesKernelAndSpeed) {
    open(endless);
    EXPECT_TRUE(process_->wait_until([this] { return title().find("ms a frame") != std::string::npos; }));
    const std::string said = title();
    EXPECT_EQ(said.find(sample() + " blocked (host, copy)"), 0U) << said;
    std::istringstream words(said.substr(said.rfind(", ") + 2));
    double frames_per_second = -1;
    std::string unit;
    words >> frames_per_second >> unit;
    EXPECT_GE(frames_per_second, 0) << said;  // a slow machine has less than half a frame a second
    EXPECT_EQ(unit, "frames/s") << said;
    EXPECT_TRUE(process_->wait_until([&] { return title() != said; })) << "twice a second";
}

TEST_P(WindowOfBoth, EndsAfterTheFramesThatWereAskedFor) {
    const test::TemporaryFolder folder;
    const auto png = folder / "heat.png";
    const Ending ending = test::run(sample(),
                                    {"--window", "--frames", "3", "--device", "cpu", "--width", "200",
                                     "--height", "150", "--json", "-", "--png", png},
                                    surroundings());
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = test::report_of(ending.out);
    EXPECT_EQ(report["results"][0]["frames"], 3);
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_TRUE(std::filesystem::exists(png));
    EXPECT_EQ(server_->window(), 0U);
}

TEST_P(WindowOfBoth, IsTheDefaultWhereThereIsADisplay) {
    open({"--width", "64", "--height", "48"});
    EXPECT_TRUE(process_->running()) << "without a limit of frames";
}

TEST_P(WindowOfBoth, EscEndsIt) {
    open(endless);
    const std::string number = std::to_string(server_->window());
    server_->xdotool("windowfocus --sync " + number + " key Escape");
    expect_report();
}

TEST_F(WindowHeat, CloseButtonEndsIt) {
    open(endless);
    server_->press_close_button(server_->window());
    expect_report();
}

TEST_F(WindowHeat, SignalEndsIt) {
    for (const int signal : {SIGINT, SIGTERM}) {
        open(endless);
        process_->send(signal);
        expect_report();
    }
}

// ----- what the user does

TEST_F(WindowHeat, SpaceAndSingleFrames) {
    open_paused();
    for (const int frames : {1, 3}) {
        for (int i = 0; i < frames; ++i) keys("period");
        step(5 * frames);
        EXPECT_TRUE(shows_state()) << frames << " frames more";
    }
    EXPECT_EQ(ended()["frames"], 6);
}

TEST_F(WindowHeat, SpaceGoesOn) {
    open_paused();
    keys("space");
    const Screenshot paused = shot(120, 90, test::picture_of(state_.start, 120));
    EXPECT_TRUE(process_->wait_until([&] { return server_->screenshot(server_->window()) != paused; }));
    keys("q");
    EXPECT_EQ(process_->wait().status, 0);
}

TEST_F(WindowHeat, KernelsInTurnKeepTheState) {
    open_paused();
    keys("k");
    EXPECT_TRUE(process_->wait_until([&] { return title() == sample() + " reference (host)"; })) << title();
    keys("period");
    step(5);
    EXPECT_TRUE(shows_state());
    keys("shift+k shift+k");
    keys("period");
    step(5);
    EXPECT_TRUE(shows_state());
    EXPECT_EQ(ended()["kernel"], "reference") << "blocked, reference, blocked, reference";
}

TEST_F(WindowHeat, DSaysWhereThereIsNoGpu) {
    if (built_with_cuda) GTEST_SKIP() << "there may be one";
    open_paused();
    keys("d period");
    step(5);
    EXPECT_TRUE(shows_state()) << "it goes on as it was";
    EXPECT_EQ(ended()["kernel"], "blocked");
}

TEST_F(WindowHeat, RIsTheRoomAsItWas) {
    open_paused();
    keys("r");
    state_ = heat::book_scene(120, 90);
    EXPECT_TRUE(shows_state());
    keys("period");
    step(5);
    EXPECT_TRUE(shows_state());
    ended();
}

TEST_F(WindowHeat, PlusAndMinusChangeTheSteps) {
    open_paused();
    keys("plus period");
    step(10);
    EXPECT_TRUE(shows_state());
    keys("minus minus minus period");
    step(1);
    EXPECT_TRUE(shows_state());
    const json result = ended();
    EXPECT_EQ(result["frames"], 4);
    EXPECT_EQ(result["steps_per_frame"], 1);
    EXPECT_EQ(result["frames_verified"], 1);
}

TEST_P(WindowOfBoth, SSavesThePicture) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder_.path());
    open_paused();
    std::filesystem::current_path(before);
    keys("s");
    const auto png = folder_ / (sample() + "-000002.png");
    EXPECT_TRUE(process_->wait_until([&] { return std::filesystem::exists(png); }));
    EXPECT_TRUE(test::Picture(png).pixels == test::picture_of(state_.start, 120));
    ended();
}

TEST_F(WindowHeat, SWhereNothingCanBeWritten) {
    const auto before = std::filesystem::current_path();
    const auto gone = folder_ / "gone";
    std::filesystem::create_directory(gone);
    std::filesystem::current_path(gone);
    open_paused();
    std::filesystem::current_path(before);
    std::filesystem::remove(gone);
    keys("s period");
    step(5);
    EXPECT_TRUE(shows_state()) << "it goes on";
    ended();
}

TEST_F(WindowHeat, FIsTheWholeScreen) {
    open_paused();
    keys("f");
    const auto width = [this] { return server_->screenshot(server_->window()).width; };
    EXPECT_TRUE(process_->wait_until([&] { return width() == 1280; }));
    keys("f");
    EXPECT_TRUE(process_->wait_until([&] { return width() == 120; }));
    EXPECT_TRUE(shows_state());
    ended();
}

TEST_F(WindowHeat, VAndHChangeNothingOfTheRoom) {
    open_paused();
    keys("v period v period");
    step(10);
    EXPECT_TRUE(shows_state());
    keys("h");
    if (CUDABOOK_HAS_PANEL != 0) {
        EXPECT_TRUE(process_->wait_until([&] {
            return server_->screenshot(server_->window()) !=
                   shot(120, 90, test::picture_of(state_.start, 120));
        })) << "the list of keys";
    }
    keys("h");
    EXPECT_TRUE(shows_state());
    ended();
}

TEST_F(WindowHeat, IShowsThePanel) {
    if (CUDABOOK_HAS_PANEL == 0) GTEST_SKIP() << "built without Dear ImGui";
    open_paused();
    keys("i");
    EXPECT_TRUE(process_->wait_until([&] {
        return server_->screenshot(server_->window()) != shot(120, 90, test::picture_of(state_.start, 120));
    }));
    keys("i");
    EXPECT_TRUE(shows_state());
    ended();
}

TEST_F(WindowHeat, TheMousePaints) {
    open_paused();
    server_->xdotool("mousemove 20 30 mousedown 1 mousemove 60 50 mouseup 1");
    hold({Button::left, false, {20, 59}, {20, 59}});
    hold({Button::left, false, {20, 59}, {60, 39}});
    EXPECT_TRUE(shows_state()) << "heat, while it is paused";
    keys("period");
    step(5);
    EXPECT_TRUE(shows_state());
    server_->xdotool("mousemove 100 70 mousedown 3 mousemove 50 40 mouseup 3");
    hold({Button::right, false, {100, 19}, {100, 19}});
    hold({Button::right, false, {100, 19}, {50, 49}});
    EXPECT_TRUE(shows_state()) << "cold";
    server_->xdotool("keydown shift mousemove 30 35 mousedown 1 mousemove 80 50 mouseup 1 keyup shift");
    hold({Button::left, true, {30, 54}, {30, 54}});
    hold({Button::left, true, {30, 54}, {80, 39}});
    keys("period");
    step(5);
    EXPECT_TRUE(shows_state()) << "without the sources there";
    ended();
}

TEST_F(WindowHeat, AScriptGivesTheChecksumOfTheSameWithout) {
    const auto script = folder_.file("script",
                                     "2 drag left 10 80 100 20\n"
                                     "3 key k\n"
                                     "3 key f\n"
                                     "4 drag right 60 0 60 89\n"
                                     "5 key +\n"
                                     "6 key space\n"
                                     "8 key .\n"
                                     "9 drag left shift 10 80 60 50\n"
                                     "10 key space\n"
                                     "12 key d\n"
                                     "12 key k\n"
                                     "14 key -\n");
    std::set<std::string> sums;
    for (const char* display : {"--window", "--headless"}) {
        const Ending ending = test::run(sample(),
                                        {display, "--device", "cpu", "--width", "120", "--height", "90",
                                         "--frames", "20", "--script", script, "--json", "-"},
                                        surroundings());
        EXPECT_EQ(ending.status, 0) << ending.err;
        const json report = test::report_of(ending.out);
        EXPECT_EQ(report["results"][0]["frames"], 20);
        EXPECT_EQ(report["results"][0]["verified"], true);
        sums.insert(report["results"][0]["checksum"].get<std::string>());
    }
    EXPECT_EQ(sums.size(), 1U);
}

TEST_F(WindowHeat, FiftyKernelsWhileItRuns) {
    std::string script;
    for (int tick = 2; tick <= 51; ++tick) script += std::to_string(tick) + " key k\n";
    const Words words{"--device", "cpu", "--width", "120", "--height", "90", "--frames", "60", "--json", "-"};
    Words switching = words;
    switching.insert(switching.end(), {"--window", "--script", folder_.file("script", script)});
    Words alone = words;
    alone.emplace_back("--headless");
    const auto result = [&](const Words& arguments) {
        const Ending ending = test::run(sample(), arguments, surroundings());
        EXPECT_EQ(ending.status, 0) << ending.err;
        return test::report_of(ending.out)["results"][0];
    };
    EXPECT_EQ(result(switching)["checksum"], result(alone)["checksum"]);
}

TEST_F(WindowHeat, NoVsync) {
    open({"--window", "--no-vsync", "--width", "64", "--height", "48", "--json", "-"});
    server_->press_close_button(server_->window());
    expect_report();
}

/// The window may be resized, minimised and closed at any moment, and any key may be pressed.
TEST_F(WindowHeat, StormOfTheUser) {
    for (int end = 0; end < 4; ++end) {
        open(endless);
        const ::Window window = server_->window();
        server_->xdotool("windowfocus --sync " + std::to_string(window));
        for (int i = 0; i < 10 * end; ++i) {
            server_->resize(window, 1 + (i * 211) % 700, 1 + (i * 151) % 600);
            if (i % 5 == 3) server_->minimise(window, true);
            if (i % 5 == 4) server_->minimise(window, false);
            if (i % 7 == 6) keys("k plus minus h i f v r space period d");
        }
        server_->press_close_button(window);
        expect_report();
    }
}

TEST_F(WindowHeat, TableIsPrintedAtTheEnd) {
    open({"--window", "--width", "64", "--height", "48"});
    server_->press_close_button(server_->window());
    const Ending ending = process_->wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_NE(ending.out.find("blocked"), std::string::npos) << ending.out;
    EXPECT_NE(ending.out.find("yes"), std::string::npos) << ending.out;
}

TEST_F(WindowHeat, NoneWhereHeadlessIsAskedFor) {
    Process process(
        sample(), {"--headless", "--device", "cpu", "--width", "64", "--height", "48", "--frames", "1000000"},
        surroundings());
    ASSERT_TRUE(process.wait_until_it_loops());
    EXPECT_EQ(server_->window(), 0U);
    process.send(SIGINT);
    EXPECT_EQ(process.wait().err, "");
}

TEST_F(WindowHeat, DisplayWithoutOpenGl) {
    const XServer without(XServer::OpenGl::no);
    const Words words{"--device", "cpu", "--width", "64", "--height", "48", "--frames", "1"};
    const Ending by_default = test::run(sample(), words, surroundings());
    EXPECT_EQ(by_default.status, 0);
    EXPECT_NE(by_default.err.find("headless, because the display has no OpenGL 3.3"), std::string::npos)
        << by_default.err;
    Words asked = words;
    asked.emplace_back("--window");
    const Ending window = test::run(sample(), asked, surroundings());
    EXPECT_EQ(window.status, 3);
    EXPECT_EQ(window.err.find('\n'), window.err.size() - 1) << window.err;
    EXPECT_NE(window.err.find("OpenGL 3.3"), std::string::npos) << window.err;
}

}  // namespace
}  // namespace cudabook
