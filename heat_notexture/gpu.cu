// The kernels that read through global memory: how they are launched, and their table.
#include <algorithm>
#include <cstddef>

#include "common/cuda/device.cuh"
#include "common/cuda/launch.cuh"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/cuda_solver.cuh"
#include "heat_notexture/gpu/gpu_backend.cuh"
#include "heat_notexture/gpu/streamed_launch.cuh"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/kernels/1_copy_const.cuh"
#include "heat_notexture/kernels/2_blend.cuh"
#include "heat_notexture/kernels/3_fused.cuh"
#include "heat_notexture/kernels/4_tiled.cuh"
#include "heat_notexture/kernels/5_temporal.cuh"
#include "heat_notexture/kernels/6_registers.cuh"
#include "heat_notexture/kernels/7_prefetched.cuh"

namespace cudabook::heat_notexture {

namespace {

using heat::WriteSources;

/// The kernels read a grid through its pointer.
struct GlobalView {
    static constexpr int row_alignment = 4;
    GlobalView(const float* memory, const heat::GridShape&, int) : cells(memory) {}
    const float* cells;
};
using Step = heat::Step<GlobalView>;

void book(const Step& s, dim3 block) {
    launch<copy_const_kernel>(s.shape.blocks(block), block, s.stream, s.in.cells.data(), s.sources.view.cells,
                              s.shape.width, s.shape.height, s.shape.pitch);
    launch<blend_kernel>(s.shape.blocks(block), block, s.stream, s.out.cells.data(), s.in.view.cells,
                         s.shape.width, s.shape.height, s.shape.pitch, s.speed);
}

void fused(const Step& s, dim3 block) {
    launch_overlapped(Reads::memory, fused_kernel, s.shape.tiles(), block, s.stream, s.out.cells.data(),
                      s.in.view.cells, s.sources.view.cells, s.marks.tile_has_source(), s.shape.width,
                      s.shape.height, s.shape.pitch, s.speed, !s.last);
}

void tiled(const Step& s, dim3 block) {
    launch_overlapped(Reads::memory, tiled_kernel, s.shape.tiles(tiled_width, tiled_height), block, s.stream,
                      s.out.cells.data(), s.in.view.cells, s.sources.view.cells,
                      static_cast<int>(s.shape.width), static_cast<int>(s.shape.height),
                      static_cast<int>(s.shape.pitch), s.speed, !s.last);
}

void temporal(const Step& s, dim3 block) {
    const auto side = static_cast<unsigned>(heat::shared_side - 2 * s.steps);
    launch_overlapped(Reads::memory, temporal_kernel<LoadCell>, s.shape.tiles(side, side), block, s.stream,
                      s.out.cells.data(), LoadCell{s.in.view.cells}, LoadCell{s.sources.view.cells},
                      static_cast<int>(s.shape.width), static_cast<int>(s.shape.height),
                      static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

void registers(const Step& s, dim3) {
    const heat::RegisterLaunch launch = heat::register_launch(s);
    launch_overlapped(
        Reads::memory,
        launch.any_grid ? registers_kernel<true, LoadFours> : registers_kernel<false, LoadFours>,
        launch.blocks, launch.threads, s.stream, s.out.cells.data(), LoadFours{s.in.view.cells},
        LoadFours{s.sources.view.cells}, s.marks.tile_has_source(), static_cast<int>(s.shape.width),
        static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

/// The bytes that a block of prefetched_kernel copies for its next tile, with `rows` rows for each warp.
constexpr int copied_bytes(int rows) { return rows * heat::register_warps * 32 * int{sizeof(float4)}; }

/// Returns how many rows a warp of prefetched_kernel may hold on the current device, or 0 if the device has
/// no asynchronous copies.
int most_prefetched_rows() {
    if (capability_of_device() < 80) return 0;
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    const int bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return (bytes - int{sizeof(heat::SharedRows)}) / copied_bytes(1);
}

void prefetched(const Step& s, dim3 block) {
    const auto width = static_cast<int>(s.shape.width);
    const auto height = static_cast<int>(s.shape.height);
    const auto tiling = heat::prefetched_tiling(width, height, s.steps, most_prefetched_rows(),
                                                s.gpu.multiprocessors, s.full_gpu_us);
    if (!tiling || !heat::is_most_grid(s, tiling->rows * heat::register_warps)) return registers(s, block);
    const auto tiles = static_cast<int>(tiling->tiles);
    launch_overlapped_with_shared(
        Reads::memory, tiling->rows == 12 ? prefetched_kernel<12> : prefetched_kernel<14>,
        static_cast<unsigned>(std::min(tiles, s.gpu.multiprocessors)), block,
        static_cast<std::size_t>(copied_bytes(tiling->rows)), s.stream, s.out.cells.data(), s.in.view.cells,
        s.sources.view.cells, s.marks.tile_has_source(), width, height, static_cast<int>(s.shape.pitch),
        s.speed, s.steps, tiles);
}

void streamed(const Step& s, dim3 block) {
    if (!heat::launch_streamed(Reads::memory, s, CopyRows{s.in.view.cells},
                               heat::prefetched_or_register_time))
        prefetched(s, block);
}

static_assert(heat::stream_threads == 32 * heat::register_warps, "one of them is in the table");

const heat::CudaKernel<GlobalView> table[] = {
    {.name = "book",
     .memory = "global",
     .what = "two launches a step, a thread for each cell, as in the text",
     .function = reinterpret_cast<const void*>(blend_kernel),
     .block = {16, 16},
     .write_sources = WriteSources::before_step,
     .most_steps = 1,
     .enqueue = book},
    {.name = "fused",
     .memory = "global",
     .what = "one launch a step, four cells a thread",
     .function = reinterpret_cast<const void*>(fused_kernel),
     .block = {heat::tile_threads_x, heat::tile_height},
     .write_sources = WriteSources::after_step,
     .most_steps = 1,
     .enqueue = fused},
    {.name = "tiled",
     .memory = "shared",
     .what = "one launch a step, from a tile in shared memory",
     .function = reinterpret_cast<const void*>(tiled_kernel),
     .block = {tiled_width, tiled_height},
     .write_sources = WriteSources::after_step,
     .most_steps = 1,
     .enqueue = tiled},
    {.name = "temporal",
     .memory = "shared",
     .what = "six steps a launch, of a tile in shared memory",
     .function = reinterpret_cast<const void*>(temporal_kernel<LoadCell>),
     .block = {heat::shared_threads, heat::shared_threads},
     .write_sources = WriteSources::before_step,
     .most_steps = heat::shared_steps,
     .enqueue = temporal},
    {.name = "registers",
     .memory = "registers",
     .what = "up to sixteen steps a launch, of a tile in registers",
     .function = reinterpret_cast<const void*>(registers_kernel<false, LoadFours>),
     .block = {32, heat::register_warps},
     .write_sources = WriteSources::before_step,
     .most_steps = heat::register_steps,
     .enqueue = registers,
     .time_of_launches = heat::register_time},
    {.name = "prefetched",
     .memory = "registers",
     .what = "like registers, but copies the next tile meanwhile; runs registers where that is quicker",
     .function = reinterpret_cast<const void*>(prefetched_kernel<14>),
     .block = {32, heat::register_warps},
     .write_sources = WriteSources::before_step,
     .most_steps = heat::register_steps,
     .enqueue = prefetched,
     .time_of_launches = heat::prefetched_time},
    {.name = "streamed",
     .memory = "registers",
     .what = "up to 24 steps a launch, of rows that stream from warp to warp; runs prefetched where that is "
             "quicker",
     .function = CUDABOOK_HAS_SM90A ? reinterpret_cast<const void*>(streamed_kernel<20, CopyRows>)
                                    : reinterpret_cast<const void*>(prefetched_kernel<14>),
     .function_elsewhere = reinterpret_cast<const void*>(prefetched_kernel<14>),
     .block = {32, heat::register_warps},
     .write_sources = WriteSources::before_step,
     .most_steps = CUDABOOK_HAS_SM90A ? heat::stream_steps : heat::register_steps,
     .enqueue = streamed,
     .time_of_launches =
         CUDABOOK_HAS_SM90A ? heat::streamed_time<heat::prefetched_or_register_time> : heat::prefetched_time,
     .without_strips = CUDABOOK_HAS_SM90A ? heat::is_streamed<heat::prefetched_or_register_time> : nullptr,
     .gains_by_sources = true,
     .steps_together = CUDABOOK_HAS_SM90A ? heat::steps_of_warp : 1},
};

}  // namespace

heat::GpuBackend gpu() {
    heat::GpuBackend backend = heat::gpu_backend("streamed");
    for (const auto& row : table) backend.kernels.push_back(heat::kernel_of(row));
    return backend;
}

}  // namespace cudabook::heat_notexture
