// The prefetch of the emulated GPU, which has no cache: it does nothing.
#pragma once

namespace cudabook {

inline void prefetch_to_l2(const void* /*address*/) {}

}  // namespace cudabook
