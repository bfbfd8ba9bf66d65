// In place of CCCL's.
#include <thrust/system/cuda/vector.h>
