// The launches of the room that reads through global memory.
#include "common/heat/cuda_solver.cuh"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/kernels/1_copy_const.cuh"
#include "heat_notexture/kernels/2_blend.cuh"
#include "heat_notexture/kernels/3_fused.cuh"
#include "heat_notexture/kernels/4_tiled.cuh"
#include "heat_notexture/kernels/5_temporal.cuh"
#include "heat_notexture/kernels/6_registers.cuh"

namespace cudabook::heat_notexture {

namespace {

using heat::Sources;

/// The kernels read a grid through its pointer.
struct GlobalView {
    static constexpr int row_alignment = 4;
    GlobalView(const float* memory, const heat::Shape&, int) : cells(memory) {}
    const float* cells;
};
using Step = heat::Step<GlobalView>;

void book(const Step& s, dim3 block) {
    launch(copy_const_kernel, s.shape.blocks(block), block, s.stream, s.in.cells.data(), s.sources.view.cells,
           s.shape.width, s.shape.height, s.shape.pitch);
    launch(blend_kernel, s.shape.blocks(block), block, s.stream, s.out, s.in.view.cells, s.shape.width,
           s.shape.height, s.shape.pitch, s.speed);
}

void fused(const Step& s, dim3 block) {
    launch_overlapped(Reads::memory, fused_kernel, s.shape.tiles(), block, s.stream, s.out, s.in.view.cells,
                      s.sources.view.cells, s.tile_has_source, s.shape.width, s.shape.height, s.shape.pitch,
                      s.speed, !s.last);
}

void tiled(const Step& s, dim3 block) {
    launch_overlapped(Reads::memory, tiled_kernel, s.shape.tiles(tiled_width, tiled_height), block, s.stream,
                      s.out, s.in.view.cells, s.sources.view.cells, static_cast<int>(s.shape.width),
                      static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, !s.last);
}

void temporal(const Step& s, dim3 block) {
    const auto side = static_cast<unsigned>(heat::shared_side - 2 * s.steps);
    launch_overlapped(Reads::memory, temporal_kernel, s.shape.tiles(side, side), block, s.stream, s.out,
                      s.in.view.cells, s.sources.view.cells, static_cast<int>(s.shape.width),
                      static_cast<int>(s.shape.height), static_cast<int>(s.shape.pitch), s.speed, s.steps);
}

void registers(const Step& s, dim3) {
    heat::launch_registers(Reads::memory, registers_kernel<true>, registers_kernel<false>, s, s.in.view.cells,
                           s.sources.view.cells);
}

const heat::CudaKernel<GlobalView> table[] = {
    {"book",
     "global",
     "two launches a step, a thread for each cell, as in the text",
     reinterpret_cast<const void*>(blend_kernel),
     {16, 16},
     Sources::before_step,
     heat::at_most<1>,
     book},
    {"fused",
     "global",
     "one launch a step, four cells a thread",
     reinterpret_cast<const void*>(fused_kernel),
     {heat::tile_threads_x, heat::tile_height},
     Sources::after_step,
     heat::at_most<1>,
     fused},
    {"tiled",
     "shared",
     "one launch a step, from a tile in shared memory",
     reinterpret_cast<const void*>(tiled_kernel),
     {tiled_width, tiled_height},
     Sources::after_step,
     heat::at_most<1>,
     tiled},
    {"temporal",
     "shared",
     "six steps a launch, of a tile in shared memory",
     reinterpret_cast<const void*>(temporal_kernel),
     {heat::shared_threads, heat::shared_threads},
     Sources::before_step,
     heat::at_most<heat::shared_steps>,
     temporal},
    {"registers",
     "registers",
     "up to sixteen steps a launch, of a tile in registers",
     reinterpret_cast<const void*>(registers_kernel<false>),
     {32, heat::register_warps},
     Sources::before_step,
     heat::as_registers_allow,
     registers},
};

}  // namespace

heat::GpuBackend gpu() {
    heat::GpuBackend side = heat::gpu_backend("registers");
    heat::add_kernels(side.kernels, table);
    return side;
}

}  // namespace cudabook::heat_notexture
