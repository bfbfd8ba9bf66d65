// The GPU: the launches, and the table of the kernels.
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/cuda/device.cuh"
#include "common/cuda/gpu_kind.hpp"
#include "common/cuda/measure_in_graph.cuh"
#include "common/cuda/stream.cuh"
#include "texture_unit/gpu/ceilings.cuh"
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

// ----- Launches that several kernels share

constexpr auto fetch2d = []<class P>(const Job<P>& job) {
    job.run(fetch2d_kernel<P>, job.texture->handle(), job.scene.view);
};
constexpr auto linear1d = []<class P>(const Job<P>& job) {
    job.run(linear1d_kernel<P>, job.texture->handle(), job.scene.view);
};
constexpr auto linear1d_global = []<class P>(const Job<P>& job) {
    job.run(linear1d_global_kernel<P>, job.plane(), job.scene.view);
};
constexpr auto linear1d_exact = []<class P>(const Job<P>& job) {
    job.run(linear1d_exact_kernel<P>, job.plane(), job.scene.view);
};
constexpr auto cubemap = []<class P>(const Job<P>& job) {
    job.run(cubemap_kernel<P>, job.texture->handle());
};
constexpr auto mipmap = []<class P>(const Job<P>& job) {
    job.run(mipmap_kernel<P>, job.texture->handle(), job.rows.data());
};
constexpr auto mipmap_global = []<class P>(const Job<P>& job) {
    job.run(mipmap_global_kernel<P>, job.levels(), job.rows.data(), job.scene.bias);
};
constexpr auto mipmap_exact = []<class P>(const Job<P>& job) {
    job.run(mipmap_exact_kernel<P>, job.levels(), job.rows.data(), job.scene.bias);
};

// ----- The table

template <class P>
using Launch = void (*)(const Job<P>&);

/// The launches of a kernel: `draw` for pixels of four components and, for the benchmark, `measure` for
/// pixels of one component.
struct Launches {
    template <std::convertible_to<Launch<float>> GenericLambda>
    constexpr Launches(GenericLambda launch) : draw(launch), measure(launch) {}
    constexpr explicit Launches(Launch<float4> launch) : draw(launch) {}

    Launch<float4> draw;
    Launch<float> measure = nullptr;  ///< if null, the benchmark too draws pixels of four components
};

constexpr Launches of_four(Launch<float4> launch) { return Launches(launch); }

struct CudaKernel {
    const char* name;
    const char* lesson;
    const char* memory;
    const char* what;
    Launches launches;
    int fetches = 0;  ///< the fetches per pixel
    bool exact = false;

    [[nodiscard]] bool pitched() const { return memory == std::string_view("pitched2d"); }
};

