// A header of CUDA that programs include beside cuda_runtime.h. Here, cuda_runtime.h has its content.
#include "cuda_runtime.h"
