// Refused: a __global__ function call must be configured
// nvcc 13.0: the same
template <class T>
__global__ void set_ones(T* a) {
    a[threadIdx.x] = 1;
}

int main() {
    int* a = nullptr;
    cudaMalloc(&a, 32 * sizeof *a);
    if (a != nullptr) set_ones<int>(a);  // here
    return cudaFree(a);
}
