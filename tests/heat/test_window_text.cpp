// heat_notexture/demo/window_text.hpp: what the title and the panel say.
#include "heat_notexture/demo/window_text.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudabook::heat {
namespace {

const Kernel fused_kernel{
    .name = "fused_global", .memory = "global", .what = "a kernel", .device = DeviceKind::cuda, .make = {}};

RunStatus status(std::optional<Speed> speed, bool paused = false) {
    return {.program = "heat",
            .kernel = fused_kernel,
            .emulated_gpu = "",
            .steps_per_frame = 90,
            .paused = paused,
            .speed = std::move(speed),
            .path_to_window = "interop",
            .message = "saved heat-000007.png"};
}

const Speed speed{
    .ms_per_frame = 0.2861, .frames_per_s = 59.6, .gcells_per_s = 250, .ceiling = {500, "copy"}};

using Lines = std::vector<std::string>;

TEST(HeatWindowText, TitleNamesTheKernelAndItsPath) {
    EXPECT_EQ(title_of(status({})), "heat fused_global (global)");
    EXPECT_EQ(title_of(status(speed)),
              "heat fused_global (global, interop) \u2014 0.286 ms a frame, 60 frames/s");
    EXPECT_EQ(title_of(status(speed, true)),
              "heat fused_global (global, interop) \u2014 0.286 ms a frame, paused");
}

TEST(HeatWindowText, NamesTheGpuThatIsEmulated) {
    RunStatus emulated = status(speed);
    emulated.emulated_gpu = "Tesla T4 (emulated)";
    EXPECT_EQ(
        title_of(emulated),
        "heat fused_global on Tesla T4 (emulated) (global, interop) \u2014 0.286 ms a frame, 60 frames/s");
    EXPECT_EQ(panel_of(emulated).lines.at(1), "Tesla T4 (emulated), 90 steps a frame");
}

TEST(HeatWindowText, PanelBeforeTheSpeedIsKnown) {
    const Panel panel = panel_of(status({}));
    EXPECT_EQ(panel.title, "heat fused_global");
    EXPECT_EQ(panel.lines, (Lines{"memory: global", "cuda, 90 steps a frame"}));
    EXPECT_FALSE(panel.share.has_value());
    EXPECT_EQ(panel.note, "saved heat-000007.png");
    EXPECT_FALSE(panel.keys.empty());
}

TEST(HeatWindowText, PanelWithTheSpeed) {
    const Panel panel = panel_of(status(speed));
    EXPECT_EQ(panel.lines, (Lines{"memory: global", "cuda, 90 steps a frame", "0.286 ms a frame, 60 frames/s",
                                  "250 G cells/s"}));
    EXPECT_EQ(panel.share, 0.5);
    EXPECT_EQ(panel.share_label, "50 % of copy");
    Speed slow = speed;
    slow.gcells_per_s = 2.5;
    EXPECT_EQ(panel_of(status(slow, true)).lines, (Lines{"memory: global", "cuda, 90 steps a frame",
                                                         "0.286 ms a frame, paused", "2.50 G cells/s"}));
}

}  // namespace
}  // namespace cudabook::heat
