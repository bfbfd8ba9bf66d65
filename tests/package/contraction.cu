// Compiled to PTX, which shows whether x·y + z is an fma.
__global__ void product_and_sum(float* sum, float x, float y, float z) { *sum = x * y + z; }
