// The cost of texture references compared with texture objects: runs the same kernels with both in turn, and
// binds references in a loop with launches. `texture_reference_cost --json FILE` writes a report like those
// of the samples' --benchmark.
#include "common/book/texture_reference.h"  // first, as in an old program

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/cuda/array.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "common/cuda/stream.cuh"
#include "common/cuda/texture.cuh"
#include "common/numbers/crc32.hpp"
#include "common/program/command_line.hpp"
#include "common/program/measurement.hpp"
#include "common/program/report_output.hpp"
#include "common/program/run_program.hpp"

namespace {

texture<int4> words;
texture<float> cells;
texture<float, 2> plane;

struct WordsByReference {
    __device__ int4 operator()(int i) const { return tex1Dfetch(words, i); }
};
struct WordsByObject {
    cudaTextureObject_t object;
    __device__ int4 operator()(int i) const { return tex1Dfetch<int4>(object, i); }
};
struct CellsByReference {
    __device__ float operator()(int i) const { return tex1Dfetch(cells, i); }
};
struct CellsByObject {
    cudaTextureObject_t object;
    __device__ float operator()(int i) const { return tex1Dfetch<float>(object, i); }
};
struct PlaneByReference {
    __device__ float operator()(int x, int y) const { return tex2D(plane, x, y); }
};
struct PlaneByObject {
    cudaTextureObject_t object;
    __device__ float operator()(int x, int y) const { return tex2D<float>(object, x, y); }
};

/// Each thread sums every gridDim.x * blockDim.x-th texel.
template <class Fetch>
__global__ void sum_kernel(int* sums, Fetch fetch, int texels) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    int sum = 0;
#pragma unroll 8
    for (int i = thread; i < texels; i += threads) {
        const int4 word = fetch(i);
        sum += word.x + word.y + word.z + word.w;
    }
    sums[thread] = sum;
}

/// The book's heat step on side × side cells.
template <class Fetch>
__global__ void step_kernel(float* out, Fetch fetch, int side) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int i = x + y * side;
    const float top = fetch(y == 0 ? i : i - side);
    const float left = fetch(x == 0 ? i : i - 1);
    const float centre = fetch(i);
    const float right = fetch(x == side - 1 ? i : i + 1);
    const float bottom = fetch(y == side - 1 ? i : i + side);
    out[i] = centre + 0.25F * (top + bottom + left + right - 4 * centre);
}

/// The same step with a two-dimensional texture, which handles the edges.
template <class Fetch>
__global__ void step_2d_kernel(float* out, Fetch fetch, int side) {
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const float centre = fetch(x, y);
    const float sum = fetch(x, y - 1) + fetch(x, y + 1) + fetch(x - 1, y) + fetch(x + 1, y);
    out[x + y * side] = centre + 0.25F * (sum - 4 * centre);
}

/// Fetches from a few texels that fit in the cache, to measure the texture unit.
template <class Fetch>
__global__ void cached_kernel(float* out, Fetch fetch, int texels, int fetches) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < fetches; ++i) sum += fetch((thread + 32 * i) & (texels - 1));
    out[thread] = sum;
}

__global__ void first_cell_kernel(float* out) { *out = tex1Dfetch(cells, 0); }
__global__ void first_texel_kernel(float* out) { *out = tex2D(plane, 0, 0); }

using namespace cudabook;

std::string crc(const DeviceArray<float>& values) {
    const std::vector<float> host = values.download();
    return hex(crc32(std::as_bytes(std::span(host))));
}

/// Adds a row for the object and one for the reference, measured in turn. `launch_with(fetch)` launches a
/// kernel that writes to `out`.
template <class Object, class Reference, class Launch>
void compare(Report& report, const std::string& kernel, const std::string& memory,
             const DeviceArray<float>& out, double bytes, const Stream& stream, Object object,
             Reference reference, Launch launch_with) {
    Stopwatch stopwatch;
    const auto timed = [&](auto fetch) -> Work {
        return [&, fetch] {
            stopwatch.start(stream);
            launch_with(fetch);
            return stopwatch.stop(stream);
        };
    };
    launch_with(object);
    stream.synchronize();
    const std::string of_object = crc(out);
    launch_with(reference);
    stream.synchronize();
    const std::string of_reference = crc(out);
    const auto times = measure_in_turn({timed(object), timed(reference)});
    for (std::size_t i = 0; i < 2; ++i) {
        Result result{kernel + (i == 0 ? " object" : " reference"), memory, i == 0 ? of_object : of_reference,
                      of_object == of_reference};
        add_figures(result.figures, times[i]);
        result.figures["gb_per_s"] = bytes / times[i].median / 1e6;
        result.figures["percent_of_object"] = 100 * times[0].median / times[i].median;
        report.add(result);
    }
}

