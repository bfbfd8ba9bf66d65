// The room of heat in a page: what the page's worker (heat-worker.js) calls. One room at a time.
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>

#include "common/numbers/crc32.hpp"
#include "heat/heat.hpp"
#include "heat_notexture/cpu/cpu_kernels.hpp"
#include "heat_notexture/demo/simulation.hpp"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/scene.hpp"

namespace {

using namespace cudabook;

/// Returns heat's kernels as the program heat has them: its own, heat_notexture's, and the CPU's.
heat::Sample heat_with_all_kernels() {
    const heat::GpuBackend gpu = heat_texture::gpu();
    const auto of_gpu = heat::with_counterparts(gpu.kernels, heat_notexture::gpu().kernels);
    return {.name = "heat",
            .kernels = heat::with_cpu_kernels(of_gpu),
            .defaults = {},
            .find_devices = gpu.find_devices};
}

const heat::Sample& sample() {
    static const heat::Sample all = heat_with_all_kernels();
    return all;
}

/// Returns the kernel that the page names as its number in the list.
const heat::Kernel& kernel_of(int number) { return sample().kernels.at(static_cast<std::size_t>(number)); }

/// The room that is heated, and the picture of its last frame.
struct Room {
    heat::Scene scene;
    heat::Simulation simulation;
    std::vector<unsigned char> picture;

    Room(int width, int height, const heat::Kernel& kernel, float speed, int steps)
        : scene(heat::book_scene(width, height)),
          simulation(sample(), kernel, 0, scene, speed, steps, false),
          picture(4 * scene.cells()) {
        simulation.draw({picture.data()});
    }
};
std::unique_ptr<Room> room;

/// Returns text that lasts until the next call. The page reads it at once.
const char* kept(std::string text) {
    static std::string last;
    last = std::move(text);
    return last.c_str();
}

/// Does `work`. Returns its text or, if it throws, the error in one line.
template <class Work>
const char* error_of(Work work) {
    try {
        return kept(work());
    } catch (const std::exception& error) {
        return kept(error.what());
    }
}

}  // namespace

extern "C" {

/// Returns the kernels as JSON: [{"name", "device", "memory", "what"}, ...].
EMSCRIPTEN_KEEPALIVE const char* heat_kernels() {
    nlohmann::json list = nlohmann::json::array();
    for (const heat::Kernel& kernel : sample().kernels)
        list.push_back({{"name", kernel.name},
                        {"device", kernel.device == DeviceKind::cpu ? "cpu" : "emulated"},
                        {"memory", kernel.memory},
                        {"what", kernel.what}});
    return kept(list.dump());
}

/// Begins the book's room anew. `kernel` is a number in the list. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* heat_start(int width, int height, int kernel, float speed, int steps) {
    return error_of([&] {
        room.reset();  // before the new room asks for memory
        room = std::make_unique<Room>(width, height, kernel_of(kernel), speed, steps);
        return std::string();
    });
}

/// Goes on with another kernel. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* heat_use(int kernel) {
    return error_of([&] { return room->simulation.use(kernel_of(kernel)); });
}

/// Does a frame and draws its picture. Returns why it failed, or an empty string.
EMSCRIPTEN_KEEPALIVE const char* heat_frame() {
    return error_of([] {
        room->simulation.frame(Canvas{room->picture.data()});
        return std::string();
    });
}

/// Returns the picture of the last frame: 4 bytes a cell, row 0 is the bottom.
EMSCRIPTEN_KEEPALIVE const unsigned char* heat_picture() { return room->picture.data(); }

/// More (by > 0) or fewer steps a frame. Returns their number.
EMSCRIPTEN_KEEPALIVE int heat_steps(int by) {
    if (by > 0) room->simulation.more_steps();
    if (by < 0) room->simulation.fewer_steps();
    return room->simulation.steps();
}

/// Paints from one cell to another: heat (0), cold (1), or nothing where there was a source (2).
EMSCRIPTEN_KEEPALIVE const char* heat_paint(int what, int from_x, int from_y, int to_x, int to_y) {
    return error_of([&] {
        room->simulation.paint(
            {what == 1 ? Button::right : Button::left, what == 2, {from_x, from_y}, {to_x, to_y}});
        room->simulation.draw({room->picture.data()});
        return std::string();
    });
}

/// Returns the checksum of the temperatures, eight hexadecimal digits, or why it failed.
EMSCRIPTEN_KEEPALIVE const char* heat_checksum() {
    return error_of([] { return hex(checksum(room->simulation.temperatures())); });
}
}
