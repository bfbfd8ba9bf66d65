// The demo loop: it animates the room, in a window or headless, does what the user asks for meanwhile, and
// compares the last grid with the CPU's.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/heat/ceiling.hpp"
#include "common/heat/cpu_solver.hpp"
#include "common/heat/frame_times.hpp"
#include "common/heat/options.hpp"
#include "common/heat/simulation.hpp"
#include "common/heat/solver.hpp"
#include "common/numbers/crc32.hpp"
#include "common/program/interrupt.hpp"
#include "common/program/measurement.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "common/program/progress.hpp"
#include "common/program/report.hpp"
#include "common/window/animation.hpp"
#include "common/window/input_script.hpp"
#include "common/window/panel.hpp"

namespace cudabook::heat {

/// Computes what a kernel should give by another one on the CPU, which shares no arithmetic with it:
/// `blocked` by `reference`, all others by `blocked`.
class Verifier {
  public:
    Verifier(const Scene& scene, const Options& options) : scene_(scene), options_(options) {}

    /// The checksum after `frames` frames from the scene's start. Nothing if an interrupt comes before it is
    /// known.
    std::optional<std::uint32_t> expected(const Kernel& kernel, int frames) {
        const std::pair key{by_reference(kernel), frames};
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const auto sum = compute(kernel, {scene_, options_.steps_per_frame, frames});
        if (sum) known_[key] = *sum;
        return sum;
    }

    /// The same from there on.
    std::optional<std::uint32_t> expected(const Kernel& kernel, const Origin& origin) {
        return compute(kernel, origin);
    }

  private:
    static bool by_reference(const Kernel& kernel) { return kernel.name == "blocked"; }

    [[nodiscard]] std::optional<std::uint32_t> compute(const Kernel& kernel, const Origin& origin) const {
        std::unique_ptr<Solver> solver;
        if (by_reference(kernel))
            solver = std::make_unique<Reference>(origin.scene, SolverOptions{options_.speed});
        else
            solver = std::make_unique<Blocked>(origin.scene, SolverOptions{options_.speed});
        Progress progress("comparing with the CPU", !options_.common.quiet);
        for (int frame = 0; frame < origin.frames; ++frame) {
            if (interrupted()) return std::nullopt;
            solver->advance(origin.steps);
            progress.at(static_cast<double>(frame + 1) / origin.frames);
        }
        return checksum(solver->temperatures());
    }

    const Scene& scene_;
    const Options& options_;
    std::map<std::pair<bool, int>, std::uint32_t> known_;  ///< by the solver and the frames
};

/// What a demo needs beside the room, the same for each of its kernels.
struct Show {
    Room room;
    Device device;
    Display display = Display::headless;
    std::vector<TimedInput> script;
    /// What limits a kernel on its device; may have to measure it.
    std::function<Ceiling(const Kernel&, int gpu)> ceiling;
    MakeDeviceFrames make_device_frames;
    std::function<void(const unsigned char* rgba)> video;  ///< where it is set, it gets every frame
};

/// The animation of a room, which begins with one kernel.
class Demo {
  public:
    Demo(const Show& show, const Kernel& kernel, const Scene& scene, const Options& options)
        : show_(show),
          scene_(scene),
          options_(options),
          bitmap_(scene.width, scene.height, this),
          simulation_(show.room, kernel, show.device.index, scene, options.speed, options.steps_per_frame,
                      !options.no_verify),
          progress_(fmt::format("{} {}", show.room.name, kernel.name),
                    !options.common.quiet && show.display == Display::headless) {
        if (show.display == Display::headless)
            frame_limit_ = options.frames.value_or(10);
        else
            frame_limit_ = options.frames;
        bitmap_.set_display(show.display);
        bitmap_.set_frame_limit(frame_limit_);
        bitmap_.set_vsync(!options.no_vsync);
        bitmap_.set_script(show.script);
        bitmap_.set_device_frames(show.make_device_frames);
        bitmap_.click_drag([](void* demo, const Drag& piece) { self(demo).paint(piece); });
        bitmap_.on_key([](void* demo, Key key) { self(demo).key(key); });
        bitmap_.on_repaint([](void* demo) { self(demo).repaint(); });
        bitmap_.set_title(fmt::format("{} {}", show.room.name, kernel.name));
    }

