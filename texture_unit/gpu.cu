// The GPU: the launches, and the table of the kernels.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/cuda/ceilings.cuh"
#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/measure_in_graph.cuh"
#include "common/cuda/stream.cuh"
#include "texture_unit/gpu/job.cuh"
#include "texture_unit/gpu/surface_lessons.hpp"
#include "texture_unit/gpu/table.hpp"
#include "texture_unit/kernels/10_read_modes.cuh"
#include "texture_unit/kernels/1_point.cuh"
#include "texture_unit/kernels/2_linear.cuh"
#include "texture_unit/kernels/3_address.cuh"
#include "texture_unit/kernels/4_bicubic.cuh"
#include "texture_unit/kernels/5_lookup.cuh"
#include "texture_unit/kernels/6_layered.cuh"
#include "texture_unit/kernels/7_cubemap.cuh"
#include "texture_unit/kernels/8_gather.cuh"
#include "texture_unit/kernels/9_mipmap.cuh"
#include "texture_unit/texture_unit.hpp"

namespace cudabook::texture_unit {

namespace {

// ----- The launches

template <class P>
void fetch2d(const Job<P>& job) {
    job.run(fetch2d_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void point_global(const Job<P>& job) {
    job.run(point_global_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void linear1d(const Job<P>& job) {
    job.run(linear1d_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void linear1d_global(const Job<P>& job) {
    job.run(linear1d_global_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void fetch2d_prefetched(const Job<P>& job) {
    job.run(fetch2d_prefetched_kernel<P>, job.texture->handle(), job.plane(), job.scene.view);
}
template <class P>
void linear_global(const Job<P>& job) {
    job.run(linear_global_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void linear_exact(const Job<P>& job) {
    job.run(linear_exact_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void linear_prefetched_exact(const Job<P>& job) {
    job.run(linear_prefetched_exact_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void linear3d(const Job<P>& job) {
    job.run(linear3d_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void linear3d_global(const Job<P>& job) {
    job.run(linear3d_global_kernel<P>, job.plane(), job.scene.size[2], job.scene.view);
}
template <class P>
void linear1d_exact(const Job<P>& job) {
    job.run(linear1d_exact_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void linear3d_exact(const Job<P>& job) {
    job.run(linear3d_exact_kernel<P>, job.plane(), job.scene.size[2], job.scene.view);
}
template <Edge edge, class P>
void address_exact(const Job<P>& job) {
    job.run(address_exact_kernel<edge, P, Plane<P>>, job.plane(), job.scene.view);
}
template <class P>
void border_exact(const Job<P>& job) {
    job.run(address_exact_kernel<Edge::border, P, BorderedPlane<P>>, BorderedPlane<P>{job.plane()},
            job.scene.view);
}
template <class P>
void layered_exact(const Job<P>& job) {
    job.run(layered_exact_kernel<P>, job.plane(), job.scene.view, job.scene.tile(), job.scene.tiles);
}
template <class P>
void cubemap_exact(const Job<P>& job) {
    job.run(cubemap_exact_kernel<P>, job.plane());
}
template <class P>
void cubemap_seamless_exact(const Job<P>& job) {
    job.run(cubemap_seamless_exact_kernel<P>, job.plane());
}
template <class P>
void mipmap_exact(const Job<P>& job) {
    job.run(mipmap_exact_kernel<P>, Levels<P>{job.floats.data(), job.scene.size[0], job.scene.level_count()},
            job.rows.data(), job.scene.bias);
}
template <class P>
void mipmap_level_exact(const Job<P>& job) {
    job.run(mipmap_level_exact_kernel<P>,
            Levels<P>{job.floats.data(), job.scene.size[0], job.scene.level_count()}, job.rows.data(),
            job.scene.bias);
}
template <class P>
void fractions_exact(const Job<P>& job) {
    job.run(fractions_exact_kernel<P>, job.plane_of_bytes(), job.scene.view);
}
template <Edge edge, class P>
void address_global(const Job<P>& job) {
    job.run(address_global_kernel<edge, P, Plane<P>>, job.plane(), job.scene.view);
}
template <class P>
void border_global(const Job<P>& job) {
    job.run(address_global_kernel<Edge::border, P, BorderedPlane<P>>, BorderedPlane<P>{job.plane()},
            job.scene.view);
}
template <class P>
void bicubic(const Job<P>& job) {
    job.run(bicubic_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void bicubic_prefetched(const Job<P>& job) {
    job.run(bicubic_prefetched_kernel<P>, job.texture->handle(), job.plane(), job.scene.view);
}
template <class P>
void bicubic_exact(const Job<P>& job) {
    job.run(bicubic_exact_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void bicubic_prefetched_exact(const Job<P>& job) {
    job.run(bicubic_prefetched_exact_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void lookup(const Job<P>& job) {
    job.run(lookup_kernel<P>, job.texture->handle(), job.floats.data(), job.scene.per_value());
}
template <class P>
void lookup_global(const Job<P>& job) {
    job.run(lookup_global_kernel<P>, job.numbers.data(), job.entries(), job.floats.data(),
            job.scene.per_value());
}
template <class P>
void lookup_constant(const Job<P>& job) {
    job.run(lookup_constant_kernel<P>, job.entries(), job.floats.data(), job.scene.per_value());
}
template <class P>
void lookup_shared(const Job<P>& job) {
    job.run(lookup_shared_kernel<P>, job.numbers.data(), job.entries(), job.floats.data(),
            job.scene.per_value());
}
template <class P>
void layered(const Job<P>& job) {
    job.run(layered_kernel<P>, job.texture->handle(), job.scene.view, job.scene.tile(), job.scene.tiles);
}
template <class P>
void layered_global(const Job<P>& job) {
    job.run(layered_global_kernel<P>, job.plane(), job.scene.view, job.scene.tile(), job.scene.tiles);
}
template <class P>
void cubemap(const Job<P>& job) {
    job.run(cubemap_kernel<P>, job.texture->handle());
}
template <class P>
void cubemap_global(const Job<P>& job) {
    job.run(cubemap_global_kernel<P>, job.plane());
}
template <class P>
void gather(const Job<P>& job) {
    job.run(gather_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void gather_global(const Job<P>& job) {
    job.run(gather_global_kernel<P>, job.plane(), job.scene.view);
}
template <class P>
void mipmap(const Job<P>& job) {
    job.run(mipmap_kernel<P>, job.texture->handle(), job.rows.data());
}
template <class P>
void mipmap_global(const Job<P>& job) {
    job.run(mipmap_global_kernel<P>, Levels<P>{job.floats.data(), job.scene.size[0], job.scene.level_count()},
            job.rows.data(), job.scene.bias);
}
template <class P>
void integers(const Job<P>& job) {
    job.run(integers_kernel<P>, job.texture->handle(), job.scene.view);
}
template <class P>
void integers_global(const Job<P>& job) {
    job.run(integers_global_kernel<P>, job.plane_of_bytes(), job.scene.view);
}
template <class P>
void fractions_global(const Job<P>& job) {
    job.run(fractions_global_kernel<P>, job.plane_of_bytes(), job.scene.view);
}
void srgb_exact(const Job<float4>& job) {
    job.run(srgb_exact_kernel, job.plane_of_bytes(), job.scene.view, job.numbers.data());
}

// ----- The table

template <class P>
using Launch = void (*)(const Job<P>&);

struct CudaKernel {
    const char* name;
    const char* lesson;
    const char* memory;
    const char* what;
    Launch<float4> draw;
    Launch<float> measure;  ///< null: the benchmark draws pixels of four components too
    int fetches = 0;        ///< a pixel
    bool exact = false;

    [[nodiscard]] bool pitched() const { return memory == std::string_view("pitched2d"); }
};

const CudaKernel table[] = {
    {"point", "point", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"point_global", "point", "global", "one load", point_global<float4>, point_global<float>},
    {"linear1d", "linear1d", "texture1d", "one fetch", linear1d<float4>, linear1d<float>, 1},
    {"linear1d_global", "linear1d", "global", "two loads, with the unit's weights", linear1d_global<float4>,
     linear1d_global<float>},
    {"linear1d_exact", "linear1d", "global", "two loads, with weights that are not rounded",
     linear1d_exact<float4>, linear1d_exact<float>, 0, true},
    {"steps", "steps", "texture1d", "one fetch", linear1d<float4>, linear1d<float>, 1},
    {"steps_global", "steps", "global", "two loads, with the unit's weights", linear1d_global<float4>,
     linear1d_global<float>},
    {"steps_exact", "steps", "global", "two loads, with weights that are not rounded", linear1d_exact<float4>,
     linear1d_exact<float>, 0, true},
    {"linear", "linear", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"linear_pitched", "linear", "pitched2d", "one fetch from memory with rows", fetch2d<float4>,
     fetch2d<float>, 1},
    {"linear_prefetched", "linear", "pitched2d", "the same, and a prefetch", fetch2d_prefetched<float4>,
     fetch2d_prefetched<float>, 1},
    {"linear_global", "linear", "global", "four loads, with the unit's weights", linear_global<float4>,
     linear_global<float>},
    {"linear_exact", "linear", "global", "four loads, with weights that are not rounded",
     linear_exact<float4>, linear_exact<float>, 0, true},
    {"linear_prefetched_exact", "linear", "global", "the same, and a prefetch",
     linear_prefetched_exact<float4>, linear_prefetched_exact<float>, 0, true},
    {"linear3d", "linear3d", "texture3d", "one fetch", linear3d<float4>, linear3d<float>, 1},
    {"linear3d_global", "linear3d", "global", "eight loads", linear3d_global<float4>, linear3d_global<float>},
    {"linear3d_exact", "linear3d", "global", "eight loads, with weights that are not rounded",
     linear3d_exact<float4>, linear3d_exact<float>, 0, true},
    {"clamp", "clamp", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"clamp_global", "clamp", "global", "four loads", address_global<Edge::clamp, float4>,
     address_global<Edge::clamp, float>},
    {"clamp_exact", "clamp", "global", "four loads, with weights that are not rounded",
     address_exact<Edge::clamp, float4>, address_exact<Edge::clamp, float>, 0, true},
    {"border", "border", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"border_global", "border", "global", "four loads", border_global<float4>, border_global<float>},
    {"border_exact", "border", "global", "four loads, with weights that are not rounded",
     border_exact<float4>, border_exact<float>, 0, true},
    {"wrap", "wrap", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"wrap_global", "wrap", "global", "four loads", address_global<Edge::wrap, float4>,
     address_global<Edge::wrap, float>},
    {"wrap_exact", "wrap", "global", "four loads, with weights that are not rounded",
     address_exact<Edge::wrap, float4>, address_exact<Edge::wrap, float>, 0, true},
    {"mirror", "mirror", "texture2d", "one fetch", fetch2d<float4>, fetch2d<float>, 1},
    {"mirror_global", "mirror", "global", "four loads", address_global<Edge::mirror, float4>,
     address_global<Edge::mirror, float>},
    {"mirror_exact", "mirror", "global", "four loads, with weights that are not rounded",
     address_exact<Edge::mirror, float4>, address_exact<Edge::mirror, float>, 0, true},
    {"bicubic", "bicubic", "texture2d", "four fetches", bicubic<float4>, bicubic<float>, 4},
    {"bicubic_prefetched", "bicubic", "pitched2d", "four fetches from memory with rows, and a prefetch",
     bicubic_prefetched<float4>, bicubic_prefetched<float>, 4},
    {"bicubic_exact", "bicubic", "global", "sixteen loads, with weights that are not rounded",
     bicubic_exact<float4>, bicubic_exact<float>, 0, true},
    {"bicubic_prefetched_exact", "bicubic", "global", "the same, and a prefetch",
     bicubic_prefetched_exact<float4>, bicubic_prefetched_exact<float>, 0, true},
    {"lookup", "lookup", "texture1d", "one fetch from the table", lookup<float4>, lookup<float>, 1},
    {"lookup_shared", "lookup", "shared", "two loads from a copy of the table", lookup_shared<float4>,
     lookup_shared<float>},
    {"lookup_constant", "lookup", "constant", "two loads", lookup_constant<float4>, lookup_constant<float>},
    {"lookup_global", "lookup", "global", "two loads", lookup_global<float4>, lookup_global<float>},
    {"layered", "layered", "layered2d", "one fetch", layered<float4>, layered<float>, 1},
    {"layered_global", "layered", "global", "four loads", layered_global<float4>, layered_global<float>},
    {"layered_exact", "layered", "global", "four loads, with weights that are not rounded",
     layered_exact<float4>, layered_exact<float>, 0, true},
    {"cubemap", "cubemap", "cubemap", "one fetch", cubemap<float4>, cubemap<float>, 1},
    {"cubemap_global", "cubemap", "global", "four loads from the face that is met", cubemap_global<float4>,
     cubemap_global<float>},
    {"cubemap_exact", "cubemap", "global", "four loads, with weights that are not rounded",
     cubemap_exact<float4>, cubemap_exact<float>, 0, true},
    {"cubemap_seamless", "cubemap_seamless", "cubemap", "one fetch", cubemap<float4>, cubemap<float>, 1},
    {"cubemap_seamless_exact", "cubemap_seamless", "global", "four loads, with weights that are not rounded",
     cubemap_seamless_exact<float4>, cubemap_seamless_exact<float>, 0, true},
    {"gather", "gather", "texture2d", "one fetch a component", gather<float4>, gather<float>, 1},
    {"gather_global", "gather", "global", "four loads", gather_global<float4>, gather_global<float>},
    {"mipmap", "mipmap", "mipmap2d", "one fetch", mipmap<float4>, mipmap<float>, 1},
    {"mipmap_global", "mipmap", "global", "eight loads", mipmap_global<float4>, mipmap_global<float>},
    {"mipmap_exact", "mipmap", "global", "eight loads, with weights that are not rounded",
     mipmap_exact<float4>, mipmap_exact<float>, 0, true},
    {"mipmap_level", "mipmap_level", "mipmap2d", "one fetch", mipmap<float4>, mipmap<float>, 1},
    {"mipmap_level_exact", "mipmap_level", "global", "four loads, with weights that are not rounded",
     mipmap_level_exact<float4>, mipmap_level_exact<float>, 0, true},
    {"mipmap_bias", "mipmap_bias", "mipmap2d", "one fetch", mipmap<float4>, mipmap<float>, 1},
    {"mipmap_bias_global", "mipmap_bias", "global", "eight loads", mipmap_global<float4>,
     mipmap_global<float>},
    {"mipmap_bias_exact", "mipmap_bias", "global", "eight loads, with weights that are not rounded",
     mipmap_exact<float4>, mipmap_exact<float>, 0, true},
    {"integers", "integers", "texture2d", "one fetch", integers<float4>, nullptr, 1},
    {"integers_global", "integers", "global", "one load", integers_global<float4>, nullptr},
    {"fractions", "fractions", "texture2d", "one fetch", fetch2d<float4>, nullptr, 1},
    {"fractions_global", "fractions", "global", "four loads", fractions_global<float4>, nullptr},
    {"fractions_exact", "fractions", "global", "four loads, with weights that are not rounded",
     fractions_exact<float4>, nullptr, 0, true},
    {"srgb", "srgb", "texture2d", "one fetch", fetch2d<float4>, nullptr, 1},
    {"srgb_exact", "srgb", "global", "four loads, and a table of the codes", srgb_exact, nullptr, 0, true},
};

Image draw_picture(const CudaKernel& row, const Device& device, const Scene& scene) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const Job<float4> job(scene, row.pitched());
    row.draw(job);
    job.stream.synchronize();
    Image image{scene.width, scene.height, {}};
    image.texels.reserve(scene.pixels());
    for (const float4& pixel : job.out.download())
        image.texels.push_back({pixel.x, pixel.y, pixel.z, pixel.w});
    return image;
}

std::vector<float> draw_first(const CudaKernel& row, const Device& device, const Scene& scene) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const Job<float> job(scene, row.pitched());
    row.measure(job);
    job.stream.synchronize();
    return job.out.download();
}

// ----- Measuring

template <class Pixel>
Cost cost_of(const CudaKernel& row, Launch<Pixel> start, const Scene& scene, const TimeBudget& budget) {
    const Job<Pixel> job(scene, row.pitched());
    // A mipmap's job lies between the first two levels.
    const int levels = scene.shape != Shape::levels ? 1 : scene.level_filter == Filter::point ? 1 : 2;
    const std::size_t texels = texels_before(scene, levels);
    const std::size_t texel_bytes = scene.store == Store::floats ? sizeof(Pixel) : sizeof(Bytes<Pixel>);
    const std::size_t bytes = texels * texel_bytes + scene.pixels() * sizeof(Pixel);
    return {.time = measure_in_graph(job.stream, bytes, budget, [&] { start(job); }),
            .pixels = scene.pixels(),
            .bytes = bytes,
            .fetches = scene.pixels() * static_cast<std::size_t>(row.fetches)};
}

Cost measure_cost(const CudaKernel& row, const Device& device, const Scene& scene, const TimeBudget& budget) {
    CUDA_CHECK(cudaSetDevice(device.index));
    return row.measure != nullptr ? cost_of(row, row.measure, scene, budget)
                                  : cost_of(row, row.draw, scene, budget);
}

Ceilings ceilings(const Device& device) {
    return {.copy_gb_per_s = device_copy_gb_per_s(device.index),
            .gfetches_per_s = gfetches_per_s(device, cudaFilterModePoint),
            .linear_gfetches_per_s = gfetches_per_s(device, cudaFilterModeLinear)};
}

// ----- Surfaces

Result coherency_result(const Device& device) {
    const Coherency found = coherency(device);
    Result result{"coherency", "surface", "", found.right()};
    result.figures["lesson"] = "coherency";
    result.figures["old_of_own"] = found.old_of_own;
    if (found.old_of_other) result.figures["old_of_other"] = *found.old_of_other;
    result.figures["old_in_next_launch"] = found.old_in_next_launch;
    return result;
}

Result boundary_result(const Device& device) {
    Result result{"boundary", "surface", "", true};
    result.figures["lesson"] = "boundary";
    for (const Boundary& mode : boundaries(device)) result.verified = *result.verified && mode.right;
    result.figures["outside"] = *result.verified ? "as defined" : "wrong";
    return result;
}

/// What a write outside does in the mode trap.
Result trap_result(const Device& device) {
    const std::string error = trap(device);
    Result result{"boundary_trap", "surface", "", error.find("cudaErrorLaunchFailure") != std::string::npos};
    result.figures["lesson"] = "boundary";
    result.figures["outside"] = *result.verified ? "as defined" : error;
    return result;
}

}  // namespace

GpuBackend gpu() {
    GpuBackend backend{.find_devices = cuda_devices,
                       .kernels = {},
                       .ceilings = ceilings,
                       .copy_gb_per_s = copy_gb_per_s,
                       .fetch = fetch_from_gpu,
                       .limits = limits_of,
                       .make_renderer = make_gpu_renderer};
    for (const CudaKernel& row : table) {
        Kernel kernel{.name = row.name,
                      .memory = row.memory,
                      .what = row.what,
                      .device = DeviceKind::cuda,
                      .lesson = row.lesson,
                      .exact = row.exact};
        kernel.draw = [&row](const Device& device, const Scene& scene) {
            return draw_picture(row, device, scene);
        };
        if (row.measure != nullptr)
            kernel.draw_first = [&row](const Device& device, const Scene& scene) {
                return draw_first(row, device, scene);
            };
        if (lesson(row.lesson).job)
            kernel.measure = [&row](const Device& device, const Scene& scene, const TimeBudget& budget) {
                return measure_cost(row, device, scene, budget);
            };
        backend.kernels.push_back(std::move(kernel));
    }
    backend.kernels.push_back({.name = "coherency",
                               .memory = "surface",
                               .what = "what a texture sees of what a surface has written",
                               .device = DeviceKind::cuda,
                               .lesson = "coherency",
                               .ask = coherency_result});
    backend.kernels.push_back({.name = "boundary",
                               .memory = "surface",
                               .what = "reads and writes outside a surface",
                               .device = DeviceKind::cuda,
                               .lesson = "boundary",
                               .ask = boundary_result,
                               .ask_last = trap_result});
    return backend;
}

}  // namespace cudabook::texture_unit
