// The emulated GPU's prefetch: it has no cache, so there is nothing to do.
#pragma once

namespace cudabook {

inline void prefetch_to_l2(const void* /*address*/) {}

}  // namespace cudabook
