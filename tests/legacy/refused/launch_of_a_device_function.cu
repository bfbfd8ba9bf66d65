// Refused: a __device__ function call cannot be configured
// nvcc 13.0: the same
__device__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    fill<<<1, 32>>>(nullptr);  // here
    return cudaDeviceSynchronize();
}
