// Refused by clang: calling a __host__ function("square") from a __device__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed, with __device__
int square(int x) { return x * x; }

__device__ int cube(int x) {
    return x * square(x);  // here
}

__global__ void fill(int* a) { a[threadIdx.x] = cube(threadIdx.x); }

int main() {
    fill<<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
