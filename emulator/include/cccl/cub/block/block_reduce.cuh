// In place of CCCL's, whose kernels are for real GPUs.
#include "../../../cub/block/block_reduce.cuh"
