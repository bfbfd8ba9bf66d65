// heat_notexture/demo/frame_times.hpp: the name of a figure means the same in every run.
#include "heat_notexture/demo/frame_times.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace cudabook::heat {
namespace {

const Scene scene{1000, 1000, {}, {}};
const Canvas at_host{nullptr, DeviceKind::cpu};
const Canvas on_device{nullptr, DeviceKind::cuda};

Figures figures_of(const FrameTimes& times, int steps = 2) {
    Figures figures;
    times.add_figures(figures, scene, steps);
    return figures;
}

TEST(HeatFrameTimes, OfARunThatPaintsEveryFrame) {
    FrameTimes times;
    for (const double ms : {5.0, 4.0, 9.0}) times.add(ms, at_host);
    EXPECT_EQ(figures_of(times), (Figures{{"ms_per_frame", 5.0}, {"gcells_per_s", 0.4}}));
}

TEST(HeatFrameTimes, OfAWindowWhereMostFramesAreNotPainted) {
    FrameTimes times;
    for (int i = 0; i < 30; ++i)
        times.add(i % 10 == 0 ? 8 : 2, i % 10 == 0 ? std::optional(at_host) : std::nullopt);
    EXPECT_EQ(figures_of(times), (Figures{{"ms", 2.0}, {"ms_per_frame", 8.0}, {"gcells_per_s", 1.0}}));
}

TEST(HeatFrameTimes, OfAWindowWhosePicturesStayOnTheDevice) {
    FrameTimes times;
    times.add(4, on_device);
    EXPECT_EQ(figures_of(times), (Figures{{"ms_per_frame_on_device", 4.0}, {"gcells_per_s", 0.5}}));
    times.add(6, at_host);  // a picture for a file
    times.add(1, std::nullopt);
    EXPECT_EQ(
        figures_of(times),
        (Figures{
            {"ms", 1.0}, {"ms_per_frame", 6.0}, {"ms_per_frame_on_device", 4.0}, {"gcells_per_s", 2.0}}));
}

TEST(HeatFrameTimes, OfNoFrameOrNoStep) {
    FrameTimes times;
    EXPECT_EQ(figures_of(times), Figures{});
    times.add(3, at_host);
    EXPECT_EQ(figures_of(times, 0), (Figures{{"ms_per_frame", 3.0}}));
    times.clear();
    EXPECT_EQ(figures_of(times), Figures{});
}

TEST(HeatFrameTimes, OfAnInterval) {
    FrameTimes times;
    times.add(100, at_host);
    times.begin_interval();
    EXPECT_EQ(times.interval().repetitions, 0);
    times.add(1, std::nullopt);
    times.add(3, at_host);
    EXPECT_EQ(times.interval().repetitions, 2);
    EXPECT_EQ(times.interval().median, 2);
    times.clear();
    EXPECT_EQ(times.interval().repetitions, 0);
}

TEST(HeatFrameTimes, KeepsTheLastOfAMillion) {
    FrameTimes times;
    times.add(7, at_host);
    for (int i = 0; i < 1 << 20; ++i) times.add(1, std::nullopt);
    times.begin_interval();
    times.add(2, std::nullopt);
    EXPECT_EQ(times.interval().repetitions, 1);
    EXPECT_EQ(figures_of(times), (Figures{{"ms", 1.0}, {"gcells_per_s", 2.0}})) << "the first is forgotten";
}

}  // namespace
}  // namespace cudabook::heat
