// Refused: calling a __device__ function("__syncthreads") from a __host__ function is not allowed
// nvcc 13.0: calling a __device__ function("__syncthreads") from a __host__ function("main") is not allowed
__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    fill<<<1, 32>>>(nullptr);
    __syncthreads();  // here
    return 0;
}
