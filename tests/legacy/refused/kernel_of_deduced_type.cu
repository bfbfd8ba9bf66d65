// Refused: a __global__ function must not have a deduced return type
// nvcc 13.0: the same
__global__ auto fill(int* a) { a[threadIdx.x] = 1; }  // here

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
