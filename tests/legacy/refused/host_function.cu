// Refused by clang: calling a __host__ function("square") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
int square(int x) { return x * x; }

__global__ void fill(int* a) {
    a[threadIdx.x] = square(threadIdx.x);  // here
}

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
