// The kernels that read through textures: how they are launched, and their table.
#include "common/cuda/cuda_array.cuh"
#include "common/cuda/surface.cuh"
#include "common/cuda/texture.cuh"
#include "heat/heat.hpp"
#include "heat/kernels/1_copy_const.cuh"
#include "heat/kernels/2_blend.cuh"
#include "heat/kernels/3_fused.cuh"
#include "heat/kernels/4_texture2d.cuh"
#include "heat/kernels/5_temporal.cuh"
#include "heat/kernels/6_registers.cuh"
#include "heat/kernels/7_surface.cuh"
#include "heat/kernels/8_streamed.cuh"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/cuda_solver.cuh"
#include "heat_notexture/gpu/gpu_backend.cuh"
#include "heat_notexture/gpu/streamed_launch.cuh"

namespace cudabook::heat_texture {

namespace {

using heat::WriteSources;

/// The kernels fetch a grid by tex1Dfetch, as single cells or as four cells at once.
struct LinearView {
    static constexpr int row_alignment = 4;
    LinearView(float* memory, const heat::GridShape& shape, int device)
        : cells(TextureObject::linear(memory, within_limit(shape.size(), device))),
          fours(TextureObject::linear(reinterpret_cast<float4*>(memory), shape.size() / 4)) {}

    static std::size_t within_limit(std::size_t size, int device) {
        const std::size_t limit = TextureObject::linear_limit<float>(device);
        if (size <= limit) return size;
        throw MachineError(
            fmt::format("a linear texture of this device spans {} cells, and the grid has {}; use --kernel "
                        "streamed_global or a smaller grid",
                        limit, size));
    }

    TextureObject cells;
    TextureObject fours;
};

/// Returns the shape. Errors: MachineError if it has more than `width` columns or `height` rows, the limits
/// of `what`.
const heat::GridShape& check_spans(const char* what, int width, int height, const heat::GridShape& shape) {
    if (shape.width <= static_cast<unsigned>(width) && shape.height <= static_cast<unsigned>(height))
        return shape;
    throw MachineError(
        fmt::format("{} of this device spans {}x{} cells, and the grid has {}x{}; use --kernel registers or "
                    "a smaller grid",
                    what, width, height, shape.width, shape.height));
}

/// The kernels fetch a grid by tex2D.
struct PlaneView {
    static constexpr int row_alignment = 8;  // a pitch must be a multiple of 32 bytes
    PlaneView(float* memory, const heat::GridShape& shape, int device)
        : cells(TextureObject::pitched(memory, within_limit(shape, device).width, shape.height,
                                       static_cast<std::size_t>(shape.pitch) * sizeof(float))) {}

    static const heat::GridShape& within_limit(const heat::GridShape& shape, int device) {
        const int width = device_attribute(cudaDevAttrMaxTexture2DLinearWidth, device);
        const int height = device_attribute(cudaDevAttrMaxTexture2DLinearHeight, device);
        const int pitch_bytes = device_attribute(cudaDevAttrMaxTexture2DLinearPitch, device);
        return check_spans("a pitched texture",
                           std::min(width, pitch_bytes / static_cast<int>(sizeof(float))), height, shape);
    }

    TextureObject cells;
};

/// The kernels fetch a grid by tex2D and write it by surf2Dwrite: their steps are done in CUDA arrays. Only
/// textures and surfaces know the layout of a CUDA array. So pictures and downloads use the linear cells,
/// which are copied to the array and back.
struct SurfaceView {
    static constexpr int row_alignment = 1;
    SurfaceView(float* memory, const heat::GridShape& shape, int device)
        : linear(memory),
          pitch_bytes(shape.pitch * sizeof(float)),
          array(CudaArray::plane<float>(within_limit(shape, device).width, shape.height,
                                        cudaArraySurfaceLoadStore)),
          cells(TextureObject::array(array.get())),
          surface(array.get()) {}

    static const heat::GridShape& within_limit(const heat::GridShape& shape, int device) {
        const auto limit = [device](cudaDeviceAttr of_textures, cudaDeviceAttr of_surfaces) {
            return std::min(device_attribute(of_textures, device), device_attribute(of_surfaces, device));
        };
        return check_spans("a surface", limit(cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxSurface2DWidth),
                           limit(cudaDevAttrMaxTexture2DHeight, cudaDevAttrMaxSurface2DHeight), shape);
    }

