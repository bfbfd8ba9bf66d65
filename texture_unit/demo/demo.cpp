#include "texture_unit/demo/demo.hpp"

#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "texture_unit/demo/explorer.hpp"
#include "texture_unit/demo/window_text.hpp"

namespace cudabook::texture_unit {

namespace {

/// The number of frames of a headless run: as many as its script has, at least one.
int frames_of(const std::vector<TimedInput>& script) { return script.empty() ? 1 : script.back().tick; }

class Demo {
  public:
    Demo(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer)
        : setup_(setup),
          explorer_(levels, setup.size, renderer,
                    first_look({levels.front().width, levels.front().height}, setup.size)),
          bitmap_(setup.size.width, setup.size.height, this) {
        bitmap_.set_display(setup.display);
        bitmap_.set_still();
        bitmap_.set_vsync(setup.vsync);
        bitmap_.set_script(setup.script);
        bitmap_.set_frame_limit(setup.frames);
        if (setup.display == Display::headless && !setup.frames)
            bitmap_.set_frame_limit(frames_of(setup.script));
        static constexpr auto self = [](void* demo) -> Demo& { return *static_cast<Demo*>(demo); };
        bitmap_.click_drag([](void* demo, const Drag& piece) { self(demo).on_drag(piece); });
        bitmap_.on_wheel([](void* demo, const Wheel& wheel) { self(demo).on_wheel(wheel); });
        bitmap_.on_pointer([](void* demo, Cell at) { self(demo).explorer_.point(at); });
        bitmap_.on_key([](void* demo, Key key) { self(demo).on_key(key); });
    }

    LastFrame run() {
        say();
        bitmap_.anim_and_exit([](void* demo, int /*ticks*/) { static_cast<Demo*>(demo)->frame(); }, nullptr);
        const unsigned char* const rgba = bitmap_.get_ptr();
        return {bitmap_.frames_done(), explorer_.look(), {rgba, rgba + bitmap_.image_size()}};
    }

  private:
    void frame() {
        explorer_.paint(bitmap_.get_ptr());
        say();
    }

    void say() {
        if (setup_.display == Display::headless) return;
        const auto explained = explorer_.explained();
        cudabook::Panel panel = panel_of(setup_.program, setup_.device, explorer_.look(), explorer_.levels(),
                                         explained, message_);
        if (explained) panel.labels = explorer_.labels(*explained);
        bitmap_.set_title(title_of(setup_.program, setup_.device, explorer_.look()));
        bitmap_.set_panel(std::move(panel));
    }

    // ----- the user

    void on_drag(const Drag& piece) {
        explorer_.drag(piece);
        message_.clear();
    }

    void on_wheel(const Wheel& wheel) {
        explorer_.wheel(wheel);
        message_.clear();
    }

    void on_key(Key key) {
        if (key.character == 'S') return save_picture();
        explorer_.key(key);
        message_.clear();
    }

    void save_picture() {
        const std::string name = fmt::format("{}-{:06}.png", setup_.program, bitmap_.frames_done());
        explorer_.paint(bitmap_.get_ptr());
        try {
            OutputFile file(name);
            write_png(file, bitmap_.get_ptr(), setup_.size.width, setup_.size.height);
            message_ = "saved " + name;
        } catch (const MachineError& error) {
            message_ = error.what();
        }
    }

    const WindowSetup& setup_;
    Explorer explorer_;
    CPUAnimBitmap bitmap_;
    std::string message_;  ///< the last key's result or error
};

}  // namespace

LastFrame run_window(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer) {
    return Demo(setup, levels, renderer).run();
}

}  // namespace cudabook::texture_unit
