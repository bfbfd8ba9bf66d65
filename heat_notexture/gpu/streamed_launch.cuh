// How the samples launch kernel `streamed`.
#pragma once

#include <cstddef>

#include "common/cuda/launch.cuh"
#include "heat_notexture/gpu/cuda_kernel.cuh"
#include "heat_notexture/gpu/stream_time.hpp"
#include "heat_notexture/kernels/8_streamed.cuh"

namespace cudabook::heat {

/// Launches kernel `streamed`. rows: how rows enter the first ring; reads: the memory path of these reads.
/// Returns false, and launches nothing, if this kernel cannot do the step, or if another kernel, whose
/// launches take time_of_others(), is quicker.
template <class View, class Rows>
bool launch_streamed(Reads reads, const Step<View>& s, const Rows& rows, OneLaunchTime time_of_others) {
    const auto width = static_cast<int>(s.shape.width);
    const auto height = static_cast<int>(s.shape.height);
    const double others =
        unstreamed_time(time_of_others, width, height, s.steps, s.steps, s.gpu.multiprocessors);
    SourceTiles* const sources = s.marks.tiles().if_any();
    const auto tiling =
        stream_tiling(width, height, s.steps, s.steps, s.gpu, sources, others - s.full_gpu_us);
    if (!CUDABOOK_HAS_SM90A || !s.bounded || !tiling) {
        s.sources_are_in = false;
        return false;
    }
    if (!s.sources_are_in && sources != nullptr)
        s.marks.write(s.sources.cells.data(), s.in.cells.data(), s.stream);
    s.sources_are_in = !s.last;
    const bool few_columns = tiling->columns == 12;
    launch_overlapped_with_shared(reads, few_columns ? streamed_kernel<12, Rows> : streamed_kernel<20, Rows>,
                                  static_cast<unsigned>(tiling->blocks), dim3(32, stream_threads / 32),
                                  few_columns ? sizeof(Rings<12>) : sizeof(Rings<20>), s.stream,
                                  s.out.cells.data(), rows, s.marks.bits(), width, height,
                                  static_cast<int>(s.shape.pitch), s.speed, s.steps, !s.last,
                                  s.marks.tiles().cuts(*tiling, s.steps), s.marks.taken());
    return true;
}

}  // namespace cudabook::heat
