// book.h of CUDA by Example: the helpers that its programs share. Written from scratch, in C++17; needs only
// headers of common/ and, for CUDA programs, CUDA's headers.
#ifndef __BOOK_H__
#define __BOOK_H__

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__CUDACC__) || __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>

#include "removed_calls.h"
#include "removed_fields.h"

/// Ends the program with one line on stderr unless `error` is cudaSuccess.
static inline void HandleError(cudaError_t error, const char* file, int line) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s (%s) at %s:%d\n", cudaGetErrorString(error), cudaGetErrorName(error), file, line);
    exit(EXIT_FAILURE);
}

#undef HANDLE_ERROR
#define HANDLE_ERROR(call) (HandleError((call), __FILE__, __LINE__))
#endif

#undef HANDLE_NULL
#define HANDLE_NULL(pointer)                                                                    \
    do {                                                                                        \
        if ((pointer) == NULL) {                                                                \
            fprintf(stderr, "out of host memory: %s at %s:%d\n", #pointer, __FILE__, __LINE__); \
            exit(EXIT_FAILURE);                                                                 \
        }                                                                                       \
    } while (0)

template <typename Any>
void swap(Any& a, Any& b) {
    Any old_a = a;
    a = b;
    b = old_a;
}

/// Returns `bytes` random bytes; release them with free().
static inline unsigned char* big_random_block(int bytes) {
    unsigned char* block = (unsigned char*)malloc((size_t)bytes);
    HANDLE_NULL(block);
    for (int i = 0; i < bytes; i++) block[i] = (unsigned char)rand();
    return block;
}

/// Returns `count` random numbers; release them with free().
static inline int* big_random_block_int(int count) {
    int* block = (int*)malloc((size_t)count * sizeof(int));
    HANDLE_NULL(block);
    for (int i = 0; i < count; i++) block[i] = rand();
    return block;
}

#ifdef __CUDACC__
#include "../numbers/colour_map.hpp"

/// Returns one channel of a colour, 0 to 255. As the hue grows (degrees, -120 to 480), the channel rises from
/// n1 to n2, stays there and falls back to n1. n1 and n2 are from 0 to 1.
__device__ static inline unsigned char value(float n1, float n2, int hue) {
    return cudabook::detail::hsl_channel(n1, n2, hue);
}

// Kernels that compute the colours of temperatures (colour_map.hpp): one thread per cell, in a 2-D grid of
// 2-D blocks.
namespace cudabook_book {
__device__ static inline int cell_of_thread() {
    const unsigned x = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned y = threadIdx.y + blockIdx.y * blockDim.y;
    return (int)(x + y * blockDim.x * gridDim.x);
}
}  // namespace cudabook_book

__attribute__((unused)) static __global__ void float_to_color(unsigned char* out, const float* in) {
    const int cell = cudabook_book::cell_of_thread();
    const cudabook::Rgba colour = cudabook::colour_of(in[cell]);
    out[4 * cell] = colour.red;
    out[4 * cell + 1] = colour.green;
    out[4 * cell + 2] = colour.blue;
    out[4 * cell + 3] = colour.alpha;
}

__attribute__((unused)) static __global__ void float_to_color(uchar4* out, const float* in) {
    const int cell = cudabook_book::cell_of_thread();
    const cudabook::Rgba colour = cudabook::colour_of(in[cell]);
    out[cell] = make_uchar4(colour.red, colour.green, colour.blue, colour.alpha);
}
#endif

// Threads.
typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void
#define CUT_THREADEND

static inline CUTThread start_thread(CUT_THREADROUTINE routine, void* data) {
    CUTThread thread;
    if (pthread_create(&thread, NULL, routine, data) != 0) {
        fprintf(stderr, "start_thread: cannot create a thread\n");
        exit(EXIT_FAILURE);
    }
    return thread;
}

/// Waits until the thread ends.
static inline void end_thread(CUTThread thread) { pthread_join(thread, NULL); }

static inline void destroy_thread(CUTThread thread) { pthread_cancel(thread); }

static inline void wait_for_threads(const CUTThread* threads, int count) {
    for (int i = 0; i < count; i++) end_thread(threads[i]);
}

#endif
