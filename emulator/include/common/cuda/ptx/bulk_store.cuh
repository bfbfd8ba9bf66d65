// common/cuda/ptx/bulk_store.cuh for the emulated GPU. A store is complete when its call returns.
#pragma once

#include "common/cuda/ptx/mbarrier.cuh"

namespace cudabook::ptx {

inline void publish_to_copies() {}

inline void store(void* global, const void* shared, int bytes) { detail::copy_bulk(global, shared, bytes); }

inline void await_reads_of_stores() {}
inline void await_stores() {}

}  // namespace cudabook::ptx
