// Replaces CCCL's header, whose kernels are for real GPUs.
#include "../../../cub/block/block_reduce.cuh"
