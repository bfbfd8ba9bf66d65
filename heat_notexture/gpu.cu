// The launches of the room that reads through global memory.
#include "common/heat/cuda_solver.cuh"
#include "heat_notexture/heat_notexture.hpp"
#include "heat_notexture/kernels/1_copy_const.cuh"
#include "heat_notexture/kernels/2_blend.cuh"
#include "heat_notexture/kernels/3_fused.cuh"

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
    launch_overlapped(fused_kernel, s.shape.tiles(), block, s.stream, s.out, s.in.view.cells,
                      s.sources.view.cells, s.tile_has_source, s.shape.width, s.shape.height, s.shape.pitch,
                      s.speed, !s.last);
}

const heat::CudaKernel<GlobalView> table[] = {
    {"book",
     "global",
     "two launches a step, a thread for each cell, as in the text",
     reinterpret_cast<const void*>(blend_kernel),
     {16, 16},
     Sources::before_step,
     book},
    {"fused",
     "global",
     "one launch a step, four cells a thread",
     reinterpret_cast<const void*>(fused_kernel),
     {heat::tile_threads_x, heat::tile_height},
     Sources::after_step,
     fused},
};

}  // namespace

heat::GpuSide gpu() {
    heat::GpuSide side{cuda_devices, {}, "fused", device_copy_gb_per_s};
    heat::add_kernels(side.kernels, table);
    return side;
}

}  // namespace cudabook::heat_notexture
