// In place of CCCL's, whose kernels are for real GPUs.
#include "../../../cub/device/device_histogram.cuh"
