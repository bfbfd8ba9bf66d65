// A header of CUDA that programs include beside cuda_runtime.h, which has all of it here.
#include "cuda_runtime.h"