    /// Shows all frames. An interrupt, or the user, ends it after the frame in progress.
    void run() {
        if (show_.display == Display::window)  // measured before the show
            for (const Kernel& kernel : show_.room.kernels)
                if (kernel.device == show_.device.kind)
                    static_cast<void>(show_.ceiling(kernel, simulation_.gpu()));
        begin_interval();
        tell();
        bitmap_.anim_and_exit([](void* demo, int ticks) { self(demo).frame(ticks); }, nullptr);
        if (!host_has_last_) simulation_.draw({bitmap_.get_ptr()});
    }

    /// The animation's figures and, unless `verifier` is null, whether the last grid is the CPU's. An
    /// animation that was ended early or changed is compared from its origin on (see simulation.hpp).
    Result result(Verifier* verifier) {
        const Kernel& kernel = simulation_.kernel();
        const std::uint32_t sum = checksum(simulation_.temperatures());
        Result result{kernel.name, kernel.memory, hex(sum), std::nullopt, {}};
        result.figures["frames"] = bitmap_.frames_done();
        // What the user changed is not what the report's head says.
        if (kernel.device != show_.device.kind) result.figures["device"] = name_of(kernel.device);
        if (simulation_.steps() != options_.steps_per_frame)
            result.figures["steps_per_frame"] = simulation_.steps();
        times_.add_figures(result.figures, scene_, simulation_.steps());
        if (verifier == nullptr) return result;
        const bool whole = simulation_.untouched() && bitmap_.ended_by() == AnimationEnd::frame_limit;
        const auto origin = whole ? std::nullopt : simulation_.origin();
        const int frames = origin ? origin->frames : bitmap_.frames_done();
        if (origin && frames == 0) {  // nothing was computed since the last change
            result.figures["frames_verified"] = 0;
            return result;
        }
        const auto expected =
            origin ? verifier->expected(kernel, *origin) : verifier->expected(kernel, frames);
        if (expected) {
            result.verified = *expected == sum;
            result.figures["frames_verified"] = frames;
        }
        return result;
    }

    [[nodiscard]] const unsigned char* pixels() const { return bitmap_.get_ptr(); }

  private:
    static constexpr std::chrono::milliseconds between_reports{500};

    static Demo& self(void* demo) { return *static_cast<Demo*>(demo); }

    void frame(int ticks) {
        if (std::exchange(was_paused_, bitmap_.paused()) != bitmap_.paused()) {
            begin_interval();
            tell();
        }
        const bool picture = options_.png_every && ticks % *options_.png_every == 0;
        const bool for_file = picture || show_.video != nullptr;
        std::optional<Canvas> canvas;
        if (bitmap_.wanted() || for_file) canvas = canvas_for_frame(for_file);
        times_.add(simulation_.frame(canvas), canvas);
        host_has_last_ = canvas && canvas->memory == DeviceKind::cpu;
        if (picture) write_png_of_frame(ticks);
        if (show_.video) show_.video(bitmap_.get_ptr());
        if (frame_limit_) progress_.at(static_cast<double>(ticks) / *frame_limit_);
        if (Clock::now() - interval_start_ >= between_reports) take_stock();
    }

    Canvas canvas_for_frame(bool for_file) {
        return bitmap_.canvas(!for_file && simulation_.kernel().device == DeviceKind::cuda);
    }

    void repaint() {
        was_paused_ = true;
        const Canvas canvas = canvas_for_frame(false);
        simulation_.draw(canvas);
        host_has_last_ = canvas.memory == DeviceKind::cpu;
        tell();
    }

    void paint(const Drag& piece) {
        simulation_.paint(piece);
        host_has_last_ = false;
    }