/// Adds a row with the time of a launch, and the additional time if each launch follows a bind.
template <class Bind, class Launch>
void add_bind(Report& report, const std::string& what, const std::string& memory, const Stream& stream,
              Bind bind, Launch launch_kernel) {
    constexpr int rounds = 1000;
    const auto loop = [&](bool with_bind) -> Work {
        return [&, with_bind] {
            return wall_ms([&] {
                for (int i = 0; i < rounds; ++i) {
                    if (with_bind) CUDA_CHECK(bind(i));
                    launch_kernel();
                }
                stream.synchronize();
            });
        };
    };
    const auto times = measure_in_turn({loop(false), loop(true)});
    Result result{what, memory, "", std::nullopt};
    result.figures["us_per_launch"] = 1000 * times[0].median / rounds;
    result.figures["us_per_bind"] = 1000 * (times[1].median - times[0].median) / rounds;
    report.add(result);
}

Report measured(const Device& device) {
    CUDA_CHECK(cudaSetDevice(device.index));
    constexpr int texels = 1 << 26;  // 1 GiB
    constexpr int side = 4096;
    constexpr int few_texels = 4096;
    constexpr int fetches = 1024;
    Report report("texture_reference_cost", device,
                  {{"texels", texels}, {"side", side}, {"fetches", fetches}});
    report.add_ceiling("copy_gb_per_s", device_copy_gb_per_s(device.index));
    const Stream stream;
    const auto blocks = static_cast<unsigned>(device.units) * 8;

    {
        DeviceArray<int4> data(texels);
        CUDA_CHECK(cudaMemset(data.data(), 1, sizeof(int4) * std::size_t{texels}));
        DeviceArray<float> sums(std::size_t{blocks} * 256);
        CUDA_CHECK(cudaBindTexture(nullptr, words, data.data(), sizeof(int4) * std::size_t{texels}));
        const auto object = TextureObject::linear(data.data(), texels);
        compare(report, "sum", "texture1d", sums, 16.0 * texels, stream, WordsByObject{object.handle()},
                WordsByReference{}, [&](auto fetch) {
                    launch(sum_kernel<decltype(fetch)>, blocks, 256, stream,
                           reinterpret_cast<int*>(sums.data()), fetch, texels);
                });
    }

    std::vector<float> values(std::size_t{side} * side);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 2654435761U % 1000) / 1000;
    DeviceArray<float> in{std::span<const float>(values)};
    DeviceArray<float> out(values.size());
    const dim3 threads(32, 8);
    const dim3 grid(side / 32, side / 8);
    CUDA_CHECK(cudaBindTexture(nullptr, cells, in.data(), values.size() * sizeof(float)));
    CUDA_CHECK(cudaBindTexture2D(nullptr, plane, in.data(), side, side, side * sizeof(float)));
    const auto line_object = TextureObject::linear(in.data(), values.size());
    const auto plane_object = TextureObject::pitched(in.data(), side, side, side * sizeof(float));
    const double moved = 8.0 * side * side;
    compare(report, "heat", "texture1d", out, moved, stream, CellsByObject{line_object.handle()},
            CellsByReference{}, [&](auto fetch) {
                launch(step_kernel<decltype(fetch)>, grid, threads, stream, out.data(), fetch, side);
            });
    compare(report, "heat2d", "texture2d", out, moved, stream, PlaneByObject{plane_object.handle()},
            PlaneByReference{}, [&](auto fetch) {
                launch(step_2d_kernel<decltype(fetch)>, grid, threads, stream, out.data(), fetch, side);
            });
    compare(report, "cached", "texture1d", out, 4.0 * fetches * blocks * 256, stream,
            CellsByObject{line_object.handle()}, CellsByReference{}, [&](auto fetch) {
                launch(cached_kernel<decltype(fetch)>, blocks, 256, stream, out.data(), fetch, few_texels,
                       fetches);
            });

    const auto read_cell = [&] { launch(first_cell_kernel, 1, 1, stream, out.data()); };
    const auto read_texel = [&] { launch(first_texel_kernel, 1, 1, stream, out.data()); };
    add_bind(
        report, "bind to and fro", "texture1d", stream,
        [&](int i) { return cudaBindTexture(nullptr, cells, in.data() + 128 * (i % 2), 4096); }, read_cell);
    add_bind(
        report, "bind ever new", "texture1d", stream,
        [&](int i) { return cudaBindTexture(nullptr, cells, in.data() + 128 * i, 4096 + 4 * (i % 7)); },
        read_cell);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CUDA_CHECK(cudaMallocArray(&array, &format, 64, 64));
    add_bind(
        report, "bind array", "texture2d", stream, [&](int) { return cudaBindTextureToArray(plane, array); },
        read_texel);
    add_bind(
        report, "set a field", "texture2d", stream,
        [&](int i) {
            plane.filterMode = i % 2 == 0 ? cudaFilterModeLinear : cudaFilterModePoint;
            return cudaSuccess;
        },
        read_texel);
    CUDA_CHECK(cudaUnbindTexture(plane));
    CUDA_CHECK(cudaFreeArray(array));
    return report;
}

}  // namespace

int main(int argc, char** argv) {
    return run_program("texture_reference_cost", [&] {
        CommandLine command_line("texture_reference_cost",
                                 "The cost of texture references compared with texture objects.");
        const auto options = command_line.parse(argc, argv);
        if (!options) return ExitStatus::ok;
        ReportOutput output(*options);
        const FoundDevice found = first_usable(cuda_devices());
        if (!found.device) throw MachineError(found.why_none);
        const Report report = measured(*found.device);
        output.write(report);
        return report.exit_status();
    });
}
