// Replaces CCCL's header, whose kernels are for real GPUs.
#include "../../../cub/device/device_reduce.cuh"