    void key(Key key) {
        const int steps = simulation_.steps();
        message_.clear();
        switch (key.character) {
            case 'K':
                message_ = simulation_.switch_kernel(key.shift ? -1 : 1);
                break;
            case 'D':
                message_ = simulation_.switch_device();
                break;
            case 'R':
                simulation_.reset();
                break;
            case '+':
                simulation_.more_steps();
                break;
            case '-':
                simulation_.fewer_steps();
                break;
            case 'S':
                save_picture();
                break;
            default:
                return;
        }
        host_has_last_ = false;
        if (key.character == 'K' || key.character == 'D' || simulation_.steps() != steps) {
            times_.clear();  // they were another kernel's, or of other frames
            speed_ = {};
            begin_interval();
        }
        tell();
    }

    void save_picture() {
        const std::string name = fmt::format("{}-{:06}.png", show_.room.name, bitmap_.frames_done());
        simulation_.draw({bitmap_.get_ptr()});
        try {
            OutputFile file(name);
            write_png(file, bitmap_.get_ptr(), scene_.width, scene_.height);
            message_ = "saved " + name;
        } catch (const MachineError& error) {
            message_ = error.what();
        }
    }

    void write_png_of_frame(int ticks) const {
        const std::filesystem::path path = options_.png.value_or(show_.room.name + ".png");
        OutputFile file(path.parent_path() /
                        fmt::format("{}-{:06}{}", path.stem().string(), ticks, path.extension().string()));
        write_png(file, bitmap_.get_ptr(), scene_.width, scene_.height);
    }

    /// The frames from now on are counted for what is told next.
    void begin_interval() {
        times_.begin_interval();
        interval_start_ = Clock::now();
    }

    /// The speed of the frames since the last time, for the title and the panel.
    void take_stock() {
        const double seconds = std::chrono::duration<double>(Clock::now() - interval_start_).count();
        const Measurement frames = times_.interval();
        speed_ = {frames.median, frames.repetitions / seconds};
        begin_interval();
        tell();
    }

    [[nodiscard]] Ceiling ceiling() const { return show_.ceiling(simulation_.kernel(), simulation_.gpu()); }

    /// Writes the title and the panel.
    void tell() {
        if (show_.display == Display::headless) return;
        const Kernel& kernel = simulation_.kernel();
        const std::string name = fmt::format("{} {}", show_.room.name, kernel.name);
        const std::string pace =
            bitmap_.paused() ? "paused" : fmt::format("{:.0f} frames/s", speed_.frames_per_s);
        bitmap_.set_title(speed_.ms > 0 ? fmt::format("{} ({}) \u2014 {:.3g} ms a frame, {}", name,
                                                      bitmap_.path_to_window(), speed_.ms, pace)
                                        : name);

        Panel panel{name, {}, {}, {}, message_, keys()};
        panel.lines.push_back(
            fmt::format("{}, {} steps a frame", name_of(kernel.device), simulation_.steps()));
        if (speed_.ms > 0) {
            const double gcells = gcells_per_s(scene_, simulation_.steps(), speed_.ms);
            panel.lines.push_back(fmt::format("{:.3g} ms a frame, {}", speed_.ms, pace));
            panel.lines.push_back(fmt::format("{:.{}f} G cells/s", gcells, gcells < 100 ? 2 : 0));
            const Ceiling most = ceiling();
            panel.share = gcells / most.gcells_per_s;
            panel.share_label = fmt::format("{:.0f} % of {}", 100 * *panel.share, most.name);
        }
        bitmap_.set_panel(std::move(panel));
    }

    using Clock = std::chrono::steady_clock;

    /// That of the frames of an interval.
    struct Speed {
        double ms = 0;  ///< 0: not known yet
        double frames_per_s = 0;
    };

    const Show& show_;
    const Scene& scene_;
    const Options& options_;
    std::optional<int> frame_limit_;
    CPUAnimBitmap bitmap_;  // outlives the solver, which page-locks it
    Simulation simulation_;
    Progress progress_;
    FrameTimes times_;            ///< of the last frames by this kernel with so many steps
    bool host_has_last_ = false;  ///< the last grid is painted in the host's memory
    bool was_paused_ = false;
    std::string message_;  ///< what the last key did, or why it did not
    Clock::time_point interval_start_;
    Speed speed_;
};

}  // namespace cudabook::heat
