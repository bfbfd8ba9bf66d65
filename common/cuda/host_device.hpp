// Marks a function for both host and device; expands to nothing in a host compiler.
#pragma once

#ifdef __CUDACC__
#define CUDABOOK_HOST_DEVICE __host__ __device__
#else
#define CUDABOOK_HOST_DEVICE
#endif
