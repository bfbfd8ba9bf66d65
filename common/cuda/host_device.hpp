// Marks a function that the host and the device both call; the host compiler alone sees nothing.
#pragma once

#ifdef __CUDACC__
#define CUDABOOK_HOST_DEVICE __host__ __device__
#else
#define CUDABOOK_HOST_DEVICE
#endif
