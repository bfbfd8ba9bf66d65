// heat_notexture/demo/simulation.hpp: what the user may change during a run, and the origin from
// which another solver can repeat the last frames.
#include "heat_notexture/demo/simulation.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/numbers/colour_map.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/cpu/reference_solver.hpp"
#include "tests/heat/formula.hpp"

namespace cudabook::heat {
namespace {

using test::difference;

constexpr int width = 70;
constexpr int height = 50;

Kernel gpu_kernel(const std::string& name, bool fails = false) {
    return {name, "global", "a kernel", DeviceKind::cuda,
            [fails](const Scene& scene, const SolverOptions& options) -> std::unique_ptr<Solver> {
                if (fails) throw MachineError("the device has no memory");
                return std::make_unique<ReferenceSolver>(scene, options);
            }};
}

/// A sample with fake GPU kernels.
Sample sample_with(int gpus) {
    Sample sample{"heat", {gpu_kernel("first"), gpu_kernel("second"), gpu_kernel("failing", true)}, {}, {}};
    for (const Kernel& kernel : cpu_kernels()) sample.kernels.push_back(kernel);
    sample.defaults = {"blocked", "second"};
    sample.find_devices = [gpus] {
        CudaDevices devices{{}, "there is none"};
        for (int i = 0; i < gpus; ++i) devices.all.push_back({DeviceKind::cuda, 3 + i, "GPU", "9.0", 1, 1});
        return devices;
    };
    return sample;
}

/// A sample whose program has an emulated GPU and no real one.
Sample sample_with_emulated_gpu() {
    Sample sample = sample_with(0);
    sample.find_devices = [] {
        return CudaDevices{{{DeviceKind::emulated, 0, "GPU", "9.0", 1, 1}}, "there is none"};
    };
    return sample;
}

class HeatSimulation : public testing::Test {
  protected:
    [[nodiscard]] Simulation begin(const std::string& kernel, int steps = 7) const {
        for (const Kernel& k : sample_.kernels)
            if (k.name == kernel) return {sample_, k, 0, scene_, 0.25F, steps, true};
        throw std::logic_error(kernel);
    }

    /// The scene by the formula. The user may change sources, and the number of steps, before a frame.
    class Expected {
      public:
        explicit Expected(Scene scene) : scene_(std::move(scene)) {}
        void frame(int steps) { scene_.start = test::naive_steps(scene_, 0.25F, steps); }
        void hold(int x, int y, float source) {
            const std::size_t i = static_cast<std::size_t>(x) + static_cast<std::size_t>(y) * width;
            scene_.sources[i] = source;
            if (source != 0) scene_.start[i] = source;
        }
        [[nodiscard]] const Scene& scene() const { return scene_; }

      private:
        Scene scene_;
    };

    /// Expects that another solver computes the same grid from the simulation's origin.
    static void expect_origin(const Simulation& simulation, int frames) {
        const auto origin = simulation.origin();
        ASSERT_TRUE(origin.has_value());
        EXPECT_EQ(origin->frames, frames);
        ReferenceSolver reference(origin->scene, {0.25F});
        reference.advance(origin->frames * origin->steps);
        EXPECT_EQ(difference(reference.temperatures(), simulation.temperatures(), width), "");
    }

