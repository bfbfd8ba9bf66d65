// In place of CCCL's, whose kernels are for real GPUs.
#include "../../../cub/warp/warp_reduce.cuh"
