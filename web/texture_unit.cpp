// The window of texture_unit in a page: what the page's worker (texture_unit-worker.js) calls. One window at
// a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/emscripten.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/program/chinese.hpp"
#include "common/program/language.hpp"
#include "texture_unit/demo/explain.hpp"
#include "texture_unit/demo/explorer.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/demo/window_text.hpp"
#include "texture_unit/picture/test_card.hpp"

namespace cudabook {

/// The page's translations. They replace the translations of the programs' messages.
std::span<const Translation> chinese_translations() {
    // clang-format off
    static constexpr Translation translations[] = {
        // ----- the lines about the look
        {"point filter, {}", "点过滤（point），{}"},
        {"linear filter, {}", "线性过滤（linear），{}"},
        {"normalised coordinates", "归一化坐标"},
        {"coordinates in texels", "坐标以纹素为单位"},
        {"x: {},  y: {}", "x：{}，y：{}"},
        {"{} (acts as clamp)", "{}（作用与 clamp 相同）"},
        {"level {} alone, as an array without a mipmap", "只读层级 {}，如同没有 mipmap 的数组"},
        {"mipmap level {} (0 to {}): {}", "mipmap 层级 {}（0 到 {}）：{}"},
        {"level {}", "层级 {}"},
        {"level {}, the nearest", "最近的层级 {}"},
        {"{}/256 of {}, {}/256 of {}", "层级 {1} 占 {0}/256，层级 {3} 占 {2}/256"},
        {"{} pixels a texel, turned by {} degrees", "每个纹素 {} 个像素，旋转 {} 度"},
        {"point at a texel to see what is read; H: the keys", "指向一个纹素，看读取了什么；H：按键"},
        // ----- the explanation
        {"{} in level {}: {}", "{} 在层级 {} 中：{}"},
        {"{} lies in texel {}", "{}，位于纹素 {}"},
        {"{} - 1/2 = {} + {}/256  (exactly {})", "{} - 1/2 = {} + {}/256（精确值 {}）"},
        {"texel", "纹素"},
        {"weight", "权重"},
        {"red", "红"},
        {"green", "绿"},
        {"blue", "蓝"},
        {"the unit", "纹理单元"},
        {"exact", "精确计算"},
        {"difference", "差别"},
        {"({}, {})  level {}", "({}, {})，层级 {}"},
        {"border  level {}", "边框，层级 {}"},
    };
    // clang-format on
    return translations;
}

namespace texture_unit {

namespace {

constexpr int card_texels = 64;

/// The first look of a page, whose explanation lies beside the picture: the texture with its surroundings in
/// the middle.
Look first_look_of_page(Size texture, Size picture) {
    Look look = first_look(texture, picture);
    look.zoom = std::min(0.6 * picture.width / texture.width, 0.6 * picture.height / texture.height);
    look.centre = {texture.width / 2.0, texture.height / 2.0};
    return look;
}

/// The window: the texture, its renderer, and the picture of the last frame.
struct Window {
    Size size;
    std::vector<Image> levels;
    std::unique_ptr<Renderer> renderer;
    Explorer explorer;
    std::vector<unsigned char> picture;

