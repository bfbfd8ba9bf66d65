#include "heat_notexture/demo/hidden_window.hpp"

#include "common/program/errors.hpp"

namespace cudabook::heat {

HiddenWindow::HiddenWindow(int width, int height) : window_(open_window({width, height})) {
    window_->set_vsync(false);
}

std::unique_ptr<HiddenWindow> HiddenWindow::open(const Device& device, const GpuBackend& gpu, int width,
                                                 int height) {
    if (device.kind != DeviceKind::cuda) return nullptr;
    std::unique_ptr<HiddenWindow> hidden;
    try {
        hidden = std::make_unique<HiddenWindow>(width, height);
        if (gpu.make_device_frames)
            hidden->frames_ = gpu.make_device_frames(device.index, hidden->window_->texture(), width, height);
    } catch (const MachineError&) {  // no display, or no memory shared between it and the device
    }
    return hidden;
}

void HiddenWindow::add_figures(Figures& figures, Solver& solver, int steps,
                               std::vector<unsigned char>& pixels, const TimeBudget& budget) {
    const auto median_ms = [](const auto& frame, const TimeBudget& share) {
        return measure([&] { return wall_ms(frame); }, share).median;
    };
    figures["ms_per_frame_shown_by_copy"] = median_ms(
        [&] {
            solver.frame(steps, {pixels.data()});
            window_->upload(pixels.data());
            window_->draw({}, false, false);
        },
        budget.share(2));
    if (!frames_) return;
    figures["ms_per_frame_shown_by_interop"] = median_ms(
        [&] {
            solver.frame(steps, {frames_->memory(0), DeviceKind::cuda});
            frames_->show(0);
            window_->draw({}, false, false);
        },
        budget.share(1));
}

}  // namespace cudabook::heat
