// Replaces CCCL's header.
#include <thrust/system/cuda/vector.h>
