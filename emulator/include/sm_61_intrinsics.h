// CUDA has a header of this name, which programs may include. Its content is in cuda_runtime.h here.
#include "cuda_runtime.h"
