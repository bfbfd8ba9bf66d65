#include "heat_notexture/demo/demo.hpp"

#include <cstdint>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "common/numbers/crc32.hpp"
#include "common/program/errors.hpp"
#include "common/program/measurement.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"

namespace cudabook::heat {

namespace {

constexpr std::chrono::milliseconds between_measurements{500};

}  // namespace

Demo::Demo(const DemoSetup& setup, const Kernel& kernel, const Scene& scene, const Options& options)
    : setup_(setup),
      scene_(scene),
      options_(options),
      frame_limit_(options.frames),
      bitmap_(scene.width, scene.height, this),
      simulation_(setup.sample, kernel, setup.device.index, scene, options.speed, options.steps_per_frame,
                  !options.no_verify),
      progress_(fmt::format("{} {}", setup.sample.name, kernel.name),
                !options.common.quiet && setup.display == Display::headless) {
    if (setup.display == Display::headless && !frame_limit_) frame_limit_ = default_frames;
    bitmap_.set_display(setup.display);
    bitmap_.set_frame_limit(frame_limit_);
    bitmap_.set_vsync(!options.display.no_vsync);
    bitmap_.set_script(setup.script);
    bitmap_.set_device_frames(setup.make_device_frames);
    listen_to_the_window();
}

void Demo::listen_to_the_window() {
    static constexpr auto self = [](void* demo) -> Demo& { return *static_cast<Demo*>(demo); };
    bitmap_.click_drag([](void* demo, const Drag& piece) { self(demo).on_drag(piece); });
    bitmap_.on_key([](void* demo, Key key) { self(demo).on_key(key); });
    bitmap_.on_repaint([](void* demo) { self(demo).repaint(); });
}

void Demo::run() {
    if (setup_.display == Display::window) measure_ceilings();
    begin_interval();
    update_window_text();
    bitmap_.anim_and_exit([](void* demo, int ticks) { static_cast<Demo*>(demo)->frame(ticks); }, nullptr);
    if (options_.png && !pixels_are_current_) simulation_.draw({bitmap_.get_ptr()});
}

/// Measures the ceilings of all kernels of the device, so that no switch of kernels has to wait for a
/// measurement.
void Demo::measure_ceilings() {
    for (const Kernel& kernel : setup_.sample.kernels)
        if (runs_on(kernel.device, setup_.device.kind))
            static_cast<void>(setup_.ceiling(kernel, simulation_.gpu()));
}

// ----- frames

void Demo::frame(int ticks) {
    if (std::exchange(was_paused_, bitmap_.paused()) != bitmap_.paused()) {
        begin_interval();
        update_window_text();
    }
    const bool picture = options_.png_every && ticks % *options_.png_every == 0;
    const bool for_file = picture || setup_.video != nullptr;
    std::optional<Canvas> canvas;
    if (bitmap_.wanted() || for_file) canvas = canvas_of_frame(for_file);
    times_.add(simulation_.frame(canvas), canvas);
    pixels_are_current_ = canvas && canvas->memory == DeviceKind::cpu;
    if (picture) write_png_of_frame(ticks);
    if (setup_.video) setup_.video(bitmap_.get_ptr());
    if (frame_limit_) progress_.at(static_cast<double>(ticks) / *frame_limit_);
    if (Clock::now() - interval_start_ >= between_measurements) update_speed();
}

/// Returns the canvas of a frame. A frame for a file is drawn to host memory.
Canvas Demo::canvas_of_frame(bool for_file) {
    return bitmap_.canvas(!for_file && simulation_.kernel().device == DeviceKind::cuda);
}

void Demo::write_png_of_frame(int ticks) const {
    const std::filesystem::path path = options_.png.value_or(setup_.sample.name + ".png");
    OutputFile file(path.parent_path() /
                    fmt::format("{}-{:06}{}", path.stem().string(), ticks, path.extension().string()));
    write_png(file, bitmap_.get_ptr(), scene_.width, scene_.height);
}

// ----- the user

void Demo::repaint() {
    was_paused_ = true;
    const Canvas canvas = canvas_of_frame(false);
    simulation_.draw(canvas);
    pixels_are_current_ = canvas.memory == DeviceKind::cpu;
    update_window_text();
}

void Demo::on_drag(const Drag& piece) {
    simulation_.paint(piece);
    pixels_are_current_ = false;
}

void Demo::on_key(Key key) {
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
    pixels_are_current_ = false;
    if (key.character == 'K' || key.character == 'D' || simulation_.steps() != steps) forget_speed();
    update_window_text();
}

/// Forgets the speed, because the frames so far had another kernel or another number of steps.
void Demo::forget_speed() {
    times_.clear();
    speed_.reset();
    begin_interval();
}

void Demo::save_picture() {
    const std::string name = fmt::format("{}-{:06}.png", setup_.sample.name, bitmap_.frames_done());
    simulation_.draw({bitmap_.get_ptr()});
    try {
        OutputFile file(name);
        write_png(file, bitmap_.get_ptr(), scene_.width, scene_.height);
        message_ = "saved " + name;
    } catch (const MachineError& error) {
        message_ = error.what();
    }
}

// ----- the speed, in the window

void Demo::begin_interval() {
    times_.begin_interval();
    interval_start_ = Clock::now();
}

void Demo::update_speed() {
    const double seconds = std::chrono::duration<double>(Clock::now() - interval_start_).count();
    const Measurement frames = times_.interval();
    begin_interval();
    if (setup_.display == Display::headless) return;
    speed_.reset();
    if (frames.median > 0)
        speed_ = Speed{.ms_per_frame = frames.median,
                       .frames_per_s = frames.repetitions / seconds,
                       .gcells_per_s = gcells_per_s(scene_, simulation_.steps(), frames.median),
                       .ceiling = setup_.ceiling(simulation_.kernel(), simulation_.gpu())};
    update_window_text();
}

/// Returns the name of the GPU that is emulated, or an empty string if none is. The window shows the name,
/// so that nobody takes the speed for a real GPU's.
std::string Demo::emulated_gpu() const {
    const bool emulated = setup_.device.kind == DeviceKind::emulated && is_gpu(simulation_.kernel().device);
    return emulated ? setup_.device.name : "";
}

void Demo::update_window_text() {
    if (setup_.display == Display::headless) return;
    const RunStatus status{.program = setup_.sample.name,
                           .kernel = simulation_.kernel(),
                           .emulated_gpu = emulated_gpu(),
                           .steps_per_frame = simulation_.steps(),
                           .paused = bitmap_.paused(),
                           .speed = speed_,
                           .path_to_window = std::string(bitmap_.path_to_window()),
                           .message = message_};
    bitmap_.set_title(title_of(status));
    bitmap_.set_panel(panel_of(status));
}

// ----- the report

Result Demo::result(Verifier* verifier) {
    const Kernel& kernel = simulation_.kernel();
    const std::uint32_t sum = checksum(simulation_.temperatures());
    Result result{kernel.name, kernel.memory, hex(sum), std::nullopt, {}};
    result.figures["frames"] = bitmap_.frames_done();
    // The report's head does not have the settings that the user changed.
    if (!runs_on(kernel.device, setup_.device.kind)) result.figures["device"] = name_of(kernel.device);
    if (simulation_.steps() != options_.steps_per_frame)
        result.figures["steps_per_frame"] = simulation_.steps();
    times_.add_figures(result.figures, scene_, simulation_.steps());
    result.work = {static_cast<double>(scene_.cells()) * simulation_.steps() * bitmap_.frames_done(), "cell"};
    if (verifier != nullptr) add_verification(result, sum, *verifier);
    return result;
}

void Demo::add_verification(Result& result, std::uint32_t sum, Verifier& verifier) const {
    const Kernel& kernel = simulation_.kernel();
    const bool whole = simulation_.untouched() && bitmap_.ended_by() == AnimationEnd::frame_limit;
    const auto origin = whole ? std::nullopt : simulation_.origin();
    const int frames = origin ? origin->frames : bitmap_.frames_done();
    if (origin && frames == 0) {  // nothing was computed since the last change
        result.figures["frames_verified"] = 0;
        return;
    }
    const auto expected = origin ? verifier.expected(kernel, *origin) : verifier.expected(kernel, frames);
    if (!expected) return;
    result.verified = *expected == sum;
    result.figures["frames_verified"] = frames;
}

}  // namespace cudabook::heat
