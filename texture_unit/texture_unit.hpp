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
    /// Makes the scene for a picture of size × size pixels. `size` is 1 or more.
    std::function<Scene(int size)> scene;
    /// Makes the lesson's scene for a benchmark, without texels (see jobs.hpp). `size` is the number of
    /// texels along each side of a plane. The function is empty if the lesson is not measured.
    std::function<Scene(int size)> job = nullptr;
    /// Draws the picture as the unit does, by the model in common/texture_model/.
    std::function<Image(const Scene&)> model;
    /// Draws the picture in float32 with weights that are not rounded.
    std::function<Image(const Scene&)> exact;
    /// The largest allowed difference of a component between the pictures of `model` and `exact`, in steps of
    /// 1/255 of the range.
    double bound;
    /// The checksum of the model's picture at the default size.
    std::string checksum = {};
};

inline constexpr int default_size = 256;

/// All lessons, in the order of a lecture.
const std::vector<Lesson>& lessons();
/// Returns the lesson with this name. Errors: std::out_of_range.
const Lesson& lesson(std::string_view name);

/// Returns the CRC-32 of the components, as little-endian floats.
std::string checksum(const Image& image);

/// A benchmark's figures for a kernel: the time of one picture.
struct Cost {
    Measurement time;
    std::size_t pixels;
    std::size_t bytes;    ///< the least number of bytes read and written
    std::size_t fetches;  ///< the number of fetches by the texture unit
};

/// A way to draw a lesson's picture.
struct Kernel {
    std::string name;
    std::string memory;
    std::string what;
    DeviceKind device = DeviceKind::cpu;
    std::string lesson;
    bool exact = false;  ///< whether to compare with Lesson::exact's picture, not with Lesson::model's
    std::function<Image(const Device&, const Scene&)> draw = nullptr;
    /// Draws only the first component of each pixel, by the kernel that a benchmark measures. The function is
    /// empty if the benchmark measures the kernel that `draw` uses.
    std::function<std::vector<float>(const Device&, const Scene&)> draw_first = nullptr;
    std::function<Result(const Device&)> ask = nullptr;  ///< for a lesson about surfaces, instead of `draw`
    std::function<Cost(const Device&, const Scene&, const TimeBudget&)> measure = nullptr;  ///< only on GPUs
    /// For a lesson in which a kernel ends with an error. After the error, the process cannot use a real GPU
    /// any more. So this function is called after `ask`, and only if no other kernel is to run.
    std::function<Result(const Device&)> ask_last = nullptr;
};

/// The highest rates of a GPU, for the benchmark.
struct Ceilings {
    double copy_gb_per_s;          ///< a copy's rate in the GPU's memory: bytes read plus bytes written
    double gfetches_per_s;         ///< the rate of unfiltered float fetches from a multiprocessor's cache
    double linear_gfetches_per_s;  ///< the rate of float fetches with linear filtering in two dimensions
};

/// The interface of a GPU.
struct GpuBackend {
    FindCudaDevices find_devices = [] { return CudaDevices{}; };
    std::vector<Kernel> kernels;
    std::function<Ceilings(const Device&)> ceilings;
    /// Measures the rate of a copy that reads and writes `bytes` bytes in all.
    std::function<double(const Device&, std::size_t bytes)> copy_gb_per_s;
    std::function<std::vector<Texel>(const Device&, const TextureModel&,
                                     const std::vector<std::array<float, 3>>&)>
        fetch;
    std::function<DeviceLimits(const Device&)> limits;
    std::function<std::unique_ptr<Renderer>(const std::vector<Image>& levels, Size picture, int device)>
        make_renderer;  ///< makes the renderer for the window
};

/// Returns the interface to the GPUs, with this sample's kernels. Defined in gpu.cu, in builds with CUDA or
/// the emulated GPU.
GpuBackend gpu();

/// Returns the CPU's kernels, one for each lesson, which draw the model's pictures.
std::vector<Kernel> cpu_kernels();

}  // namespace cudabook::texture_unit
