// The demo: heats the grid frame by frame, in a window or headless, and meanwhile obeys the user's keys and
// mouse.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/progress.hpp"
#include "common/program/report.hpp"
#include "common/window/animation.hpp"
#include "heat_notexture/ceiling.hpp"
#include "heat_notexture/demo/frame_times.hpp"
#include "heat_notexture/demo/simulation.hpp"
#include "heat_notexture/demo/window_text.hpp"
#include "heat_notexture/options.hpp"
#include "heat_notexture/verifier.hpp"

namespace cudabook::heat {

/// The input of a demo that is the same for every kernel. A demo gets the kernel, the scene and the options
/// separately.
struct DemoSetup {
    Sample sample;
    Device device;
    Display display = Display::headless;
    std::vector<TimedInput> script;
    std::function<Ceiling(const Kernel&, int gpu)> ceiling;  ///< returns a kernel's ceiling; may measure it
    MakeDeviceFrames make_device_frames;
    std::function<void(const unsigned char* rgba)> video;  ///< if set, called with the pixels of every frame
};

/// A run of the demo that begins with `kernel`. `setup`, `scene` and `options` must outlive the Demo.
class Demo {
  public:
    /// Errors: MachineError.
    Demo(const DemoSetup& setup, const Kernel& kernel, const Scene& scene, const Options& options);

    /// Shows all frames. An interrupt or the user ends the run after the frame in progress. Errors:
    /// MachineError.
    void run();

    /// Returns the figures of the run. If `verifier` is not null, the result also says whether the last grid
    /// equals the grid that the CPU computes. If the run ended early or the user changed something, the CPU
    /// computes only the frames since Simulation::origin().
    Result result(Verifier* verifier);

    /// The pixels of the last frame.
    [[nodiscard]] const unsigned char* pixels() const { return bitmap_.get_ptr(); }

  private:
    using Clock = std::chrono::steady_clock;

    void listen_to_the_window();
    void measure_ceilings();
    void frame(int ticks);
    [[nodiscard]] Canvas canvas_of_frame(bool for_file);
    void repaint();
    void on_drag(const Drag& piece);
    void on_key(Key key);
    void forget_speed();
    void save_picture();
    void write_png_of_frame(int ticks) const;
    void begin_interval();
    void update_speed();
    [[nodiscard]] std::string emulated_gpu() const;
    void update_window_text();
    void add_verification(Result& result, std::uint32_t sum, Verifier& verifier) const;

    const DemoSetup& setup_;
    const Scene& scene_;
    const Options& options_;
    std::optional<int> frame_limit_;
    CPUAnimBitmap bitmap_;  // outlives the solver, which page-locks it
    Simulation simulation_;
    Progress progress_;
    FrameTimes times_;                  ///< the times of the last frames with this kernel and number of steps
    bool pixels_are_current_ = false;   ///< whether host memory holds the picture of the last grid
    bool was_paused_ = false;           ///< whether the run was paused at the last frame
    std::string message_;               ///< what the last key did, or why it did nothing
    Clock::time_point interval_start_;  ///< the start of the next measurement of speed_
    std::optional<Speed> speed_;
};

}  // namespace cudabook::heat
