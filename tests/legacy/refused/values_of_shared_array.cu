// Refused: initializer not allowed for __shared__ variable
// nvcc 13.0: the same
__global__ void count(int* a) {
    __shared__ int sums[2][32] = {};  // here
    a[threadIdx.x] = sums[1][threadIdx.x];
}

int main() {
    count<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
