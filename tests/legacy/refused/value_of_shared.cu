// Refused: initializer not allowed for __shared__ variable
// nvcc 13.0: the same
__global__ void count(int* a) {
    __shared__ int sum = 0;  // here
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    a[threadIdx.x] = sum;
}

int main() {
    count<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
