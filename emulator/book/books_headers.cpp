// Compiles, once for all programs on the emulated GPU, the functions that the books' headers (common/book/)
// have inline for nvcc.
#include <cuda_runtime.h>

#undef __CUDA_ARCH__     // it would hide from device code the functions to compile here
#define __CUDACC__ 1     // the host's code knows the runtime
#define CUDABOOK_INLINE  // nothing

#include "common/book/cpu_anim.h"
#include "common/book/cpu_bitmap.h"
#include "common/book/gpu_anim.h"
#include "common/book/include/chapter/GL/glut.h"
