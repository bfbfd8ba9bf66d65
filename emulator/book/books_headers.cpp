// Compiles the functions that are inline in the books' headers (common/book/) under nvcc: once, for all
// programs on the emulated GPU.
#include <cuda_runtime.h>

#undef __CUDA_ARCH__     // with it, the headers would hide the functions that are to be compiled here
#define __CUDACC__ 1     // the host's code knows the runtime
#define CUDABOOK_INLINE  // nothing

#include "common/book/cpu_anim.h"
#include "common/book/cpu_bitmap.h"
#include "common/book/gpu_anim.h"
#include "common/book/include/chapter/GL/glut.h"
