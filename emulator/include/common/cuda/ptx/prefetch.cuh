// common/cuda/ptx/prefetch.cuh for the emulated GPU. It has no cache, so a prefetch does nothing.
#pragma once

namespace cudabook {

inline void prefetch_to_l2(const void* /*address*/) {}

}  // namespace cudabook