    Window(Size picture_size, bool on_emulated_gpu)
        : size(picture_size),
          levels(mip_levels(test_card(card_texels))),
          renderer(on_emulated_gpu ? make_gpu_renderer(levels, size, 0) : make_cpu_renderer(levels, size)),
          explorer(levels, size, *renderer, first_look_of_page({card_texels, card_texels}, size)),
          picture(4 * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height)) {}
};
std::unique_ptr<Window> window;

/// Opens the window. If there was one, the new one shows the same part of the texture.
void open(Size size, bool on_emulated_gpu) {
    auto next = std::make_unique<Window>(size, on_emulated_gpu);
    if (window) {
        const double larger = static_cast<double>(size.width) / window->size.width;
        Look look = window->explorer.look();
        look.zoom = std::clamp(look.zoom * larger, least_zoom, most_zoom);
        next->explorer.change_to(look);
        if (const auto mouse = window->explorer.mouse())
            next->explorer.point({static_cast<int>(mouse->x * larger), static_cast<int>(mouse->y * larger)});
    }
    window = std::move(next);
}

// ----- The look by names and values, as in the page's address

struct Setting {
    const char* name;
    void (*set)(Look& look, const std::string& value);
    std::string (*value)(const Look& look);
};

constexpr std::array addresses{Address::clamp, Address::border, Address::wrap, Address::mirror};
constexpr std::array filters{Filter::point, Filter::linear};

/// Returns the mode with this name.
template <class Modes>
auto named(const Modes& modes, const std::string& name) {
    const auto found = std::ranges::find_if(modes, [&](auto mode) { return name_of(mode) == name; });
    if (found == modes.end()) throw std::invalid_argument("no such mode");
    return *found;
}

bool yes_or_no(const std::string& value, const char* yes, const char* no) {
    if (value != yes && value != no) throw std::invalid_argument("neither of two");
    return value == yes;
}

double number_of(const std::string& value, double least, double most) {
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !(number >= least && number <= most))
        throw std::invalid_argument("no number in the range");
    return number;
}

constexpr double far_away = 1e4;

constexpr std::array settings{
    Setting{"filter", [](Look& look, const std::string& value) { look.filter = named(filters, value); },
            [](const Look& look) { return name_of(look.filter); }},
    Setting{"x", [](Look& look, const std::string& value) { look.address[0] = named(addresses, value); },
            [](const Look& look) { return name_of(look.address[0]); }},
    Setting{"y", [](Look& look, const std::string& value) { look.address[1] = named(addresses, value); },
            [](const Look& look) { return name_of(look.address[1]); }},
    Setting{"coordinates",
            [](Look& look, const std::string& value) {
                look.normalized = yes_or_no(value, "normalised", "texels");
            },
            [](const Look& look) { return std::string(look.normalized ? "normalised" : "texels"); }},
    Setting{"level",
            [](Look& look, const std::string& value) {
                look.level = static_cast<float>(number_of(value, 0, window->explorer.levels() - 1));
            },
            [](const Look& look) { return fmt::format("{}", look.level); }},
    Setting{"levels",
            [](Look& look, const std::string& value) {
                look.level_filter = yes_or_no(value, "blended", "nearest") ? Filter::linear : Filter::point;
            },
            [](const Look& look) {
                return std::string(look.level_filter == Filter::linear ? "blended" : "nearest");
            }},
    Setting{"edges",
            [](Look& look, const std::string& value) { look.grid = yes_or_no(value, "shown", "hidden"); },
            [](const Look& look) { return std::string(look.grid ? "shown" : "hidden"); }},
    // So many texels lie side by side in the picture.
    Setting{"across",
            [](Look& look, const std::string& value) {
                look.zoom =
                    std::clamp(window->size.width / number_of(value, 1e-3, 1e6), least_zoom, most_zoom);
            },
            [](const Look& look) { return fmt::format("{:.6g}", window->size.width / look.zoom); }},
    Setting{
        "angle",
        [](Look& look, const std::string& value) { look.angle = static_cast<int>(number_of(value, 0, 359)); },
        [](const Look& look) { return fmt::format("{}", look.angle); }},
    Setting{
        "centre_x",
        [](Look& look, const std::string& value) { look.centre.x = number_of(value, -far_away, far_away); },
        [](const Look& look) { return fmt::format("{:.6g}", look.centre.x); }},
    Setting{
        "centre_y",
        [](Look& look, const std::string& value) { look.centre.y = number_of(value, -far_away, far_away); },
        [](const Look& look) { return fmt::format("{:.6g}", look.centre.y); }},
};

// ----- The window as data

nlohmann::json explanation_of(const Explanation& explained, const Look& look) {
    nlohmann::json positions = nlohmann::json::array();
    for (const std::string& line : position_lines(explained, look))
        positions.push_back(in_language_of_user(line));
    nlohmann::json table = nlohmann::json::array();
    for (const std::vector<std::string>& row : table_of(explained)) {
        nlohmann::json cells = nlohmann::json::array();
        for (const std::string& cell : row) cells.push_back(in_language_of_user(cell));
        table.push_back(std::move(cells));
    }
    return {{"fetch", fetch_text(explained, look)},
            {"positions", std::move(positions)},
            {"table", std::move(table)}};
}

nlohmann::json state() {
    Explorer& explorer = window->explorer;
    const Look& look = explorer.look();
    nlohmann::json all{{"lines", nlohmann::json::array()}, {"labels", nlohmann::json::array()}};
    for (const Setting& setting : settings) {
        all["look"][setting.name] = setting.value(look);
        all["first"][setting.name] = setting.value(explorer.first());
    }
    // Without an explanation, the last line says what to do.
    for (const std::string& line : panel_of("", "", look, explorer.levels(), {}, "").lines)
        all["lines"].push_back(in_language_of_user(line));
    if (const auto explained = explorer.explained()) {
        all["lines"].erase(all["lines"].size() - 1);
        all["mouse"] = {explorer.mouse()->x, explorer.mouse()->y};
        all["explained"] = explanation_of(*explained, look);
        for (const Label& label : explorer.labels(*explained))
            all["labels"].push_back({{"x", label.x}, {"y", label.y}, {"text", label.text}});
    }
    return all;
}

/// Returns text that lasts until the next call. The page reads it at once.
const char* kept(std::string text) {
    static std::string last;
    last = std::move(text);
    return last.c_str();
}

/// Does `work` and returns an empty string, or the error in one line.
template <class Work>
const char* error_of(Work work) {
    try {
        work();
        return kept({});
    } catch (const std::exception& error) {
        return kept(error.what());
    }
}

}  // namespace

