// The programs heat and heat_notexture in a window, on a virtual display: what they show, their title, how
// they end.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/heat/cpu_solver.hpp"
#include "tests/heat_picture.hpp"
#include "tests/process.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/x_server.hpp"

namespace cudabook {
namespace {

using nlohmann::json;
using test::Ending, test::Process, test::Screenshot, test::XServer;

/// A virtual display. Where there is none the test is skipped; if the environment says
/// CUDABOOK_REQUIRE_DISPLAY=1, it fails.
class WindowHeat : public testing::TestWithParam<const char*> {
  protected:
    using Words = std::vector<std::string>;

    void SetUp() override {
        try {
            server_.emplace();
        } catch (const std::runtime_error& error) {
            const char* required = std::getenv("CUDABOOK_REQUIRE_DISPLAY");
            if (required != nullptr && std::string_view(required) == "1") FAIL() << error.what();
            GTEST_SKIP() << error.what();
        }
    }

    static test::Surroundings surroundings() {
        return {.unset = {}, .set = {"ASAN_OPTIONS=detect_leaks=0"}};  // Mesa loses some memory
    }

    /// Starts a room on the CPU and waits until its window shows a frame; before the first it is black.
    void open(const Words& more) {
        Words words{"--device", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        process_ = std::make_unique<Process>(GetParam(), words, surroundings());
        ASSERT_TRUE(process_->wait_until([this] {
            const ::Window window = server_->window();
            if (window == 0) return false;
            const Screenshot shot = server_->screenshot(window);
            return std::ranges::any_of(shot.pixels, [](std::uint32_t pixel) { return pixel != 0; });
        }));
    }

    [[nodiscard]] std::string title() const { return server_->title(server_->window()); }

    /// Waits until the window shows that picture.
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

    /// The user or a signal ended it: with status 0 and the report of the frames done.
    void expect_report() {
        const Ending ending = process_->wait();
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.status, 0) << ending.err;
        EXPECT_EQ(ending.err, "");
        EXPECT_EQ(server_->window(), 0U) << "the window is still there";
        const json report = json::parse(ending.out, nullptr, false);
        ASSERT_TRUE(report.contains("results")) << ending.out;
        EXPECT_GT(report["results"][0]["frames"], 0);
        EXPECT_EQ(report["results"][0]["verified"], true);
        EXPECT_EQ(report["ok"], true);
    }