    void load(const Stream& stream) const {
        CUDA_CHECK(cudaMemcpy2DToArrayAsync(array.get(), 0, 0, linear, pitch_bytes, row_bytes(),
                                            array.extent().height, cudaMemcpyDeviceToDevice, stream.get()));
    }
    void store(const Stream& stream) const {
        CUDA_CHECK(cudaMemcpy2DFromArrayAsync(linear, pitch_bytes, array.get(), 0, 0, row_bytes(),
                                              array.extent().height, cudaMemcpyDeviceToDevice, stream.get()));
    }
    [[nodiscard]] std::size_t row_bytes() const { return array.extent().width * sizeof(float); }

    float* linear;
    std::size_t pitch_bytes;
    CudaArray array;
    TextureObject cells;
    SurfaceObject surface;
};

void book(const heat::Step<LinearView>& s, dim3 block) {
    launch<copy_const_kernel>(s.shape.blocks(block), block, s.stream, s.in.cells.data(),
                              s.sources.view.cells.handle(), s.shape.width, s.shape.height, s.shape.pitch);
    launch<blend_kernel>(s.shape.blocks(block), block, s.stream, s.out.cells.data(), s.in.view.cells.handle(),
                         s.shape.width, s.shape.height, s.shape.pitch, s.speed);
}

void fused(const heat::Step<LinearView>& s, dim3 block) {
    launch_overlapped(Reads::textures, fused_kernel, s.shape.tiles(), block, s.stream, s.out.cells.data(),
                      s.in.view.cells.handle(), s.in.view.fours.handle(), s.sources.view.fours.handle(),
                      s.marks.tile_has_source(), s.shape.width, s.shape.height, s.shape.pitch, s.speed,
                      !s.last);
}

void texture2d(const heat::Step<PlaneView>& s, dim3 block) {
    launch<texture2d_kernel>(s.shape.blocks(block), block, s.stream, s.out.cells.data(),
                             s.in.view.cells.handle(), s.sources.view.cells.handle(), s.shape.width,
                             s.shape.height, s.shape.pitch, s.speed, !s.last);
}

void temporal(const heat::Step<PlaneView>& s, dim3 block) {
    const auto side = static_cast<unsigned>(heat::shared_side - 2 * s.steps);
    launch_overlapped(Reads::textures, temporal_kernel<FetchCell>, s.shape.tiles(side, side), block, s.stream,
                      s.out.cells.data(), FetchCell{s.in.view.cells.handle()},
                      FetchCell{s.sources.view.cells.handle()}, static_cast<int>(s.shape.width),
                      static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

void registers(const heat::Step<LinearView>& s, dim3) {
    const heat::RegisterLaunch launch = heat::register_launch(s);
    launch_overlapped(
        Reads::textures,
        launch.any_grid ? registers_kernel<true, FetchFours> : registers_kernel<false, FetchFours>,
        launch.blocks, launch.threads, s.stream, s.out.cells.data(), FetchFours{s.in.view.fours.handle()},
        FetchFours{s.sources.view.fours.handle()}, s.marks.tile_has_source(), static_cast<int>(s.shape.width),
        static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

void streamed(const heat::Step<LinearView>& s, dim3 block) {
    if (!heat::launch_streamed(Reads::textures, s, FetchRows{s.in.view.fours.handle()},
                               heat::register_launch_time))
        registers(s, block);
}

static_assert(heat::stream_threads == 32 * heat::register_warps, "one of them is in the table");

void surface(const heat::Step<SurfaceView>& s, dim3 block) {
    launch<surface_kernel>(s.shape.blocks(block), block, s.stream, s.out.view.surface.handle(),
                           s.in.view.cells.handle(), s.sources.view.cells.handle(), s.shape.width,
                           s.shape.height, s.speed, !s.last);
}

const heat::CudaKernel<LinearView> linear_table[] = {
    {.name = "book",
     .memory = "texture1d",
     .what = "two launches a step, a thread for each cell, as in the text",
     .function = reinterpret_cast<const void*>(blend_kernel),
     .block = {16, 16},
     .write_sources = WriteSources::before_step,
     .most_steps = 1,
     .enqueue = book},
    {.name = "fused",
     .memory = "texture1d",
     .what = "one launch a step, four cells a thread, texels of 16 bytes",
     .function = reinterpret_cast<const void*>(fused_kernel),
     .block = {heat::tile_threads_x, heat::tile_height},
     .write_sources = WriteSources::after_step,
     .most_steps = 1,
     .enqueue = fused},
};

const heat::CudaKernel<PlaneView> plane_table[] = {
    {.name = "texture2d",
     .memory = "texture2d",
     .what = "one launch a step, a thread for each cell, clamped at the edges by the texture unit",
     .function = reinterpret_cast<const void*>(texture2d_kernel),
     .block = {32, 8},
     .write_sources = WriteSources::after_step,
     .most_steps = 1,
     .enqueue = texture2d},
    {.name = "temporal",
     .memory = "texture2d",
     .what = "six steps a launch, of a tile in shared memory",
     .function = reinterpret_cast<const void*>(temporal_kernel<FetchCell>),
     .block = {heat::shared_threads, heat::shared_threads},
     .write_sources = WriteSources::before_step,
     .most_steps = heat::shared_steps,
     .enqueue = temporal},
};

const heat::CudaKernel<LinearView> register_table[] = {
    {.name = "registers",
     .memory = "texture1d",
     .what = "up to sixteen steps a launch, of a tile in registers",
     .function = reinterpret_cast<const void*>(registers_kernel<false, FetchFours>),
     .block = {32, heat::register_warps},
     .write_sources = WriteSources::before_step,
     .most_steps = heat::register_steps,
     .enqueue = registers,
     .time_of_launches = heat::register_time},
};

const heat::CudaKernel<SurfaceView> surface_table[] = {
    {.name = "surface",
     .memory = "surface",
     .what = "as texture2d, on CUDA arrays, which are written through surfaces",
     .function = reinterpret_cast<const void*>(surface_kernel),
     .block = {32, 8},
     .write_sources = WriteSources::after_step,
     .most_steps = 1,
     .enqueue = surface},
};

const heat::CudaKernel<LinearView> stream_table[] = {
    {.name = "streamed",
     .memory = "texture1d",
     .what = "up to 24 steps a launch, of rows that stream from warp to warp; runs registers where that is "
             "quicker",
     .function = CUDABOOK_HAS_SM90A ? reinterpret_cast<const void*>(streamed_kernel<20, FetchRows>)
                                    : reinterpret_cast<const void*>(registers_kernel<false, FetchFours>),
     .function_elsewhere = reinterpret_cast<const void*>(registers_kernel<false, FetchFours>),
     .block = {32, heat::register_warps},
     .write_sources = WriteSources::before_step,
     .most_steps = CUDABOOK_HAS_SM90A ? heat::stream_steps : heat::register_steps,
     .enqueue = streamed,
     .time_of_launches =
         CUDABOOK_HAS_SM90A ? heat::streamed_time<heat::register_launch_time> : heat::register_time,
     .without_strips = CUDABOOK_HAS_SM90A ? heat::is_streamed<heat::register_launch_time> : nullptr,
     .gains_by_sources = true,
     .steps_together = CUDABOOK_HAS_SM90A ? heat::steps_of_warp : 1},
};

}  // namespace

heat::GpuBackend gpu() {
    heat::GpuBackend backend = heat::gpu_backend("streamed");
    for (const auto& row : linear_table) backend.kernels.push_back(heat::kernel_of(row));
    for (const auto& row : plane_table) backend.kernels.push_back(heat::kernel_of(row));
    for (const auto& row : register_table) backend.kernels.push_back(heat::kernel_of(row));
    for (const auto& row : surface_table) backend.kernels.push_back(heat::kernel_of(row));
    for (const auto& row : stream_table) backend.kernels.push_back(heat::kernel_of(row));
    return backend;
}

}  // namespace cudabook::heat_texture