    Sample sample_ = sample_with(1);
    Scene scene_ = book_scene(width, height);
};

TEST_F(HeatSimulation, FramesAreStepsOfTheKernel) {
    Simulation simulation = begin("blocked");
    Expected expected(scene_);
    std::vector<unsigned char> pixels(4 * scene_.cells());
    for (int i = 0; i < 3; ++i) {
        EXPECT_GE(simulation.frame(i == 1 ? std::nullopt : std::optional(Canvas{pixels.data()})), 0);
        expected.frame(7);
    }
    EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "");
    for (std::size_t i = 0; i < scene_.cells(); ++i) {
        const Rgba colour = colour_of(expected.scene().start[i]);
        ASSERT_EQ(std::memcmp(&pixels[4 * i], &colour, 4), 0) << i;
    }
    EXPECT_TRUE(simulation.untouched());
}

TEST_F(HeatSimulation, KernelsOfTheDeviceInTurn) {
    Simulation simulation = begin("reference");
    for (const char* next : {"blocked", "reference", "blocked"}) {
        EXPECT_EQ(simulation.switch_kernel(1), "");
        EXPECT_EQ(simulation.kernel().name, next);
    }
    Simulation on_gpu = begin("first");
    EXPECT_EQ(on_gpu.switch_kernel(1), "");
    EXPECT_EQ(on_gpu.kernel().name, "second");
    EXPECT_EQ(on_gpu.switch_kernel(-1), "");
    EXPECT_EQ(on_gpu.kernel().name, "first");
}

TEST_F(HeatSimulation, SwitchingFiftyTimesKeepsTheBits) {
    Simulation simulation = begin("reference");
    Simulation alone = begin("reference");
    for (int i = 0; i < 50; ++i) {
        simulation.frame(std::nullopt);
        EXPECT_EQ(i % 5 == 4 ? simulation.switch_device() : simulation.switch_kernel(1), "");
        alone.frame(std::nullopt);
        ASSERT_EQ(difference(simulation.temperatures(), alone.temperatures(), width), "") << "switch " << i;
        if (simulation.kernel().name == "second") {
            EXPECT_EQ(simulation.switch_device(), "");
        }
    }
    EXPECT_FALSE(simulation.untouched());
    EXPECT_TRUE(alone.untouched());
}

TEST_F(HeatSimulation, AKernelThatCannotBeMadeLeavesTheOneBefore) {
    Simulation simulation = begin("second");
    simulation.frame(std::nullopt);
    const auto before = simulation.temperatures();
    EXPECT_EQ(simulation.switch_kernel(1), "no failing: the device has no memory");
    EXPECT_EQ(simulation.kernel().name, "second");
    EXPECT_EQ(difference(simulation.temperatures(), before, width), "");
    simulation.frame(std::nullopt);
    Expected expected(scene_);
    expected.frame(14);
    EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "");
}

TEST_F(HeatSimulation, CpuAndGpuInTurn) {
    Simulation simulation = begin("reference");
    EXPECT_EQ(simulation.switch_device(), "");
    EXPECT_EQ(simulation.kernel().name, "second") << "the GPU's default";
    EXPECT_EQ(simulation.gpu(), 3) << "the first usable one";
    EXPECT_EQ(simulation.switch_device(), "");
    EXPECT_EQ(simulation.kernel().name, "blocked") << "the CPU's default";
}

TEST_F(HeatSimulation, ToTheFirstGpuThatCanBeUsed) {
    sample_ = sample_with(3);
    std::vector<int> touched;
    sample_.find_devices = [&touched, found = sample_.find_devices()] {
        CudaDevices devices = found;
        devices.why_unusable = [&touched](const Device& device) {
            touched.push_back(device.index);
            return std::string(device.index == 3 ? "it is too old" : "");
        };
        return devices;
    };
    Simulation simulation = begin("reference");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(simulation.switch_device(), "");
    EXPECT_EQ(simulation.gpu(), 4);
    EXPECT_EQ(touched, (std::vector<int>{3, 4})) << "once, and none after the first that can";
}

TEST_F(HeatSimulation, NoGpuToSwitchTo) {
    sample_ = sample_with(0);
    Simulation simulation = begin("reference");
    EXPECT_EQ(simulation.switch_device(), "no GPU: there is none");
    EXPECT_EQ(simulation.kernel().name, "reference");
    EXPECT_TRUE(simulation.untouched());
}

TEST_F(HeatSimulation, AnEmulatedGpuIsNotSwitchedToUnlessTheRunBeganThere) {
    sample_ = sample_with_emulated_gpu();
    Simulation on_cpu = begin("reference");
    EXPECT_EQ(on_cpu.switch_device(), "no GPU: there is none");
    Simulation on_gpu = begin("first");
    EXPECT_EQ(on_gpu.switch_device(), "");
    EXPECT_EQ(on_gpu.kernel().name, "blocked");
    EXPECT_EQ(on_gpu.switch_device(), "");
    EXPECT_EQ(on_gpu.kernel().name, "second");
}

TEST_F(HeatSimulation, RoundNumbersOfSteps) {
    Simulation simulation = begin("reference", 7);
    for (const int steps : {10, 20, 45, 90, 180, 450, 900, 900}) {
        simulation.more_steps();
        EXPECT_EQ(simulation.steps(), steps);
    }
    for (const int steps : {450, 180, 90, 45, 20, 10, 5, 2, 1, 1}) {
        simulation.fewer_steps();
        EXPECT_EQ(simulation.steps(), steps);
    }
    simulation.more_steps();
    Expected expected(scene_);
    simulation.frame(std::nullopt);
    expected.frame(2);
    EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "");
}

