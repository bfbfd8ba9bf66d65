// The lessons of the texture unit, the kernels that show them, and the CPU's pictures for comparison.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/program/device.hpp"
#include "common/program/measurement.hpp"
#include "common/program/report.hpp"
#include "texture_unit/demo/renderer.hpp"
#include "texture_unit/image.hpp"
#include "texture_unit/scene.hpp"
#include "texture_unit/table/table.hpp"

namespace cudabook::texture_unit {

/// A lesson about one operation of the unit.
struct Lesson {
    std::string name;
    std::string what;
    /// Draws a picture of size × size pixels, 1 or more.
    std::function<Scene(int size)> scene;
    /// The lesson's job without content, for a benchmark, if the lesson is measured. `size`: texels along
    /// each large side. The pixels are spaced like the texels.
    std::function<Scene(int size)> job = nullptr;
    /// The unit's picture, by the model in common/texture_model/.
    std::function<Image(const Scene&)> model;
    /// The picture in float32 with weights that are not rounded.
    std::function<Image(const Scene&)> exact;
    /// The largest allowed difference of a component of the two pictures, in steps of 1/255 of the range.
    double bound;
    /// The checksum of the model's picture at the default size.
    std::string checksum = {};
};

inline constexpr int default_size = 256;

/// All lessons, in the order of a lecture.
const std::vector<Lesson>& lessons();
/// The lesson with this name. Errors: std::out_of_range.
const Lesson& lesson(std::string_view name);

/// CRC-32 of the components, little-endian floats.
std::string checksum(const Image& image);

/// A benchmark's figures for a kernel: the time of one picture.
struct Cost {
    Measurement time;
    std::size_t pixels;
    std::size_t bytes;    ///< the least number read and written
    std::size_t fetches;  ///< by the texture unit
};

/// A way to draw a lesson's picture.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    std::string lesson;
    bool exact = false;  ///< compared with the lesson's `exact` picture; otherwise with the model's
    std::function<Image(const Device&, const Scene&)> draw = nullptr;
    /// The first components of the same picture, drawn by the kernel that a benchmark measures; null if that
    /// kernel is the one that draws all components.
    std::function<std::vector<float>(const Device&, const Scene&)> draw_first = nullptr;
    std::function<Result(const Device&)> ask = nullptr;  ///< instead of `draw`, for a lesson about surfaces
    std::function<Cost(const Device&, const Scene&, const TimeBudget&)> measure = nullptr;  ///< on GPUs
    /// For a lesson that ends a kernel with an error, after which a process cannot use a real GPU any more:
    /// called after `ask`, and only if no other kernel runs.
    std::function<Result(const Device&)> ask_last = nullptr;
};

/// Limits of a GPU for the benchmark.
struct Ceilings {
    double copy_gb_per_s;   ///< bytes read and written by a copy in its memory
    double gfetches_per_s;  ///< fetches of floats without a filter, all from the cache of a multiprocessor
    double linear_gfetches_per_s;  ///< with linear filtering in two dimensions
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    std::function<Ceilings(const Device&)> ceilings;
    /// The rate of a copy that reads and writes `bytes` bytes in all.
    std::function<double(const Device&, std::size_t bytes)> copy_gb_per_s;
    std::function<std::vector<Texel>(const Device&, const TextureModel&,
                                     const std::vector<std::array<float, 3>>&)>
        fetch;
    std::function<DeviceLimits(const Device&)> limits;
    std::function<std::unique_ptr<Renderer>(const std::vector<Image>& levels, Size picture, int device)>
        make_renderer;  ///< for the window
};

/// Defined in gpu.cu, where the build has CUDA.
GpuBackend gpu();

/// The model, and exact arithmetic: a kernel for each lesson.
std::vector<Kernel> cpu_kernels();

}  // namespace cudabook::texture_unit
