// A launch cannot reliably fetch its own writes through a surface: the texture cache does not notice them.
// The lesson has two blocks, which a GPU gives to two multiprocessors:
//   1. The first block fetches all texels. Now the texture cache of its multiprocessor has them.
//   2. Each block writes its half of the texels through the surface.
//   3. The first block fetches all texels again, and counts the texels that are still old, by their writer.
// CUDA does not define these counts. The next launch runs fetch_kernel, which fetches the new value of every
// texel.
#pragma once

namespace cudabook::texture_unit {

/// The flags between the two blocks, and the counts. All are 0 at first.
struct CoherencyCounts {
    unsigned has_fetched;  ///< whether the first block has fetched all texels
    unsigned has_written;  ///< whether the second block has written its texels
    unsigned fetched_old;  ///< old texels in the first fetches; counted so that the fetches are not removed
    unsigned old_of_own;
    unsigned other_was_seen;  ///< whether the first block saw has_written in time
    unsigned old_of_other;    ///< counted only if other_was_seen
};

/// Waits until the other block sets the flag, but at most some milliseconds, because two blocks need not run
/// at the same time. Returns true if the flag was set.
__device__ inline bool await(unsigned* flag) {
    for (int i = 0; i < 10'000; ++i) {
        if (atomicAdd(flag, 0U) != 0) return true;
        __nanosleep(200);
    }
    return false;
}

__global__ static void coherency_kernel(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int width,
                                        int height, int old_value, int new_value, CoherencyCounts* counts) {
    const auto first = static_cast<int>(threadIdx.x);
    const auto threads = static_cast<int>(blockDim.x);
    const int texels = width * height;
    const auto fetch_old = [=](int begin, int end) {
        unsigned old = 0;
        for (int i = begin + first; i < end; i += threads)
            old += tex2D<int>(texture, i % width + 0.5F, i / width + 0.5F) == old_value ? 1 : 0;
        return old;
    };
    const auto write = [=](int begin, int end) {
        for (int i = begin + first; i < end; i += threads)
            surf2Dwrite(new_value, surface, i % width * static_cast<int>(sizeof(int)), i / width);
    };
    const auto tell = [=](unsigned* flag) {
        __syncthreads();
        if (first == 0) atomicExch(flag, 1U);
    };

    if (blockIdx.x == 1) {
        if (first == 0) await(&counts->has_fetched);
        __syncthreads();
        write(texels / 2, texels);
        __threadfence();
        tell(&counts->has_written);
        return;
    }
    atomicAdd(&counts->fetched_old, fetch_old(0, texels));
    tell(&counts->has_fetched);
    write(0, texels / 2);
    if (first == 0) counts->other_was_seen = await(&counts->has_written) ? 1 : 0;
    __syncthreads();
    atomicAdd(&counts->old_of_own, fetch_old(0, texels / 2));
    if (counts->other_was_seen != 0) atomicAdd(&counts->old_of_other, fetch_old(texels / 2, texels));
}

/// The kernel of the next launch, which fetches all texels.
__global__ static void fetch_kernel(cudaTextureObject_t texture, int width, int height, int* to) {
    const auto threads = static_cast<int>(blockDim.x);
    for (auto i = static_cast<int>(threadIdx.x); i < width * height; i += threads)
        to[i] = tex2D<int>(texture, i % width + 0.5F, i / width + 0.5F);
}

}  // namespace cudabook::texture_unit
