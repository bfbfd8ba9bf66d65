// The demo loop: one kernel animates the room, in a window or headless, and its last grid is compared with
// the CPU's.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/animation.hpp"
#include "common/crc32.hpp"
#include "common/heat/cpu_solver.hpp"
#include "common/heat/options.hpp"
#include "common/heat/solver.hpp"
#include "common/interrupt.hpp"
#include "common/measurement.hpp"
#include "common/png_file.hpp"
#include "common/progress.hpp"

namespace cudabook::heat {

/// Billions of cell updates a second.
inline double gcells_per_s(const Scene& scene, int steps, double ms) {
    return static_cast<double>(scene.cells()) * steps / ms / 1e6;
}

/// Computes what a kernel should give, by another one on the CPU: `reference` for the CPU's `blocked`, which
/// is tested to give its bits, and `blocked` for all others.
class Verifier {
  public:
    Verifier(const Scene& scene, const Options& options) : scene_(scene), options_(options) {}

    /// The checksum after `frames` frames from `start`, or from the scene's start where that is none. Nothing
    /// if an interrupt comes before it is known.
    std::optional<std::uint32_t> expected(const Kernel& kernel, std::optional<std::vector<float>> start,
                                          int frames) {
        const bool by_reference = kernel.name == "blocked";
        const bool from_scene = !start;
        if (from_scene)
            if (const auto known = known_.find({by_reference, frames}); known != known_.end())
                return known->second;
        Scene scene = scene_;
        if (start) scene.start = std::move(*start);
        const auto make = by_reference ? cpu_kernels().front().make : cpu_kernels().back().make;
        const std::unique_ptr<Solver> solver = make(scene, {options_.speed});
        Progress progress("comparing with the CPU", !options_.common.quiet);
        for (int frame = 0; frame < frames; ++frame) {
            if (interrupted()) return std::nullopt;
            solver->advance(options_.steps_per_frame);
            progress.at(static_cast<double>(frame + 1) / frames);
        }
        const std::uint32_t sum = checksum(solver->temperatures());
        if (from_scene) known_[{by_reference, frames}] = sum;
        return sum;
    }

  private:
    const Scene& scene_;
    const Options& options_;
    std::map<std::pair<bool, int>, std::uint32_t> known_;  ///< by the solver and the frames
};

/// One kernel's animation.
class Demo {
  public:
    Demo(const std::string& room, const Kernel& kernel, const Device& device, const Scene& scene,
         const Options& options, Display display)
        : room_(room),
          kernel_(kernel),
          scene_(scene),
          options_(options),
          bitmap_(scene.width, scene.height, this),
          solver_(kernel.make(scene, {options.speed, device.index, Launch::graph})),
          progress_(fmt::format("{} {}", room, kernel.name),
                    !options.common.quiet && display == Display::headless) {
        if (display == Display::headless)
            frame_limit_ = options.frames.value_or(10);
        else
            frame_limit_ = options.frames;
        bitmap_.set_display(display);
        bitmap_.set_frame_limit(frame_limit_);
        bitmap_.set_title(fmt::format("{} {}", room, kernel.name));
    }

    /// Shows all frames. An interrupt, Esc or closing the window ends it after the frame in progress.
    void run() {
        started_ = std::chrono::steady_clock::now();
        bitmap_.anim_and_exit([](void* demo, int ticks) { static_cast<Demo*>(demo)->frame(ticks); }, nullptr);
        if (bitmap_.frames_done() == 0) solver_->frame(0, bitmap_.get_ptr());  // the room as it was
    }

    /// The animation's figures and, unless `verifier` is null, whether the last grid is the CPU's. An
    /// animation that was ended early is compared from its last checkpoint on.
    Result result(Verifier* verifier) {
        const Measurement frame_time = summarise(ms_);
        const std::uint32_t sum = checksum(solver_->temperatures());
        Result result{kernel_.name, kernel_.memory, hex(sum), std::nullopt, {}};
        result.figures["frames"] = bitmap_.frames_done();
        if (frame_time.repetitions > 0) {
            result.figures["ms_per_frame"] = frame_time.median;
            if (options_.steps_per_frame > 0)
                result.figures["gcells_per_s"] =
                    gcells_per_s(scene_, options_.steps_per_frame, frame_time.median);
        }
        if (verifier != nullptr) {
            const bool whole = bitmap_.ended_by() == AnimationEnd::frame_limit || !checkpoint_;
            const int frames = bitmap_.frames_done() - (whole ? 0 : checkpoint_frame_);
            const auto expected = verifier->expected(kernel_, whole ? std::nullopt : checkpoint_, frames);
            if (expected) {
                result.verified = *expected == sum;
                result.figures["frames_verified"] = frames;
            }
        }
        return result;
    }

    [[nodiscard]] const unsigned char* pixels() const { return bitmap_.get_ptr(); }

  private:
    /// An animation without an end is compared with the CPU over its last frames only, at most so many.
    static constexpr int frames_between_checkpoints = 10;

    void frame(int ticks) {
        const int done = ticks - 1;
        if (!options_.no_verify && done > 0 && done % frames_between_checkpoints == 0) {
            checkpoint_ = solver_->temperatures();
            checkpoint_frame_ = done;
        }
        ms_.push_back(solver_->frame(options_.steps_per_frame, bitmap_.get_ptr()));
        if (frame_limit_) progress_.at(static_cast<double>(ticks) / *frame_limit_);
        update_title(ticks);
    }

    /// Twice a second, from the frames since the last time.
    void update_title(int ticks) {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - started_).count();
        if (seconds < 0.5) return;
        const int frames = ticks - frames_at_start_;
        const Measurement recent = summarise({ms_.end() - frames, ms_.end()});
        bitmap_.set_title(fmt::format("{} {} — {:.2f} ms a frame, {:.0f} frames/s", room_, kernel_.name,
                                      recent.median, frames / seconds));
        started_ = now;
        frames_at_start_ = ticks;
    }

    const std::string& room_;
    const Kernel& kernel_;
    const Scene& scene_;
    const Options& options_;
    std::optional<int> frame_limit_;
    CPUAnimBitmap bitmap_;  // outlives the solver, which page-locks it
    std::unique_ptr<Solver> solver_;
    Progress progress_;
    std::vector<double> ms_;  ///< of each frame
    std::optional<std::vector<float>> checkpoint_;
    int checkpoint_frame_ = 0;
    std::chrono::steady_clock::time_point started_;
    int frames_at_start_ = 0;
};

}  // namespace cudabook::heat