const CudaKernel table[] = {
    {"point", "point", "texture2d", "one fetch", fetch2d, 1},
    {"point_global", "point", "global", "one load",
     []<class P>(const Job<P>& job) { job.run(point_global_kernel<P>, job.plane(), job.scene.view); }},
    {"linear1d", "linear1d", "texture1d", "one fetch", linear1d, 1},
    {"linear1d_global", "linear1d", "global", "two loads, with the unit's weights", linear1d_global},
    {"linear1d_exact", "linear1d", "global", "two loads, with weights that are not rounded", linear1d_exact,
     0, true},
    {"steps", "steps", "texture1d", "one fetch", linear1d, 1},
    {"steps_global", "steps", "global", "two loads, with the unit's weights", linear1d_global},
    {"steps_exact", "steps", "global", "two loads, with weights that are not rounded", linear1d_exact, 0,
     true},
    {"linear", "linear", "texture2d", "one fetch", fetch2d, 1},
    {"linear_pitched", "linear", "pitched2d", "one fetch from memory with rows", fetch2d, 1},
    {"linear_prefetched", "linear", "pitched2d", "the same, and a prefetch",
     []<class P>(const Job<P>& job) {
         job.run(fetch2d_prefetched_kernel<P>, job.texture->handle(), job.plane(), job.scene.view);
     },
     1},
    {"linear_global", "linear", "global", "four loads, with the unit's weights",
     []<class P>(const Job<P>& job) { job.run(linear_global_kernel<P>, job.plane(), job.scene.view); }},
    {"linear_exact", "linear", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) { job.run(linear_exact_kernel<P>, job.plane(), job.scene.view); }, 0,
     true},
    {"linear_prefetched_exact", "linear", "global", "the same, and a prefetch",
     []<class P>(const Job<P>& job) {
         job.run(linear_prefetched_exact_kernel<P>, job.plane(), job.scene.view);
     },
     0, true},
    {"linear3d", "linear3d", "texture3d", "one fetch",
     []<class P>(const Job<P>& job) { job.run(linear3d_kernel<P>, job.texture->handle(), job.scene.view); },
     1},
    {"linear3d_global", "linear3d", "global", "eight loads",
     []<class P>(const Job<P>& job) {
         job.run(linear3d_global_kernel<P>, job.plane(), job.scene.size[2], job.scene.view);
     }},
    {"linear3d_exact", "linear3d", "global", "eight loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(linear3d_exact_kernel<P>, job.plane(), job.scene.size[2], job.scene.view);
     },
     0, true},
    {"clamp", "clamp", "texture2d", "one fetch", fetch2d, 1},
    {"clamp_global", "clamp", "global", "four loads",
     []<class P>(const Job<P>& job) {
         job.run(address_global_kernel<Edge::clamp, P, Plane<P>>, job.plane(), job.scene.view);
     }},
    {"clamp_exact", "clamp", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(address_exact_kernel<Edge::clamp, P, Plane<P>>, job.plane(), job.scene.view);
     },
     0, true},
    {"border", "border", "texture2d", "one fetch", fetch2d, 1},
    {"border_global", "border", "global", "four loads",
     []<class P>(const Job<P>& job) {
         job.run(address_global_kernel<Edge::border, P, BorderedPlane<P>>, BorderedPlane<P>{job.plane()},
                 job.scene.view);
     }},
    {"border_exact", "border", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(address_exact_kernel<Edge::border, P, BorderedPlane<P>>, BorderedPlane<P>{job.plane()},
                 job.scene.view);
     },
     0, true},
    {"wrap", "wrap", "texture2d", "one fetch", fetch2d, 1},
    {"wrap_global", "wrap", "global", "four loads",
     []<class P>(const Job<P>& job) {
         job.run(address_global_kernel<Edge::wrap, P, Plane<P>>, job.plane(), job.scene.view);
     }},
    {"wrap_exact", "wrap", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(address_exact_kernel<Edge::wrap, P, Plane<P>>, job.plane(), job.scene.view);
     },
     0, true},
    {"mirror", "mirror", "texture2d", "one fetch", fetch2d, 1},
    {"mirror_global", "mirror", "global", "four loads",
     []<class P>(const Job<P>& job) {
         job.run(address_global_kernel<Edge::mirror, P, Plane<P>>, job.plane(), job.scene.view);
     }},
    {"mirror_exact", "mirror", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(address_exact_kernel<Edge::mirror, P, Plane<P>>, job.plane(), job.scene.view);
     },
     0, true},
    {"bicubic", "bicubic", "texture2d", "four fetches",
     []<class P>(const Job<P>& job) { job.run(bicubic_kernel<P>, job.texture->handle(), job.scene.view); },
     4},
    {"bicubic_prefetched", "bicubic", "pitched2d", "four fetches from memory with rows, and a prefetch",
     []<class P>(const Job<P>& job) {
         job.run(bicubic_prefetched_kernel<P>, job.texture->handle(), job.plane(), job.scene.view);
     },
     4},
    {"bicubic_exact", "bicubic", "global", "sixteen loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) { job.run(bicubic_exact_kernel<P>, job.plane(), job.scene.view); }, 0,
     true},
    {"bicubic_prefetched_exact", "bicubic", "global", "the same, and a prefetch",
     []<class P>(const Job<P>& job) {
         job.run(bicubic_prefetched_exact_kernel<P>, job.plane(), job.scene.view);
     },
     0, true},
    {"lookup", "lookup", "texture1d", "one fetch from the table",
     []<class P>(const Job<P>& job) {
         job.run(lookup_kernel<P>, job.texture->handle(), job.floats.data(), job.scene.per_value());
     },
     1},
    {"lookup_shared", "lookup", "shared", "two loads from a copy of the table",
     []<class P>(const Job<P>& job) {
         job.run(lookup_shared_kernel<P>, job.numbers.data(), job.entries(), job.floats.data(),
                 job.scene.per_value());
     }},
    {"lookup_constant", "lookup", "constant", "two loads",
     []<class P>(const Job<P>& job) {
         job.run(lookup_constant_kernel<P>, job.entries(), job.floats.data(), job.scene.per_value());
     }},
    {"lookup_global", "lookup", "global", "two loads",
     []<class P>(const Job<P>& job) {
         job.run(lookup_global_kernel<P>, job.numbers.data(), job.entries(), job.floats.data(),
                 job.scene.per_value());
     }},
    {"layered", "layered", "layered2d", "one fetch",
     []<class P>(const Job<P>& job) {
         job.run(layered_kernel<P>, job.texture->handle(), job.scene.view, job.scene.tile(), job.scene.tiles);
     },
     1},
    {"layered_global", "layered", "global", "four loads",
     []<class P>(const Job<P>& job) {
         job.run(layered_global_kernel<P>, job.plane(), job.scene.view, job.scene.tile(), job.scene.tiles);
     }},
    {"layered_exact", "layered", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(layered_exact_kernel<P>, job.plane(), job.scene.view, job.scene.tile(), job.scene.tiles);
     },
     0, true},
    {"cubemap", "cubemap", "cubemap", "one fetch", cubemap, 1},
    {"cubemap_global", "cubemap", "global", "four loads from the face that is met",
     []<class P>(const Job<P>& job) { job.run(cubemap_global_kernel<P>, job.plane()); }},
    {"cubemap_exact", "cubemap", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) { job.run(cubemap_exact_kernel<P>, job.plane()); }, 0, true},
    {"cubemap_seamless", "cubemap_seamless", "cubemap", "one fetch", cubemap, 1},
    {"cubemap_seamless_exact", "cubemap_seamless", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) { job.run(cubemap_seamless_exact_kernel<P>, job.plane()); }, 0, true},
    {"gather", "gather", "texture2d", "one fetch a component",
     []<class P>(const Job<P>& job) { job.run(gather_kernel<P>, job.texture->handle(), job.scene.view); }, 1},
    {"gather_global", "gather", "global", "four loads",
     []<class P>(const Job<P>& job) { job.run(gather_global_kernel<P>, job.plane(), job.scene.view); }},
    {"mipmap", "mipmap", "mipmap2d", "one fetch", mipmap, 1},
    {"mipmap_global", "mipmap", "global", "eight loads", mipmap_global},
    {"mipmap_exact", "mipmap", "global", "eight loads, with weights that are not rounded", mipmap_exact, 0,
     true},
    {"mipmap_level", "mipmap_level", "mipmap2d", "one fetch", mipmap, 1},
    {"mipmap_level_exact", "mipmap_level", "global", "four loads, with weights that are not rounded",
     []<class P>(const Job<P>& job) {
         job.run(mipmap_level_exact_kernel<P>, job.levels(), job.rows.data(), job.scene.bias);
     },
     0, true},
    {"mipmap_bias", "mipmap_bias", "mipmap2d", "one fetch", mipmap, 1},
    {"mipmap_bias_global", "mipmap_bias", "global", "eight loads", mipmap_global},
    {"mipmap_bias_exact", "mipmap_bias", "global", "eight loads, with weights that are not rounded",
     mipmap_exact, 0, true},
    {"integers", "integers", "texture2d", "one fetch", of_four([]<class P>(const Job<P>& job) {
         job.run(integers_kernel<P>, job.texture->handle(), job.scene.view);
     }),
     1},
    {"integers_global", "integers", "global", "one load", of_four([]<class P>(const Job<P>& job) {
         job.run(integers_global_kernel<P>, job.plane_of_bytes(), job.scene.view);
     })},
    {"fractions", "fractions", "texture2d", "one fetch", of_four(fetch2d), 1},
    {"fractions_global", "fractions", "global", "four loads", of_four([]<class P>(const Job<P>& job) {
         job.run(fractions_global_kernel<P>, job.plane_of_bytes(), job.scene.view);
     })},
    {"fractions_exact", "fractions", "global", "four loads, with weights that are not rounded",
     of_four([]<class P>(const Job<P>& job) {
         job.run(fractions_exact_kernel<P>, job.plane_of_bytes(), job.scene.view);
     }),
     0, true},
    {"srgb", "srgb", "texture2d", "one fetch", of_four(fetch2d), 1},
    {"srgb_exact", "srgb", "global", "four loads, and a table of the codes",
     of_four([](const Job<float4>& job) {
         job.run(srgb_exact_kernel, job.plane_of_bytes(), job.scene.view, job.numbers.data());
     }),
     0, true},
};

Image draw_picture(const CudaKernel& row, const Device& device, const Scene& scene) {
    CUDA_CHECK(cudaSetDevice(device.index));
    const Job<float4> job(scene, row.pitched());
    row.launches.draw(job);
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
    row.launches.measure(job);
    job.stream.synchronize();
    return job.out.download();
}

// ----- Measuring

template <class Pixel>
Cost cost_of(const CudaKernel& row, Launch<Pixel> start, const Scene& scene, const TimeBudget& budget) {
    const Job<Pixel> job(scene, row.pitched());
    // A mipmap's job reads the first two levels or, if the level filter is point, only the first level.
    const int levels = scene.shape != TextureShape::levels ? 1 : scene.level_filter == Filter::point ? 1 : 2;
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
    return row.launches.measure != nullptr ? cost_of(row, row.launches.measure, scene, budget)
                                           : cost_of(row, row.launches.draw, scene, budget);
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

/// The result of a write outside a surface with the boundary mode trap.
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
        if (row.launches.measure != nullptr)
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
                               .what = "whether a texture sees the writes of a surface",
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
