// Refused: a __global__ function call must be configured
// nvcc 13.0: the same
__global__ void set_ones(int* a) { a[threadIdx.x] = 1; }

int main() {
    int* a = nullptr;
    cudaMalloc(&a, 32 * sizeof *a);
    set_ones(a);  // here
    return cudaFree(a);
}
