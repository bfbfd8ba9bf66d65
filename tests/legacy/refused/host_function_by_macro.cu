// Refused by clang: calling a __host__ function("square") from a __global__ function is not allowed
// nvcc 13.0: calling a __host__ function(...) from a __global__ function(...) is not allowed
#define SQUARE(x) square(x)
int square(int x) { return x * x; }

template <class T>
__global__ void fill(T* a) {
    a[threadIdx.x] = SQUARE(a[threadIdx.x]);  // here
}

int main() {
    fill<int><<<1, 32>>>(nullptr);
    return cudaDeviceSynchronize();
}