    std::optional<XServer> server_;
    std::unique_ptr<Process> process_;
};

const std::vector<std::string> endless{"--window", "--width", "64", "--height", "48", "--json", "-"};

INSTANTIATE_TEST_SUITE_P(WindowRooms, WindowHeat, testing::Values("heat", "heat_notexture"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(WindowHeat, OpensAtTheGridsSizeAndShowsItPixelForPixel) {
    // Without steps every frame is the room at the start.
    open({"--window", "--width", "200", "--height", "150", "--steps-per-frame", "0"});
    EXPECT_TRUE(shows(200, 150, test::picture_after(200, 150, 0)));
    EXPECT_EQ(title().find(std::string(GetParam()) + " blocked"), 0U) << title();
}

/// Stops the program in the middle of the animation and looks which frame its window shows.
TEST_P(WindowHeat, ShowsTheFramesOfTheReference) {
    constexpr int width = 96;
    constexpr int height = 64;
    open({"--window", "--width", "96", "--height", "64", "--steps-per-frame", "1"});
    heat::Reference reference(heat::book_scene(width, height), {});
    int frame = 0;
    Screenshot shown;
    for (int stop = 1; stop <= 3; ++stop) {
        const auto screenshot = [this] { return server_->screenshot(server_->window()); };
        ASSERT_TRUE(process_->wait_until([&] { return screenshot() != shown; })) << "the animation moves";
        process_->send(SIGSTOP);
        shown = screenshot();
        const int frame_before = frame;
        Screenshot expected;
        for (; expected != shown && frame < frame_before + 3000; ++frame) {
            expected = shot(width, height, test::picture_of(reference.temperatures(), width));
            reference.advance(1);
        }
        EXPECT_TRUE(shown == expected)
            << "stop " << stop << ": none of the frames " << frame_before << " to " << frame;
        process_->send(SIGCONT);
    }
}

TEST_P(WindowHeat, TitleGivesKernelAndSpeed) {
    open(endless);
    EXPECT_TRUE(process_->wait_until([this] { return title().find("ms a frame") != std::string::npos; }));
    const std::string said = title();
    EXPECT_EQ(said.find(std::string(GetParam()) + " blocked"), 0U) << said;
    std::istringstream words(said.substr(said.rfind(", ") + 2));
    double frames_per_second = 0;
    std::string unit;
    words >> frames_per_second >> unit;
    EXPECT_GT(frames_per_second, 0) << said;
    EXPECT_EQ(unit, "frames/s") << said;
    EXPECT_TRUE(process_->wait_until([&] { return title() != said; })) << "twice a second";
}

TEST_P(WindowHeat, EndsAfterTheFramesThatWereAskedFor) {
    const test::TemporaryFolder folder;
    const auto png = folder / "heat.png";
    const Ending ending = test::run(GetParam(),
                                    {"--window", "--frames", "3", "--device", "cpu", "--width", "200",
                                     "--height", "150", "--json", "-", "--png", png},
                                    surroundings());
    EXPECT_EQ(ending.status, 0) << ending.err;
    const json report = json::parse(ending.out, nullptr, false);
    EXPECT_EQ(report["results"][0]["frames"], 3);
    EXPECT_EQ(report["results"][0]["verified"], true);
    EXPECT_TRUE(std::filesystem::exists(png));
    EXPECT_EQ(server_->window(), 0U);
}

TEST_P(WindowHeat, IsTheDefaultWhereThereIsADisplay) {
    open({"--width", "64", "--height", "48"});
    EXPECT_TRUE(process_->running()) << "without a limit of frames";
}

TEST_P(WindowHeat, EscEndsIt) {
    open(endless);
    const std::string number = std::to_string(server_->window());
    server_->xdotool("windowfocus --sync " + number + " key Escape");
    expect_report();
}

TEST_P(WindowHeat, CloseButtonEndsIt) {
    open(endless);
    server_->press_close_button(server_->window());
    expect_report();
}

TEST_P(WindowHeat, SignalEndsIt) {
    for (const int signal : {SIGINT, SIGTERM}) {
        open(endless);
        process_->send(signal);
        expect_report();
    }
}

TEST_P(WindowHeat, TableIsPrintedAtTheEnd) {
    open({"--window", "--width", "64", "--height", "48"});
    server_->press_close_button(server_->window());
    const Ending ending = process_->wait();
    EXPECT_EQ(ending.status, 0) << ending.err;
    EXPECT_NE(ending.out.find("blocked"), std::string::npos) << ending.out;
    EXPECT_NE(ending.out.find("yes"), std::string::npos) << ending.out;
}

TEST_P(WindowHeat, NoneWhereHeadlessIsAskedFor) {
    Process process(
        GetParam(),
        {"--headless", "--device", "cpu", "--width", "64", "--height", "48", "--frames", "1000000"},
        surroundings());
    ASSERT_TRUE(process.wait_until_it_loops());
    EXPECT_EQ(server_->window(), 0U);
    process.send(SIGINT);
    EXPECT_EQ(process.wait().err, "");
}

TEST_P(WindowHeat, DisplayWithoutOpenGl) {
    const XServer without(XServer::OpenGl::no);
    const Words words{"--device", "cpu", "--width", "64", "--height", "48", "--frames", "1"};
    const Ending by_default = test::run(GetParam(), words, surroundings());
    EXPECT_EQ(by_default.status, 0);
    EXPECT_NE(by_default.err.find("headless, because the display has no OpenGL 3.3"), std::string::npos)
        << by_default.err;
    Words asked = words;
    asked.emplace_back("--window");
    const Ending window = test::run(GetParam(), asked, surroundings());
    EXPECT_EQ(window.status, 3);
    EXPECT_EQ(window.err.find('\n'), window.err.size() - 1) << window.err;
    EXPECT_NE(window.err.find("OpenGL 3.3"), std::string::npos) << window.err;
}

}  // namespace
}  // namespace cudabook
