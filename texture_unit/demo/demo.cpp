#include "texture_unit/demo/demo.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "common/program/errors.hpp"
#include "common/program/output_file.hpp"
#include "common/program/png_file.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/look_model.hpp"
#include "texture_unit/demo/overlay.hpp"
#include "texture_unit/demo/window_text.hpp"

namespace cudabook::texture_unit {

namespace {

/// The number of frames of a headless run: as many as its script has, at least one.
int frames_of(const std::vector<TimedInput>& script) { return script.empty() ? 1 : script.back().tick; }

class Demo {
  public:
    Demo(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer)
        : setup_(setup),
          model_(levels),
          renderer_(renderer),
          look_(first_look(model_.size(0), setup.size)),
          bitmap_(setup.size.width, setup.size.height, this),
          drawn_(static_cast<std::size_t>(bitmap_.image_size())) {
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
        bitmap_.on_pointer([](void* demo, Cell at) { self(demo).mouse_ = at; });
        bitmap_.on_key([](void* demo, Key key) { self(demo).on_key(key); });
    }

    LastFrame run() {
        say();
        bitmap_.anim_and_exit([](void* demo, int /*ticks*/) { static_cast<Demo*>(demo)->frame(); }, nullptr);
        const unsigned char* const rgba = bitmap_.get_ptr();
        return {bitmap_.frames_done(), look_, {rgba, rgba + bitmap_.image_size()}};
    }

  private:
    void frame() {
        paint();
        say();
    }

    /// Paints the renderer's picture, which is kept until the look changes, and the drawings on it.
    void paint() {
        model_.read_as(look_);
        if (!is_drawn_) renderer_.draw(look_, drawn_.data());
        is_drawn_ = true;
        std::ranges::copy(drawn_, bitmap_.get_ptr());
        const Drawing drawing{bitmap_.get_ptr(), setup_.size};
        const int read = look_.levels_read(model_.levels()).index[0];
        if (look_.grid) draw_grid(drawing, look_, model_.size(0), model_.size(read));
        if (const auto explained = explained_at_mouse()) {
            draw_reads(drawing, look_, model_, explained->reads);
            draw_cross(drawing, *mouse_);
        }
    }

    [[nodiscard]] std::optional<Explanation> explained_at_mouse() const {
        if (!mouse_) return std::nullopt;
        const View view = model_.view(look_, setup_.size);
        return explain(model_, look_, view.x.of(mouse_->x, mouse_->y), view.y.of(mouse_->x, mouse_->y));
    }

    void say() {
        if (setup_.display == Display::headless) return;
        model_.read_as(look_);
        const auto explained = explained_at_mouse();
        cudabook::Panel panel =
            panel_of(setup_.program, setup_.device, look_, model_.levels(), explained, message_);
        if (explained) panel.labels = weight_labels(look_, setup_.size, model_, explained->reads);
        bitmap_.set_title(title_of(setup_.program, setup_.device, look_));
        bitmap_.set_panel(std::move(panel));
    }

    // ----- the user

    void change_to(const Look& look) {
        look_ = look;
        is_drawn_ = false;
        message_.clear();
    }

    void on_drag(const Drag& piece) {
        mouse_ = piece.to;
        change_to(dragged(look_, setup_.size, piece.from, piece.to));
    }

    void on_wheel(const Wheel& wheel) {
        mouse_ = wheel.at;
        change_to(zoomed(look_, setup_.size, wheel.steps, wheel.at));
    }

    void on_key(Key key) {
        const Cell middle{setup_.size.width / 2, setup_.size.height / 2};
        switch (key.character) {
            case '+':
                change_to(zoomed(look_, setup_.size, 1, mouse_.value_or(middle)));
                break;
            case '-':
                change_to(zoomed(look_, setup_.size, -1, mouse_.value_or(middle)));
                break;
            case 'R':
                change_to(first_look(model_.size(0), setup_.size));
                break;
            case 'S':
                save_picture();
                break;
            default:
                change_to(after_key(look_, key, model_.levels()));
        }
    }

    void save_picture() {
        const std::string name = fmt::format("{}-{:06}.png", setup_.program, bitmap_.frames_done());
        paint();
        try {
            OutputFile file(name);
            write_png(file, bitmap_.get_ptr(), setup_.size.width, setup_.size.height);
            message_ = "saved " + name;
        } catch (const MachineError& error) {
            message_ = error.what();
        }
    }

    const WindowSetup& setup_;
    LookModel model_;
    Renderer& renderer_;
    Look look_;
    CPUAnimBitmap bitmap_;
    std::vector<unsigned char> drawn_;  ///< the renderer's picture of the look, if is_drawn_
    bool is_drawn_ = false;
    std::optional<Cell> mouse_;
    std::string message_;  ///< the last key's result or error
};

}  // namespace

LastFrame run_window(const WindowSetup& setup, const std::vector<Image>& levels, Renderer& renderer) {
    return Demo(setup, levels, renderer).run();
}

}  // namespace cudabook::texture_unit