extern "C" {

/// Sets the language of all texts but errors.
EMSCRIPTEN_KEEPALIVE void texture_unit_language(bool chinese) {
    setenv("LC_ALL", chinese ? "zh_CN.UTF-8" : "C", 1);
}

/// Opens the window with a picture of this size, or another window in the place of the last one. The picture
/// is drawn by the CPU's model or by an emulated GPU. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* texture_unit_open(int width, int height, bool emulated) {
    return error_of([&] { open({width, height}, emulated); });
}

/// Changes a setting of the look. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* texture_unit_set(const char* name, const char* value) {
    return error_of([&] {
        const auto setting = std::ranges::find(settings, std::string(name), &Setting::name);
        if (setting == settings.end()) throw std::invalid_argument("no such setting");
        Look look = window->explorer.look();
        setting->set(look, value);
        window->explorer.change_to(look);
    });
}

/// Presses a key, such as 'X'.
EMSCRIPTEN_KEEPALIVE void texture_unit_key(int character, bool shift) {
    window->explorer.key({static_cast<char>(character), shift});
}

// Places are pixels of the picture; row 0 is at the bottom.
EMSCRIPTEN_KEEPALIVE void texture_unit_drag(int from_x, int from_y, int to_x, int to_y) {
    window->explorer.drag({Button::left, false, {from_x, from_y}, {to_x, to_y}});
}
EMSCRIPTEN_KEEPALIVE void texture_unit_wheel(double steps, int x, int y) {
    window->explorer.wheel({steps, {x, y}});
}
EMSCRIPTEN_KEEPALIVE void texture_unit_point(int x, int y) { window->explorer.point({x, y}); }

/// Paints the picture. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* texture_unit_paint() {
    return error_of([] { window->explorer.paint(window->picture.data()); });
}

/// Returns the picture that was painted last: 4 bytes a pixel, row 0 is the bottom.
EMSCRIPTEN_KEEPALIVE const unsigned char* texture_unit_picture() { return window->picture.data(); }

/// Returns the look and the texts as JSON: {"look": {NAME: VALUE, ...}, "first": the first look,
/// "lines": [...], "labels": [{"x", "y", "text"}, ...]}, and with a mouse "mouse": [x, y] and
/// "explained": {"fetch", "positions": [...], "table": [[...], ...]}.
EMSCRIPTEN_KEEPALIVE const char* texture_unit_state() { return kept(state().dump()); }
}

}  // namespace texture_unit

}  // namespace cudabook
