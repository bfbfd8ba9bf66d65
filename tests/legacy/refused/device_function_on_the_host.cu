// Refused by clang: calling a __device__ function("square") from a __host__ function is not allowed
// nvcc 13.0: calling a __device__ function("square(int)") from a __host__ function("main") is not allowed
__device__ int square(int x) { return x * x; }

__global__ void fill(int* a) { a[threadIdx.x] = square(threadIdx.x); }

int main() {
    fill<<<1, 32>>>(nullptr);
    return square(3);  // here
}