TEST_F(HeatSimulation, PaintingHoldsCells) {
    Simulation simulation = begin("blocked");
    Expected expected(scene_);
    simulation.frame(std::nullopt);
    expected.frame(7);
    const std::pair<Drag, float> strokes[] = {
        {{Button::left, false, {10, 20}, {10, 20}}, max_temperature},
        {{Button::right, false, {69, 49}, {69, 49}}, min_temperature},
        {{Button::left, true, {25, 20}, {25, 20}}, 0.0F},
    };
    for (const auto& [drag, source] : strokes) {
        simulation.paint(drag);
        const auto [x, y] = drag.from;  // a disc of radius 1
        for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            if (x + i < width && y + j < height) expected.hold(x + i, y + j, source);
        EXPECT_EQ(difference(simulation.sources(), expected.scene().sources, width), "");
        EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "") << "at once";
    }
    simulation.frame(std::nullopt);
    expected.frame(7);
    EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "");
    EXPECT_FALSE(simulation.untouched());
}

TEST_F(HeatSimulation, PaintsALineWithoutGaps) {
    Simulation simulation = begin("reference");
    simulation.paint({Button::right, false, {3, 45}, {60, 30}});
    for (int x = 3; x <= 60; ++x) {
        const int y = 45 - (x - 3) * 15 / 57;
        EXPECT_EQ(simulation.sources()[static_cast<std::size_t>(y * width + x)], min_temperature) << x;
        for (const int beside : {y - 4, y + 4}) {
            if (beside >= height) continue;
            EXPECT_EQ(simulation.sources()[static_cast<std::size_t>(beside * width + x)],
                      scene_.sources[static_cast<std::size_t>(beside * width + x)])
                << x;
        }
    }
}

TEST_F(HeatSimulation, DiscsGrowWithTheGrid) {
    scene_ = {512, 400, std::vector<float>(512 * 400), std::vector<float>(512 * 400)};
    Simulation simulation = begin("reference");
    simulation.paint({Button::left, false, {100, 100}, {100, 100}});
    int cells = 0;
    for (const float source : simulation.sources()) cells += source == max_temperature ? 1 : 0;
    EXPECT_EQ(cells, 29) << "a disc of radius 3";
}

TEST_F(HeatSimulation, TheWayBackToTheStart) {
    Simulation simulation = begin("blocked");
    simulation.paint({Button::left, false, {3, 45}, {60, 30}});
    simulation.frame(std::nullopt);
    simulation.more_steps();
    simulation.reset();
    EXPECT_EQ(difference(simulation.sources(), scene_.sources, width), "");
    EXPECT_EQ(difference(simulation.temperatures(), scene_.start, width), "");
    EXPECT_EQ(simulation.steps(), 10);
    simulation.frame(std::nullopt);
    Expected expected(scene_);
    expected.frame(10);
    EXPECT_EQ(difference(simulation.temperatures(), expected.scene().start, width), "");
}

TEST_F(HeatSimulation, TheOriginFollows) {
    Simulation simulation = begin("blocked");
    EXPECT_FALSE(simulation.origin().has_value());
    for (int i = 0; i < 10; ++i) simulation.frame(std::nullopt);
    EXPECT_FALSE(simulation.origin().has_value()) << "the scene's start, ten frames ago";
    simulation.frame(std::nullopt);
    expect_origin(simulation, 1);
    for (int i = 0; i < 9; ++i) simulation.frame(std::nullopt);
    expect_origin(simulation, 10);

    const std::pair<const char*, void (*)(Simulation&)> changes[] = {
        {"sources",
         [](Simulation& s) {
             s.paint({Button::left, false, {30, 40}, {50, 10}});
         }},
        {"steps", [](Simulation& s) { s.more_steps(); }},
        {"kernel", [](Simulation& s) { s.switch_kernel(1); }},
        {"device", [](Simulation& s) { s.switch_device(); }},
        {"all", [](Simulation& s) { s.reset(); }}};
    for (const auto& [what, change] : changes) {
        SCOPED_TRACE(what);
        simulation.frame(std::nullopt);
        change(simulation);
        expect_origin(simulation, 0);
        simulation.frame(std::nullopt);
        simulation.frame(std::nullopt);
        expect_origin(simulation, 2);
    }
}

}  // namespace
}  // namespace cudabook::heat
